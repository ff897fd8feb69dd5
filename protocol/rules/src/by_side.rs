use core::ops::{Index, IndexMut};

use crate::Side;

/// Two values of a kind, one for each side.
///
/// ```
/// use bao_rules::{BySide, Side};
///
/// let mut wins = BySide { south: 3, north: 1 };
/// wins[Side::North] += 1;
/// assert_eq!(wins.map(|count| 2 * count), BySide { south: 6, north: 4 });
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// South's.
    pub south: T,
    /// North's.
    pub north: T,
}

impl<T> BySide<T> {
    /// Makes both values, South's first.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self { south: make(Side::South), north: make(Side::North) }
    }

    /// Returns what `change` makes of both values, South's first.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        BySide { south: change(self.south), north: change(self.north) }
    }

    /// Returns references to both values.
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide { south: &self.south, north: &self.north }
    }

    /// Returns both values with their sides, South's first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::South, &self.south), (Side::North, &self.north)].into_iter()
    }
}

impl<T> From<[T; 2]> for BySide<T> {
    fn from([south, north]: [T; 2]) -> Self {
        Self { south, north }
    }
}

impl<T> From<BySide<T>> for [T; 2] {
    fn from(both: BySide<T>) -> Self {
        [both.south, both.north]
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::South => &self.south,
            Side::North => &self.north,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::South => &mut self.south,
            Side::North => &mut self.north,
        }
    }
}
