//! Bao Kingulu: two rows of six pits, 48 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

mod board;
pub(crate) mod info;

use crate::illegal::Illegal;
use crate::moves::{Moves, bits};
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::Play;
use crate::rules::{Rules, Seeds, Setup};
use crate::seen::{Remember, Seen, mix};
use crate::side::Side;
use crate::trace::{Reservation, Step, Trace};
use crate::variant::Variant;
use board::{Board, End, Ended, Fault, ROW, Row};

const VARIANT: Variant = Variant::Kingulu;

/// The positions of a game of Bao Kingulu that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kingulu: the seeds of each pit, the reserved pits, the side to move, and the banks.
// Invariants: pits and banks hold 48 seeds together; a reserved pit holds 4 or 5.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position(Board);

impl Rules for Position {
    const VARIANT: Variant = Variant::Kingulu;

    /// Four seeds in every pit, South to move (rule 1).
    const START: Self = Self(Board {
        own: Row::new(Side::South, [4; ROW], 0, 0),
        other: Row::new(Side::North, [4; ROW], 0, 0),
    });

    type Sowing = Play<Self>;

    #[inline]
    fn side(&self) -> Side {
        self.0.own.side()
    }

    fn with_side(&self, side: Side) -> Self {
        if side == self.side() {
            return *self;
        }
        Self(Board { own: self.0.other, other: self.0.own })
    }

    /// Returns the number of seeds in a side's bank.
    #[inline]
    fn captured(&self, side: Side) -> u32 {
        self.row(side).bank().into()
    }

    #[inline]
    fn seeds(&self, pit: Pit) -> u8 {
        if pit.is_of(VARIANT) { self.row(pit.owner()).seeds(pit.index()) } else { 0 }
    }

    /// Returns the side that reserved a pit, if one did: always the one in whose row it does not lie (rule 3c).
    fn reserved(&self, pit: Pit) -> Option<Side> {
        let owner = pit.owner();
        let is = pit.is_of(VARIANT) && self.row(owner).reserved() >> pit.index() & 1 != 0;
        is.then_some(owner.other())
    }

    /// Returns the legal moves in sowing order (rules 2 to 5).
    #[inline]
    fn legal_moves(&self) -> Moves {
        Moves::from_bits(VARIANT, self.side(), self.legal_bits())
    }

    fn check(&self, pit: Pit) -> Result<(), Illegal> {
        self.checked(pit, |_, _, _| {}).map(|_| ())
    }

    fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        let Sown { after, laps, last, .. } = self.checked(pit, |_, _, _| {})?;
        Ok(Play {
            laps: Some(laps),
            last: Some(self.name(last)),
            captured: after.captured(self.side()) - self.captured(self.side()),
            after: Some(after),
            over: after.over(),
        })
    }

    fn begin(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        self.play(pit)
    }

    fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        let mut trace = Trace::new();
        let sown = self.checked(pit, |from, seeds, last| {
            trace.lap(self.name(from), seeds, Some(self.name(last)));
        })?;
        trace.total = Some(sown.laps);
        if sown.taken > 0 {
            trace.steps.push(Step::Take { pit: self.name(facing(sown.last)), seeds: sown.taken });
            trace.steps.push(Step::Take { pit: self.name(sown.last), seeds: 1 });
        }
        if sown.end == End::Four {
            let added_from = (sown.added > 0).then(|| self.name(sown.last - 1));
            trace.steps.push(Step::Reserve(Reservation { pit: self.name(sown.last), added_from }));
        }
        for side in Side::BOTH {
            let seeds = sown.banked[usize::from(side != self.side())].into();
            if seeds > 0 {
                trace.steps.push(Step::Bank { side, seeds });
            }
        }
        trace.over = sown.after.over();
        Ok(trace)
    }

    /// Returns the result if the side to move has no legal move (rule 6).
    #[inline]
    fn over(&self) -> Option<Outcome> {
        let stuck = bits(self.0.own.openings()).all(|pit| self.is_endless(pit));
        stuck.then(|| Outcome { winner: self.scored(), reason: Ending::NoMoves })
    }

    /// Returns a side's bank, the unreserved pits of its own row, and the pits that it reserved in the other (rule 6).
    fn score(&self, side: Side) -> u32 {
        let [own, other] = [self.row(side), self.row(side.other())];
        u32::from(own.bank()) + u32::from(own.free_seeds()) + u32::from(other.reserved_seeds())
    }

    /// Returns the number of sequences of exactly `depth` legal moves.
    ///
    /// The last move of a sequence is counted, and played only where it might be endless.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.legal_bits().count_ones()),
            _ => self.children().map(|(_, after)| after.perft(depth - 1)).sum(),
        }
    }
}

impl Position {
    /// Returns the position after a legal move and nothing else.
    ///
    /// `None`: the move is not legal.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.is_of(VARIANT) && pit.owner() == self.side();
        if own { self.sown(pit.index(), |_, _, _| {}).ok().map(|sown| sown.after) } else { None }
    }

    /// Returns every legal move in sowing order with the position after it, which is the fastest way to play all moves.
    #[inline]
    pub fn children(&self) -> Children<'_> {
        Children { position: self, left: self.0.own.openings() }
    }

    /// Returns the legal moves as bits, bit 0 being the side's first pit in sowing order.
    #[inline]
    fn legal_bits(&self) -> u32 {
        let openings = self.0.own.openings();
        let endless = bits(openings).filter(|pit| self.is_endless(*pit)).fold(0, |set, pit| set | 1 << pit);
        openings & !endless
    }

    /// Returns whether a move is endless that the other rules allow; none is when a pit is reserved (rule 5).
    #[inline]
    fn is_endless(&self, pit: usize) -> bool {
        self.0.reserved() == 0 && self.0.sow(pit, |_, _, _| {}).is_err()
    }

    /// Plays a move or returns the rule that forbids it.
    fn checked(&self, pit: Pit, watch: impl FnMut(usize, u8, usize)) -> Result<Sown, Illegal> {
        Illegal::by_owner(VARIANT, self.side(), pit)?;
        self.sown(pit.index(), watch).map_err(|bar| match bar {
            Bar::Empty => Illegal::EmptyPit { pit },
            Bar::Reserved => Illegal::ReservedPit { pit },
            Bar::Sowing(Fault::FirstLap(last)) => Illegal::FirstLapOwnRow { pit, last: self.name(last) },
            Bar::Sowing(Fault::Endless) => Illegal::Endless { pit },
        })
    }

    /// Plays the move that lifts the pit number `from` of the side to move.
    #[inline]
    fn sown(&self, from: usize, watch: impl FnMut(usize, u8, usize)) -> Result<Sown, Bar> {
        if self.0.own.reserved() >> from & 1 != 0 {
            return Err(Bar::Reserved);
        }
        if self.0.own.seeds(from) == 0 {
            return Err(Bar::Empty);
        }
        let ended = self.0.sow(from, watch).map_err(Bar::Sowing)?;
        Ok(self.settled(&ended))
    }

    /// Does what follows a sowing: banks what fell into reserved pits, then captures or reserves (rules 3 and 4).
    #[inline]
    fn settled(&self, ended: &Ended) -> Sown {
        let &Ended { board: Board { mut own, mut other }, laps, last, end, .. } = ended;
        let reserved = self.0.reserved();
        let mut banked = [0; 2];
        if reserved != 0 {
            // The side that reserved a pit is the one opposite.
            banked = [(other, self.0.other), (own, self.0.own)]
                .map(|(after, before)| after.reserved_seeds() - before.reserved_seeds());
            own = own.restored(self.0.own).banking(banked[0]);
            other = other.restored(self.0.other).banking(banked[1]);
        }
        let (mut taken, mut added) = (0, 0);
        match end {
            End::Empty if last < ROW && reserved >> facing(last) & 1 == 0 => {
                taken = other.seeds(facing(last) - ROW);
                let capturing = u8::from(taken > 0);
                other = other.less(facing(last) - ROW, taken);
                own = own.less(last, capturing).banking(taken + capturing);
            }
            End::Four => {
                let before = last - 1;
                added = u8::from(ended.seeds > 1 && reserved >> before & 1 == 0);
                if before < ROW {
                    own = own.less(before, added);
                } else {
                    other = other.less(before - ROW, added);
                }
                other = other.with(last - ROW, added).reserving(last - ROW);
            }
            End::Empty | End::Reserved => {}
        }
        Sown { after: Self(Board { own: other, other: own }), laps, last, end, banked, taken, added }
    }

    #[inline]
    fn row(&self, side: Side) -> Row {
        if side == self.side() { self.0.own } else { self.0.other }
    }

    /// Returns the pit number `pit` of the track, counted from the side to move.
    fn name(&self, pit: usize) -> Pit {
        let owner = if pit < ROW { self.side() } else { self.side().other() };
        Pit::known(VARIANT, owner, pit % ROW)
    }
}

impl Setup for Position {
    fn set_up(seeds: &Seeds) -> Self {
        let row = |side: Side| {
            let owner = side as usize;
            let pits = core::array::from_fn(|pit| seeds.pits[owner][pit]);
            Row::new(side, pits, seeds.captured[owner], seeds.reserved[owner] as u8)
        };
        Self(Board { own: row(seeds.side), other: row(seeds.side.other()) })
    }
}

impl Remember for Position {
    #[inline]
    fn fingerprint(&self) -> u64 {
        mix([self.0.own.without_bank(), self.0.other.without_bank()])
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        let pits = |board: Board| [board.own.without_bank(), board.other.without_bank()];
        pits(self.0) == pits(other.0)
    }

    #[inline]
    fn gone(&self) -> u32 {
        u32::from(self.0.own.bank()) + u32::from(self.0.other.bank())
    }
}

/// The legal moves of a position that are left to play; returned by [`Position::children`].
#[derive(Debug)]
pub struct Children<'a> {
    position: &'a Position,
    /// The pits still to lift, as bits.
    left: u32,
}

impl Iterator for Children<'_> {
    type Item = (Pit, Position);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.left != 0 {
            let pit = self.left.trailing_zeros() as usize;
            self.left &= self.left - 1;
            if let Ok(ended) = self.position.0.sow(pit, |_, _, _| {}) {
                let pit = Pit::known(VARIANT, self.position.side(), pit);
                return Some((pit, self.position.settled(&ended).after));
            }
        }
        None
    }
}

/// A move that was played, with all that it did. Pits are counted along the track from the mover's first.
struct Sown {
    after: Position,
    laps: u64,
    last: usize,
    end: End,
    /// What fell into reserved pits, for the mover and the other side.
    banked: [u8; 2],
    /// The seeds of the captured pit, without the capturing seed; 0: no capture.
    taken: u8,
    /// 1 if the last seed but one was added to a pit reserved by this move, else 0.
    added: u8,
}

/// Why a pit cannot be lifted.
enum Bar {
    Empty,
    Reserved,
    Sowing(Fault),
}

/// Returns the pit of the opponent's row that faces the mover's pit `pit`: A k faces a(7 - k).
const fn facing(pit: usize) -> usize {
    2 * ROW - 1 - pit
}
