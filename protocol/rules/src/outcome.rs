//! How games end.

use core::fmt;
use core::str::FromStr;

use crate::name::UnknownName;
use crate::side::Side;

/// The result of a finished game, as far as the rules decide it.
///
/// ```
/// use bao_rules::{Ending, Outcome, Position, Side, Variant};
///
/// let text = "0,0,0,0,0,0/0,0,0,0,0,2 N 20 26";
/// let position = Position::parse(Variant::Kingulu, text).unwrap();
/// assert_eq!(position.over(), Some(Outcome { winner: Some(Side::North), reason: Ending::NoMoves }));
/// assert_eq!(Ending::NoMoves.to_string(), "no_moves");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: Ending,
}

/// What ended a game, as far as the rules decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// Bao Kigogo: the side to move has no seed left and loses (rule 5).
    CapturedAll,
    /// Bao Kigogo: the side to move has one seed in each of its 24 pits and loses (rule 5).
    Immobilised,
    /// Bao Kingulu: the side to move has no legal move; the seeds decide (rule 6).
    NoMoves,
    /// A position came back: a draw in Bao Kigogo, decided by the seeds in Bao Kingulu (rule 6 of both).
    Repetition,
    /// Bao Kigogo: a sowing that would never end; a draw (rule 7).
    EndlessSowing,
    /// The agreed number of moves was played: a draw in Bao Kigogo, decided by the seeds in Bao Kingulu.
    MaxPlies,
}

impl Ending {
    /// Every ending, in the order of declaration.
    pub const ALL: [Self; 6] = [
        Self::CapturedAll,
        Self::Immobilised,
        Self::NoMoves,
        Self::Repetition,
        Self::EndlessSowing,
        Self::MaxPlies,
    ];

    /// The names of [`Ending::ALL`], in the same order.
    pub const NAMES: [&'static str; 6] =
        ["captured_all", "immobilised", "no_moves", "repetition", "endless_sowing", "max_plies"];

    /// Returns the name by which protocol and records call the ending.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Ending {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.into_iter().find(|ending| ending.name() == text);
        known.ok_or_else(|| UnknownName::new("ending", text, &Self::NAMES))
    }
}
