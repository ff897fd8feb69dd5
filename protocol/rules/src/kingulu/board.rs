//! The twelve pits through which both sides of Bao Kingulu sow, seen from the side that moves.

use crate::side::Side;

/// The pits of a row.
pub(crate) const ROW: usize = 6;
/// The pits of the track: the mover's row, then the opponent's.
const PITS: usize = 2 * ROW;
/// The most seeds that a pit can hold: all of them.
const MOST_SEEDS: usize = 48;
/// All pits of a row as bits.
const ALL: u8 = (1 << ROW) - 1;

/// A side's pits and what else belongs to it, in one word.
///
/// Bytes 0..6 are the seeds of the pits in sowing order, so that a lap is one addition a row. Byte 6 is the bank. Byte 7
/// are the pits that the side opposite has reserved, as bits, and in the top bit whether the side is North.
///
/// One whole word, because copies of small fields hold up a processor that has just written them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row(u64);

/// One seed in each pit.
const PIT_ONES: u64 = 0x0101_0101_0101;
const PIT_BYTES: u64 = 0xff * PIT_ONES;
const BANK: u32 = 48;
const RESERVED: u32 = 56;
const NORTH: u64 = 1 << 63;

impl Row {
    pub(crate) const fn new(side: Side, pits: [u8; ROW], bank: u8, reserved: u8) -> Self {
        let side = match side {
            Side::South => 0,
            Side::North => NORTH,
        };
        let mut word = side | (bank as u64) << BANK | (reserved as u64) << RESERVED;
        let mut pit = 0;
        while pit < ROW {
            word |= (pits[pit] as u64) << (pit * 8);
            pit += 1;
        }
        Self(word)
    }

    #[inline]
    pub(crate) const fn side(self) -> Side {
        if self.0 & NORTH == 0 { Side::South } else { Side::North }
    }

    #[inline]
    pub(crate) const fn seeds(self, pit: usize) -> u8 {
        (self.0 >> (pit * 8)) as u8
    }

    #[inline]
    pub(crate) const fn bank(self) -> u8 {
        self.seeds(ROW)
    }

    /// Returns the pits that the side opposite has reserved, as bits.
    #[inline]
    pub(crate) const fn reserved(self) -> u8 {
        self.seeds(ROW + 1) & ALL
    }

    /// Returns all but the bank, which does not matter for repetition.
    #[inline]
    pub(crate) const fn without_bank(self) -> u64 {
        self.0 & !(0xff << BANK)
    }

    /// Returns the number of seeds in reserved pits.
    #[inline]
    pub(crate) const fn reserved_seeds(self) -> u8 {
        total(self.0 & bytes(self.reserved()))
    }

    /// Returns the number of seeds in pits that are not reserved.
    #[inline]
    pub(crate) const fn free_seeds(self) -> u8 {
        total(self.0 & bytes(ALL & !self.reserved()))
    }

    /// Adds seeds to a pit, or to the bank in the place of a pit beyond the last.
    #[inline]
    #[must_use]
    pub(crate) const fn with(self, pit: usize, seeds: u8) -> Self {
        Self(self.0 + ((seeds as u64) << (pit * 8)))
    }

    /// Adds seeds to the bank.
    #[inline]
    #[must_use]
    pub(crate) const fn banking(self, seeds: u8) -> Self {
        self.with(ROW, seeds)
    }

    /// Takes seeds from a pit that has them.
    #[inline]
    #[must_use]
    pub(crate) const fn less(self, pit: usize, seeds: u8) -> Self {
        Self(self.0 - ((seeds as u64) << (pit * 8)))
    }

    /// Marks a pit as reserved by the side opposite.
    #[inline]
    #[must_use]
    pub(crate) const fn reserving(self, pit: usize) -> Self {
        Self(self.0 | 1 << (RESERVED as usize + pit))
    }

    /// Returns the row with the reserved pits as they were `before`.
    #[inline]
    #[must_use]
    pub(crate) const fn restored(self, before: Self) -> Self {
        let fixed = bytes(self.reserved());
        Self(self.0 & !fixed | before.0 & fixed)
    }

    /// Returns the pits that may be lifted as far as rules 2, 3d and 4 go, as bits.
    #[inline]
    pub(crate) fn openings(self) -> u32 {
        let free = ALL & !self.reserved();
        let occupied = (((self.0 & PIT_BYTES) + 0x7f * PIT_ONES) >> 7) & PIT_ONES;
        // The product brings the six bits together in the highest byte.
        let occupied = (occupied.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        let barred = u16::from(occupied & free) | u16::from(free) << ROW | NOTHING;
        let mut open = 0;
        for (pit, landings) in LANDINGS.iter().enumerate() {
            let landing = landings[usize::from(self.seeds(pit)) & 0x3f];
            open |= u32::from(landing & barred == 0) << pit;
        }
        open & u32::from(free)
    }
}

/// The board as the side to move sees it: pits 0..6 of the track are its row, 6..12 the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) own: Row,
    pub(crate) other: Row,
}

/// Where and how a sowing ended.
pub(crate) struct Ended {
    /// The board with all seeds where they fell, in reserved pits too.
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

/// The pit that many pits on from the first; quicker than a division.
static PIT_AT: [u8; 64] = {
    let mut table = [0; 64];
    let mut pits = 0;
    while pits < 64 {
        table[pits] = (pits % PITS) as u8;
        pits += 1;
    }
    table
};

/// What a lap adds to each row, by the pit that is lifted and its seeds. The lifted pit's entry takes the seeds off.
static LAPS: [[[u64; 2]; MOST_SEEDS + 1]; PITS] = laps();

impl Board {
    #[inline]
    pub(crate) const fn seeds(self, pit: usize) -> u8 {
        if pit < ROW { self.own.seeds(pit) } else { self.other.seeds(pit - ROW) }
    }

    /// Returns the reserved pits as bits.
    #[inline]
    pub(crate) const fn reserved(self) -> u32 {
        self.own.reserved() as u32 | (self.other.reserved() as u32) << ROW
    }

    /// Sows from an occupied unreserved pit of the mover's row.
    ///
    /// Reserved pits take seeds like any other here. They are never lifted, so this changes no lap, and what fell into
    /// them can be banked when the move has ended. The crate's documentation says why an endless sowing comes back to its
    /// first state.
    ///
    /// `watch` sees every lap: the pit lifted, its seeds, the pit of the last seed.
    #[inline]
    pub(crate) fn sow(
        mut self,
        mut from: usize,
        mut watch: impl FnMut(usize, u8, usize),
    ) -> Result<Ended, Fault> {
        let reserved = self.reserved();
        let first = (from, self);
        let mut seeds = self.seeds(from);
        let mut laps = 0;
        loop {
            let [own, other] = LAPS[from][usize::from(seeds)];
            self =
                Self { own: Row(self.own.0.wrapping_add(own)), other: Row(self.other.0.wrapping_add(other)) };
            let last = usize::from(PIT_AT[(from + usize::from(seeds)) & 0x3f]);
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
            (from, seeds) = (last, held);
            if (from, self) == first {
                return Err(Fault::Endless);
            }
        }
    }
}

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

/// Adds up bytes, at most 48 seeds.
#[inline]
const fn total(seeds: u64) -> u8 {
    (seeds.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
}

/// Returns the bytes of those pits whose bits are set in `pits`, all ones.
#[inline]
const fn bytes(pits: u8) -> u64 {
    BYTES[(pits & ALL) as usize]
}

static BYTES: [u64; 64] = {
    let mut table = [0; 64];
    let mut pits = 0;
    while pits < 64 {
        let mut pit = 0;
        while pit < ROW {
            if pits >> pit & 1 != 0 {
                table[pits] |= 0xff << (pit * 8);
            }
            pit += 1;
        }
        pits += 1;
    }
    table
};

const fn laps() -> [[[u64; 2]; MOST_SEEDS + 1]; PITS] {
    let mut laps = [[[0; 2]; MOST_SEEDS + 1]; PITS];
    let mut from = 0;
    while from < PITS {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            // The lap with one seed less, one more seed off the lifted pit, one more into the last pit.
            let mut rows: [u64; 2] = laps[from][seeds - 1];
            let last = (from + seeds) % PITS;
            rows[from / ROW] = rows[from / ROW].wrapping_sub(1 << (from % ROW * 8));
            rows[last / ROW] = rows[last / ROW].wrapping_add(1 << (last % ROW * 8));
            laps[from][seeds] = rows;
            seeds += 1;
        }
        from += 1;
    }
    laps
}
