//! One game: what is agreed before it, its course as a pure state machine, and its verdict.
//!
//! Nothing here reads a clock or touches a pipe: time and input are arguments.

pub mod adjudication;
pub mod clock;
pub mod flood;
mod instead;
pub mod machine;
pub mod note;
pub mod setup;
pub mod spec;
pub mod verdict;

pub use machine::*;
pub use note::Note;
