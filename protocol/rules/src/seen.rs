//! The positions of a game of one kind, to notice when one comes back.

use alloc::vec::Vec;
use core::fmt;

/// The positions of one game so far, for a program that knows which game it plays; else like
/// [`History`](crate::History).
///
/// ```
/// use bao_rules::{Rules, kingulu};
///
/// let mut history = kingulu::History::new(&kingulu::Position::START);
/// assert!(history.push(&kingulu::Position::START), "the start came back");
/// ```
// A hash table with open addressing whose slots hold the serial numbers of positions. Numbers below `first` are left
// over from before the last capture or restart and count as free, so that forgetting costs nothing.
#[derive(Clone)]
pub struct Seen<P> {
    /// The positions that can still come back, in order.
    positions: Vec<P>,
    /// The serial number of `positions[0]`.
    first: u32,
    /// Numbers of positions, at the places given by their hashes; 0 is the number of none. A power of two of them.
    slots: Vec<u32>,
    /// The seeds that had left the board in the latest position.
    gone: u32,
}

/// What [`Seen`] needs of a position.
pub trait Remember: Copy {
    /// Returns a well-mixed hash of all that [`Remember::same`] compares.
    fn fingerprint(&self) -> u64;
    /// Returns whether two positions are the same for the rule on repetition.
    fn same(&self, other: &Self) -> bool;
    /// Returns the number of seeds that left the board.
    fn gone(&self) -> u32;
}

/// Slots of a fresh table.
const FEWEST_SLOTS: usize = 64;

impl<P: Remember> Seen<P> {
    /// Begins a history with the position in which the game starts; that one counts as seen.
    pub fn new(start: &P) -> Self {
        let mut seen = Self::default();
        seen.restart(start);
        seen
    }

    /// Begins another game and keeps the allocated memory.
    pub fn restart(&mut self, start: &P) {
        self.forget();
        self.push(start);
    }

    /// Adds the next position of the game and returns whether it was there before.
    #[inline]
    pub fn push(&mut self, position: &P) -> bool {
        let gone = position.gone();
        if gone != self.gone {
            self.forget();
            self.gone = gone;
        }
        if self.positions.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.find(position);
        let seen = self.slots[slot] >= self.first;
        if !seen {
            self.slots[slot] = self.first + self.positions.len() as u32;
            self.positions.push(*position);
        }
        seen
    }

    /// Returns whether the position was there since the last capture, and adds nothing.
    pub fn contains(&self, position: &P) -> bool {
        position.gone() == self.gone
            && !self.slots.is_empty()
            && self.slots[self.find(position)] >= self.first
    }

    /// Finds the slot that holds the position, or the free one where it belongs.
    #[inline]
    fn find(&self, position: &P) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = position.fingerprint() as usize & mask;
        loop {
            let number = self.slots[slot];
            if number < self.first || self.positions[(number - self.first) as usize].same(position) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn forget(&mut self) {
        self.first += self.positions.len() as u32;
        self.positions.clear();
        if self.first > u32::MAX / 2 {
            self.slots.fill(0);
            self.first = 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        self.slots.clear();
        self.slots.resize(slots, 0);
        for number in 0..self.positions.len() {
            let slot = self.find(&self.positions[number]);
            self.slots[slot] = self.first + number as u32;
        }
    }
}

impl<P> Default for Seen<P> {
    fn default() -> Self {
        Self { positions: Vec::new(), first: 1, slots: Vec::new(), gone: 0 }
    }
}

impl<P> fmt::Debug for Seen<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seen").field("positions", &self.positions.len()).finish_non_exhaustive()
    }
}

/// Mixes words into a hash; multiplication and folding, in the manner of the wyhash family.
#[inline]
pub(crate) fn mix(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for word in words {
        let product = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash
}
