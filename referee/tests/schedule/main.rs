//! Schedules as pure functions: whatever the order in which games finish, and wherever a run was cut off.

mod formats;
mod openings;
mod play;
mod resume;
