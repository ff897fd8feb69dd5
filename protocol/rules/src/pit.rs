//! Pits and their names.

use alloc::string::String;
use core::fmt;

use crate::info::{Info, Track};
use crate::name::excerpt;
use crate::side::Side;
use crate::variant::Variant;

/// A pit of one game's board; one that exists is on the board.
///
/// Pits are ordered by game, owner (South first) and sowing order, which is also the order of [`Pit::index`].
///
/// ```
/// use bao_rules::{Pit, Side, Variant};
///
/// let pit = Pit::parse(Variant::Kigogo, "a4").unwrap();
/// assert_eq!((pit.owner(), pit.index(), pit.name()), (Side::North, 20, "a4"));
/// let error = Pit::parse(Variant::Kingulu, "a7").unwrap_err();
/// assert_eq!(error.to_string(), "\"a7\" is not a pit of bao-kingulu: A1..A6 are South's, a1..a6 North's; there is no back row");
/// ```
// Invariant: bits 0-4 are the index, below the variant's pits per side; bit 5 is the owner; bits 6 and 7 the variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

const INDEX: u8 = 0b1_1111;
const OWNER: u8 = 0b10_0000;
const VARIANT: u32 = 6;

/// The most pits of a side that any game has.
pub(crate) const MOST: usize = {
    let (mut most, mut variant) = (0, 0);
    while variant < Variant::COUNT {
        let pits = Variant::ALL[variant].pits_per_side();
        most = if pits > most { pits } else { most };
        variant += 1;
    }
    most
};

// What `Pit` has room for.
const _: () = assert!(Variant::COUNT <= 4 && MOST <= 32);

impl Pit {
    /// Returns the pit number `index` of `owner` in sowing order, counted from 0; `None` beyond the last pit.
    ///
    /// Four rows count B1..B12, A12..A1; two rows A1..A6.
    pub const fn new(variant: Variant, owner: Side, index: usize) -> Option<Self> {
        if index < variant.pits_per_side() { Some(Self::known(variant, owner, index)) } else { None }
    }

    /// Returns a pit whose index the caller knows to be on the board.
    #[inline]
    pub(crate) const fn known(variant: Variant, owner: Side, index: usize) -> Self {
        debug_assert!(index < variant.pits_per_side());
        Self(index as u8 | (owner as u8) << 5 | (variant as u8) << VARIANT)
    }

    /// Returns every pit of a side in sowing order.
    pub fn of(variant: Variant, owner: Side) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..variant.pits_per_side()).map(move |index| Self::known(variant, owner, index))
    }

    /// Returns every pit of a game's board, South's first.
    pub fn all(variant: Variant) -> impl Iterator<Item = Self> + Clone {
        Side::BOTH.into_iter().flat_map(move |owner| Self::of(variant, owner))
    }

    /// Reads a pit's name, such as `A4` (South's) or `b12` (North's).
    ///
    /// # Errors
    /// Anything but the exact name of a pit of that game; the error lists the names that exist. The case of the
    /// letter is the side, so `a3` is never a misspelt `A3`.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, PitError> {
        let found = Self::all(variant).find(|pit| pit.name() == text);
        found.ok_or_else(|| PitError { variant, text: excerpt(text) })
    }

    /// Returns the game to whose board the pit belongs.
    #[inline]
    pub const fn variant(self) -> Variant {
        Variant::ALL[(self.0 >> VARIANT) as usize]
    }

    /// Returns whether the pit belongs to the board of a game.
    #[inline]
    pub(crate) const fn is_of(self, variant: Variant) -> bool {
        self.0 >> VARIANT == variant as u8
    }

    /// Returns the side in whose rows the pit lies.
    #[inline]
    pub const fn owner(self) -> Side {
        if self.0 & OWNER == 0 { Side::South } else { Side::North }
    }

    /// Returns the pit's place in its owner's sowing order, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & INDEX) as usize
    }

    /// Returns whether the pit lies in the row next to the opponent; the only row of a side is its front row.
    pub const fn is_front(self) -> bool {
        let Info { rows, columns, .. } = self.variant().info();
        *rows == 2 || self.index() >= *columns
    }

    /// Returns the pit's name: `A` front row, `B` back row, numbered from the owner's left; lower case for North.
    pub const fn name(self) -> &'static str {
        let Info { rows, columns, .. } = self.variant().info();
        let (row, number) = match (*rows, self.index()) {
            (2, index) => (0, index),
            (_, index) if index < *columns => (1, index),
            (_, index) => (0, 2 * *columns - 1 - index),
        };
        NAMES[self.owner() as usize][row][number]
    }
}

/// By owner and row (front, back), from the owner's left.
static NAMES: [[[&str; 16]; 2]; 2] = [
    [
        [
            "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A14", "A15",
            "A16",
        ],
        [
            "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "B10", "B11", "B12", "B13", "B14", "B15",
            "B16",
        ],
    ],
    [
        [
            "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15",
            "a16",
        ],
        [
            "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15",
            "b16",
        ],
    ],
];

impl Variant {
    /// Returns the rows of the board as position texts and diagrams show them: top to bottom, each from left to right.
    ///
    /// ```
    /// use bao_rules::Variant;
    ///
    /// let rows: Vec<_> = Variant::Kingulu.rows().collect();
    /// assert_eq!(format!("{rows:?}"), "[[a6, a5, a4, a3, a2, a1], [A1, A2, A3, A4, A5, A6]]");
    /// ```
    pub fn rows(self) -> impl ExactSizeIterator<Item = &'static [Pit]> + Clone {
        let Info { rows, columns, .. } = self.info();
        ROWS[self as usize][..rows * columns].chunks(*columns)
    }
}

impl Variant {
    /// Returns the pits through which a side sows, in their order, once around; `None` is the side's bank.
    ///
    /// ```
    /// use bao_rules::{Pit, Side, Variant};
    ///
    /// let track: Vec<_> = Variant::Kingulu.track(Side::North).flatten().map(Pit::name).collect();
    /// assert_eq!(track.join(" "), "a1 a2 a3 a4 a5 a6 A1 A2 A3 A4 A5 A6");
    /// ```
    pub fn track(self, side: Side) -> impl Iterator<Item = Option<Pit>> + Clone {
        let (banks, others) = match self.info().track {
            Track::Own => (0, 0),
            Track::Both => (0, self.pits_per_side()),
            Track::BothAndBank => (1, self.pits_per_side()),
        };
        let own = Pit::of(self, side).map(Some);
        own.chain((0..banks).map(|_| None)).chain(Pit::of(self, side.other()).take(others).map(Some))
    }
}

/// By variant, the pits from the top left to the bottom right.
static ROWS: [[Pit; 2 * MOST]; Variant::COUNT] = {
    let mut boards = [[Pit(0); 2 * MOST]; Variant::COUNT];
    let mut place = 0;
    while place < Variant::COUNT {
        boards[place] = board(Variant::ALL[place]);
        place += 1;
    }
    boards
};

const fn board(variant: Variant) -> [Pit; 2 * MOST] {
    let mut board = [Pit(0); 2 * MOST];
    let Info { rows, columns, .. } = variant.info();
    let mut column = 0;
    while column < *columns {
        // From left to right, North's first row runs against its sowing, South's last row along it.
        let (forth, back) = (column, *columns - 1 - column);
        if *rows == 2 {
            board[column] = Pit::known(variant, Side::North, back);
            board[*columns + column] = Pit::known(variant, Side::South, forth);
        } else {
            board[column] = Pit::known(variant, Side::North, back);
            board[*columns + column] = Pit::known(variant, Side::North, *columns + forth);
            board[2 * *columns + column] = Pit::known(variant, Side::South, *columns + back);
            board[3 * *columns + column] = Pit::known(variant, Side::South, forth);
        }
        column += 1;
    }
    board
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

/// A text that is not the name of a pit of the game's board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PitError {
    variant: Variant,
    text: String,
}

impl fmt::Display for PitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, text } = self;
        let Info { rows, columns, .. } = variant.info();
        write!(f, "{text:?} is not a pit of {variant}: ")?;
        if *rows == 2 {
            write!(f, "A1..A{columns} are South's, a1..a{columns} North's; there is no back row")?;
        } else {
            write!(
                f,
                "A1..A{columns} and B1..B{columns} are South's, a1..a{columns} and b1..b{columns} North's"
            )?;
        }
        if text.trim() != text && Pit::parse(*variant, text.trim()).is_ok() {
            f.write_str(" (write it without spaces)")?;
        }
        Ok(())
    }
}

impl core::error::Error for PitError {}
