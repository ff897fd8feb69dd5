//! The rules core of Bao Kigogo and Bao Kingulu.
//!
//! The two mancalas of the referee by its rulebook, rules version 1: legal moves and why others are not, play lap by lap, endings,
//! scores, repetition, position texts, counts of move sequences. No dependency, no I/O, no clock, no unsafe code; no
//! operation on a position that was accepted panics.
//!
//! ```
//! use bao_rules::{History, Pit, Position, Variant};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut position = Position::start("bao-kigogo".parse()?);
//! let mut history = History::new(&position);
//!
//! // A move is the pit that it lifts.
//! let pit = Pit::parse(Variant::Kigogo, "B1")?;
//! assert!(position.legal_moves().contains(pit));
//! let play = position.play(pit)?;
//! assert_eq!((play.laps, play.captured), (Some(8), 4));
//! assert_eq!(play.over, None);
//!
//! // An endless sowing has no position after it; then `over` holds the result.
//! position = play.after.ok_or("endless")?;
//! assert!(!history.push(&position), "this position is new");
//! assert!(position.to_string().ends_with(" N 4 0"));
//!
//! // It is North's turn now, and the error says so.
//! let error = position.play(pit).unwrap_err();
//! assert_eq!(error.code(), "not_your_pit");
//! # Ok(())
//! # }
//! ```
//!
//! [`Position`] covers both games. A search that knows its game uses [`kigogo::Position`] or [`kingulu::Position`],
//! which have the same operations, and `after`, the fastest way to play a move.

mod cycle;
mod history;
mod illegal;
pub mod kigogo;
pub mod kingulu;
mod moves;
mod outcome;
mod pit;
mod play;
mod position;
pub mod text;
mod variant;

pub use history::{History, Seen};
pub use illegal::Illegal;
pub use moves::Moves;
pub use outcome::{Ending, Outcome};
pub use pit::{Pit, PitError};
pub use play::{Lap, Play, Reservation, Trace};
pub use position::{Position, perft};
pub use text::{Place, PositionError};
pub use variant::{Side, UnknownName, Variant};
