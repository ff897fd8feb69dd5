//! What can be wrong with a position text.

use alloc::string::String;
use core::fmt;

use crate::pit::Pit;
use crate::side::Side;
use crate::variant::Variant;

/// The place of a number in a position text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The seeds in a pit.
    Pit(Pit),
    /// The seeds that a side captured, or its bank.
    Captured(Side),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pit(pit) => write!(f, "pit {pit}"),
            Self::Captured(side) => write!(f, "{}'s captured seeds", side.word()),
        }
    }
}

/// Why a text is not a position, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text has more or fewer rows than the board.
    Rows {
        /// The rows in the text.
        found: usize,
        /// The rows of the board.
        expected: usize,
    },
    /// A row has more or fewer pits than on the board.
    Pits {
        /// The row, counted from 1 at the top.
        row: usize,
        /// The row's leftmost pit.
        first: Pit,
        /// The row's rightmost pit.
        last: Pit,
        /// The pits in the text.
        found: usize,
        /// The pits of the row.
        expected: usize,
    },
    /// What should be a number of seeds is not one.
    Number {
        /// Where.
        place: Place,
        /// What was found, shortened.
        text: String,
    },
    /// A number is greater than that of all seeds of the game.
    TooMany {
        /// Where.
        place: Place,
        /// What was found, shortened.
        text: String,
        /// The seeds of the game.
        most: u32,
    },
    /// A pit cannot be reserved: it does not hold the seeds for it, or the game reserves none.
    Reserved {
        /// The pit with the `*`.
        pit: Pit,
        /// The seeds that it holds.
        seeds: u8,
    },
    /// The text ends before it is complete.
    Missing {
        /// What should have come next.
        part: &'static str,
    },
    /// The side to move is neither `S` nor `N`.
    Side {
        /// What was found, shortened.
        text: String,
    },
    /// The position is complete, but more text follows.
    Trailing {
        /// What follows, shortened.
        text: String,
    },
    /// All seeds together are more or fewer than the game has.
    Total {
        /// The game.
        variant: Variant,
        /// The seeds in the pits.
        on_board: u32,
        /// The seeds captured or banked.
        off_board: u32,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { found, expected } => {
                write!(f, "the board has {expected} rows joined by '/', found {found}")
            }
            Self::Pits { row, first, last, found, expected } => {
                write!(f, "row {row} ({first}..{last}) has {expected} pits joined by ',', found {found}")
            }
            Self::Number { place, text } => {
                write!(f, "{place}: expected a number without sign, spaces or leading zeros, found {text:?}")
            }
            Self::TooMany { place, text, most } => {
                write!(f, "{place}: {text} seeds are more than the {most} of the game")
            }
            Self::Reserved { pit, seeds } => match &pit.variant().info().reserved {
                Some(holds) => {
                    let (least, most) = (holds.start(), holds.end());
                    write!(f, "pit {pit}: a reserved pit ('*') holds {least} or {most} seeds, found {seeds}")
                }
                None => {
                    let title = pit.variant().info().title;
                    write!(f, "pit {pit}: '*' marks a reserved pit, which {title} does not have")
                }
            },
            Self::Missing { part } => write!(f, "the text ends where {part} should follow after a space"),
            Self::Side { text } => write!(f, "the side to move is S or N, found {text:?}"),
            Self::Trailing { text } => write!(f, "nothing may follow North's captured seeds, found {text:?}"),
            Self::Total { variant, on_board, off_board } => {
                let (seeds, total) = (variant.seeds(), on_board + off_board);
                let rule = if variant.info().closed { "exactly" } else { "at most" };
                write!(
                    f,
                    "{variant} has {rule} {seeds} seeds, found {total}: {on_board} in pits and {off_board} captured"
                )
            }
        }
    }
}

impl core::error::Error for PositionError {}
