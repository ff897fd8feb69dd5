//! Evidence in the format of version 1, one file per attempt with chained lines, for records that began in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;

use bao_protocol::Reason;
use sha2::{Digest, Sha256};

use super::append::{RecordError, failed};
use super::finished::Finished;
use super::{Files, hex};

/// The evidence of the games that are played.
#[derive(Debug)]
pub(super) struct Apart {
    files: Files,
    dir: File,
    open: BTreeMap<u64, Wire>,
}

/// The file of one game.
#[derive(Debug)]
struct Wire {
    file: File,
    prev: String,
    whole: Sha256,
}

impl Apart {
    pub(super) fn open(files: &Files) -> Result<Self, RecordError> {
        let dir = File::open(files.wires()).map_err(failed(files.wires()))?;
        Ok(Self { files: files.clone(), dir, open: BTreeMap::new() })
    }

    /// Creates a game's file.
    pub(super) fn begin(&mut self, game: u64) -> Result<(), RecordError> {
        let path = self.files.wire(game);
        // What a killed referee left of it is also evidence.
        self.files.keep_cut(game).map_err(failed(path.clone()))?;
        let file = File::create(&path).map_err(failed(path))?;
        self.open.insert(game, Wire { file, prev: "0".repeat(64), whole: Sha256::new() });
        Ok(())
    }

    /// Writes more lines of a game.
    pub(super) fn more(&mut self, game: u64, lines: &[u8]) -> Result<(), RecordError> {
        let Some(wire) = self.open.get_mut(&game) else { return Ok(()) };
        wire.push(lines).map_err(failed(self.files.wire(game)))
    }

    /// Ends the file of a game, and completes its row.
    pub(super) fn close(&mut self, finished: &mut Finished) -> Result<(), RecordError> {
        let game = finished.row.game;
        if let Some(lines) = finished.wire.take() {
            self.more(game, &lines)?;
        }
        finished.row.stderr = Some(finished.stderr_of_fault());
        let Some(wire) = self.open.remove(&game) else { return Ok(()) };
        let path = self.files.wire(game);
        wire.file.sync_data().map_err(failed(path.clone()))?;
        finished.row.wire_sha256 = hex(&wire.whole.finalize());
        if finished.row.reason == Reason::Void {
            // The game will be played again under its number: its evidence must not get in the way.
            self.files.keep_void(game).map_err(failed(path))?;
        }
        Ok(())
    }

    /// Syncs the names of the files to the disk.
    pub(super) fn sync(&self) -> Result<(), RecordError> {
        self.dir.sync_data().map_err(failed(self.files.wires()))
    }
}

impl Wire {
    /// Chains lines to the lines before, and writes them.
    fn push(&mut self, lines: &[u8]) -> std::io::Result<()> {
        let mut chained = Vec::with_capacity(lines.len() + lines.len() / 4);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let start = chained.len();
            chained.extend_from_slice(line.strip_suffix(b"}\n").unwrap_or(line));
            chained.extend_from_slice(format!(",\"prev\":\"{}\"}}\n", self.prev).as_bytes());
            self.prev = hex(&Sha256::digest(&chained[start..]));
        }
        self.whole.update(&chained);
        self.file.write_all(&chained)
    }
}
