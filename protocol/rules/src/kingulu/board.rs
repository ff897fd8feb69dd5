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
        &mut self,
        mut from: usize,
        reserved: u32,
        mut watch: impl FnMut(usize, u8, usize),
    ) -> Result<Ended, Fault> {
        let mut cycle = Cycle::new((from, *self));
        let mut seeds = self.seeds(from);
        let mut laps = 0;
        loop {
            let [own, theirs] = LAPS[from][usize::from(seeds)];
            self.rows = [self.rows[0].wrapping_add(own), self.rows[1].wrapping_add(theirs)];
            let last = (from + usize::from(seeds)) % PITS;
            laps += 1;
            watch(from, seeds, last);
            let held = self.seeds(last);
            let ended = |end| Ok(Ended { laps, last, seeds, end });
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
            if cycle.closes(laps, (from, *self), large) {
                return Err(Fault::Endless);
            }
        }
    }
}

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
