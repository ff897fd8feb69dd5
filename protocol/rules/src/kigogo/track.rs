//! The 24 pits in which one side of Bao Kigogo sows.

use core::ops::ControlFlow;

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

type Words = [u64; WORDS];

/// The pits of one side in sowing order, as bytes in words, so that a whole lap is one addition a word.
// Invariant: no pit holds more than `MOST_SEEDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Track(Words);

/// How a sowing ended.
#[derive(Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) laps: u64,
    /// The empty pit that took the last seed.
    pub(crate) last: usize,
}

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

    /// Returns the pits as words, for hashing.
    pub(crate) const fn words(&self) -> Words {
        self.0
    }

    #[inline]
    pub(crate) const fn seeds(&self, pit: usize) -> u8 {
        (self.0[pit / 8] >> (pit % 8 * 8)) as u8
    }

    /// Returns the number of seeds that the other side captures when its last seed fell into its pit `last` (rule 4).
    #[inline]
    pub(crate) fn faced(&self, last: usize) -> u8 {
        if last < FRONT {
            return 0;
        }
        let [front, back] = facing(last).map(|pit| self.seeds(pit));
        if front > 0 { front + back } else { 0 }
    }

    /// Returns the track without the pits that face the other side's front pit `last`; all of it for a back pit.
    #[inline]
    pub(crate) fn without_faced(&self, last: usize) -> Self {
        let kept = &UNCAPTURED[last];
        Self([self.0[0] & kept[0], self.0[1] & kept[1], self.0[2] & kept[2]])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns whether each pit holds a single seed, so that none can move.
    pub(crate) fn is_stuck(&self) -> bool {
        self.0 == [ONES; WORDS]
    }

    /// Returns the pits with two seeds or more as bits.
    #[inline]
    pub(crate) fn several(&self) -> u32 {
        self.at_least(2)
    }

    /// Returns the occupied pits as bits.
    #[inline]
    pub(crate) fn occupied(&self) -> u32 {
        self.at_least(1)
    }

    /// Returns the pits with at least `least` seeds as bits.
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

    /// Sows from an occupied pit, lap by lap, until one ends in an empty pit; `None` if that never happens, or not within
    /// `most_laps` laps.
    ///
    /// The crate's documentation says why an endless sowing comes back to its first state. `watch` sees every lap: the
    /// pit lifted, its seeds, the pit of the last seed.
    pub(crate) fn sow(
        &mut self,
        from: usize,
        most_laps: u64,
        watch: impl FnMut(usize, u8, usize),
    ) -> Option<Ended> {
        let mut round = Round::new(*self, from);
        let ended = round.go_on(most_laps, watch);
        *self = round.track;
        match ended {
            ControlFlow::Break(ended) => ended,
            ControlFlow::Continue(()) => None,
        }
    }
}

/// A sowing under way, lap by lap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    first: (usize, Track),
    /// The track after the laps so far.
    pub(crate) track: Track,
    /// The pit to lift next.
    from: usize,
    laps: u64,
}

impl Round {
    /// Begins to sow from an occupied pit.
    #[inline]
    pub(crate) fn new(track: Track, from: usize) -> Self {
        Self { first: (from, track), track, from, laps: 0 }
    }

    /// Sows at most `laps` laps more; breaks off where one ends in an empty pit, or with nothing where the first state is back
    /// and the sowing so endless.
    #[inline]
    pub(crate) fn go_on(
        &mut self,
        laps: u64,
        mut watch: impl FnMut(usize, u8, usize),
    ) -> ControlFlow<Option<Ended>> {
        let Self { first, mut track, mut from, laps: before } = *self;
        let mut sown = 0;
        let ended = loop {
            let seeds = track.seeds(from);
            for (word, add) in track.0.iter_mut().zip(&LAPS[from][usize::from(seeds)]) {
                *word = word.wrapping_add(*add);
            }
            let last = (from + usize::from(seeds)) % PITS;
            sown += 1;
            watch(from, seeds, last);
            if track.seeds(last) == 1 {
                break ControlFlow::Break(Some(Ended { laps: before + sown, last }));
            }
            from = last;
            if (from, track) == first {
                break ControlFlow::Break(None);
            }
            if sown >= laps {
                break ControlFlow::Continue(());
            }
        };
        *self = Self { first, track, from, laps: before + sown };
        ended
    }
}

/// A track made ready to be sown from any of its pits, fast.
///
/// Until the seeds have gone once round the track, each lap reaches only pits that no lap of this move has reached.
/// So every pit that is lifted holds what it held before the move, and the seed that just fell; the laps can be followed
/// on the unchanged track, and the new one be made at the end in one go. Most moves end within that first round; the
/// others go on lap by lap.
#[derive(Debug)]
pub(crate) struct Sower {
    track: Track,
    /// The seeds, twice over, so that a round from any pit is a stretch without a seam.
    seeds: [u8; 2 * PITS],
}

impl Sower {
    #[inline]
    pub(crate) fn new(track: &Track) -> Self {
        let mut seeds = [0; 2 * PITS];
        for (place, bytes) in seeds.chunks_exact_mut(8).enumerate() {
            bytes.copy_from_slice(&track.0[place % WORDS].to_le_bytes());
        }
        Self { track: *track, seeds }
    }

    /// Sows from an occupied pit until a lap ends in an empty pit; `None` if that never happens, or takes more than about
    /// `most_laps` laps.
    #[expect(
        clippy::inline_always,
        reason = "measured: a fifth faster where all moves of a position are played"
    )]
    #[inline(always)]
    pub(crate) fn sow(&self, from: usize, most_laps: u64) -> Option<(Track, Ended)> {
        let round = from + PITS;
        let first = from + usize::from(self.seeds[from]);
        if first >= round {
            let mut track = self.track;
            let ended = track.sow(from, most_laps, |_, _, _| {})?;
            return Some((track, ended));
        }
        let (mut last, mut lifted) = (first, 1_u64 << from);
        loop {
            let seeds = usize::from(self.seeds[last]);
            if seeds == 0 {
                return Some(self.sown(from, last, lifted));
            }
            let next = last + seeds + 1;
            if next >= round {
                break;
            }
            lifted |= 1 << last;
            last = next;
        }
        // The next lap would close the round.
        let (mut track, Ended { laps, last }) = self.sown(from, last, lifted);
        let ended = track.sow(last, most_laps, |_, _, _| {})?;
        Some((track, Ended { laps: laps + ended.laps, last: ended.last }))
    }

    /// Makes the track on which all pits from `from` to `last` got a seed and the lifted ones lost theirs.
    #[inline]
    fn sown(&self, from: usize, last: usize, lifted: u64) -> (Track, Ended) {
        let pits = lifted | lifted >> PITS;
        let add = &REACHED[from][last - from];
        let word = |place: usize| {
            let kept = KEPT[(pits >> (place * 8)) as usize & 0xff];
            (self.track.0[place] + add[place]) & kept
        };
        let track = Track([word(0), word(1), word(2)]);
        let last = if last < PITS { last } else { last - PITS };
        (track, Ended { laps: u64::from(lifted.count_ones()), last })
    }
}

/// What a lap adds to each word, by the pit that is lifted and its seeds. The lifted pit's entry takes the seeds off.
static LAPS: [[Words; MOST_SEEDS + 1]; PITS] = laps();

/// One seed in each of the pits after the first index, as many pits as the second.
static REACHED: [[Words; PITS]; PITS] = reached();

/// The bytes of a word that stay when the pits set in the index are lifted.
static KEPT: [u64; 256] = kept();

/// The bytes that stay when the other side captures after its last seed fell into a pit; all after one in its back row.
static UNCAPTURED: [Words; PITS] = uncaptured();

/// Returns the front pit that faces the other side's front pit `last`, and the back pit behind it.
#[inline]
pub(crate) const fn facing(last: usize) -> [usize; 2] {
    // A(24 - last) faces a(last - 11), which has the index 35 - last; behind it is b(last - 11).
    [FRONT + PITS - 1 - last, last - FRONT]
}

#[expect(clippy::large_stack_arrays, reason = "only the compiler ever runs this")]
const fn laps() -> [[Words; MOST_SEEDS + 1]; PITS] {
    let mut laps = [[[0; WORDS]; MOST_SEEDS + 1]; PITS];
    let mut from = 0;
    while from < PITS {
        let mut seeds = 1;
        while seeds <= MOST_SEEDS {
            // The lap with one seed less, one more seed off the lifted pit, one more into the last pit.
            let mut row: Words = laps[from][seeds - 1];
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

const fn reached() -> [[Words; PITS]; PITS] {
    let mut reached = [[[0; WORDS]; PITS]; PITS];
    let mut from = 0;
    while from < PITS {
        let mut pits = 1;
        while pits < PITS {
            let last = (from + pits) % PITS;
            reached[from][pits] = reached[from][pits - 1];
            reached[from][pits][last / 8] += 1 << (last % 8 * 8);
            pits += 1;
        }
        from += 1;
    }
    reached
}

const fn kept() -> [u64; 256] {
    let mut kept = [0; 256];
    let mut lifted = 0;
    while lifted < 256 {
        let mut pit = 0;
        while pit < 8 {
            if lifted >> pit & 1 == 0 {
                kept[lifted] |= 0xff << (pit * 8);
            }
            pit += 1;
        }
        lifted += 1;
    }
    kept
}

const fn uncaptured() -> [Words; PITS] {
    let mut kept = [[u64::MAX; WORDS]; PITS];
    let mut last = FRONT;
    while last < PITS {
        let [front, back] = facing(last);
        kept[last][front / 8] &= !(0xff << (front % 8 * 8));
        kept[last][back / 8] &= !(0xff << (back % 8 * 8));
        last += 1;
    }
    kept
}
