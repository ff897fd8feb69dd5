//! `referee farm`, `task`, `wave` and `gather`: an event that is played by many workers.

mod coordinator;
mod engines;
mod local;
mod task;

pub(super) use local::{Farm, Gather, Wave};
pub(super) use task::Task;
