//! Reading a run's record.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use bao_protocol::record::{GameRow, Packed, Run};
use bao_protocol::{Reason, Seat, VoidCause};
use bao_stats::Outcome;
use serde::Deserialize;

use super::Files;
use crate::open;
use crate::text::cause::cause;

/// Says why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file cannot be opened or read.
    #[error("cannot read {}: {}", path.display(), cause(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong.
        problem: BadLine,
    },
}

/// Says what is wrong with a line of a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadLine {
    /// It is not UTF-8.
    #[error("not UTF-8")]
    NotUtf8,
    /// It is longer than any line of a record.
    #[error("longer than {LINE_BYTES} bytes")]
    TooLong,
    /// It is not JSON, or a field is missing.
    #[error("{}", of_json(.0))]
    Json(#[from] serde_json::Error),
    /// The record has another version than this program reads.
    #[error("this record has version {found}, this program reads versions {oldest} to {newest}")]
    Version {
        /// The record's version.
        found: u32,
        /// The oldest version that this program reads.
        oldest: u32,
        /// The newest version that this program reads.
        newest: u32,
    },
    /// The head of a record of version 1 lacks its machine.
    #[error("missing field `host`")]
    NoHost,
    /// The packed lines cannot be unpacked.
    #[error("it cannot be unpacked: {0}")]
    Packed(io::Error),
    /// Its plan is not valid.
    #[error("its plan: {0}")]
    Plan(Box<dyn Error + Send + Sync>),
    /// It contradicts the rest of the record, or the rules.
    #[error("{0}")]
    Misfit(Box<dyn Error + Send + Sync>),
}

impl BadLine {
    /// Makes the problem of a line that does not fit.
    pub fn misfit(why: impl Error + Send + Sync + 'static) -> Self {
        Self::Misfit(Box::new(why))
    }
}

/// Says what is wrong with a text of JSON, without its place, which is reported with the file.
fn of_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem).to_owned()
}

/// Reads `run.json`.
///
/// # Errors
/// [`ReadError`] if there is none, or if this version cannot read it.
pub fn run(files: &Files) -> Result<Run, ReadError> {
    let path = files.run();
    let text = open::text(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
    let bad = |line, problem| ReadError::Line { path: path.clone(), line, problem };
    let json = |error: serde_json::Error| bad(error.line() as u64, error.into());
    // The version first: this program cannot judge another version.
    let Version { record: found } = serde_json::from_str(&text).map_err(json)?;
    let (oldest, newest) = (bao_protocol::record::OLDEST, bao_protocol::record::VERSION);
    if !(oldest..=newest).contains(&found) {
        return Err(bad(1, BadLine::Version { found, oldest, newest }));
    }
    let run: Run = serde_json::from_str(&text).map_err(json)?;
    match (found, &run.only) {
        (1, None) => Err(bad(1, BadLine::NoHost)),
        _ => Ok(run),
    }
}

/// What every version of `run.json` has.
#[derive(Deserialize)]
struct Version {
    record: u32,
}

/// The longest line of a record, in bytes: enough for a bot's longest line with every byte escaped.
pub const LINE_BYTES: usize = 1 << 20;
/// How much of a line is kept, in bytes.
const MOST: u64 = LINE_BYTES as u64 + 1;

/// Reads the lines of a file of rows; if the last line has no newline (a killed referee), it is left out.
///
/// Memory is bounded for any file. After a [`ReadError::Line`] the next call continues with the next line.
pub struct Rows {
    path: PathBuf,
    lines: Box<dyn BufRead + Send>,
    // Nothing more can be read.
    over: bool,
    number: u64,
    end: u64,
    torn: u64,
    bytes: Vec<u8>,
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("path", &self.path).field("number", &self.number).finish_non_exhaustive()
    }
}

impl Rows {
    /// Opens a file of rows.
    ///
    /// # Errors
    /// [`ReadError::Io`] where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = open::file(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        Ok(Self::of(path, Box::new(BufReader::with_capacity(64 << 10, file))))
    }

    /// Reads unpacked rows from a file. An error of the kind [`io::ErrorKind::InvalidData`] is an error
    /// of the contents.
    pub(super) fn of(path: &Path, lines: Box<dyn BufRead + Send>) -> Self {
        Self { path: path.to_owned(), lines, over: false, number: 0, end: 0, torn: 0, bytes: Vec::new() }
    }

    /// Reads the next whole line, newline included.
    ///
    /// # Errors
    /// [`ReadError`] where the file cannot be read or the line is not UTF-8 or longer than [`LINE_BYTES`].
    pub fn next_line(&mut self) -> Result<Option<&str>, ReadError> {
        if self.next_bytes()?.is_none() {
            return Ok(None);
        }
        std::str::from_utf8(&self.bytes).map(Some).map_err(|_| self.bad(BadLine::NotUtf8))
    }

    /// Reads the next whole line as JSON; it may borrow from the line.
    ///
    /// # Errors
    /// [`ReadError`] where the file cannot be read or the line is not what should be there.
    pub fn next_row<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>, ReadError> {
        if self.next_line()?.is_none() {
            return Ok(None);
        }
        serde_json::from_slice(&self.bytes).map(Some).map_err(|error| self.bad(error.into()))
    }

    /// Reads the next whole line, newline included, with any bytes.
    ///
    /// # Errors
    /// [`ReadError`] where the file cannot be read or the line is longer than [`LINE_BYTES`].
    pub fn next_bytes(&mut self) -> Result<Option<&[u8]>, ReadError> {
        if self.over {
            return Ok(None);
        }
        self.number += 1;
        let mut length = self.piece()?;
        let too_long = length == MOST && !self.bytes.ends_with(b"\n");
        while length > 0 && !self.bytes.ends_with(b"\n") {
            match self.piece()? {
                0 => {
                    self.torn = length;
                    return Ok(None);
                }
                more => length += more,
            }
        }
        self.end += length;
        if too_long {
            return Err(self.bad(BadLine::TooLong));
        }
        Ok((length > 0).then_some(&self.bytes))
    }

    /// Reads a line, or as much of it as may be kept.
    fn piece(&mut self) -> Result<u64, ReadError> {
        self.bytes.clear();
        match (&mut self.lines).take(MOST).read_until(b'\n', &mut self.bytes) {
            Ok(read) => Ok(read as u64),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                self.over = true;
                Err(self.bad(BadLine::Packed(error)))
            }
            Err(source) => Err(ReadError::Io { path: self.path.clone(), source }),
        }
    }

    /// Returns where the last whole line ended, in bytes from the start.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns how many bytes follow the last whole line, once the end has been reached.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Returns the number of the line last read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Makes an error about the line last read.
    pub fn bad(&self, problem: BadLine) -> ReadError {
        ReadError::Line { path: self.path.clone(), line: self.number, problem }
    }
}

/// The fields of a row of `games.jsonl` that schedules and statistics need, with the meanings of [`GameRow`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[expect(missing_docs, reason = "they are those of GameRow")]
pub struct GameBrief<'a> {
    pub game: u64,
    pub pair: u64,
    pub opening: Option<u64>,
    #[serde(borrow)]
    pub variant: Cow<'a, str>,
    #[serde(borrow)]
    pub south: Cow<'a, str>,
    #[serde(borrow)]
    pub north: Cow<'a, str>,
    pub winner: Option<Seat>,
    pub reason: Reason,
    pub fault: Option<Seat>,
    #[serde(borrow)]
    pub detail: Option<Cow<'a, str>>,
    pub plies: u64,
    #[serde(borrow)]
    pub position: Cow<'a, str>,
    #[serde(borrow)]
    pub moves: Cow<'a, str>,
    pub used_south_us: u64,
    pub used_north_us: u64,
    pub duration_us: u64,
    #[serde(borrow)]
    pub wire_sha256: Cow<'a, str>,
    pub moves_end: u64,
    #[serde(flatten)]
    pub packed: Option<Packed>,
    #[serde(default)]
    pub void: Option<VoidCause>,
    #[serde(skip)]
    pub ruling: Option<Ruling>,
}

/// What an arbiter decided about a game; its row stays as it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It does not count and is played again.
    Annulled,
    /// It has this result.
    Result {
        /// The winner; `None`: a draw.
        winner: Option<Seat>,
        /// How many rows the record had when this was decided: what was drawn before stays.
        rows: u64,
    },
}

impl GameBrief<'_> {
    /// Returns how the game ended for South, by the arbiter's ruling if there is one; `None` where it does not count.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.ruling {
            Some(Ruling::Annulled) => None,
            Some(Ruling::Result { winner, .. }) => outcome(self.reason, winner),
            None => self.as_played(),
        }
    }

    /// Returns how the game ended for South by its row; `None` where it does not count.
    pub fn as_played(&self) -> Option<Outcome> {
        outcome(self.reason, self.winner)
    }

    /// Returns why the game does not count; `None` where it does.
    pub fn void_cause(&self) -> Option<VoidCause> {
        match (self.reason, self.void) {
            (reason, _) if self.ruling == Some(Ruling::Annulled) && reason != Reason::Void => {
                Some(VoidCause::Operator)
            }
            (Reason::Void, None) => Some(first_edition_cause(self.detail.as_deref(), self.fault)),
            (Reason::Void, cause) => cause,
            _ => None,
        }
    }
}

fn outcome(reason: Reason, winner: Option<Seat>) -> Option<Outcome> {
    match (reason, winner) {
        (Reason::Void, _) => None,
        (_, Some(Seat::South)) => Some(Outcome::Win),
        (_, Some(Seat::North)) => Some(Outcome::Loss),
        (_, None) => Some(Outcome::Draw),
    }
}

impl Ruling {
    /// Makes a row say what was decided; it is then no longer the row of the file.
    pub fn apply(self, row: &mut GameRow) {
        match self {
            Self::Annulled => {
                (row.winner, row.score_south, row.reason) = (None, None, Reason::Void);
                row.void = Some(VoidCause::Operator);
            }
            Self::Result { winner, .. } if row.reason != Reason::Void => {
                row.winner = winner;
                row.score_south = Some(match winner {
                    Some(Seat::South) => 1.0,
                    Some(Seat::North) => 0.0,
                    None => 0.5,
                });
            }
            Self::Result { .. } => {}
        }
    }
}

/// Finds out why a game of the first edition does not count: its row has only a sentence.
///
/// This is the only place that reads a sentence of the referee, and it reads only those of old records.
fn first_edition_cause(detail: Option<&str>, fault: Option<Seat>) -> VoidCause {
    match (detail, fault) {
        (_, Some(_)) => VoidCause::Program,
        (Some("stopped by the operator"), None) => VoidCause::Operator,
        (Some("neither bot answered in time before the game began"), None) => VoidCause::Silent,
        (_, None) => VoidCause::Internal,
    }
}

impl<'a> From<&'a GameRow> for GameBrief<'a> {
    fn from(row: &'a GameRow) -> Self {
        Self {
            game: row.game,
            pair: row.pair,
            opening: row.opening,
            variant: Cow::Borrowed(&row.variant),
            south: Cow::Borrowed(&row.south),
            north: Cow::Borrowed(&row.north),
            winner: row.winner,
            reason: row.reason,
            fault: row.fault,
            detail: row.detail.as_deref().map(Cow::Borrowed),
            plies: row.plies,
            position: Cow::Borrowed(&row.position),
            moves: Cow::Borrowed(&row.moves),
            used_south_us: row.used_south_us,
            used_north_us: row.used_north_us,
            duration_us: row.duration_us,
            wire_sha256: Cow::Borrowed(&row.wire_sha256),
            moves_end: row.moves_end,
            packed: row.packed,
            void: row.void,
            ruling: None,
        }
    }
}
