//! Draws a position as text for a terminal: plain ASCII, South at the bottom.

use std::fmt;

use bao_rules::{Pit, Position, Side};

/// A position to draw, and the move that led to it.
///
/// Every pit is under its name, as in the rulebook's diagrams. `.` is an empty pit, `(2)` the pit that was lifted,
/// `[2]` the pit in which the last seed fell, `<2>` a pit that was both; `5S` is a pit that South has reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The position.
    pub position: Position,
    /// The pit that the last move lifted.
    pub lifted: Option<Pit>,
    /// The pit in which its last seed fell.
    pub last: Option<Pit>,
}

/// A line that explains the marks.
pub const LEGEND: &str =
    "(2) lifted, [2] the last seed fell here, <2> both, . empty, 5S reserved by South, 5N by North";

/// The width of a pit in the drawing.
const CELL: usize = 5;

impl Board {
    /// A position without a move that led to it.
    pub fn new(position: Position) -> Self {
        Self { position, lifted: None, last: None }
    }

    fn seeds(&self, f: &mut fmt::Formatter<'_>, row: &[Pit]) -> fmt::Result {
        line(f, row, |pit| {
            let (open, close) = match (self.lifted == Some(pit), self.last == Some(pit)) {
                (false, false) => (' ', ' '),
                (true, false) => ('(', ')'),
                (false, true) => ('[', ']'),
                (true, true) => ('<', '>'),
            };
            let seeds = match (self.position.seeds(pit), self.position.reserved(pit)) {
                (0, None) => ".".to_owned(),
                (seeds, None) => seeds.to_string(),
                (seeds, Some(owner)) => format!("{seeds}{owner}"),
            };
            // A bracket is next to its number, with one digit or two.
            format!("{:>width$}{close}", format!("{open}{seeds}"), width = CELL - 1)
        })
    }

    fn side(&self, f: &mut fmt::Formatter<'_>, side: Side) -> fmt::Result {
        let info = self.position.variant().info();
        write!(f, "{}: {} {}", side.word(), self.position.captured(side), info.gained)?;
        if info.counted {
            write!(f, ", {} if it ended here", self.position.score(side))?;
        }
        f.write_str(if self.position.side() == side { ", to move\n" } else { "\n" })
    }
}

impl fmt::Display for Board {
    /// Draws the board in lines, each with its newline: two for each row, and three more between and around the rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.position.variant().rows();
        let (half, width) = (rows.len() / 2, rows.clone().next().map_or(0, <[Pit]>::len) * CELL);
        self.side(f, Side::North)?;
        for (number, row) in rows.enumerate() {
            if number == half {
                writeln!(f, " {}", "-".repeat(width - 1))?;
            }
            if number < half {
                names(f, row)?;
                self.seeds(f, row)?;
            } else {
                self.seeds(f, row)?;
                names(f, row)?;
            }
        }
        self.side(f, Side::South)
    }
}

fn names(f: &mut fmt::Formatter<'_>, row: &[Pit]) -> fmt::Result {
    line(f, row, |pit| format!("{:>width$} ", pit.name(), width = CELL - 1))
}

fn line(f: &mut fmt::Formatter<'_>, row: &[Pit], cell: impl Fn(Pit) -> String) -> fmt::Result {
    let line: String = row.iter().map(|pit| cell(*pit)).collect();
    writeln!(f, "{}", line.trim_end())
}
