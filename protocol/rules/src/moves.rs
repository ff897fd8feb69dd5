//! The legal moves of a position.

use std::fmt;
use std::ops::Index;

use crate::pit::Pit;
use crate::variant::{Side, Variant};

/// The most moves that a position can have: the pits of a Bao Kigogo side.
const MOST: usize = 24;

/// The pits that the side to move may lift, in sowing order, held without allocation.
///
/// The order is that of [`Pit::index`]: B1..B12, A12..A1 in Bao Kigogo, A1..A6 in Bao Kingulu.
// Invariant: `pits[..len]` are the moves; what stands behind them means nothing.
#[derive(Clone, Copy)]
pub struct Moves {
    len: u8,
    pits: [Pit; MOST],
}

impl Moves {
    /// Collects the pits whose bits are set, bit 0 being the side's first pit in sowing order.
    pub(crate) fn from_bits(variant: Variant, side: Side, set: u32) -> Self {
        let mut moves = Self { len: 0, pits: [Pit::known(variant, side, 0); MOST] };
        for index in bits(set) {
            moves.pits[usize::from(moves.len)] = Pit::known(variant, side, index);
            moves.len += 1;
        }
        moves
    }

    /// Counts the moves.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Tells whether there is no move, which ends the game.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tells whether `pit` may be lifted.
    pub fn contains(&self, pit: Pit) -> bool {
        self.as_slice().contains(&pit)
    }

    /// Gives the moves as a slice.
    pub fn as_slice(&self) -> &[Pit] {
        &self.pits[..self.len()]
    }

    /// Goes through the moves.
    pub fn iter(&self) -> std::iter::Copied<std::slice::Iter<'_, Pit>> {
        self.as_slice().iter().copied()
    }
}

impl Index<usize> for Moves {
    type Output = Pit;

    fn index(&self, number: usize) -> &Pit {
        &self.as_slice()[number]
    }
}

impl IntoIterator for Moves {
    type Item = Pit;
    type IntoIter = std::iter::Take<std::array::IntoIter<Pit, MOST>>;

    fn into_iter(self) -> Self::IntoIter {
        self.pits.into_iter().take(self.len())
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Pit;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Pit>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Moves {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Moves {}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Gives the numbers of the bits that are set, from the lowest.
#[inline]
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
