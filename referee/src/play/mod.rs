//! Connects games with processes: pipes, timers and the real clock.

pub mod bout;
pub mod driver;
pub mod link;
pub mod manners;
mod settle;
pub mod talk;
pub mod witness;
