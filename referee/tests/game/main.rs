//! The machine of a game in virtual time: no process, no pipe, no clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod absence;
mod chance;
mod clocks;
mod conduct;
mod messages;
mod preparing;
mod script;
