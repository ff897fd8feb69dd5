//! One game: its setup, its course as a pure state machine, and its verdict.
//!
//! Nothing here reads a clock or touches a pipe: time and input are arguments.

pub mod adjudication;
pub mod clock;
mod end;
pub mod flood;
pub mod input;
mod instead;
pub mod machine;
pub(crate) mod messages;
pub mod note;
mod prepare;
pub mod setup;
pub mod spec;
mod turn;
pub mod verdict;

pub use input::{Cpu, Heard, Input, Out};
pub use machine::Game;
pub(crate) use machine::unended;
pub(crate) use messages::{hello, new_game};
pub use note::Note;
