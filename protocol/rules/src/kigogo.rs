//! Bao Kigogo: four rows of twelve pits, 92 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

pub(crate) mod info;
mod track;

use core::ops::ControlFlow;

use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Play, Sow};
use crate::rules::{Rules, Seeds, Setup};
use crate::seen::{Remember, Seen, mix};
use crate::side::Side;
use crate::trace::{Step, Trace};
use crate::variant::Variant;
use track::{Ended, FRONT, PITS, Round, Sower, Track, facing};

const VARIANT: Variant = Variant::Kigogo;

/// The positions of a game of Bao Kigogo that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kigogo: the seeds of each pit, the side to move, and the seeds captured.
// Invariant: pits and captured seeds together are 92 or fewer, so that no count overflows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pits of the side to move.
    own: Track,
    /// The pits of the other side.
    other: Track,
    tally: Tally,
}

/// The seeds captured by the side to move and by the other one, in the two lowest bytes, and above them the side.
///
/// One whole word like the others, because copies of small fields hold up a processor that has just written them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Tally(u64);

impl Tally {
    const NORTH: u64 = 1 << 16;

    const fn new(mine: u8, theirs: u8, side: Side) -> Self {
        Self(mine as u64 | (theirs as u64) << 8 | (side as u64) << 16)
    }

    #[inline]
    const fn side(self) -> Side {
        if self.0 & Self::NORTH == 0 { Side::South } else { Side::North }
    }

    /// Adds seeds to those of the side to move and gives the turn to the other.
    #[inline]
    const fn turned(self, gained: u8) -> Self {
        let [mine, theirs] = [(self.0 + gained as u64) & 0xff, self.0 >> 8 & 0xff];
        Self(theirs | mine << 8 | (self.0 & Self::NORTH ^ Self::NORTH))
    }
}

impl Rules for Position {
    const VARIANT: Variant = Variant::Kigogo;

    /// Two seeds in every pit but A1 and a1, South to move (rule 1).
    const START: Self = {
        let mut pits = [2; PITS];
        pits[PITS - 1] = 0;
        Self { own: Track::new(pits), other: Track::new(pits), tally: Tally::new(0, 0, Side::South) }
    };

    type Sowing = Sowing;

    #[inline]
    fn side(&self) -> Side {
        self.tally.side()
    }

    fn with_side(&self, side: Side) -> Self {
        if side == self.side() {
            return *self;
        }
        Self { own: self.other, other: self.own, tally: self.tally.turned(0) }
    }

    #[inline]
    fn captured(&self, side: Side) -> u32 {
        let place = if side == self.side() { 0 } else { 8 };
        (self.tally.0 >> place & 0xff) as u32
    }

    #[inline]
    fn seeds(&self, pit: Pit) -> u8 {
        if pit.is_of(VARIANT) { self.track(pit.owner()).seeds(pit.index()) } else { 0 }
    }

    /// Returns the legal moves in sowing order (rule 2).
    #[inline]
    fn legal_moves(&self) -> Moves {
        Moves::from_bits(VARIANT, self.side(), self.legal_bits())
    }

    fn check(&self, pit: Pit) -> Result<(), Illegal> {
        Illegal::by_owner(VARIANT, self.side(), pit)?;
        if self.legal_bits() >> pit.index() & 1 != 0 {
            return Ok(());
        }
        let own = &self.own;
        Err(if own.seeds(pit.index()) == 0 {
            Illegal::EmptyPit { pit }
        } else if own.several() != 0 {
            Illegal::SingleSeed { pit }
        } else {
            let next = Pit::known(VARIANT, self.side(), (pit.index() + 1) % PITS);
            Illegal::SingleSeedBlocked { pit, next }
        })
    }

    fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        self.check(pit)?;
        Ok(self.played(Sower::new(&self.own).sow(pit.index(), u64::MAX)))
    }

    fn begin(&self, pit: Pit) -> Result<Sowing, Illegal> {
        self.check(pit)?;
        Ok(Sowing { before: *self, round: Round::new(self.own, pit.index()) })
    }

    fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        self.check(pit)?;
        let mut trace = Trace::new();
        let name = |index| Pit::known(VARIANT, self.side(), index);
        let mut track = self.own;
        let sown = track.sow(pit.index(), u64::MAX, |from, seeds, last| {
            trace.lap(name(from), seeds, Some(name(last)));
        });
        let Some(Ended { laps, last }) = sown else {
            trace.over = Some(ENDLESS);
            return Ok(trace);
        };
        let after = self.moved(track, last);
        if last >= FRONT {
            let faced = facing(last).map(|index| Pit::known(VARIANT, self.side().other(), index));
            let taken = faced.map(|pit| (pit, self.seeds(pit) - after.seeds(pit)));
            let taken = taken.into_iter().filter(|(_, seeds)| *seeds > 0);
            trace.steps.extend(taken.map(|(pit, seeds)| Step::Take { pit, seeds }));
        }
        trace.total = Some(laps);
        trace.over = after.over();
        Ok(trace)
    }

    /// Returns the result if the side to move has no legal move (rule 5).
    #[inline]
    fn over(&self) -> Option<Outcome> {
        let own = &self.own;
        let reason = if own.is_empty() {
            Ending::CapturedAll
        } else if own.is_stuck() {
            Ending::Immobilised
        } else {
            return None;
        };
        Some(Outcome { winner: Some(self.side().other()), reason })
    }

    /// Returns the number of sequences of exactly `depth` legal moves.
    ///
    /// The last move of a sequence is counted and not played, because what is legal does not depend on the sowing.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.legal_bits().count_ones()),
            _ => self.children().filter_map(|(_, after)| after).map(|after| after.perft(depth - 1)).sum(),
        }
    }
}

impl Position {
    /// Returns the effect of a move by how its sowing ended; `None`: it is endless.
    fn played(&self, sown: Option<(Track, Ended)>) -> Play<Self> {
        let Some((track, Ended { laps, last })) = sown else {
            return Play { laps: None, last: None, captured: 0, after: None, over: Some(ENDLESS) };
        };
        let after = self.moved(track, last);
        Play {
            laps: Some(laps),
            last: Some(Pit::known(VARIANT, self.side(), last)),
            captured: after.captured(self.side()) - self.captured(self.side()),
            after: Some(after),
            over: after.over(),
        }
    }

    /// Returns the position after a legal move and nothing else.
    ///
    /// `None`: the move is not legal, or its sowing would never end.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.is_of(VARIANT) && pit.owner() == self.side();
        if !own || self.legal_bits() >> pit.index() & 1 == 0 {
            return None;
        }
        let (track, Ended { last, .. }) = Sower::new(&self.own).sow(pit.index(), u64::MAX)?;
        Some(self.moved(track, last))
    }

    /// Returns every legal move in sowing order with the position after it, `None` for a sowing that would never end.
    ///
    /// This is the fastest way to play all moves of a position.
    ///
    /// ```
    /// use bao_rules::{Pit, Rules, Side, kigogo::Position};
    ///
    /// let captured = |(_, after): (Pit, Option<Position>)| after.map_or(0, |after| after.captured(Side::South));
    /// assert_eq!(Position::START.children().map(captured).max(), Some(4));
    /// ```
    #[inline]
    pub fn children(&self) -> Children<'_> {
        self.children_within(u64::MAX)
    }

    /// Returns what [`children`](Self::children) returns, but takes a sowing of more than about `laps` laps for endless.
    ///
    /// For programs that cannot wait: there are sowings that go on for millions of laps before they come back.
    #[inline]
    pub fn children_within(&self, laps: u64) -> Children<'_> {
        Children { position: self, sower: Sower::new(&self.own), left: self.legal_bits(), most_laps: laps }
    }

    /// Returns the legal moves as bits, bit 0 being the side's first pit in sowing order.
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

    /// Returns the position after a sowing that ended in `last`, with what it captures (rule 4).
    #[inline]
    fn moved(&self, track: Track, last: usize) -> Self {
        let taken = self.other.faced(last);
        let captures = if taken > 0 { last } else { 0 };
        Self { own: self.other.without_faced(captures), other: track, tally: self.tally.turned(taken) }
    }

    #[inline]
    fn track(&self, side: Side) -> &Track {
        if side == self.side() { &self.own } else { &self.other }
    }
}

/// A move whose sowing is under way; returned by [`Rules::begin`].
///
/// There are sowings that go on for millions of laps before they come back to their first state.
#[derive(Clone, Copy, Debug)]
pub struct Sowing {
    before: Position,
    round: Round,
}

impl Sow<Position> for Sowing {
    fn go_on(&mut self, laps: u64) -> Option<Play<Position>> {
        let ControlFlow::Break(ended) = self.round.go_on(laps, |_, _, _| {}) else { return None };
        Some(self.before.played(ended.map(|ended| (self.round.track, ended))))
    }
}

/// The legal moves of a position that are left to play; returned by [`Position::children`].
#[derive(Debug)]
pub struct Children<'a> {
    position: &'a Position,
    sower: Sower,
    /// The pits still to lift, as bits.
    left: u32,
    /// After how many laps a sowing is given up.
    most_laps: u64,
}

impl Iterator for Children<'_> {
    type Item = (Pit, Option<Position>);

    #[expect(
        clippy::inline_always,
        reason = "measured: a tenth faster where all moves of a position are played"
    )]
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let pit = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        let sown = self.sower.sow(pit, self.most_laps);
        let after = sown.map(|(track, Ended { last, .. })| self.position.moved(track, last));
        Some((Pit::known(VARIANT, self.position.side(), pit), after))
    }
}

impl Setup for Position {
    fn set_up(seeds: &Seeds) -> Self {
        let [me, they] = [seeds.side as usize, seeds.side.other() as usize];
        let track = |side: usize| Track::new(core::array::from_fn(|pit| seeds.pits[side][pit]));
        let tally = Tally::new(seeds.captured[me], seeds.captured[they], seeds.side);
        Self { own: track(me), other: track(they), tally }
    }
}

impl Remember for Position {
    #[inline]
    fn fingerprint(&self) -> u64 {
        mix(self.own.words().into_iter().chain(self.other.words()).chain([self.side() as u64]))
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.own == other.own && self.other == other.other && self.side() == other.side()
    }

    #[inline]
    fn gone(&self) -> u32 {
        ((self.tally.0 & 0xff) + (self.tally.0 >> 8 & 0xff)) as u32
    }
}

const ENDLESS: Outcome = Outcome { winner: None, reason: Ending::EndlessSowing };
