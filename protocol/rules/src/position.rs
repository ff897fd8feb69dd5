//! A position of either game.

use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Play, Trace};
use crate::variant::{Side, Variant};
use crate::{kigogo, kingulu};

/// A position of one of the games: pits, side to move, seeds captured or banked.
///
/// It is read from its text with [`Position::parse`] and written by `Display`; see [`crate::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// A position of Bao Kigogo.
    Kigogo(kigogo::Position),
    /// A position of Bao Kingulu.
    Kingulu(kingulu::Position),
}

/// Does the same to a position of whichever game.
macro_rules! each {
    ($position:expr, $inner:ident => $result:expr) => {
        match $position {
            Position::Kigogo($inner) => $result,
            Position::Kingulu($inner) => $result,
        }
    };
}

impl Position {
    /// Gives the position in which a game starts, South to move.
    pub const fn start(variant: Variant) -> Self {
        match variant {
            Variant::Kigogo => Self::Kigogo(kigogo::Position::START),
            Variant::Kingulu => Self::Kingulu(kingulu::Position::START),
        }
    }

    /// Gives the game.
    pub const fn variant(&self) -> Variant {
        match self {
            Self::Kigogo(_) => Variant::Kigogo,
            Self::Kingulu(_) => Variant::Kingulu,
        }
    }

    /// Gives the side to move.
    pub const fn side(&self) -> Side {
        each!(self, position => position.side())
    }

    /// Counts the seeds that a side has captured (Bao Kigogo) or in its bank (Bao Kingulu).
    pub const fn captured(&self, side: Side) -> u32 {
        each!(self, position => position.captured(side))
    }

    /// Counts the seeds in a pit; 0 for a pit of the other game.
    pub fn seeds(&self, pit: Pit) -> u8 {
        each!(self, position => position.seeds(pit))
    }

    /// Tells who reserved a pit, if anyone did; nobody ever does in Bao Kigogo.
    pub fn reserved(&self, pit: Pit) -> Option<Side> {
        match self {
            Self::Kigogo(_) => None,
            Self::Kingulu(position) => position.reserved(pit),
        }
    }

    /// Gives a side's own pits in sowing order: Bao Kigogo B1..B12, A12..A1; Bao Kingulu A1..A6.
    pub fn pits(&self, side: Side) -> impl ExactSizeIterator<Item = Pit> + Clone + use<> {
        Pit::of(self.variant(), side)
    }

    /// Gives the legal moves in sowing order.
    pub fn legal_moves(&self) -> Moves {
        each!(self, position => position.legal_moves())
    }

    /// Tells whether the side to move may lift `pit`.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, pit: Pit) -> Result<(), Illegal> {
        each!(self, position => position.check(pit))
    }

    /// Plays a move and tells what came of it.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn play(&self, pit: Pit) -> Result<Play, Illegal> {
        match self {
            Self::Kigogo(position) => Ok(position.play(pit)?.map(Self::Kigogo)),
            Self::Kingulu(position) => Ok(position.play(pit)?.map(Self::Kingulu)),
        }
    }

    /// Begins a move that may be finished piece by piece, for who cannot wait: a sowing of Bao Kigogo can go on for millions
    /// of laps. One of Bao Kingulu is sown at once.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn begin(&self, pit: Pit) -> Result<Sowing, Illegal> {
        match self {
            Self::Kigogo(position) => position.begin(pit).map(Sowing::Kigogo),
            Self::Kingulu(_) => self.play(pit).map(Sowing::Sown),
        }
    }

    /// Plays a move and tells it lap by lap, for people; lists at most [`Trace::MOST_LAPS`] laps.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        each!(self, position => position.trace(pit))
    }

    /// Gives the result if the position alone ends the game: the side to move has no legal move.
    pub fn over(&self) -> Option<Outcome> {
        each!(self, position => position.over())
    }

    /// Counts the seeds that a side would score if the game ended here.
    ///
    /// Bao Kingulu counts as its rule 6 says: the bank, the unreserved pits of the own row, the pits reserved in the
    /// other row. Bao Kigogo is not won by seeds; there it is those captured.
    pub fn score(&self, side: Side) -> u32 {
        match self {
            Self::Kigogo(position) => position.captured(side),
            Self::Kingulu(position) => position.score(side),
        }
    }

    /// Gives the side with the higher score, if there is one.
    pub fn scored(&self) -> Option<Side> {
        let [south, north] = Side::BOTH.map(|side| self.score(side));
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Side::North),
        }
    }

    /// Gives the result of a game that is stopped in this position by [`Ending::Repetition`] or [`Ending::MaxPlies`].
    ///
    /// Bao Kigogo is drawn then, Bao Kingulu is decided by the score.
    pub fn stopped(&self, reason: Ending) -> Outcome {
        let winner = match self {
            Self::Kigogo(_) => None,
            Self::Kingulu(position) => position.scored(),
        };
        Outcome { winner, reason }
    }
}

/// A move under way; made by [`Position::begin`].
#[derive(Clone, Copy, Debug)]
pub enum Sowing {
    /// Laps may be left to sow.
    Kigogo(kigogo::Sowing),
    /// It is sown already, and this came of it.
    Sown(Play),
}

impl Sowing {
    /// Sows so many laps more; tells what came of the move once that is known, which is what [`Position::play`] tells.
    pub fn go_on(&mut self, laps: u64) -> Option<Play> {
        match self {
            Self::Kigogo(sowing) => Some(sowing.go_on(laps)?.map(Position::Kigogo)),
            Self::Sown(play) => Some(*play),
        }
    }
}

/// Counts the sequences of exactly `depth` legal moves from a position.
///
/// A game that is over ends a sequence; repetition does not. A sowing that would never end (Bao Kigogo) is a last move:
/// it counts where it completes a sequence. The last move of each sequence is counted and not played, as is usual for
/// such counts, so that the rate is one of sequences and not of moves played; `benches/rates.rs` measures both.
pub fn perft(position: &Position, depth: u32) -> u64 {
    each!(position, position => position.perft(depth))
}
