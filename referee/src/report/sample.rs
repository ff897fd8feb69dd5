//! An evenly spaced sample of a sequence whose length is not known before its end.

/// Keeps every n-th item; n doubles whenever the room is used up.
#[derive(Debug)]
pub(super) struct Sample<T> {
    items: Vec<T>,
    most: usize,
    every: u64,
    seen: u64,
}

impl<T> Sample<T> {
    /// Makes an empty sample that holds at most `most` items (at least 2), and at least half as many where there
    /// are enough.
    pub(super) fn new(most: usize) -> Self {
        Self { items: Vec::new(), most: most.max(2), every: 1, seen: 0 }
    }

    /// Takes the next item, or leaves it.
    pub(super) fn push(&mut self, item: T) {
        if self.seen.is_multiple_of(self.every) && self.items.len() == self.most {
            let mut number = 0;
            self.items.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
        if self.seen.is_multiple_of(self.every) {
            self.items.push(item);
        }
        self.seen += 1;
    }

    /// Returns the items kept, in their order.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns how many items there were in all.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns whether every item is still there.
    pub(super) fn is_whole(&self) -> bool {
        self.every == 1
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn a_sample_is_evenly_spaced_and_bounded() {
        for length in 0..200u64 {
            let mut sample = Sample::new(7);
            (0..length).for_each(|item| sample.push(item));
            let items = sample.items();
            assert!(items.len() <= 7 && items.len() as u64 >= length.min(4), "{length}: {items:?}");
            let step = items.get(1).copied().unwrap_or(1);
            assert!(items.iter().enumerate().all(|(place, item)| *item == place as u64 * step));
            assert_eq!((sample.seen(), sample.is_whole()), (length, length <= 7));
        }
    }
}
