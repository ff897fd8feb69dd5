//! The two sides.

use core::fmt;
use core::str::FromStr;

use crate::name::UnknownName;

/// One of the two players, named after the side of the board on which they sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first to move; pits in upper case.
    South,
    /// The other player; pits in lower case.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Self; 2] = [Self::South, Self::North];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// Returns the letter of position texts and records: `S` or `N`.
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }

    /// Reads what [`Side::letter`] returns; lower case is refused.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'S' => Some(Self::South),
            'N' => Some(Self::North),
            _ => None,
        }
    }

    /// Returns the side's name for sentences: `South` or `North`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::South => "South",
            Self::North => "North",
        }
    }
}

impl fmt::Display for Side {
    /// Writes the letter: `S` or `N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::South => "S",
            Self::North => "N",
        })
    }
}

impl FromStr for Side {
    type Err = UnknownName;

    /// Reads the letter that `Display` writes.
    ///
    /// ```
    /// use bao_rules::Side;
    ///
    /// assert_eq!("N".parse(), Ok(Side::North));
    /// assert!("n".parse::<Side>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut letters = text.chars();
        match (letters.next().and_then(Self::from_letter), letters.next()) {
            (Some(side), None) => Ok(side),
            _ => Err(UnknownName::new("side", text, &["S", "N"])),
        }
    }
}
