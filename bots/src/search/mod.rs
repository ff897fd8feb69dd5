//! A search for the best move: iterative deepening, principal variation search, a table of positions.
//!
//! [`Search`] works for any [`Game`]; `kigogo` and `kingulu` are the two that there are. It reads no clock: who
//! calls it says when to stop.

mod game;
mod iterate;
mod kigogo;
mod kingulu;
mod pace;
mod table;

pub use game::{Game, WIN};
pub use iterate::{Limits, Report, Search};
pub use kigogo::{BadWeights, Curve, Judge, Weights};
pub use pace::Pace;
