//! What every game has in common.

use core::cmp::Ordering;
use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::str::FromStr;

use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::{MOST, Pit};
use crate::play::{Play, Sow};
use crate::seen::Remember;
use crate::side::Side;
use crate::text::error::PositionError;
use crate::trace::Trace;
use crate::variant::Variant;

/// The rules of one game, implemented by its positions.
///
/// A program that treats all games alike uses [`Position`](crate::Position), which has the same methods; one that is
/// generic over games uses this trait. It is sealed: the games are those of this crate.
///
/// ```
/// use bao_rules::{Rules, kigogo, kingulu};
///
/// /// Returns the number of moves at the start.
/// fn first_moves<P: Rules>() -> usize {
///     P::START.legal_moves().len()
/// }
///
/// assert_eq!((first_moves::<kigogo::Position>(), first_moves::<kingulu::Position>()), (23, 4));
/// ```
pub trait Rules: Setup + Copy + Eq + Hash + Debug + Display + FromStr<Err = PositionError> {
    /// The game.
    const VARIANT: Variant;

    /// The position in which a game starts, South to move.
    const START: Self;

    /// A move under way; [`Play<Self>`](Play) for a game whose sowings are short.
    type Sowing: Sow<Self>;

    /// Returns the side to move.
    fn side(&self) -> Side;

    /// Returns the same pits and captured seeds with `side` to move.
    #[must_use]
    fn with_side(&self, side: Side) -> Self;

    /// Returns the number of seeds that a side has captured, or has in its bank.
    fn captured(&self, side: Side) -> u32;

    /// Returns the number of seeds in a pit; 0 for a pit of another game.
    fn seeds(&self, pit: Pit) -> u8;

    /// Returns the side that reserved a pit, if one did.
    fn reserved(&self, pit: Pit) -> Option<Side> {
        let _ = pit;
        None
    }

    /// Returns the legal moves in sowing order.
    fn legal_moves(&self) -> Moves;

    /// Checks whether the side to move may lift `pit`.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn check(&self, pit: Pit) -> Result<(), Illegal>;

    /// Plays a move and returns its effect.
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal>;

    /// Begins a move whose sowing is followed piece by piece.
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn begin(&self, pit: Pit) -> Result<Self::Sowing, Illegal>;

    /// Plays a move and lists its steps, of the laps at most [`Trace::MOST_LAPS`].
    ///
    /// # Errors
    /// The rule that forbids the move.
    fn trace(&self, pit: Pit) -> Result<Trace, Illegal>;

    /// Returns the result if the position alone ends the game: the side to move has no legal move.
    fn over(&self) -> Option<Outcome>;

    /// Returns the number of seeds that a side would score if the game ended here.
    fn score(&self, side: Side) -> u32 {
        self.captured(side)
    }

    /// Returns the side with the higher score, if there is one.
    fn scored(&self) -> Option<Side> {
        match self.score(Side::South).cmp(&self.score(Side::North)) {
            Ordering::Greater => Some(Side::South),
            Ordering::Equal => None,
            Ordering::Less => Some(Side::North),
        }
    }

    /// Returns the result of a game that is stopped here by [`Ending::Repetition`] or [`Ending::MaxPlies`]: the score
    /// decides if [`Info::counted`](crate::Info::counted) says so; else it is a draw.
    fn stopped(&self, reason: Ending) -> Outcome {
        let winner = if Self::VARIANT.info().counted { self.scored() } else { None };
        Outcome { winner, reason }
    }

    /// Returns the number of sequences of exactly `depth` legal moves; see [`perft`](crate::perft).
    fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => {
                let after = |pit| self.play(pit).expect("the move is legal").after;
                moves.iter().filter_map(after).map(|after| after.perft(depth - 1)).sum()
            }
        }
    }
}

/// All that makes up a position, of any game.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    /// The seeds of each pit, by side and index.
    pub pits: [[u8; MOST]; 2],
    /// The reserved pits, by the side in whose rows they lie, as bits.
    pub reserved: [u32; 2],
    /// The captured or banked seeds, by side.
    pub captured: [u8; 2],
    /// The side to move.
    pub side: Side,
}

/// A position that is made of its parts; this seals [`Rules`], because nobody else can name it.
pub trait Setup: Remember {
    /// Returns the position; the caller has checked that the seeds are those of the game.
    fn set_up(seeds: &Seeds) -> Self;
}
