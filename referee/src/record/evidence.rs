//! The evidence of an attempt at a game, in any version of the record.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use bao_protocol::record::Packed;

use super::Files;
use super::read::{GameBrief, ReadError, Rows};
use super::unpack::{Member, Members, Whole};

/// Where the evidence of an attempt is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// A whole file.
    File(PathBuf),
    /// A gzip member of a file.
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
    /// [`ReadError`] if it exists and cannot be read.
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

    /// Returns the file that contains it.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Member { path, .. } => path,
        }
    }
}

/// Calls `each` for every member of packed evidence between two places of a file that no row names; returns
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
    let mut members = Members::new(path, from, to);
    while let Some(Whole { start, length, .. }) = members.next_whole().map_err(unreadable)? {
        if let Some(mut lines) = (Evidence::Member { path: path.to_owned(), start, length }).lines()? {
            each(&mut lines)?;
        }
    }
    Ok(members.end())
}
