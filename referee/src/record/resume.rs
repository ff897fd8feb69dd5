//! What a record that is to be continued holds, and whether it can be.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::path::PathBuf;

use bao_protocol::Reason;
use bao_protocol::record::Run;
use sha2::{Digest, Sha256};

use super::read::{BadLine, GameBrief, ReadError, Rows};
use super::{Files, hex, plan_sha256};

/// Where the rows of a record end, and what the next row is chained to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// The length of `games.jsonl` that counts, in bytes.
    pub games_end: u64,
    /// The length of `moves.jsonl` that counts, in bytes.
    pub moves_end: u64,
    /// The SHA-256 of the last row, in hexadecimal, or of the plan where there is none.
    pub last_sha256: String,
}

impl Tail {
    /// The end of a record without rows.
    pub fn of_new(plan: &serde_json::Value) -> Self {
        Self { games_end: 0, moves_end: 0, last_sha256: plan_sha256(plan) }
    }
}

/// Says why a record cannot be continued: continuing would lose what it holds, or make it worthless.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It was begun by another version of the referee.
    #[error("{path} was begun by {then}, this is {now}: two versions in one record could not be verified")]
    OtherReferee {
        /// The head of the record.
        path: PathBuf,
        /// The referee that began it.
        then: String,
        /// This one.
        now: &'static str,
    },
    /// A file is gone that must be there.
    #[error("{path} is missing: {why}")]
    Missing {
        /// The file.
        path: PathBuf,
        /// What shows that it was there.
        why: Shows,
    },
    /// A file is shorter than the rows say.
    #[error("{path} was cut: it has {length} bytes, and by games.jsonl at least {should}")]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its length.
        length: u64,
        /// The length that its games had.
        should: u64,
    },
}

/// What shows that a file was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Shows {
    /// The evidence or the moves of games.
    #[error("there are moves or evidence of games")]
    Games,
    /// The row of a game.
    #[error("games.jsonl has a row of its game")]
    Row,
}

/// Looks through a record that is to be continued, row by row, and finds where it ends.
///
/// Nothing is changed. The evidence of every game that counts must be there; what it holds is a matter for `verify`.
///
/// # Errors
/// [`Broken`] where the record cannot be continued as it is.
pub fn survey<E: Error + Send + Sync + 'static>(
    files: &Files,
    run: &Run,
    mut each: impl FnMut(&GameBrief<'_>) -> Result<(), E>,
) -> Result<Tail, Broken> {
    if run.referee != crate::NAME {
        let (path, then) = (files.run(), run.referee.clone());
        return Err(Broken::OtherReferee { path, then, now: crate::NAME });
    }
    let evidence = evidence(files)?;
    let moves = files.moves();
    let length = match std::fs::metadata(&moves) {
        Ok(metadata) => Some(metadata.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(ReadError::Io { path: moves, source }.into()),
    };
    let mut tail = Tail::of_new(&run.plan);
    if !files.games().exists() {
        return match (length, evidence.is_empty()) {
            (None | Some(0), true) => Ok(tail),
            _ => Err(Broken::Missing { path: files.games(), why: Shows::Games }),
        };
    }
    let mut rows = Rows::open(&files.games())?;
    while let Some(line) = rows.next_line()? {
        let taken = serde_json::from_str::<GameBrief<'_>>(line).map_err(BadLine::from).and_then(|row| {
            each(&row).map_err(BadLine::misfit)?;
            Ok((row.game, row.reason, row.moves_end))
        });
        let last_sha256 = hex(&Sha256::digest(line));
        let (game, reason, moves_end) = taken.map_err(|problem| rows.bad(problem))?;
        if reason != Reason::Void && !evidence.contains(&game) {
            return Err(Broken::Missing { path: files.wire(game), why: Shows::Row });
        }
        tail = Tail { games_end: rows.end(), moves_end: moves_end.max(tail.moves_end), last_sha256 };
    }
    match length {
        Some(length) if length >= tail.moves_end => Ok(tail),
        None if tail.moves_end == 0 => Ok(tail),
        Some(length) => Err(Broken::Cut { path: moves, length, should: tail.moves_end }),
        None => Err(Broken::Missing { path: moves, why: Shows::Games }),
    }
}

/// Finds the games of which there is evidence.
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
