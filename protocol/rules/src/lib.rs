#![doc = include_str!("../README.md")]
//!
//! # Sowings that never end
//!
//! They are found exactly, with one comparison a lap: an endless sowing comes back to the state in which it began. A
//! state is the pits and the pit to lift next, and the state after a lap of `n` seeds determines the one before. Of `p`
//! pits in a ring, all got `n / p` seeds, and the `n % p` pits up to the last one got one more; the lifted pit holds just
//! `n / p`. So `n / p` is the least that any pit holds, and the lifted pit is the nearest with so few, looking back
//! from the last seed. As no state has two predecessors, the first state that comes back is the first of all.

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
#[cfg(feature = "serde")]
mod serial;
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
