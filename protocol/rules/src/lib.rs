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
//! # Sowings that never end
//!
//! They are found exactly, with one comparison a lap: an endless sowing comes back to the state in which it began. A
//! state is the pits and the pit to lift next, and the state after a lap of `n` seeds tells the one before. Of `p`
//! pits in a ring, all got `n / p` seeds, and the `n % p` pits up to the last one got one more; the lifted pit holds just
//! `n / p`. So `n / p` is the least that any pit holds, and the lifted pit is the nearest with so few, looking back
//! from the last seed. As no state has two predecessors, the first state that comes back is the first of all.
//!
//! # Which type to use
//!
//! [`Position`] covers both games. A search that knows its game uses [`kigogo::Position`] or [`kingulu::Position`],
//! which have the same operations, and `after` and `children`, the fastest ways to play moves.

#![no_std]

extern crate alloc;

mod any;
mod by_side;
mod games;
mod illegal;
mod info;
#[cfg(feature = "kalah")]
pub mod kalah;
pub mod kigogo;
pub mod kingulu;
mod moves;
mod name;
mod outcome;
mod pit;
mod play;
mod rules;
mod seen;
mod side;
pub mod text;
mod trace;
mod variant;

pub use any::{History, Position, Sowing, perft};
pub use by_side::BySide;
pub use illegal::Illegal;
pub use info::{Info, Track};
pub use moves::Moves;
pub use name::UnknownName;
pub use outcome::{Ending, Outcome};
pub use pit::{Pit, PitError};
pub use play::{Play, Sow};
pub use rules::Rules;
pub use seen::Seen;
pub use side::Side;
pub use text::error::{Place, PositionError};
pub use trace::{Lap, Reservation, Step, Trace};
pub use variant::Variant;
