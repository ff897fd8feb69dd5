//! Bao Kigogo: four rows of twelve pits, 92 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

mod track;

use crate::history::{Remember, Seen, mix};
use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Lap, Play, Trace};
use crate::variant::{Side, Variant};
use track::{FRONT, PITS, Track};

const VARIANT: Variant = Variant::Kigogo;

/// The positions of a game of Bao Kigogo that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kigogo: the seeds of each pit, the side to move, and the seeds captured.
// Invariant: pits and captured seeds together are 92 or fewer, so that no count overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    tracks: [Track; 2],
    captured: [u8; 2],
    side: Side,
}

impl Position {
    /// The start: two seeds in every pit but A1 and a1, South to move (rule 1).
    pub const START: Self = {
        let mut pits = [2; PITS];
        pits[PITS - 1] = 0;
        Self { tracks: [Track::new(pits); 2], captured: [0; 2], side: Side::South }
    };

    /// Makes a position from the pits of both sides in sowing order; the caller has counted the seeds.
    pub(crate) fn counted(pits: [[u8; PITS]; 2], captured: [u8; 2], side: Side) -> Self {
        Self { tracks: pits.map(Track::new), captured, side }
    }

    /// Gives the side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Counts the seeds that a side has captured.
    pub const fn captured(&self, side: Side) -> u32 {
        self.captured[side as usize] as u32
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
        let own = self.track(self.side);
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
        let mut after = *self;
        Ok(match after.sow(pit.index(), |_, _, _| {}) {
            Some((laps, last)) => Play {
                laps: Some(laps),
                last: Some(Pit::known(VARIANT, self.side, last)),
                captured: after.captured(self.side) - self.captured(self.side),
                after: Some(after),
                over: after.over(),
            },
            None => Play { laps: None, last: None, captured: 0, after: None, over: Some(ENDLESS) },
        })
    }

    /// Gives the position after a legal move and nothing else, which is the fastest way to play one.
    ///
    /// `None`: the move is not legal, or its sowing would never end.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.variant() == VARIANT && pit.owner() == self.side;
        if !own || self.legal_bits() >> pit.index() & 1 == 0 {
            return None;
        }
        let mut after = *self;
        after.sow(pit.index(), |_, _, _| {}).map(|_| after)
    }

    /// Plays a move and tells it lap by lap.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        self.check(pit)?;
        let mut trace = Trace::new();
        let mut after = *self;
        let name = |index| Pit::known(VARIANT, self.side, index);
        let sown = after.sow(pit.index(), |from, seeds, last| {
            trace.lap(Lap { from: name(from), seeds, last: name(last) });
        });
        if let Some((_, last)) = sown
            && last >= FRONT
        {
            let faced = facing(last).map(|index| Pit::known(VARIANT, self.side.other(), index));
            let taken = faced.into_iter().map(|pit| (pit, self.seeds(pit) - after.seeds(pit)));
            trace.taken = taken.filter(|(_, seeds)| *seeds > 0).collect();
        }
        trace.total = sown.map(|(laps, _)| laps);
        trace.over = if sown.is_some() { after.over() } else { Some(ENDLESS) };
        Ok(trace)
    }

    /// Gives the result if the side to move has no legal move (rule 5).
    #[inline]
    pub fn over(&self) -> Option<Outcome> {
        let own = self.track(self.side);
        let reason = if own.is_empty() {
            Ending::CapturedAll
        } else if own.is_stuck() {
            Ending::Immobilised
        } else {
            return None;
        };
        Some(Outcome { winner: Some(self.side.other()), reason })
    }

    /// Counts the sequences of exactly `depth` legal moves; every move is played, none only counted.
    ///
    /// A sowing that would never end is a last move: it counts where it completes a sequence.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut bits = self.legal_bits();
        let mut leaves = 0;
        while bits != 0 {
            let mut after = *self;
            leaves += match after.sow(bits.trailing_zeros() as usize, |_, _, _| {}) {
                Some(_) => after.perft(depth - 1),
                None => u64::from(depth == 1),
            };
            bits &= bits - 1;
        }
        leaves
    }

    /// Gives the legal moves as bits, bit 0 being the side's first pit in sowing order.
    #[inline]
    fn legal_bits(&self) -> u32 {
        let own = self.track(self.side);
        let several = own.several();
        if several != 0 {
            return several;
        }
        let singles = own.occupied();
        let next = singles >> 1 | (singles & 1) << (PITS - 1);
        singles & !next
    }

    /// Plays the legal move that lifts `from`; gives the laps and the last pit, or `None` for an endless sowing.
    #[inline]
    fn sow(&mut self, from: usize, watch: impl FnMut(usize, u8, usize)) -> Option<(u64, usize)> {
        let ended = self.tracks[self.side as usize].sow(from, watch)?;
        if ended.last >= FRONT {
            self.capture(ended.last);
        }
        self.side = self.side.other();
        Some((ended.laps, ended.last))
    }

    /// Takes what faces the front pit `last` and stands behind that (rule 4).
    #[inline]
    fn capture(&mut self, last: usize) {
        let theirs = &mut self.tracks[self.side.other() as usize];
        let [front, back] = facing(last);
        if theirs.seeds(front) > 0 {
            self.captured[self.side as usize] += theirs.take(front) + theirs.take(back);
        }
    }

    #[inline]
    const fn track(&self, side: Side) -> &Track {
        &self.tracks[side as usize]
    }
}

impl Remember for Position {
    #[inline]
    fn hash(&self) -> u64 {
        let [south, north] = &self.tracks;
        mix(south.words().into_iter().chain(north.words()).chain([self.side as u64]))
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.tracks == other.tracks && self.side == other.side
    }

    #[inline]
    fn gone(&self) -> u32 {
        self.captured(Side::South) + self.captured(Side::North)
    }
}

/// Gives the opponent's front pit that faces the own front pit `last`, and the back pit behind it.
const fn facing(last: usize) -> [usize; 2] {
    // A(24 - last) faces a(last - 11), which has the index 35 - last; behind it stands b(last - 11).
    [FRONT + PITS - 1 - last, last - FRONT]
}

const ENDLESS: Outcome = Outcome { winner: None, reason: Ending::EndlessSowing };
