//! Bao Kingulu: two rows of six pits, 48 seeds.
//!
//! The fast core of the game, for a search that knows which game it plays.

mod board;

use std::cmp::Ordering;

use crate::history::{Remember, Seen, mix};
use crate::illegal::Illegal;
use crate::moves::{Moves, bits};
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::{Lap, Play, Reservation, Trace};
use crate::variant::{Side, Variant};
use board::{Board, End, Ended, Fault, ROW, Row, bytes, lane, openings, place, total};

const VARIANT: Variant = Variant::Kingulu;

/// The positions of a game of Bao Kingulu that were seen.
pub type History = Seen<Position>;

/// A position of Bao Kingulu: the seeds of each pit, the reserved pits, the side to move, and the banks.
// Invariants: pits and banks hold 48 seeds together; a reserved pit holds 4 or 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The rows of the side to move and of the other one; so too with the next two.
    rows: [Row; 2],
    /// The pits of each row that the side opposite has reserved, as bits.
    reserved: [u8; 2],
    bank: [u8; 2],
    side: Side,
}

/// The index of the side to move.
const ME: usize = 0;
/// The index of the other side.
const THEY: usize = 1;
/// All pits of a row as bits.
const ALL: u8 = (1 << ROW) - 1;

impl Position {
    /// The start: four seeds in every pit, South to move (rule 1).
    pub const START: Self =
        Self { rows: [0x0404_0404_0404; 2], reserved: [0; 2], bank: [0; 2], side: Side::South };

    /// Makes a position from the pits and reserved pits (as bits) of South and North; the caller has counted the seeds.
    pub(crate) fn counted(pits: [[u8; ROW]; 2], reserved: [u8; 2], bank: [u8; 2], side: Side) -> Self {
        let row = |owner: Side| (0..ROW).map(|pit| place(pits[owner as usize][pit], pit)).sum();
        let order = [side, side.other()];
        Self {
            rows: order.map(row),
            reserved: order.map(|owner| reserved[owner as usize]),
            bank: order.map(|owner| bank[owner as usize]),
            side,
        }
    }

    /// Gives the side to move.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Counts the seeds in a side's bank.
    pub const fn captured(&self, side: Side) -> u32 {
        self.bank[self.seat(side)] as u32
    }

    /// Counts the seeds in a pit; 0 for a pit of the other game.
    pub fn seeds(&self, pit: Pit) -> u8 {
        if pit.variant() == VARIANT { lane(self.rows[self.seat(pit.owner())], pit.index()) } else { 0 }
    }

    /// Tells who reserved a pit, if anyone did: always the side in whose row it does not lie (rule 3c).
    pub fn reserved(&self, pit: Pit) -> Option<Side> {
        let owner = pit.owner();
        let is = pit.variant() == VARIANT && self.reserved[self.seat(owner)] >> pit.index() & 1 != 0;
        is.then_some(owner.other())
    }

    /// Gives the legal moves in sowing order (rules 2 to 5).
    #[inline]
    pub fn legal_moves(&self) -> Moves {
        Moves::from_bits(VARIANT, self.side, self.legal_bits())
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

    /// Gives the position after a legal move and nothing else.
    ///
    /// `None`: the move is not legal.
    #[inline]
    pub fn after(&self, pit: Pit) -> Option<Self> {
        let own = pit.variant() == VARIANT && pit.owner() == self.side;
        if own { self.sown(pit.index(), |_, _, _| {}).ok().map(|sown| sown.after) } else { None }
    }

    /// Gives every legal move in sowing order with the position after it, which is the fastest way to play all moves.
    #[inline]
    pub fn children(&self) -> impl Iterator<Item = (Pit, Self)> {
        bits(self.openings()).filter_map(|pit| {
            let ended = self.board().sow(pit, self.reserved_bits(), |_, _, _| {}).ok()?;
            Some((Pit::known(VARIANT, self.side, pit), self.settled(&ended).after))
        })
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
        trace.banked = Side::BOTH.map(|side| u32::from(sown.banked[self.seat(side)]));
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
    #[inline]
    pub fn over(&self) -> Option<Outcome> {
        let stuck = bits(self.openings()).all(|pit| self.is_endless(pit));
        stuck.then(|| Outcome { winner: self.scored(), reason: Ending::NoMoves })
    }

    /// Counts the seeds that a side would score if the game ended here (rule 6).
    ///
    /// Its bank, the unreserved pits of its own row, and the pits that it reserved in the other row.
    pub fn score(&self, side: Side) -> u32 {
        let [own, theirs] = [self.seat(side), self.seat(side.other())];
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

    /// Counts the sequences of exactly `depth` legal moves.
    ///
    /// The last move of a sequence is counted, and played only where it might be endless.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.legal_bits().count_ones()),
            _ => self.children().map(|(_, after)| after.perft(depth - 1)).sum(),
        }
    }

    /// Gives the legal moves as bits, bit 0 being the side's first pit in sowing order.
    #[inline]
    fn legal_bits(&self) -> u32 {
        let openings = self.openings();
        let endless = bits(openings).filter(|pit| self.is_endless(*pit)).fold(0, |set, pit| set | 1 << pit);
        openings & !endless
    }

    /// Gives the moves that are legal unless they are endless, as bits.
    #[inline]
    fn openings(&self) -> u32 {
        openings(self.rows[ME], ALL & !self.reserved[ME])
    }

    /// Tells whether one of the [`Position::openings`] is endless; none is when a pit is reserved (rule 5).
    #[inline]
    fn is_endless(&self, pit: usize) -> bool {
        self.reserved == [0; 2] && self.board().sow(pit, 0, |_, _, _| {}).is_err()
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
        if self.reserved[ME] >> from & 1 != 0 {
            return Err(Bar::Reserved);
        }
        if lane(self.rows[ME], from) == 0 {
            return Err(Bar::Empty);
        }
        let ended = self.board().sow(from, self.reserved_bits(), watch).map_err(Bar::Sowing)?;
        Ok(self.settled(&ended))
    }

    /// Does what follows a sowing: banks what fell into reserved pits, then captures or reserves (rules 3 and 4).
    #[inline]
    fn settled(&self, ended: &Ended) -> Sown {
        let &Ended { laps, last, end, .. } = ended;
        let mut rows = ended.board.rows;
        let [mine, mut theirs] = self.reserved;
        let mut banked = [0; 2];
        if mine | theirs != 0 {
            for (owner, winner) in [(ME, THEY), (THEY, ME)] {
                let fixed = bytes(self.reserved[owner]);
                banked[winner] = total((rows[owner] & fixed) - (self.rows[owner] & fixed));
                rows[owner] = rows[owner] & !fixed | self.rows[owner] & fixed;
            }
        }
        let (mut taken, mut added) = (0, 0);
        match end {
            End::Empty if last < ROW => {
                let pit = facing(last) - ROW;
                if theirs >> pit & 1 == 0 {
                    taken = lane(rows[THEY], pit);
                    rows[THEY] -= place(taken, pit);
                    rows[ME] -= place(u8::from(taken > 0), last);
                }
            }
            End::Four => {
                let before = last - 1;
                added = u8::from(ended.seeds > 1 && self.reserved_bits() >> before & 1 == 0);
                rows[before / ROW] -= place(added, before % ROW);
                rows[THEY] += place(added, last - ROW);
                theirs |= 1 << (last - ROW);
            }
            End::Empty | End::Reserved => {}
        }
        let gained = banked[ME] + taken + u8::from(taken > 0);
        let after = Self {
            rows: [rows[THEY], rows[ME]],
            reserved: [theirs, mine],
            bank: [self.bank[THEY] + banked[THEY], self.bank[ME] + gained],
            side: self.side.other(),
        };
        Sown { after, laps, last, end, banked, taken, added }
    }

    fn board(&self) -> Board {
        Board { rows: self.rows }
    }

    /// Gives the reserved pits of the track as bits, the mover's row first.
    #[inline]
    fn reserved_bits(&self) -> u32 {
        u32::from(self.reserved[ME]) | u32::from(self.reserved[THEY]) << ROW
    }

    /// Gives the index under which a side's things stand.
    #[inline]
    const fn seat(&self, side: Side) -> usize {
        (side as usize) ^ (self.side as usize)
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
        let [mine, theirs] = self.reserved.map(u64::from);
        // A row takes 48 bits.
        mix([self.rows[ME] | mine << 48 | (self.side as u64) << 56, self.rows[THEY] | theirs << 48])
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.rows == other.rows && self.reserved == other.reserved && self.side == other.side
    }

    #[inline]
    fn gone(&self) -> u32 {
        self.bank.map(u32::from).iter().sum()
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

/// Gives the pit of the opponent's row that faces the mover's pit `pit`: A k faces a(7 - k).
const fn facing(pit: usize) -> usize {
    2 * ROW - 1 - pit
}
