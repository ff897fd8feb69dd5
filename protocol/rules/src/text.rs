//! Positions as text.
//!
//! The rows as in the diagram, top to bottom, joined by `/`, the pits of a row by `,`; then, after one space each, the
//! side to move (`S` or `N`) and the seeds captured (or banked) by South and by North. A reserved pit bears a `*`.
//!
//! ```text
//! Bao Kigogo                      Bao Kingulu
//! b12 b11 ... b1                  a6 a5 a4 a3 a2 a1
//! a12 a11 ... a1                  A1 A2 A3 A4 A5 A6
//! A1  A2  ... A12
//! B1  B2  ... B12
//! ```
//!
//! There is one text for each position: numbers have no sign and no leading zeros, and nothing else stands around.

use std::fmt;

use crate::pit::Pit;
use crate::position::Position;
use crate::variant::{Side, Variant, excerpt};
use crate::{kigogo, kingulu};

impl Position {
    /// Reads a position text; any position that fits the game's seeds is accepted, reachable or not.
    ///
    /// Bao Kigogo: pits and captured seeds together are at most 92. Bao Kingulu: pits and banks are 48 together, and a
    /// reserved pit holds 4 or 5.
    ///
    /// # Errors
    /// The first thing from the left that does not fit, with its place.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, PositionError> {
        let mut parts = text.split(' ');
        let board = Board::parse(variant, parts.next().unwrap_or_default())?;
        let side = parts.next().ok_or(PositionError::Missing { part: "the side to move (S or N)" })?;
        let side = parse_side(side)?;
        let mut captured = [0; 2];
        for side in Side::BOTH {
            let part = match side {
                Side::South => "South's captured seeds",
                Side::North => "North's captured seeds",
            };
            let number = parts.next().ok_or(PositionError::Missing { part })?;
            captured[side as usize] = parse_number(variant, Place::Captured(side), number)?;
        }
        if let Some(junk) = parts.next() {
            return Err(PositionError::Trailing { text: excerpt(junk) });
        }
        board.position(variant, captured, side)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The referee writes a position every ply: one write of the whole instead of a hundred of its parts.
        let mut line = Line { text: [0; 256], length: 0 };
        for (number, row) in self.variant().rows().enumerate() {
            if number > 0 {
                line.push(b'/');
            }
            for (number, pit) in row.iter().enumerate() {
                if number > 0 {
                    line.push(b',');
                }
                line.number(self.seeds(*pit).into());
                if self.reserved(*pit).is_some() {
                    line.push(b'*');
                }
            }
        }
        line.push(b' ');
        line.push(self.side().letter() as u8);
        for side in [Side::South, Side::North] {
            line.push(b' ');
            line.number(self.captured(side));
        }
        f.write_str(std::str::from_utf8(&line.text[..line.length]).expect("only ASCII was pushed"))
    }
}

/// Room for the longest position text: 48 pits of two digits, 47 marks between them, and less than 16 for the rest.
struct Line {
    text: [u8; 256],
    length: usize,
}

impl Line {
    fn push(&mut self, byte: u8) {
        self.text[self.length] = byte;
        self.length += 1;
    }

    /// Writes a number below 1000, as every number of seeds is.
    fn number(&mut self, number: u32) {
        for unit in [100, 10, 1] {
            if number >= unit || unit == 1 {
                self.push(b'0' + (number / unit % 10) as u8);
            }
        }
    }
}

/// Shows the games' own positions as texts, in test failures above all.
macro_rules! debug_as_text {
    ($position:ty, $wrap:expr) => {
        impl fmt::Debug for $position {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&$wrap(*self), f)
            }
        }
    };
}

debug_as_text!(kigogo::Position, Position::Kigogo);
debug_as_text!(kingulu::Position, Position::Kingulu);

/// The pits as they were read, each in range for itself.
struct Board {
    /// By side and index; Bao Kingulu uses the first six of each side.
    pits: [[u8; 24]; 2],
    /// By side, as bits.
    reserved: [u8; 2],
}

impl Board {
    fn parse(variant: Variant, text: &str) -> Result<Self, PositionError> {
        let expected = variant.rows().len();
        let found = text.split('/').count();
        if found != expected {
            return Err(PositionError::Rows { found, expected });
        }
        let mut board = Self { pits: [[0; 24]; 2], reserved: [0; 2] };
        for (number, (row, text)) in variant.rows().zip(text.split('/')).enumerate() {
            let (found, expected) = (text.split(',').count(), row.len());
            if found != expected {
                let (first, last) = (row[0], row[expected - 1]);
                return Err(PositionError::Pits { row: number + 1, first, last, found, expected });
            }
            for (pit, text) in row.iter().zip(text.split(',')) {
                board.parse_pit(*pit, text)?;
            }
        }
        Ok(board)
    }

    fn parse_pit(&mut self, pit: Pit, text: &str) -> Result<(), PositionError> {
        let (number, reserved) = match text.strip_suffix('*') {
            Some(number) => (number, true),
            None => (text, false),
        };
        let seeds = parse_number(pit.variant(), Place::Pit(pit), number)?;
        let owner = pit.owner() as usize;
        if reserved {
            if pit.variant() == Variant::Kigogo || !matches!(seeds, 4 | 5) {
                return Err(PositionError::Reserved { pit, seeds });
            }
            self.reserved[owner] |= 1 << pit.index();
        }
        self.pits[owner][pit.index()] = seeds;
        Ok(())
    }

    fn position(&self, variant: Variant, captured: [u8; 2], side: Side) -> Result<Position, PositionError> {
        let on_board: u32 = self.pits.as_flattened().iter().copied().map(u32::from).sum();
        let off_board = captured.into_iter().map(u32::from).sum();
        let total = on_board + off_board;
        match variant {
            Variant::Kigogo if total <= variant.seeds() => {
                Ok(Position::Kigogo(kigogo::Position::counted(self.pits, captured, side)))
            }
            Variant::Kingulu if total == variant.seeds() => {
                let rows = self.pits.map(|pits| std::array::from_fn(|pit| pits[pit]));
                Ok(Position::Kingulu(kingulu::Position::counted(rows, self.reserved, captured, side)))
            }
            Variant::Kigogo | Variant::Kingulu => Err(PositionError::Total { variant, on_board, off_board }),
        }
    }
}

fn parse_side(text: &str) -> Result<Side, PositionError> {
    let mut letters = text.chars();
    match (letters.next().and_then(Side::from_letter), letters.next()) {
        (Some(side), None) => Ok(side),
        _ => Err(PositionError::Side { text: excerpt(text) }),
    }
}

fn parse_number(variant: Variant, place: Place, text: &str) -> Result<u8, PositionError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || text.len() > 1 && text.starts_with('0') {
        return Err(PositionError::Number { place, text: excerpt(text) });
    }
    let seeds = text.parse().ok().filter(|seeds| u32::from(*seeds) <= variant.seeds());
    seeds.ok_or_else(|| PositionError::TooMany { place, text: excerpt(text), most: variant.seeds() })
}

/// Where in a position text a number stands.
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

/// Why a text is no position, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The text has not as many rows as the board.
    Rows {
        /// The rows in the text.
        found: usize,
        /// The rows of the board.
        expected: usize,
    },
    /// A row has not as many pits as on the board.
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
    /// What stands for a number of seeds is none.
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
    /// A pit cannot be reserved: it holds neither 4 nor 5, or the game is Bao Kigogo, which reserves none.
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
    /// The position is complete, but the text goes on.
    Trailing {
        /// What follows, shortened.
        text: String,
    },
    /// All seeds together are not as many as the game has.
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
            Self::Reserved { pit, .. } if pit.variant() == Variant::Kigogo => {
                write!(f, "pit {pit}: '*' marks a reserved pit, which Bao Kigogo does not have")
            }
            Self::Reserved { pit, seeds } => {
                write!(f, "pit {pit}: a reserved pit ('*') holds 4 or 5 seeds, found {seeds}")
            }
            Self::Missing { part } => write!(f, "the text ends where {part} should follow after a space"),
            Self::Side { text } => write!(f, "the side to move is S or N, found {text:?}"),
            Self::Trailing { text } => write!(f, "nothing may follow North's captured seeds, found {text:?}"),
            Self::Total { variant, on_board, off_board } => {
                let rule = match variant {
                    Variant::Kigogo => "at most 92",
                    Variant::Kingulu => "exactly 48",
                };
                let total = on_board + off_board;
                write!(
                    f,
                    "{variant} has {rule} seeds, found {total}: {on_board} in pits and {off_board} captured"
                )
            }
        }
    }
}

impl std::error::Error for PositionError {}
