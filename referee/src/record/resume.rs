//! Looks through a record before it is continued, and decides whether that is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use bao_protocol::Reason;
use bao_protocol::record::{End, Run};
use sha2::{Digest, Sha256};

use super::digest::CourseDigest;
use super::read::{BadLine, GameBrief, ReadError, Rows};
use super::{Files, Layout, hex, plan_sha256};

/// Where the rows of a record end, and what the next row is chained to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// How the record keeps its evidence.
    pub layout: Layout,
    /// The place of this machine among the record's hosts.
    pub host: u64,
    /// The length of `games.jsonl` that counts, in bytes.
    pub games_end: u64,
    /// The length of `moves.jsonl` that counts, in bytes.
    pub moves_end: u64,
    /// The length of `stderr.jsonl` that counts, in bytes.
    pub stderr_end: u64,
    /// The number of the last file of packed evidence that a row names; 0 where none does.
    pub segment: u64,
    /// Where the evidence of rows ends in it, in bytes.
    pub segment_end: u64,
    /// How many rows have their evidence in it.
    pub segment_attempts: u64,
    /// How many attempts did not count, of each game that has not come to a result.
    pub attempts: BTreeMap<u64, u64>,
    /// The SHA-256 of the last row, in hexadecimal, or of the plan where there is none.
    pub last_sha256: String,
}

impl Tail {
    /// The end of a record without rows.
    pub fn of_new(run: &Run) -> Self {
        Self {
            layout: Layout::of(run),
            host: 0,
            games_end: 0,
            moves_end: 0,
            stderr_end: 0,
            segment: 0,
            segment_end: 0,
            segment_attempts: 0,
            attempts: BTreeMap::new(),
            last_sha256: plan_sha256(&run.plan),
        }
    }

    /// Takes the next row.
    fn take(&mut self, row: &GameBrief<'_>) {
        self.moves_end = self.moves_end.max(row.moves_end);
        if row.outcome().is_none() {
            *self.attempts.entry(row.game).or_default() += 1;
        } else {
            self.attempts.remove(&row.game);
        }
        let Some(packed) = row.packed else { return };
        self.stderr_end = self.stderr_end.max(packed.stderr_end);
        let end = packed.wire_start.saturating_add(packed.wire_length);
        if packed.wire_segment > self.segment {
            (self.segment, self.segment_end, self.segment_attempts) = (packed.wire_segment, 0, 0);
        }
        if packed.wire_segment == self.segment {
            self.segment_end = self.segment_end.max(end);
            self.segment_attempts += 1;
        }
    }
}

/// Why a record cannot be continued: continuing would lose data, or make the record worthless.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Another version of the referee began it.
    #[error("{path} is by {then}, but this is {now}, and one record needs one version")]
    OtherReferee {
        /// The head of the record.
        path: PathBuf,
        /// The referee that began it.
        then: String,
        /// This one.
        now: &'static str,
    },
    /// A necessary file is missing.
    #[error("{path} is missing: {why}")]
    Missing {
        /// The file.
        path: PathBuf,
        /// What shows that it existed.
        why: Shows,
    },
    /// The event is over, and something has been changed or cut off since.
    #[error(
        "{path} says that the event is over, but games.jsonl has a different end now: rows were changed, removed or added"
    )]
    AfterEnd {
        /// The head of the record.
        path: PathBuf,
    },
    /// A file is shorter than the rows say.
    #[error("{path} was cut: it has {length} bytes, and games.jsonl needs at least {should}")]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its length.
        length: u64,
        /// The length that its games had.
        should: u64,
    },
}

/// What shows that a file existed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Shows {
    /// The evidence or the moves of games.
    #[error("the record has moves or evidence of games")]
    Games,
    /// The row of a game.
    #[error("games.jsonl has a row of its game")]
    Row,
}

/// Reads a record row by row before it is continued, and finds where it ends.
///
/// `rule` puts the arbiter's ruling on the row with a number, from 1. Changes nothing. The evidence of every game that counts must exist; `verify` checks its contents.
///
/// # Errors
/// [`Broken`] if the record cannot be continued.
pub fn survey<E: Error + Send + Sync + 'static>(
    files: &Files,
    run: &Run,
    rule: impl Fn(u64, &mut GameBrief<'_>),
    mut each: impl FnMut(&GameBrief<'_>) -> Result<(), E>,
) -> Result<Tail, Broken> {
    if run.referee != crate::NAME {
        let (path, then) = (files.run(), run.referee.clone());
        return Err(Broken::OtherReferee { path, then, now: crate::NAME });
    }
    let mut tail = Tail::of_new(run);
    let evidence = match tail.layout {
        Layout::Apart => Some(evidence(files)?),
        Layout::Packed => None,
    };
    if !files.games().exists() {
        let begun = match &evidence {
            Some(evidence) => !evidence.is_empty(),
            None => length(&files.segment(1))?.unwrap_or(0) > 0,
        };
        return match (length(&files.moves())?, begun) {
            (None | Some(0), false) => Ok(tail),
            _ => Err(Broken::Missing { path: files.games(), why: Shows::Games }),
        };
    }
    let mut rows = Rows::open(&files.games())?;
    // Where the evidence ends in each file that is full.
    let mut full = Vec::new();
    let mut number = 0;
    while let Some(line) = rows.next_line()? {
        number += 1;
        let taken = serde_json::from_str::<GameBrief<'_>>(line).map_err(BadLine::from);
        let before = (tail.segment, tail.segment_end);
        let taken = taken.and_then(|mut row| {
            rule(number, &mut row);
            each(&row).map_err(BadLine::misfit)?;
            tail.take(&row);
            Ok((row.game, row.reason))
        });
        tail.last_sha256 = hex(&Sha256::digest(line));
        let (game, reason) = taken.map_err(|problem| rows.bad(problem))?;
        if reason != Reason::Void && evidence.as_ref().is_some_and(|evidence| !evidence.contains(&game)) {
            return Err(Broken::Missing { path: files.wire(game), why: Shows::Row });
        }
        if tail.segment > before.0 && before.0 > 0 {
            full.push(before);
        }
        tail.games_end = rows.end();
    }
    for (segment, end) in full.into_iter().chain([(tail.segment, tail.segment_end)]) {
        as_long(files.segment(segment), end, Shows::Row)?;
    }
    as_long(files.stderr(), tail.stderr_end, Shows::Games)?;
    as_long(files.moves(), tail.moves_end, Shows::Games)?;
    match &run.end {
        Some(end) if end.last_sha256 != tail.last_sha256 => Err(Broken::AfterEnd { path: files.run() }),
        Some(_) | None => Ok(tail),
    }
}

/// Checks that a file is at least as long as the rows say.
fn as_long(path: PathBuf, should: u64, why: Shows) -> Result<(), Broken> {
    match length(&path)? {
        Some(length) if length >= should => Ok(()),
        None if should == 0 => Ok(()),
        Some(length) => Err(Broken::Cut { path, length, should }),
        None => Err(Broken::Missing { path, why }),
    }
}

/// Returns the length of a file; `None` where there is none.
fn length(path: &Path) -> Result<Option<u64>, ReadError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ReadError::Io { path: path.to_owned(), source }),
    }
}

/// Returns the end of a record whose event is over; `annulled` returns whether the row with this number no longer counts,
/// `counts` whether the pair with this number counts.
///
/// # Errors
/// [`ReadError`] where it cannot be read.
pub fn end(
    files: &Files,
    run: &Run,
    acts_sha256: Option<String>,
    annulled: impl Fn(u64) -> bool,
    counts: impl Fn(u64) -> bool,
) -> Result<End, ReadError> {
    let (mut rows, mut last_sha256) = (0, plan_sha256(&run.plan));
    let mut course = CourseDigest::default();
    if files.games().exists() {
        let mut lines = Rows::open(&files.games())?;
        while let Some(line) = lines.next_line()? {
            (rows, last_sha256) = (rows + 1, hex(&Sha256::digest(line)));
            let row = serde_json::from_str(line).map_err(|error| lines.bad(error.into()))?;
            if !annulled(rows) {
                course.add(&row);
            }
        }
    }
    let mut wire_ends = Vec::new();
    while let Some(length) = length(&files.segment(wire_ends.len() as u64 + 1))? {
        wire_ends.push(length);
    }
    Ok(End {
        rows,
        last_sha256,
        moves_end: length(&files.moves())?.unwrap_or(0),
        stderr_end: length(&files.stderr())?.unwrap_or(0),
        wire_ends,
        course_sha256: course.sha256(counts),
        acts_sha256,
    })
}

/// Finds the games that have evidence, in version 1.
fn evidence(files: &Files) -> Result<BTreeSet<u64>, ReadError> {
    let dir = files.wires();
    let failed = |source| ReadError::Io { path: dir.clone(), source };
    let entries = match std::fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(source) => return Err(failed(source)),
    };
    let mut games = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        let game = name.to_str().and_then(|name| name.strip_suffix(".jsonl")?.parse::<u64>().ok());
        games.extend(game);
    }
    Ok(games)
}
