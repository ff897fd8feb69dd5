//! Reads and checks the rows of `stderr.jsonl`, game by game: what bots wrote to their standard errors.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use bao_protocol::record::{GameRow, StderrRow, WireStderr};
use bao_rules::{BySide, Side};

use super::context::{Context, io_error};
use super::finding::{Finding, Findings};
use crate::open;
use crate::record::read::ReadError;
use crate::record::{Layout, stderr_digest};

/// The most bytes of rows that one attempt can have; even long ones have far less.
const MOST: u64 = 16 << 20;

/// Reads the rows of one attempt after the other.
#[derive(Debug)]
pub(super) struct Stderr {
    path: PathBuf,
    file: Option<BufReader<File>>,
    length: u64,
    at: u64,
}

/// The rows of one attempt.
#[derive(Debug, Default)]
pub(super) struct GameStderr {
    /// The rows as they are in the file, newlines included.
    pub(super) bytes: Vec<u8>,
    /// Where they begin, in bytes.
    pub(super) start: u64,
    /// Whether the file is left out, as in a public copy.
    pub(super) left_out: bool,
}

impl Stderr {
    /// Opens the file; a public copy of a record has no such file, and version 1 has none either.
    pub(super) fn open(context: &Context) -> Result<Self, ReadError> {
        let path = context.files.stderr();
        if context.layout == Layout::Apart {
            return Ok(Self { path, file: None, length: 0, at: 0 });
        }
        let opened = open::file(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = match opened {
            Ok((length, file)) => (length, Some(BufReader::with_capacity(64 << 10, file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (0, None),
            Err(source) => return Err(io_error(&path, source)),
        };
        Ok(Self { path, file, length, at: 0 })
    }

    /// Takes the rows of the next attempt, which end at `end` according to its row.
    pub(super) fn take(&mut self, end: u64) -> Result<GameStderr, ReadError> {
        let Some(file) = &mut self.file else {
            return Ok(GameStderr { left_out: true, ..GameStderr::default() });
        };
        let start = self.at;
        let mut bytes = Vec::new();
        let length = end.checked_sub(self.at).filter(|length| *length <= MOST && end <= self.length);
        if let Some(length) = length {
            let read = file.by_ref().take(length).read_to_end(&mut bytes);
            read.map_err(|source| io_error(&self.path, source))?;
            self.at = end;
        } else if end <= self.length {
            // An error is reported only for this attempt, and not for all that follow.
            file.seek(SeekFrom::Start(end)).map_err(|source| io_error(&self.path, source))?;
            self.at = end;
        }
        Ok(GameStderr { bytes, start, left_out: false })
    }

    /// Returns whether the file is left out.
    pub(super) fn left_out(&self) -> bool {
        self.file.is_none()
    }

    /// Returns how many bytes follow the last row that was taken.
    pub(super) fn rest(&self) -> u64 {
        self.length.saturating_sub(self.at)
    }
}

/// Compares the rows of an attempt with the digests in its evidence; returns the length that they should have.
pub(super) fn check(
    row: &GameRow,
    attempt: u64,
    there: &GameStderr,
    should: &BySide<Option<WireStderr>>,
    findings: &mut Findings,
) -> Option<u64> {
    if there.left_out {
        return None;
    }
    let mut lines = there.bytes.split_inclusive(|byte| *byte == b'\n');
    let mut whole = true;
    for side in Side::BOTH {
        let Some(should) = &should[side] else { continue };
        let line = lines.next().unwrap_or_default();
        let is = serde_json::from_slice::<StderrRow<'_>>(line).ok();
        let right = is.is_some_and(|is| {
            let mut written = serde_json::to_vec(&is).unwrap_or_default();
            written.push(b'\n');
            (is.game, is.attempt, is.side) == (row.game, attempt, side.into())
                && stderr_digest(&is.text) == *should
                && written == line
        });
        if !right {
            whole = false;
            let what = format!(
                "game {}, attempt {attempt}: what {} wrote to its standard error is missing, or not what it wrote",
                row.game,
                side.word()
            );
            findings.push(Finding::differs("stderr.jsonl", &what).of_game(row.game));
        }
    }
    if lines.next().is_some() {
        whole = false;
        let what = format!("game {}, attempt {attempt}: there is more than its bots wrote", row.game);
        findings.push(Finding::differs("stderr.jsonl", &what).of_game(row.game));
    }
    whole.then_some(there.bytes.len() as u64)
}
