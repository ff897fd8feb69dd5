//! The table of positions that were searched.

/// Four entries that share a place; 64 bytes, one line of the processor's cache.
type Bucket = [Entry; 4];

/// What is known about the positions that were searched; its memory is fixed when it is made.
#[derive(Debug)]
pub(crate) struct Table {
    /// A power of two of them.
    buckets: Vec<Bucket>,
    /// The current search; entries of earlier searches are replaced first.
    age: u8,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    key: u64,
    score: i16,
    depth: u8,
    age: u8,
    bound: Option<Bound>,
    /// The index of the best pit; [`NO_MOVE`] if none is known.
    best: u8,
}

/// Stands for no move.
pub(crate) const NO_MOVE: u8 = u8::MAX;

/// How a score is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value is this or more.
    Least,
    /// The value is this or less.
    Most,
    /// The value is this.
    Exact,
}

/// What the table knows about a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) best: u8,
}

impl Table {
    /// Makes an empty table of at most `bytes`, but of one bucket at least.
    pub(crate) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let buckets = 1 << buckets.ilog2();
        Self { buckets: vec![Bucket::default(); buckets], age: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
        self.age = 0;
    }

    /// Begins another search.
    pub(crate) fn renew(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let entry = self.buckets[self.place(key)].iter().find(|entry| entry.key == key)?;
        Some(Known {
            score: entry.score.into(),
            depth: entry.depth.into(),
            bound: entry.bound?,
            best: entry.best,
        })
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, known: Known) {
        let (place, age) = (self.place(key), self.age);
        let bucket = &mut self.buckets[place];
        let worth = |entry: &Entry| {
            if entry.key == key {
                i32::MIN
            } else {
                i32::from(entry.depth) - 256 * i32::from(entry.age != age)
            }
        };
        let mut least = 0;
        for slot in 1..bucket.len() {
            if worth(&bucket[slot]) < worth(&bucket[least]) {
                least = slot;
            }
        }
        let entry = &mut bucket[least];
        let best = if known.best == NO_MOVE && entry.key == key { entry.best } else { known.best };
        *entry = Entry {
            key,
            score: known.score as i16,
            depth: known.depth as u8,
            age,
            bound: Some(known.bound),
            best,
        };
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_within_the_size_asked_for() {
        assert_eq!(size_of::<Bucket>(), 64);
        for (bytes, buckets) in [(0, 1), (64, 1), (127, 1), (128, 2), (1 << 20, 1 << 14), (3 << 20, 1 << 15)]
        {
            assert_eq!(Table::new(bytes).buckets.len(), buckets, "{bytes}");
        }
    }

    #[test]
    fn a_shallow_entry_gives_way_before_a_deep_one_and_an_old_one_before_both() {
        let mut table = Table::new(64);
        let known = |depth| Known { score: 7, depth, bound: Bound::Exact, best: NO_MOVE };
        table.put(1, known(40));
        table.renew();
        for (key, depth) in [(2, 5), (3, 3), (4, 9), (5, 1)] {
            table.put(key, known(depth));
        }
        assert!(table.get(1).is_none(), "the old one");
        table.put(6, known(2));
        let left: Vec<u64> = (1..7).filter(|key| table.get(*key).is_some()).collect();
        assert_eq!(left, [2, 3, 4, 6]);
    }
}
