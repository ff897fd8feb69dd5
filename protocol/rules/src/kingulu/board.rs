//! The twelve pits through which both sides of Bao Kingulu sow, seen from the side that moves.

use crate::cycle::Cycle;

/// The pits of a row.
pub(crate) const ROW: usize = 6;
/// The pits of the track: the mover's row, then the opponent's.
const PITS: usize = 2 * ROW;
/// The most seeds that a pit can hold: all of them.
const MOST_SEEDS: usize = 48;

/// A row in sowing order, the first pit in the lowest byte.
///
/// Rows are small enough for plain integers, so a lap is one addition a row and needs no memory but the table.
pub(crate) type Row = u64;

/// The board during a move. Pits 0..6 are the mover's row, 6..12 the opponent's.
///
/// Reserved pits take seeds like any other here; what fell into them is banked when the move has ended. They are never
/// lifted, so this changes no lap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) rows: [Row; 2],
}

/// Where and how a sowing ended.
pub(crate) struct Ended {
    pub(crate) board: Board,
    pub(crate) laps: u64,
    /// The pit of the last seed, 0..12.
    pub(crate) last: usize,
    /// The seeds of the last lap.
    pub(crate) seeds: u8,
    pub(crate) end: End,
}

/// The rule by which a sowing ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Rule 3a: in a reserved pit.
    Reserved,
    /// Rule 3b: in an empty pit.
    Empty,
    /// Rule 3c: in an opponent's pit that now holds four.
    Four,
}

/// Why a sowing is not legal.
pub(crate) enum Fault {
    /// Rule 3d: the first lap ended in this occupied pit of the mover's row.
    FirstLap(usize),
    /// Rule 5: it would never end.
    Endless,
}

/// What a lap adds to each row, by the pit that is lifted and its seeds. The lifted pit's entry takes the seeds off.
static LAPS: [[[Row; 2]; MOST_SEEDS + 1]; PITS] = laps();

impl Board {
    #[inline]
    pub(crate) const fn seeds(&self, pit: usize) -> u8 {
        lane(self.rows[pit / ROW], pit % ROW)
    }

    /// Sows from an occupied unreserved pit of the mover's row, `reserved` being the reserved pits as bits.
    ///
    /// `watch` sees every lap: the pit lifted, its seeds, the pit of the last seed.
    #[inline]
    pub(crate) fn sow(
        mut self,
        mut from: usize,
        reserved: u32,
        mut watch: impl FnMut(usize, u8, usize),
    ) -> Result<Ended, Fault> {
        let mut cycle = Cycle::new((from, self));
        let mut seeds = self.seeds(from);
        let mut laps = 0;
        loop {
            let [own, theirs] = LAPS[from][usize::from(seeds)];
            self.rows = [self.rows[0].wrapping_add(own), self.rows[1].wrapping_add(theirs)];
            let last = (from + usize::from(seeds)) % PITS;
            laps += 1;
            watch(from, seeds, last);
            let held = self.seeds(last);
            let ended = |end| Ok(Ended { board: self, laps, last, seeds, end });
            if reserved >> last & 1 != 0 {
                return ended(End::Reserved);
            }
            if held == 1 {
                return ended(End::Empty);
            }
            if last >= ROW && held == 4 {
                return ended(End::Four);
            }
            if last < ROW && laps == 1 {
                return Err(Fault::FirstLap(last));
            }
            let large = usize::from(seeds) >= PITS;
            (from, seeds) = (last, held);
            if cycle.closes(laps, (from, self), large) {
                return Err(Fault::Endless);
            }
        }
    }
}

/// Gives the pits of the mover's row that may be lifted as far as rules 2, 3d and 4 go, as bits.
///
/// `free` are the pits of that row that nobody reserved, as bits.
#[inline]
pub(crate) fn openings(own: Row, free: u8) -> u32 {
    let occupied = ((own + ROW_OF_127) & ROW_OF_128) >> 7;
    // The product brings the six bits together in the highest byte.
    let occupied = (occupied.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let barred = u16::from(occupied & free) | u16::from(free) << ROW | NOTHING;
    let mut open = 0;
    for (pit, landings) in LANDINGS.iter().enumerate() {
        let landing = landings[usize::from(lane(own, pit)) & 0x3f];
        open |= u32::from(landing & barred == 0) << pit;
    }
    open & u32::from(free)
}

const ROW_OF_127: Row = 0x7f7f_7f7f_7f7f;
const ROW_OF_128: Row = 0x8080_8080_8080;
/// The mark of a pit without seeds.
const NOTHING: u16 = 1 << (2 * ROW);

/// Where in the mover's own row the first lap ends, as a bit, by the pit that is lifted and its seeds.
///
/// Bits 0..6: there, in a pit that this lap did not reach before, so that it must be empty. Bits 6..12: there, after the
/// lap has left a seed in the pit already. No bit: in the other row, or in the lifted pit itself after one round, which
/// is empty. `NOTHING`: there is no lap.
static LANDINGS: [[u16; 64]; ROW] = {
    let mut table = [[NOTHING; 64]; ROW];
    let mut pit = 0;
    while pit < ROW {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            let last = (pit + seeds) % PITS;
            let place = if seeds < PITS { last } else { last + ROW };
            table[pit][seeds] = if last >= ROW || seeds == PITS { 0 } else { 1 << place };
            seeds += 1;
        }
        pit += 1;
    }
    table
};

/// Reads a pit of a row.
#[inline]
pub(crate) const fn lane(row: Row, pit: usize) -> u8 {
    (row >> (pit * 8)) as u8
}

/// Gives `seeds` in a pit of a row and nothing in the others.
#[inline]
pub(crate) const fn place(seeds: u8, pit: usize) -> Row {
    (seeds as Row) << (pit * 8)
}

/// Counts the seeds of a row, at most 48.
#[inline]
pub(crate) const fn total(row: Row) -> u8 {
    (row.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// Gives the bytes of those pits whose bits are set in `pits`, all ones.
#[inline]
pub(crate) const fn bytes(pits: u8) -> Row {
    BYTES[(pits & 0b11_1111) as usize]
}

static BYTES: [Row; 64] = {
    let mut table = [0; 64];
    let mut pits = 0;
    while pits < 64 {
        let mut pit = 0;
        while pit < ROW {
            if pits >> pit & 1 != 0 {
                table[pits] |= place(0xff, pit);
            }
            pit += 1;
        }
        pits += 1;
    }
    table
};

const fn laps() -> [[[Row; 2]; MOST_SEEDS + 1]; PITS] {
    let mut laps = [[[0; 2]; MOST_SEEDS + 1]; PITS];
    let mut from = 0;
    while from < PITS {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            // The lap with one seed less, one more seed off the lifted pit, one more into the last pit.
            let mut rows: [Row; 2] = laps[from][seeds - 1];
            let last = (from + seeds) % PITS;
            rows[from / ROW] = rows[from / ROW].wrapping_sub(place(1, from % ROW));
            rows[last / ROW] = rows[last / ROW].wrapping_add(place(1, last % ROW));
            laps[from][seeds] = rows;
            seeds += 1;
        }
        from += 1;
    }
    laps
}
