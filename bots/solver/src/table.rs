//! What the solver knows of positions, whole positions as keys: no two are ever taken for each other.

use crate::rows::{ROW, Rows};

/// The entries that share a place; 64 bytes, one line of the processor's cache.
type Bucket = [Entry; 4];

/// A table of bounds; its memory is fixed when it is made.
#[derive(Debug)]
pub(crate) struct Table {
    /// A power of two of them.
    buckets: Vec<Bucket>,
}

/// Bounds of what a side can still win beyond what its bank is ahead, and the index of its best pit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) least: i32,
    pub(crate) most: i32,
    pub(crate) best: Option<u8>,
}

/// A position and what is known of it.
///
/// The 54 bits of each row are the position. Above those of the first, 7 bits hold the lower bound and 3 the pit; above
/// those of the second, 7 bits hold the upper bound and 3 the effort. An entry of zeros has an empty board and is never
/// asked for: there, nothing is left to win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Entry([u64; 2]);

/// Where the bound begins.
const BOUND: usize = 8 * ROW + 6;
/// Where the pit and the effort begin.
const TOP: usize = BOUND + 7;
/// The position's part of a word.
const POSITION: u64 = (1 << BOUND) - 1;
/// What makes every bound 0 or more.
const MOST: i32 = 48;
/// The number that means no pit.
const NO_PIT: u64 = 7;

impl Table {
    /// Makes an empty table of at most `bytes`, but of one bucket at least.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Self { buckets: vec![Bucket::default(); 1 << buckets.ilog2()] }
    }

    #[inline]
    pub(crate) fn get(&self, rows: Rows) -> Option<Known> {
        self.buckets[self.place(rows)].iter().find(|entry| entry.is(rows)).map(Entry::known)
    }

    /// Keeps what is known of a position, in the place of what took the least effort to find.
    ///
    /// `effort`: the positions that were visited for it.
    #[inline]
    pub(crate) fn put(&mut self, rows: Rows, known: Known, effort: u64) {
        let place = self.place(rows);
        let bucket = &mut self.buckets[place];
        let slot = bucket.iter().position(|entry| entry.is(rows)).unwrap_or_else(|| {
            let mut least = 0;
            for slot in 1..bucket.len() {
                if bucket[slot].effort() < bucket[least].effort() {
                    least = slot;
                }
            }
            least
        });
        bucket[slot] = Entry::new(rows, known, effort);
    }

    #[inline]
    fn place(&self, [own, theirs]: Rows) -> usize {
        let mix = |word: u64, factor: u64| {
            let product = u128::from(word) * u128::from(factor);
            (product >> 64) as u64 ^ product as u64
        };
        let mixed = mix(own, 0x9e37_79b9_7f4a_7c15) ^ mix(theirs, 0xd6e8_feb8_6659_fd93).rotate_left(32);
        mix(mixed, 0xd134_2543_de82_ef95) as usize & (self.buckets.len() - 1)
    }
}

impl Entry {
    #[inline]
    fn new([own, theirs]: Rows, known: Known, effort: u64) -> Self {
        let bound = |bound: i32| ((bound + MOST) as u64) << BOUND;
        let best = known.best.map_or(NO_PIT, u64::from) << TOP;
        // Steps of eight times the effort.
        let effort = u64::from((effort.max(1).ilog2() / 3).min(7)) << TOP;
        Self([own | bound(known.least) | best, theirs | bound(known.most) | effort])
    }

    #[inline]
    fn is(&self, [own, theirs]: Rows) -> bool {
        ((self.0[0] ^ own) | (self.0[1] ^ theirs)) & POSITION == 0
    }

    #[inline]
    fn known(&self) -> Known {
        let bound = |word: u64| (word >> BOUND & 0x7f) as i32 - MOST;
        let best = self.0[0] >> TOP;
        Known {
            least: bound(self.0[0]),
            most: bound(self.0[1]),
            best: (best != NO_PIT).then_some(best as u8),
        }
    }

    #[inline]
    fn effort(&self) -> u64 {
        self.0[1] >> TOP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_within_the_size_asked_for() {
        assert_eq!(size_of::<Bucket>(), 64);
        for (bytes, buckets) in [(0, 1), (127, 1), (128, 2), (3 << 20, 1 << 15)] {
            assert_eq!(Table::new(bytes).buckets.len(), buckets, "{bytes}");
        }
    }

    #[test]
    fn what_is_known_comes_back_as_it_was() {
        let rows = [0x3f_3030_3030_3030, 0x01_0001_0203_0405];
        for least in [-48, -1, 0, 48] {
            for most in [-48, 0, 3, 48] {
                for best in [None, Some(0), Some(5)] {
                    let known = Known { least, most, best };
                    let mut table = Table::new(0);
                    table.put(rows, known, 77);
                    assert_eq!(table.get(rows), Some(known));
                    for bit in 0..54 {
                        assert_eq!(table.get([rows[0] ^ 1 << bit, rows[1]]), None);
                        assert_eq!(table.get([rows[0], rows[1] ^ 1 << bit]), None);
                    }
                }
            }
        }
    }

    #[test]
    fn what_took_the_least_effort_gives_way() {
        let mut table = Table::new(0);
        let known = Known { least: 0, most: 0, best: None };
        for (number, effort) in [(1, 5000), (2, 3), (3, 70), (4, 1 << 60), (5, 600)] {
            table.put([number, 1], known, effort);
        }
        let left: Vec<u64> = (1..6).filter(|number| table.get([*number, 1]).is_some()).collect();
        assert_eq!(left, [1, 3, 4, 5]);
    }
}
