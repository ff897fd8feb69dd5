//! What a report is made of, before it becomes Markdown or HTML: both show the same sections with the same numbers.

use std::borrow::Cow;

/// The sections before the first of which a page has its games; it always has the last of them.
pub(super) const AFTER_GAMES: [&str; 2] = ["bots", "programs"];

/// A part of a report under a heading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section {
    /// The name by which links find it.
    pub(super) id: &'static str,
    /// The heading.
    pub(super) title: String,
    /// The text under it.
    pub(super) blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Block {
    /// A paragraph.
    Text(String),
    /// Single facts: what, and how much.
    Facts(Vec<(Cow<'static, str>, String)>),
    /// A table.
    Grid(Grid),
    /// A picture; the tables beside it say the same in numbers.
    Figure(Figure),
    /// What is known of a fault.
    Exhibit(Exhibit),
    /// The duels of a knockout.
    Bracket(Bracket),
    /// A part under a heading of its own.
    Part(Part),
}

/// A part of a section; a page shows it folded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// Its heading.
    pub(super) title: String,
    /// The text under it.
    pub(super) blocks: Vec<Block>,
}

/// The duels of a knockout, round after round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bracket {
    /// The names of the rounds, with their duels; the winners of neighbours meet in the round after.
    pub(super) rounds: Vec<(String, Vec<Duel>)>,
}

/// Two bots, one of which goes through; empty while it is not known which bots meet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Duel {
    /// The bots; a single bot goes through without playing.
    pub(super) seats: Vec<Seat>,
    /// Their first game.
    pub(super) game: Option<u64>,
}

/// A bot in a duel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seat {
    /// Its name.
    pub(super) name: String,
    /// Its points in this duel, if a game of it is finished.
    pub(super) points: Option<String>,
    /// Whether it goes through.
    pub(super) through: bool,
}

/// A table. The first column names the rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    /// What the table shows.
    pub(super) caption: String,
    /// The columns.
    pub(super) columns: Vec<Column>,
    /// The rows; each has a cell a column.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// Its head.
    pub(super) head: String,
    /// What it holds.
    pub(super) kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words.
    Words,
    /// Numbers, which stand to the right.
    Numbers,
    /// Long rows of digits that nobody reads.
    Digits,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cell {
    /// Its content.
    pub(super) text: String,
    /// The game to which it leads.
    pub(super) game: Option<u64>,
    /// How it is tinted, from -1 (the row's bot is the weaker one) to 1.
    pub(super) shade: Option<f64>,
}

/// A fault with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exhibit {
    /// The game.
    pub(super) game: u64,
    /// What happened, in a sentence.
    pub(super) title: String,
    /// More about it.
    pub(super) detail: Option<String>,
    /// The line at fault.
    pub(super) line: Option<String>,
    /// What to change.
    pub(super) advice: Option<Cow<'static, str>>,
    /// What the bot wrote to its standard error: all of it where it is short, else its first and its last lines.
    pub(super) stderr: Vec<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// What it shows, in a sentence.
    pub(super) title: String,
    /// How.
    pub(super) plot: Plot,
}

/// How a picture shows what it shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Plot {
    /// A dot with a bar for each name.
    Intervals {
        /// What the scale measures.
        unit: &'static str,
        /// The names with the ends of the bar and the dot: low, middle, high.
        rows: Vec<(String, [f64; 3])>,
    },
    /// Curves over one scale.
    Lines {
        /// What the scales measure.
        axes: [&'static str; 2],
        /// Whether the vertical scale is a time in microseconds.
        times: bool,
        /// The curves by name.
        lines: Vec<(String, Vec<(f64, f64)>)>,
        /// Heights that are marked, each with what it means.
        marks: Vec<(f64, String)>,
    },
    /// Columns side by side.
    Columns {
        /// What the scales measure.
        axes: [&'static str; 2],
        /// What each column means, and its height.
        columns: Vec<(String, u64)>,
    },
    /// Bars that are divided.
    Shares {
        /// What the parts are.
        parts: Vec<&'static str>,
        /// The bars with the size of each part.
        rows: Vec<(String, Vec<u64>)>,
    },
    /// How times are spread, on a logarithmic scale.
    Spreads {
        /// The names with the times in microseconds that 5, 25, 50, 75 and 95 % do not exceed.
        rows: Vec<(String, [f64; 5])>,
    },
}

impl Grid {
    /// Begins a table: a head that ends with `#` is that of a column of numbers.
    pub(super) fn new(caption: impl Into<String>, heads: &[&str]) -> Self {
        let columns = heads.iter().map(|head| match head.strip_suffix('#') {
            Some(head) => Column { head: head.to_owned(), kind: Kind::Numbers },
            None => Column { head: (*head).to_owned(), kind: Kind::Words },
        });
        Self { caption: caption.into(), columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds a row of plain texts.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(Cell::from).collect());
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Cell {
    /// Makes the number of a game, which leads to it.
    pub(super) fn game(game: u64) -> Self {
        Self { text: game.to_string(), game: Some(game), shade: None }
    }
}
