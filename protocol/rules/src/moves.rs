//! The legal moves of a position.

use core::fmt;
use core::ops::Index;

use crate::pit::{MOST, Pit};
use crate::side::Side;
use crate::variant::Variant;

/// The pits that the side to move may lift, in sowing order, held without allocation.
///
/// The order is that of [`Pit::index`]: B1..B12, A12..A1 in Bao Kigogo, A1..A6 in Bao Kingulu.
///
/// ```
/// use bao_rules::{Position, Variant};
///
/// let moves = Position::start(Variant::Kingulu).legal_moves();
/// assert_eq!(format!("{moves:?}"), "[A3, A4, A5, A6]");
/// assert_eq!(moves[0].name(), "A3");
/// ```
// Invariant: `pits[..len]` are the moves; the rest means nothing.
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

    /// Returns the number of moves.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns whether the list is empty: a side without a legal move ends the game.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether `pit` may be lifted.
    pub fn contains(&self, pit: Pit) -> bool {
        self.as_slice().contains(&pit)
    }

    /// Returns the moves as a slice.
    pub fn as_slice(&self) -> &[Pit] {
        &self.pits[..self.len()]
    }

    /// Returns an iterator over the moves.
    pub fn iter(&self) -> core::iter::Copied<core::slice::Iter<'_, Pit>> {
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
    type IntoIter = core::iter::Take<core::array::IntoIter<Pit, MOST>>;

    fn into_iter(self) -> Self::IntoIter {
        self.pits.into_iter().take(self.len())
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Pit;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Pit>>;

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

/// Returns the numbers of the bits that are set, from the lowest.
#[inline]
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
