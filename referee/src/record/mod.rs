//! Writes and reads a run's record.
//!
//! A game's [`Scribe`] makes its evidence during the game. The [`Ledger`]'s thread writes it, and makes finished
//! games durable in the order in which they finish, while the next games run. [`read`] reads the record later.

mod apart;
mod append;
pub(crate) mod course;
mod digest;
pub mod events;
pub mod evidence;
mod finished;
mod ledger;
pub mod outlet;
mod packed;
pub mod place;
pub mod public;
pub mod read;
mod resume;
mod retold;
mod row;
mod scribe;
mod unpack;

pub(crate) use append::Append;
pub use append::RecordError;
pub use digest::CourseDigest;
pub use finished::Finished;
pub use ledger::{Entry, Ledger, write_run};
pub use resume::{Broken, Tail, end, survey};
pub use retold::attempts;
pub use row::game_row;
pub(crate) use row::stderr_shown;
pub use scribe::{Scribe, Written};
pub(crate) use scribe::{noted, stderr_digest};

use std::io;
use std::path::{Path, PathBuf};

use std::time::SystemTime;

use bao_protocol::record::Run;
use sha2::{Digest, Sha256};

use crate::open;

/// About how many bytes of a record a move takes, in all files together.
pub const BYTES_A_PLY: u64 = 400;

/// How a record keeps its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Version 1: one file per attempt, which also has standard error.
    Apart,
    /// Version 2: one gzip member per attempt, many in a file; standard error in a separate file.
    Packed,
}

impl Layout {
    /// The layout of new records.
    pub const NEW: Self = Self::Packed;

    /// Returns the layout of a record.
    pub fn of(run: &Run) -> Self {
        if run.record == 1 { Self::Apart } else { Self::Packed }
    }
}

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

    /// The file of the plan, the programs and the machines.
    pub fn run(&self) -> PathBuf {
        self.dir.join("run.json")
    }

    /// The draft of the head, renamed when it is complete.
    pub fn run_draft(&self) -> PathBuf {
        self.dir.join("run.json.new")
    }

    /// The file with one row per finished game.
    pub fn games(&self) -> PathBuf {
        self.dir.join("games.jsonl")
    }

    /// The file with one line per decision of the arbiter.
    pub fn acts(&self) -> PathBuf {
        self.dir.join("acts.jsonl")
    }

    /// The file with one row per ply.
    pub fn moves(&self) -> PathBuf {
        self.dir.join("moves.jsonl")
    }

    /// What bots wrote to standard error, one row per attempt and side.
    pub fn stderr(&self) -> PathBuf {
        self.dir.join("stderr.jsonl")
    }

    /// A file of packed evidence, from 1.
    pub fn segment(&self, number: u64) -> PathBuf {
        self.wires().join(format!("{number}.jsonl.gz"))
    }

    /// The directory of evidence that is not packed yet.
    pub fn spools(&self) -> PathBuf {
        self.wires().join("open")
    }

    /// The evidence of a game that is being played, before it is packed.
    pub fn spool(&self, game: u64) -> PathBuf {
        self.spools().join(format!("{game}.jsonl"))
    }

    /// The directory of the evidence.
    pub fn wires(&self) -> PathBuf {
        self.dir.join("wire")
    }

    /// The evidence of an attempt at a game that did not count, in version 1: the first, the second and so on.
    pub fn void_wire(&self, game: u64, attempt: u64) -> PathBuf {
        self.wires().join(match attempt {
            0 | 1 => format!("{game}.void.jsonl"),
            _ => format!("{game}.void-{attempt}.jsonl"),
        })
    }

    /// The evidence of an attempt at a game that ended with the referee itself, in version 1: the first, the second
    /// and so on.
    pub fn cut_wire(&self, game: u64, attempt: u64) -> PathBuf {
        self.wires().join(format!("{game}.cut-{attempt}.jsonl"))
    }

    /// Renames the evidence of an attempt that did not count.
    ///
    /// # Errors
    /// The error of the system.
    pub fn keep_void(&self, game: u64) -> io::Result<()> {
        self.keep(game, |attempt| self.void_wire(game, attempt))
    }

    /// Renames the evidence that a killed referee left of a game, before the game is played again.
    ///
    /// # Errors
    /// The error of the system.
    pub fn keep_cut(&self, game: u64) -> io::Result<()> {
        match self.keep(game, |attempt| self.cut_wire(game, attempt)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            kept => kept,
        }
    }

    fn keep(&self, game: u64, name: impl Fn(u64) -> PathBuf) -> io::Result<()> {
        let free = (1..=u64::MAX).map(name).find(|name| !name.exists()).expect("numbers do not run out");
        std::fs::rename(self.wire(game), free)
    }

    /// The evidence of one game, in version 1.
    pub fn wire(&self, game: u64) -> PathBuf {
        self.wires().join(format!("{game}.jsonl"))
    }
}

/// Computes the SHA-256 of a file, in hexadecimal, without loading the file: a program may have a hundred megabytes.
///
/// # Errors
/// The error of the system.
pub fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = open::file(path)?;
    let mut hash = Sha256::new();
    let mut block = [0; 16 << 10];
    loop {
        match std::io::Read::read(&mut file, &mut block)? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(&block[..count]),
        }
    }
}

/// Computes the SHA-256 of a plan as it is in `run.json`, in hexadecimal: of its JSON without spaces, keys sorted.
pub fn plan_sha256(plan: &serde_json::Value) -> String {
    hex(&Sha256::digest(serde_json::to_vec(plan).expect("JSON always serialises")))
}

/// Writes bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)] as char);
        text.push(DIGITS[usize::from(byte & 15)] as char);
    }
    text
}

/// Returns the date and time now, in RFC 3339 with milliseconds.
#[expect(clippy::disallowed_methods, reason = "the date in a record is the machine's")]
pub(crate) fn timestamp() -> String {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{now:.3}")
}
