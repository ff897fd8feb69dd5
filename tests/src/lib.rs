//! The kit for tests of the referee in real processes.
//!
//! [`Referee`] starts the built program in a directory of its own and follows it; [`Ended`] is the result. Every
//! end is checked alike, whatever a test is about: the referee came to its end in time, its memory stayed small, no
//! process outlived it, and what it recorded can be verified. [`bots`] writes the command lines of hostile bots,
//! whose program is `hostile` in this crate.

pub mod bots;
mod chance;
mod clock;
mod ended;
mod place;
mod programs;
mod referee;
mod skip;
mod survivors;
mod watch;

pub use chance::{Chance, number};
pub use ended::Ended;
pub use place::Place;
pub use programs::program;
pub use referee::{Referee, Running};
pub use skip::skip;
