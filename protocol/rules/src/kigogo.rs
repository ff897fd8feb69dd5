//! Bao Kigogo: four rows of twelve pits, 92 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

mod track;

use crate::history::{Remember, Seen, mix};
use crate::illegal::Illegal;
use crate::moves::{Moves, bits};
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Lap, Play, Trace};
use crate::variant::{Side, Variant};
use track::{FRONT, PITS, Sower, Sown, Track};

const VARIANT: Variant = Variant::Kigogo;

/// The positions of a game of Bao Kigogo that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kigogo: the seeds of each pit, the side to move, and the seeds captured.
// Invariant: pits and captured seeds together are 92 or fewer, so that no count overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pits of the side to move.
    own: Track,
    /// The pits of the other side.
    other: Track,
    /// The seeds captured by the side to move and by the other one.
    captured: [u8; 2],
    side: Side,
}

impl Position {
    /// The start: two seeds in every pit but A1 and a1, South to move (rule 1).
    pub const START: Self = {
        let mut pits = [2; PITS];
        pits[PITS - 1] = 0;
        Self { own: Track::new(pits), other: Track::new(pits), captured: [0; 2], side: Side::South }
    };

    /// Makes a position from the pits of South and North in sowing order; the caller has counted the seeds.
    pub(crate) fn counted(pits: [[u8; PITS]; 2], captured: [u8; 2], side: Side) -> Self {
        let [me, they] = [side as usize, side.other() as usize];
        Self {
            own: Track::new(pits[me]),
            other: Track::new(pits[they]),
            captured: [captured[me], captured[they]],
            side,
        }
    }

    /// Gives the side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Counts the seeds that a side has captured.
    pub const fn captured(&self, side: Side) -> u32 {
        self.captured[(side as usize) ^ (self.side as usize)] as u32
    }

    /// Counts the seeds in a pit; 0 for a pit of the other game.
    pub fn seeds(&self, pit: Pit) -> u8 {
        if pit.variant() == VARIANT { self.track(pit.owner()).seeds(pit.index()) } else { 0 }
    }

    /// Gives the legal moves in sowing order (rule 2).
    #[inline]
    pub fn legal_moves(&self) -> Moves {
        Moves::from_bits(VARIANT, self.side, self.legal_bits())
    }

    /// Tells whether the side to move may lift `pit`.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, pit: Pit) -> Result<(), Illegal> {
        Illegal::by_owner(VARIANT, self.side, pit)?;
        if self.legal_bits() >> pit.index() & 1 != 0 {
            return Ok(());
        }
        let own = &self.own;
        Err(if own.seeds(pit.index()) == 0 {
            Illegal::EmptyPit { pit }
        } else if own.several() != 0 {
            Illegal::SingleSeed { pit }
        } else {
            let next = Pit::known(VARIANT, self.side, (pit.index() + 1) % PITS);
            Illegal::SingleSeedBlocked { pit, next }
        })
    }

    /// Plays a move and tells what came of it.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        self.check(pit)?;
        Ok(match Sower::new(&self.own).sow(pit.index()) {
            Some(sown) => {
                let after = self.moved(&sown);
                Play {
                    laps: Some(sown.laps),
                    last: Some(Pit::known(VARIANT, self.side, sown.last)),
                    captured: after.captured(self.side) - self.captured(self.side),
                    after: Some(after),
                    over: after.over(),
                }
            }
            None => Play { laps: None, last: None, captured: 0, after: None, over: Some(ENDLESS) },
        })
    }

    /// Gives the position after a legal move and nothing else.
    ///
    /// `None`: the move is not legal, or its sowing would never end.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.variant() == VARIANT && pit.owner() == self.side;
        if !own || self.legal_bits() >> pit.index() & 1 == 0 {
            return None;
        }
        Sower::new(&self.own).sow(pit.index()).map(|sown| self.moved(&sown))
    }

    /// Gives every legal move in sowing order with the position after it, `None` for a sowing that would never end.
    ///
    /// This is the fastest way to play all moves of a position.
    #[inline]
    pub fn children(&self) -> impl Iterator<Item = (Pit, Option<Self>)> {
        let sower = Sower::new(&self.own);
        bits(self.legal_bits()).map(move |pit| {
            (Pit::known(VARIANT, self.side, pit), sower.sow(pit).map(|sown| self.moved(&sown)))
        })
    }

    /// Plays a move and tells it lap by lap.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        self.check(pit)?;
        let mut trace = Trace::new();
        let name = |index| Pit::known(VARIANT, self.side, index);
        let sown = self.own.sow(pit.index(), |from, seeds, last| {
            trace.lap(Lap { from: name(from), seeds, last: name(last) });
        });
        let Some(sown) = sown else {
            trace.over = Some(ENDLESS);
            return Ok(trace);
        };
        let after = self.moved(&sown);
        if sown.last >= FRONT {
            let faced = facing(sown.last).map(|index| Pit::known(VARIANT, self.side.other(), index));
            let taken = faced.map(|pit| (pit, self.seeds(pit) - after.seeds(pit)));
            trace.taken = taken.into_iter().filter(|(_, seeds)| *seeds > 0).collect();
        }
        trace.total = Some(sown.laps);
        trace.over = after.over();
        Ok(trace)
    }

    /// Gives the result if the side to move has no legal move (rule 5).
    #[inline]
    pub fn over(&self) -> Option<Outcome> {
        let own = &self.own;
        let reason = if own.is_empty() {
            Ending::CapturedAll
        } else if own.is_stuck() {
            Ending::Immobilised
        } else {
            return None;
        };
        Some(Outcome { winner: Some(self.side.other()), reason })
    }

    /// Counts the sequences of exactly `depth` legal moves.
    ///
    /// A sowing that would never end is a last move: it counts where it completes a sequence. The last move of a
    /// sequence is counted and not played, because what is legal does not depend on the sowing.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.legal_bits().count_ones()),
            _ => self.children().filter_map(|(_, after)| after).map(|after| after.perft(depth - 1)).sum(),
        }
    }

    /// Gives the legal moves as bits, bit 0 being the side's first pit in sowing order.
    #[inline]
    fn legal_bits(&self) -> u32 {
        let own = &self.own;
        let several = own.several();
        if several != 0 {
            return several;
        }
        let singles = own.occupied();
        let next = singles >> 1 | (singles & 1) << (PITS - 1);
        singles & !next
    }

    /// Gives the position after a sowing, with what it captures (rule 4).
    #[inline]
    fn moved(&self, sown: &Sown) -> Self {
        let [mut mine, theirs] = self.captured;
        let mut other = self.other;
        if sown.last >= FRONT {
            let [front, back] = facing(sown.last);
            if other.seeds(front) > 0 {
                mine += other.seeds(front) + other.seeds(back);
                other = other.without([front, back]);
            }
        }
        Self { own: other, other: sown.track, captured: [theirs, mine], side: self.side.other() }
    }

    #[inline]
    const fn track(&self, side: Side) -> &Track {
        if side as u8 == self.side as u8 { &self.own } else { &self.other }
    }
}

impl Remember for Position {
    #[inline]
    fn hash(&self) -> u64 {
        mix(self.own.words().into_iter().chain(self.other.words()).chain([self.side as u64]))
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.own == other.own && self.other == other.other && self.side == other.side
    }

    #[inline]
    fn gone(&self) -> u32 {
        self.captured.map(u32::from).iter().sum()
    }
}

/// Gives the opponent's front pit that faces the own front pit `last`, and the back pit behind it.
const fn facing(last: usize) -> [usize; 2] {
    // A(24 - last) faces a(last - 11), which has the index 35 - last; behind it stands b(last - 11).
    [FRONT + PITS - 1 - last, last - FRONT]
}

const ENDLESS: Outcome = Outcome { winner: None, reason: Ending::EndlessSowing };
