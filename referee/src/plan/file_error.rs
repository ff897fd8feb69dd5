//! What is wrong with a tournament's file, shown in its line.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bao_rules::Variant;
use toml::Spanned;

use super::bounds::{MOST_BOTS, MOST_PLIES};
use super::error::PlanError;
use crate::text::cause::cause;
use crate::text::suggest::did_you_mean;

/// What is wrong with a tournament's file, and where.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    // In boxes, so that the usual result is small.
    place: Option<Box<Place>>,
    problem: Box<FileProblem>,
}

/// What is wrong with a tournament's file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// It cannot be read.
    #[error("cannot read the tournament file: {}; check the path", cause(.0))]
    Io(io::Error),
    /// It is not TOML, or a key or a value is wrong.
    #[error("{message}{}", did_you_mean(.found, .expected.iter().map(String::as_str)))]
    Toml {
        /// The message of the TOML reader.
        message: String,
        /// The wrong word, if it is a word.
        found: String,
        /// The words that would be right.
        expected: Vec<String>,
    },
    /// Several formats, or kinds of openings, or none.
    #[error(
        "give exactly one format, for example [format.swiss], and for each game at most one kind of openings, for example openings = {{ file = \"openings.txt\" }}"
    )]
    Choice,
    /// A part of the plan is wrong.
    #[error("{0}")]
    Plan(Box<PlanError>),
    /// `max_plies` is out of bounds.
    #[error("max_plies must be from 1 to {MOST_PLIES}")]
    MaxPlies,
    /// `withdraw_after` is 0.
    #[error("withdraw_after is 0; it must be at least 1, or remove the line to withdraw no bot")]
    WithdrawAfter,
    /// A game is listed twice.
    #[error("{0} is listed twice; remove one of the two")]
    GameTwice(Variant),
    /// No game is listed.
    #[error("the tournament has no game; add one under [[game]]")]
    NoGame,
    /// Two bots have the same name.
    #[error("another bot has this name; give each bot a different name")]
    NameTwice,
    /// There are too few bots.
    #[error("a tournament needs at least 2 bots; add a [[bot]]")]
    FewBots,
    /// There are too many bots.
    #[error("{0} bots are too many; the limit is {MOST_BOTS}")]
    ManyBots(usize),
    /// A number of the format is out of bounds.
    #[error("{name} is {value}; it must be from {least} to {}", FileProblem::MOST)]
    Count {
        /// The key.
        name: &'static str,
        /// Its least value.
        least: u64,
        /// Its value.
        value: u64,
    },
    /// A gauntlet in which the challengers have no opponent.
    #[error("challengers is {challengers}; with {bots} bots it must be from 1 to {}", .bots - 1)]
    Challengers {
        /// Its value.
        challengers: u64,
        /// How many bots there are.
        bots: usize,
    },
    /// A sequential test with more or fewer than two bots.
    #[error("a sequential test needs exactly 2 bots, this file has {0}")]
    TestOfMore(usize),
}

/// Messages of the TOML reader: the words of a TOML file for those of Rust.
const PLAIN: [(&str, &str); 10] = [
    (
        "string values must be quoted, expected literal string",
        "the value is missing or not valid; write a number, true, false, or a text in quotes",
    ),
    (
        "invalid type: unit variant, expected struct variant",
        "write it as a table, for example [format.swiss]",
    ),
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("duplicate field", "duplicate key"),
    ("unknown variant", "unknown word"),
    ("invalid type: ", "wrong type: "),
    ("expected u64", "expected a whole number from 0"),
    ("expected u32", "expected a whole number from 0"),
    ("unexpected keys in table", "unknown keys in this table"),
];

impl FileProblem {
    /// The most pairs of a plan: more would take too long on every machine, and numbers must not overflow.
    pub const MOST: u64 = 1_000_000_000;

    /// Takes a message of the TOML reader; if it lists the words that it expected, they are candidates for the word
    /// that was meant.
    pub(super) fn of_toml(message: &str) -> Self {
        // Only for formats and kinds of openings must the file choose one of several.
        if message.starts_with("wanted exactly 1 element") {
            return Self::Choice;
        }
        let mut words = message.split('`').skip(1).step_by(2).map(str::to_owned);
        Self::Toml {
            message: PLAIN.iter().fold(message.to_owned(), |text, (said, plain)| text.replace(said, plain)),
            found: words.next().unwrap_or_default(),
            expected: words.collect(),
        }
    }
}

impl From<PlanError> for FileProblem {
    fn from(error: PlanError) -> Self {
        Self::Plan(Box::new(error))
    }
}

/// How much of a line is shown before and after the beginning of an error, in characters.
const AROUND: usize = 100;

#[derive(Debug)]
struct Place {
    /// Both from 1.
    line: usize,
    column: usize,
    /// How many characters of the text are before the error.
    indent: usize,
    text: String,
    /// How many characters are at fault.
    length: usize,
}

impl FileError {
    /// Makes the error of the whole file.
    pub(super) fn new(path: &Path, problem: FileProblem) -> Self {
        Self { path: path.to_owned(), place: None, problem: Box::new(problem) }
    }

    /// Makes the error at a place of the file.
    pub(super) fn at(path: &Path, text: &str, span: Option<Range<usize>>, problem: FileProblem) -> Self {
        let place = span.filter(|span| span.start <= text.len()).map(|span| {
            let before = &text[..span.start];
            let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = text[begin..].lines().next().unwrap_or_default();
            let end = span.end.clamp(span.start, begin + line.len().max(span.start - begin));
            let column = text[begin..span.start].chars().count() + 1;
            // For a long line, the part around the error.
            let skipped = (column - 1).saturating_sub(AROUND);
            Box::new(Place {
                line: before.matches('\n').count() + 1,
                column,
                indent: column - 1 - skipped,
                text: line.chars().skip(skipped).take(2 * AROUND).collect(),
                length: text[span.start..end].chars().take(AROUND).count().max(1),
            })
        });
        Self { path: path.to_owned(), place, problem: Box::new(problem) }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, place, problem } = self;
        let path = path.display();
        let Some(place) = place else { return write!(f, "{path}: {problem}") };
        let Place { line, column, indent, text, length } = &**place;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs stay tabs, so that the caret is below the error.
        let indent: String = text.chars().take(*indent).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{path}, line {line}, column {column}: {problem}")?;
        writeln!(f, " {margin} |")?;
        writeln!(f, " {number} | {text}")?;
        write!(f, " {margin} | {indent}{}", "^".repeat(*length))
    }
}

impl std::error::Error for FileError {}

/// An error that is found only when the plan is made.
pub(super) struct Wrong {
    pub(super) span: Option<Range<usize>>,
    pub(super) problem: FileProblem,
}

pub(super) fn wrong<T>(place: &Spanned<T>, problem: FileProblem) -> Wrong {
    Wrong { span: Some(place.span()), problem }
}
