//! Schedules as pure functions: whatever the order in which games finish, and wherever a run was cut off.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod extended;
mod formats;
mod openings;
mod play;
mod resume;
