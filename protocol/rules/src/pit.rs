//! Pits and their names.

use std::fmt;

use crate::variant::{Side, Variant, excerpt};

/// A pit of one game's board; one that exists is on the board.
///
/// Pits are ordered by game, owner (South first) and sowing order, which is also the order of [`Pit::index`].
// Invariant: bits 0-4 are the index, below the variant's pits per side; bit 5 is the owner; bit 6 the variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

const INDEX: u8 = 0b1_1111;
const OWNER: u8 = 0b10_0000;
const VARIANT: u8 = 0b100_0000;

impl Pit {
    /// Makes the pit number `index` of `owner` in sowing order, counted from 0.
    ///
    /// Bao Kigogo counts B1..B12, A12..A1; Bao Kingulu A1..A6. Beyond the last pit there is none.
    pub const fn new(variant: Variant, owner: Side, index: usize) -> Option<Self> {
        if index < variant.pits_per_side() { Some(Self::known(variant, owner, index)) } else { None }
    }

    /// Makes a pit whose index the caller knows to be on the board.
    pub(crate) const fn known(variant: Variant, owner: Side, index: usize) -> Self {
        debug_assert!(index < variant.pits_per_side());
        Self(index as u8 | (owner as u8) << 5 | (variant as u8) << 6)
    }

    /// Gives every pit of a side in sowing order.
    pub fn of(variant: Variant, owner: Side) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..variant.pits_per_side()).map(move |index| Self::known(variant, owner, index))
    }

    /// Gives every pit of a game's board, South's first.
    pub fn all(variant: Variant) -> impl Iterator<Item = Self> + Clone {
        Side::BOTH.into_iter().flat_map(move |owner| Self::of(variant, owner))
    }

    /// Reads a pit's name, such as `A4` (South's) or `b12` (North's).
    ///
    /// # Errors
    /// Anything but the exact name of a pit of that game; the error lists the names that exist. The case of the
    /// letter tells the side, so `a3` is never a misspelt `A3`.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, PitError> {
        let found = Self::all(variant).find(|pit| pit.name() == text);
        found.ok_or_else(|| PitError { variant, text: excerpt(text) })
    }

    /// Tells the game to whose board the pit belongs.
    pub const fn variant(self) -> Variant {
        if self.0 & VARIANT == 0 { Variant::Kigogo } else { Variant::Kingulu }
    }

    /// Tells the side in whose rows the pit lies.
    pub const fn owner(self) -> Side {
        if self.0 & OWNER == 0 { Side::South } else { Side::North }
    }

    /// Gives the pit's place in its owner's sowing order, from 0.
    pub const fn index(self) -> usize {
        (self.0 & INDEX) as usize
    }

    /// Gives the pit's name: `A` front row, `B` back row, numbered from the owner's left; lower case for North.
    pub fn name(self) -> &'static str {
        match self.variant() {
            Variant::Kigogo => KIGOGO_NAMES[self.owner() as usize][self.index()],
            Variant::Kingulu => KINGULU_NAMES[self.owner() as usize][self.index()],
        }
    }
}

impl Variant {
    /// Gives the rows of the board as position texts and diagrams show them: top to bottom, each from left to right.
    pub fn rows(self) -> impl ExactSizeIterator<Item = &'static [Pit]> + Clone {
        match self {
            Self::Kigogo => KIGOGO_ROWS.as_flattened().chunks(12),
            Self::Kingulu => KINGULU_ROWS.as_flattened().chunks(6),
        }
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no pit of the game's board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitError {
    variant: Variant,
    text: String,
}

impl fmt::Display for PitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, text } = self;
        let names = match variant {
            Variant::Kigogo => "A1..A12 and B1..B12 are South's, a1..a12 and b1..b12 North's",
            Variant::Kingulu => "A1..A6 are South's, a1..a6 North's; there is no back row",
        };
        write!(f, "{text:?} is no pit of {variant}: {names}")?;
        if text.trim() != text && Pit::parse(*variant, text.trim()).is_ok() {
            f.write_str(" (write it without spaces)")?;
        }
        Ok(())
    }
}

impl std::error::Error for PitError {}

const KIGOGO_NAMES: [[&str; 24]; 2] = [
    [
        "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", //
        "A12", "A11", "A10", "A9", "A8", "A7", "A6", "A5", "A4", "A3", "A2", "A1",
    ],
    [
        "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", //
        "a12", "a11", "a10", "a9", "a8", "a7", "a6", "a5", "a4", "a3", "a2", "a1",
    ],
];

const KINGULU_NAMES: [[&str; 6]; 2] =
    [["A1", "A2", "A3", "A4", "A5", "A6"], ["a1", "a2", "a3", "a4", "a5", "a6"]];

/// b12..b1, a12..a1, A1..A12, B1..B12.
static KIGOGO_ROWS: [[Pit; 12]; 4] = {
    let (south, north) = (Side::South, Side::North);
    let mut rows = [[Pit(0); 12]; 4];
    let mut column = 0;
    while column < 12 {
        rows[0][column] = Pit::known(Variant::Kigogo, north, 11 - column);
        rows[1][column] = Pit::known(Variant::Kigogo, north, 12 + column);
        rows[2][column] = Pit::known(Variant::Kigogo, south, 23 - column);
        rows[3][column] = Pit::known(Variant::Kigogo, south, column);
        column += 1;
    }
    rows
};

/// a6..a1, A1..A6.
static KINGULU_ROWS: [[Pit; 6]; 2] = {
    let mut rows = [[Pit(0); 6]; 2];
    let mut column = 0;
    while column < 6 {
        rows[0][column] = Pit::known(Variant::Kingulu, Side::North, 5 - column);
        rows[1][column] = Pit::known(Variant::Kingulu, Side::South, column);
        column += 1;
    }
    rows
};
