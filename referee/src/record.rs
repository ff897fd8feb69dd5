//! What a run leaves on disk, written and read.
//!
//! A game's [`Scribe`] writes its wire file while it is played; the [`Ledger`]'s thread makes finished games durable
//! in the order in which they finish, while the next ones run. [`read`] is for everything that comes later.

mod ledger;
pub mod read;
mod row;
mod scribe;

pub use ledger::{Finished, Ledger, RecordError, write_run};
pub use row::game_row;
pub use scribe::{Event, Scribe, WireVerdict};

use std::path::{Path, PathBuf};

/// Names the files of a run's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    dir: PathBuf,
}

impl Files {
    /// Names the files in a directory.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The directory itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was played, with what, where.
    pub fn run(&self) -> PathBuf {
        self.dir.join("run.json")
    }

    /// One row a finished game.
    pub fn games(&self) -> PathBuf {
        self.dir.join("games.jsonl")
    }

    /// One row a ply.
    pub fn moves(&self) -> PathBuf {
        self.dir.join("moves.jsonl")
    }

    /// The directory of the evidence.
    pub fn wires(&self) -> PathBuf {
        self.dir.join("wire")
    }

    /// The evidence of one game.
    pub fn wire(&self, game: u64) -> PathBuf {
        self.wires().join(format!("{game}.jsonl"))
    }
}

/// Writes bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[digit as usize] as char).collect()
}
