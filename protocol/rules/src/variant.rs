//! The two games and the two sides.

use std::fmt;
use std::str::FromStr;

/// One of the two games that the rules core knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Bao Kigogo: four rows of twelve pits, 92 seeds; each side sows in its own two rows.
    Kigogo,
    /// Bao Kingulu: two rows of six pits, 48 seeds; both sides sow through both rows.
    Kingulu,
}

impl Variant {
    /// Every game, in the order in which the documents name them.
    pub const ALL: [Self; 2] = [Self::Kigogo, Self::Kingulu];

    /// The names of [`Variant::ALL`], in the same order.
    pub const NAMES: [&'static str; 2] = ["bao-kigogo", "bao-kingulu"];

    /// Gives the name by which the protocol, the records and the command line call the game.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Counts the pits of one side: 24 in Bao Kigogo, 6 in Bao Kingulu.
    pub const fn pits_per_side(self) -> usize {
        match self {
            Self::Kigogo => 24,
            Self::Kingulu => 6,
        }
    }

    /// Counts the seeds with which the game starts: 92 in Bao Kigogo, 48 in Bao Kingulu.
    pub const fn seeds(self) -> u32 {
        match self {
            Self::Kigogo => 92,
            Self::Kingulu => 48,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|variant| variant.name() == text);
        known.ok_or_else(|| UnknownName::new("game", text, &Self::NAMES))
    }
}

/// One of the two players, called by the side of the board on which they sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player who moves first; pits in upper case.
    South,
    /// The other player; pits in lower case.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Self; 2] = [Self::South, Self::North];

    /// Gives the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// Gives the letter of position texts and records: `S` or `N`.
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }

    /// Reads what [`Side::letter`] gives; lower case is refused.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'S' => Some(Self::South),
            'N' => Some(Self::North),
            _ => None,
        }
    }

    /// Gives the side's name for sentences: `South` or `North`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::South => "South",
            Self::North => "North",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::South => "S",
            Self::North => "N",
        })
    }
}

/// A name that is on none of the closed lists where it was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    text: String,
    known: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(what: &'static str, text: &str, known: &'static [&'static str]) -> Self {
        Self { what, text: excerpt(text), known }
    }

    /// Lists the names that would have been right.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} {:?}: known are {}", self.what, self.text, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Cuts a foreign text to a length that an error message can bear.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 32;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
