//! Bao Kingulu: two rows of six pits, 48 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

mod board;

use std::cmp::Ordering;

use crate::history::{Remember, Seen, mix};
use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Lap, Play, Reservation, Trace};
use crate::variant::{Side, Variant};
use board::{Board, End, Ended, Fault, ROW, Row, bytes, lane, place, total};

const VARIANT: Variant = Variant::Kingulu;

/// The positions of a game of Bao Kingulu that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kingulu: the seeds of each pit, the reserved pits, the side to move, and the banks.
// Invariants: pits and banks hold 48 seeds together; a reserved pit holds 4 or 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    rows: [Row; 2],
    /// The pits of each row that the side opposite has reserved, as bits.
    reserved: [u8; 2],
    bank: [u8; 2],
    side: Side,
}

impl Position {
    /// The start: four seeds in every pit, South to move (rule 1).
    pub const START: Self =
        Self { rows: [0x0404_0404_0404; 2], reserved: [0; 2], bank: [0; 2], side: Side::South };

    /// Makes a position from the pits and reserved pits (as bits) of both rows; the caller has counted the seeds.
    pub(crate) fn counted(pits: [[u8; ROW]; 2], reserved: [u8; 2], bank: [u8; 2], side: Side) -> Self {
        let row = |pits: [u8; ROW]| (0..ROW).map(|pit| place(pits[pit], pit)).sum();
        Self { rows: pits.map(row), reserved, bank, side }
    }

    /// Gives the side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Counts the seeds in a side's bank.
    pub const fn captured(&self, side: Side) -> u32 {
        self.bank[side as usize] as u32
    }

    /// Counts the seeds in a pit; 0 for a pit of the other game.
    pub fn seeds(&self, pit: Pit) -> u8 {
        if pit.variant() == VARIANT { lane(self.rows[pit.owner() as usize], pit.index()) } else { 0 }
    }

    /// Tells who reserved a pit, if anyone did: always the side in whose row it does not lie (rule 3c).
    pub fn reserved(&self, pit: Pit) -> Option<Side> {
        let owner = pit.owner();
        let is = pit.variant() == VARIANT && self.reserved[owner as usize] >> pit.index() & 1 != 0;
        is.then_some(owner.other())
    }

    /// Gives the legal moves in sowing order (rules 2 to 5).
    pub fn legal_moves(&self) -> Moves {
        let legal = (0..ROW).filter(|pit| self.sown(*pit, |_, _, _| {}).is_ok());
        Moves::from_bits(VARIANT, self.side, legal.fold(0, |bits, pit| bits | 1 << pit))
    }

    /// Tells whether the side to move may lift `pit`.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, pit: Pit) -> Result<(), Illegal> {
        self.checked(pit, |_, _, _| {}).map(|_| ())
    }

    /// Plays a move and tells what came of it.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        let Sown { after, laps, last, .. } = self.checked(pit, |_, _, _| {})?;
        Ok(Play {
            laps: Some(laps),
            last: Some(self.name(last)),
            captured: after.captured(self.side) - self.captured(self.side),
            after: Some(after),
            over: after.over(),
        })
    }

    /// Gives the position after a legal move and nothing else, which is the fastest way to play one.
    ///
    /// `None`: the move is not legal.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.variant() == VARIANT && pit.owner() == self.side;
        if own { self.sown(pit.index(), |_, _, _| {}).ok().map(|sown| sown.after) } else { None }
    }

    /// Plays a move and tells it lap by lap.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        let mut trace = Trace::new();
        let sown = self.checked(pit, |from, seeds, last| {
            trace.lap(Lap { from: self.name(from), seeds, last: self.name(last) });
        })?;
        trace.total = Some(sown.laps);
        trace.banked = sown.banked.map(u32::from);
        if sown.taken > 0 {
            trace.taken = vec![(self.name(facing(sown.last)), sown.taken), (self.name(sown.last), 1)];
        }
        if sown.end == End::Four {
            let added_from = (sown.added > 0).then(|| self.name(sown.last - 1));
            trace.reserved = Some(Reservation { pit: self.name(sown.last), added_from });
        }
        trace.over = sown.after.over();
        Ok(trace)
    }

    /// Gives the result if the side to move has no legal move (rule 6).
    pub fn over(&self) -> Option<Outcome> {
        let stuck = (0..ROW).all(|pit| self.sown(pit, |_, _, _| {}).is_err());
        stuck.then(|| Outcome { winner: self.scored(), reason: Ending::NoMoves })
    }

    /// Counts the seeds that a side would score if the game ended here (rule 6).
    ///
    /// Its bank, the unreserved pits of its own row, and the pits that it reserved in the other row.
    pub fn score(&self, side: Side) -> u32 {
        let [own, theirs] = [side as usize, side.other() as usize];
        let free = self.rows[own] & !bytes(self.reserved[own]);
        let reserved = self.rows[theirs] & bytes(self.reserved[theirs]);
        self.captured(side) + u32::from(total(free)) + u32::from(total(reserved))
    }

    /// Gives the side with the higher score, if there is one.
    pub fn scored(&self) -> Option<Side> {
        match self.score(Side::South).cmp(&self.score(Side::North)) {
            Ordering::Greater => Some(Side::South),
            Ordering::Equal => None,
            Ordering::Less => Some(Side::North),
        }
    }

    /// Counts the sequences of exactly `depth` legal moves; every move is played, none only counted.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = (0..ROW).filter_map(|pit| self.sown(pit, |_, _, _| {}).ok());
        after.map(|sown| sown.after.perft(depth - 1)).sum()
    }

    /// Plays a move or says which rule forbids it.
    fn checked(&self, pit: Pit, watch: impl FnMut(usize, u8, usize)) -> Result<Sown, Illegal> {
        Illegal::by_owner(VARIANT, self.side, pit)?;
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
        let (me, they) = (self.side as usize, self.side.other() as usize);
        if self.reserved[me] >> from & 1 != 0 {
            return Err(Bar::Reserved);
        }
        let mut board = Board { rows: [self.rows[me], self.rows[they]] };
        if board.seeds(from) == 0 {
            return Err(Bar::Empty);
        }
        let reserved = u32::from(self.reserved[me]) | u32::from(self.reserved[they]) << ROW;
        let ended = board.sow(from, reserved, watch).map_err(Bar::Sowing)?;
        Ok(self.settled(board, reserved, &ended))
    }

    /// Does what follows a sowing: banks what fell into reserved pits, then captures or reserves (rules 3 and 4).
    #[inline]
    fn settled(&self, board: Board, reserved: u32, ended: &Ended) -> Sown {
        let (me, they) = (self.side as usize, self.side.other() as usize);
        let last = ended.last;
        let mut after = Self { side: self.side.other(), ..*self };
        let mut sown =
            Sown { after, laps: ended.laps, last, end: ended.end, banked: [0; 2], taken: 0, added: 0 };
        for (row, side, winner) in [(board.rows[0], me, they), (board.rows[1], they, me)] {
            let fixed = bytes(self.reserved[side]);
            let fallen = total((row & fixed) - (self.rows[side] & fixed));
            after.rows[side] = row & !fixed | self.rows[side] & fixed;
            after.bank[winner] += fallen;
            sown.banked[winner] = fallen;
        }
        match ended.end {
            End::Empty if last < ROW && reserved >> facing(last) & 1 == 0 => {
                let pit = facing(last) - ROW;
                sown.taken = lane(after.rows[they], pit);
                if sown.taken > 0 {
                    after.rows[they] -= place(sown.taken, pit);
                    after.rows[me] -= place(1, last);
                    after.bank[me] += sown.taken + 1;
                }
            }
            End::Four => {
                after.reserved[they] |= 1 << (last - ROW);
                sown.added = u8::from(ended.seeds > 1 && reserved >> (last - 1) & 1 == 0);
                let before = last - 1;
                let side = if before < ROW { me } else { they };
                after.rows[side] -= place(sown.added, before % ROW);
                after.rows[they] += place(sown.added, last - ROW);
            }
            End::Empty | End::Reserved => {}
        }
        sown.after = after;
        sown
    }

    /// Gives the pit number `pit` of the track, counted from the side to move.
    fn name(&self, pit: usize) -> Pit {
        let owner = if pit < ROW { self.side } else { self.side.other() };
        Pit::known(VARIANT, owner, pit % ROW)
    }
}

impl Remember for Position {
    #[inline]
    fn hash(&self) -> u64 {
        let [south, north] = self.reserved.map(u64::from);
        // A row takes 48 bits.
        mix([self.rows[0] | south << 48 | (self.side as u64) << 56, self.rows[1] | north << 48])
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.rows == other.rows && self.reserved == other.reserved && self.side == other.side
    }

    #[inline]
    fn gone(&self) -> u32 {
        self.captured(Side::South) + self.captured(Side::North)
    }
}

/// A move that was played, with all that it did. Pits are counted along the track from the mover's first.
struct Sown {
    after: Position,
    laps: u64,
    last: usize,
    end: End,
    /// What fell into reserved pits, for South and North.
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

/// Gives the pit of the opponent's row that faces the mover's pit `pit`: A k faces a(7 - k).
const fn facing(pit: usize) -> usize {
    2 * ROW - 1 - pit
}
