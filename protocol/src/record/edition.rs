//! Which edition of the rules of conduct a game is played by.

use serde::{Deserialize, Serialize};

/// An edition of the rules of conduct: what a game is played by beside its own rules and its clocks.
///
/// New games are played by the latest; a record is replayed by the one that each of its games names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "u32", try_from = "u32")]
pub enum Edition {
    /// Every move has its own grace; the first bot to fail before the game begins loses; verdicts do not name
    /// why a game does not count.
    #[default]
    First,
    /// What a move oversteps its budget by is owed, and the next budget pays for it; a deadline that is noticed
    /// late is the referee's absence; failures before the game begins are judged together; verdicts name why a game
    /// does not count. Faults quote what a bot wrote as it is, and name the likely cause first; the option `seed`
    /// keeps to the bounds of the bot's hello; a row shows both ends of standard error.
    Second,
    /// As the second; and a verdict whose cause is a line that could not be used (no message, an unknown type,
    /// another request's id, no newline) quotes that line.
    Third,
}

impl Edition {
    /// The edition by which new games are played.
    pub const LATEST: Self = Self::Third;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_first(&self) -> bool {
        *self == Self::First
    }
}

impl From<Edition> for u32 {
    fn from(edition: Edition) -> Self {
        match edition {
            Edition::First => 1,
            Edition::Second => 2,
            Edition::Third => 3,
        }
    }
}

impl TryFrom<u32> for Edition {
    type Error = UnknownEdition;

    fn try_from(number: u32) -> Result<Self, UnknownEdition> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            3 => Ok(Self::Third),
            _ => Err(UnknownEdition { number }),
        }
    }
}

/// Says that there is no such edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownEdition {
    number: u32,
}

impl std::fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (number, latest) = (self.number, u32::from(Edition::LATEST));
        write!(f, "edition {number} of the rules of conduct is unknown; the latest is {latest}")
    }
}

impl std::error::Error for UnknownEdition {}
