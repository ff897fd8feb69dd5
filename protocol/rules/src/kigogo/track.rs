//! The 24 pits in which one side of Bao Kigogo sows.

use crate::cycle::Cycle;

/// The pits of a side.
pub(crate) const PITS: usize = 24;
/// The first pit of the front row in sowing order: A12.
pub(crate) const FRONT: usize = 12;
/// The most seeds that a pit can hold: all of them.
const MOST_SEEDS: usize = 92;
/// Eight pits go into a word, one a byte.
const WORDS: usize = PITS / 8;
/// One seed in each pit of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of each pit of a word, which no number of seeds reaches.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The pits of one side in sowing order, as bytes in words, so that a whole lap is one addition a word.
// Invariant: no pit holds more than `MOST_SEEDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Track([u64; WORDS]);

/// How a sowing ended: the laps, and the empty pit that took the last seed.
pub(crate) struct Ended {
    pub(crate) laps: u64,
    pub(crate) last: usize,
}

/// What a lap adds to each word, by the pit that is lifted and its seeds. The lifted pit's entry takes the seeds off.
static LAPS: [[[u64; WORDS]; MOST_SEEDS + 1]; PITS] = laps();

impl Track {
    pub(crate) const fn new(pits: [u8; PITS]) -> Self {
        let mut words = [0; WORDS];
        let mut pit = 0;
        while pit < PITS {
            words[pit / 8] |= (pits[pit] as u64) << (pit % 8 * 8);
            pit += 1;
        }
        Self(words)
    }

    #[inline]
    pub(crate) const fn seeds(&self, pit: usize) -> u8 {
        (self.0[pit / 8] >> (pit % 8 * 8)) as u8
    }

    /// Gives the pits as words, for hashing.
    pub(crate) const fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// Empties a pit and gives what it held.
    pub(crate) fn take(&mut self, pit: usize) -> u8 {
        let seeds = self.seeds(pit);
        self.0[pit / 8] &= !(0xff << (pit % 8 * 8));
        seeds
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Tells whether each pit holds a single seed, so that none can move.
    pub(crate) fn is_stuck(&self) -> bool {
        self.0 == [ONES; WORDS]
    }

    /// Gives the pits with two seeds or more as bits.
    #[inline]
    pub(crate) fn several(&self) -> u32 {
        self.at_least(2)
    }

    /// Gives the occupied pits as bits.
    #[inline]
    pub(crate) fn occupied(&self) -> u32 {
        self.at_least(1)
    }

    /// Gives the pits with at least `least` seeds as bits.
    #[inline]
    fn at_least(&self, least: u64) -> u32 {
        let mut bits = 0;
        for (place, word) in self.0.iter().enumerate() {
            let tops = (word + ONES * (0x80 - least)) & TOPS;
            // The product brings the eight top bits together in its highest byte.
            let byte = (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits |= (byte as u32) << (place * 8);
        }
        bits
    }

    /// Sows one lap and gives the pit of its last seed.
    #[inline]
    fn lap(&mut self, from: usize, seeds: u8) -> usize {
        let seeds = usize::from(seeds);
        for (word, add) in self.0.iter_mut().zip(&LAPS[from][seeds]) {
            *word = word.wrapping_add(*add);
        }
        (from + seeds) % PITS
    }

    /// Sows from an occupied pit until a lap ends in an empty pit; `None` if that never happens.
    ///
    /// `watch` sees every lap: the pit lifted, its seeds, the pit of the last seed.
    #[inline]
    pub(crate) fn sow(&mut self, mut from: usize, mut watch: impl FnMut(usize, u8, usize)) -> Option<Ended> {
        let mut cycle = Cycle::new((*self, from));
        let mut seeds = self.seeds(from);
        let mut laps = 0;
        loop {
            let last = self.lap(from, seeds);
            laps += 1;
            watch(from, seeds, last);
            let large = usize::from(seeds) >= PITS;
            seeds = self.seeds(last);
            if seeds == 1 {
                return Some(Ended { laps, last });
            }
            from = last;
            if cycle.closes(laps, (*self, from), large) {
                return None;
            }
        }
    }
}

#[expect(clippy::large_stack_arrays, reason = "only the compiler ever runs this")]
const fn laps() -> [[[u64; WORDS]; MOST_SEEDS + 1]; PITS] {
    let mut laps = [[[0_u64; WORDS]; MOST_SEEDS + 1]; PITS];
    let mut from = 0;
    while from < PITS {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            // The lap with one seed less, one more seed off the lifted pit, one more into the last pit.
            let mut row = laps[from][seeds - 1];
            let last = (from + seeds) % PITS;
            row[from / 8] = row[from / 8].wrapping_sub(1 << (from % 8 * 8));
            row[last / 8] = row[last / 8].wrapping_add(1 << (last % 8 * 8));
            laps[from][seeds] = row;
            seeds += 1;
        }
        from += 1;
    }
    laps
}
