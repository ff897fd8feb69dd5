//! The evidence of an attempt at a game, wherever its record keeps it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use bao_protocol::record::{Packed, StderrRow};
use bao_rules::BySide;

use super::Files;
use super::read::{GameBrief, ReadError, Rows};
use super::unpack::Member;

/// Where the evidence of an attempt is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// It fills a file.
    File(PathBuf),
    /// It is a gzip member.
    Member {
        /// The file.
        path: PathBuf,
        /// Where the member begins, in bytes.
        start: u64,
        /// How long it is, in bytes.
        length: u64,
    },
}

impl Evidence {
    /// Finds the evidence of a row; `void` is the number of the row among those of its game that do not count. `None`
    /// where the row has none.
    pub fn of(files: &Files, row: &GameBrief<'_>, void: u64) -> Option<Self> {
        match row.packed {
            _ if row.wire_sha256.is_empty() => None,
            None if row.outcome().is_none() => Some(Self::File(files.void_wire(row.game, void))),
            packed => Some(Self::of_counted(files, row.game, packed)),
        }
    }

    /// Finds the evidence of a game that counts.
    pub fn of_counted(files: &Files, game: u64, packed: Option<Packed>) -> Self {
        match packed {
            Some(Packed { wire_segment, wire_start: start, wire_length: length, .. }) => {
                Self::Member { path: files.segment(wire_segment), start, length }
            }
            None => Self::File(files.wire(game)),
        }
    }

    /// Opens it; `None` where the file is missing.
    ///
    /// # Errors
    /// [`ReadError`] where it is there and cannot be read.
    pub fn lines(&self) -> Result<Option<Rows>, ReadError> {
        let opened = match self {
            Self::File(path) => Rows::open(path),
            Self::Member { path, start, length } => Member::open(path, *start, *length)
                .map(|member| Rows::of(path, Box::new(BufReader::new(member))))
                .map_err(|source| ReadError::Io { path: path.clone(), source }),
        };
        match opened {
            Ok(rows) => Ok(Some(rows)),
            Err(ReadError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The file that it is in.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Member { path, .. } => path,
        }
    }
}

/// Reads what the bots wrote to their standard errors in one attempt, whose rows are in a part of `stderr.jsonl`; nothing
/// where they cannot be read, as in a copy for the public.
pub fn stderr(files: &Files, start: u64, end: u64) -> BySide<String> {
    let mut texts = BySide::default();
    let Ok(mut file) = File::open(files.stderr()) else { return texts };
    if file.seek(SeekFrom::Start(start)).is_err() {
        return texts;
    }
    let part = file.take(end.saturating_sub(start));
    let mut rows = Rows::of(&files.stderr(), Box::new(BufReader::new(part)));
    while let Ok(Some(line)) = rows.next_line() {
        let Ok(StderrRow { side, text, .. }) = serde_json::from_str(line) else { continue };
        texts[side.into()] = text.into_owned();
    }
    texts
}

/// Goes through packed evidence that no row names, member by member, from one place of a file to another; returns
/// where the last whole member ends.
///
/// # Errors
/// [`ReadError`] where the file cannot be read, or `each` says so.
pub fn members(
    path: &Path,
    from: u64,
    to: u64,
    mut each: impl FnMut(&mut Rows) -> Result<(), ReadError>,
) -> Result<u64, ReadError> {
    let unreadable = |source| ReadError::Io { path: path.to_owned(), source };
    let mut end = from;
    while end < to {
        // Once for its length, and whether it is one at all.
        let mut member = Member::first(path, end, to).map_err(unreadable)?;
        match io::copy(&mut member, &mut io::sink()) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => break,
            Err(error) => return Err(unreadable(error)),
        }
        let length = member.length();
        if let Some(mut lines) = (Evidence::Member { path: path.to_owned(), start: end, length }).lines()? {
            each(&mut lines)?;
        }
        end += length;
    }
    Ok(end)
}
