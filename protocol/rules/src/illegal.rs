//! Why a move is not legal.

use core::fmt;

use crate::pit::Pit;
use crate::side::Side;
use crate::variant::Variant;

/// The one rule that an illegal move breaks; where it breaks several, the first in this order.
///
/// ```
/// use bao_rules::{Illegal, Pit, Position, Variant};
///
/// let pit = |name| Pit::parse(Variant::Kingulu, name).unwrap();
/// let illegal = Position::start(Variant::Kingulu).check(pit("A2")).unwrap_err();
/// assert_eq!(illegal, Illegal::FirstLapOwnRow { pit: pit("A2"), last: pit("A6") });
/// assert_eq!(illegal.code(), "first_lap_own_row");
/// let sentence = "the first lap from A2 ends in A6, an occupied pit of the mover's own row; only a later lap may";
/// assert_eq!(illegal.to_string(), sentence);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Illegal {
    /// The pit belongs to the board of the other game.
    OtherBoard {
        /// The pit that was to be lifted.
        pit: Pit,
    },
    /// The pit is in the opponent's rows.
    NotYourPit {
        /// The pit that was to be lifted.
        pit: Pit,
    },
    /// There is nothing in the pit to lift.
    EmptyPit {
        /// The pit that was to be lifted.
        pit: Pit,
    },
    /// Bao Kigogo, rule 2: a single seed must not move while the side has a pit with two seeds or more.
    SingleSeed {
        /// The pit that was to be lifted.
        pit: Pit,
    },
    /// Bao Kigogo, rule 2: a single seed moves only into an empty next pit.
    SingleSeedBlocked {
        /// The pit that was to be lifted.
        pit: Pit,
        /// The occupied pit that follows it.
        next: Pit,
    },
    /// Bao Kingulu, rule 4: a reserved pit is never lifted.
    ReservedPit {
        /// The pit that was to be lifted.
        pit: Pit,
    },
    /// Bao Kingulu, rule 3d: the first lap ends in an occupied pit of the mover's own row.
    FirstLapOwnRow {
        /// The pit that was to be lifted.
        pit: Pit,
        /// The pit in which its first lap ends.
        last: Pit,
    },
    /// Bao Kingulu, rule 5: the sowing would never end.
    Endless {
        /// The pit that was to be lifted.
        pit: Pit,
    },
}

impl Illegal {
    /// Every code that [`Illegal::code`] can return.
    pub const CODES: [&'static str; 8] = [
        "other_board",
        "not_your_pit",
        "empty_pit",
        "single_seed",
        "single_seed_blocked",
        "reserved_pit",
        "first_lap_own_row",
        "endless",
    ];

    /// Returns the code by which protocol and records call the broken rule.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OtherBoard { .. } => "other_board",
            Self::NotYourPit { .. } => "not_your_pit",
            Self::EmptyPit { .. } => "empty_pit",
            Self::SingleSeed { .. } => "single_seed",
            Self::SingleSeedBlocked { .. } => "single_seed_blocked",
            Self::ReservedPit { .. } => "reserved_pit",
            Self::FirstLapOwnRow { .. } => "first_lap_own_row",
            Self::Endless { .. } => "endless",
        }
    }

    /// Returns the pit that was to be lifted.
    pub const fn pit(self) -> Pit {
        match self {
            Self::OtherBoard { pit }
            | Self::NotYourPit { pit }
            | Self::EmptyPit { pit }
            | Self::SingleSeed { pit }
            | Self::SingleSeedBlocked { pit, .. }
            | Self::ReservedPit { pit }
            | Self::FirstLapOwnRow { pit, .. }
            | Self::Endless { pit } => pit,
        }
    }

    /// Checks what does not depend on the seeds: that the pit is one of `side`.
    pub(crate) fn by_owner(variant: Variant, side: Side, pit: Pit) -> Result<(), Self> {
        if !pit.is_of(variant) {
            Err(Self::OtherBoard { pit })
        } else if pit.owner() != side {
            Err(Self::NotYourPit { pit })
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherBoard { pit } => write!(f, "{pit} is a pit of {}, another game", pit.variant()),
            Self::NotYourPit { pit } => {
                let owner = pit.owner();
                write!(f, "{pit} belongs to {}, and {} is to move", owner.word(), owner.other().word())
            }
            Self::EmptyPit { pit } => write!(f, "{pit} is empty"),
            Self::SingleSeed { pit } => write!(
                f,
                "{pit} holds a single seed; while a side has a pit with two seeds or more, it must lift such a pit"
            ),
            Self::SingleSeedBlocked { pit, next } => {
                write!(
                    f,
                    "{pit} holds a single seed, which may only go into an empty pit, and {next} is occupied"
                )
            }
            Self::ReservedPit { pit } => write!(f, "{pit} is reserved, and a reserved pit is never lifted"),
            Self::FirstLapOwnRow { pit, last } => write!(
                f,
                "the first lap from {pit} ends in {last}, an occupied pit of the mover's own row; only a later lap may"
            ),
            Self::Endless { pit } => write!(f, "the sowing from {pit} would never end"),
        }
    }
}

impl core::error::Error for Illegal {}
