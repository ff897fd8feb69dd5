//! A row of a record, and where what belongs to it is found.

use std::path::PathBuf;

use bao_protocol::record::GameRow;

use super::moves::GameMoves;
use crate::game::spec::GameSpec;
use crate::record::Files;

/// A row of `games.jsonl` and what belongs to it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) row: GameRow,
    /// The row as it stands there, without its newline.
    pub(super) line: Vec<u8>,
    pub(super) number: u64,
    pub(super) moves: GameMoves,
    pub(super) evidence: Evidence,
    /// What game it was to be, or says it was.
    pub(super) spec: Option<GameSpec>,
    /// Why the schedule does not have it, if it has not.
    pub(super) stray: Option<crate::schedule::Stray>,
    /// What the row should be chained to.
    pub(super) prev_sha256: String,
}

/// Where the evidence of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// In the wire file of the game.
    OfGame,
    /// In that of one of the attempts that did not count: which of them shows its hash.
    OfVoid,
    /// In that of the attempt with this number.
    OfAttempt(u64),
    /// Nowhere: there never was any, or the first releases have overwritten it.
    Gone,
}

impl Evidence {
    /// Names the file.
    pub(super) fn path(self, files: &Files, game: u64) -> PathBuf {
        match self {
            Self::OfGame => files.wire(game),
            Self::OfVoid | Self::Gone => files.void_wire(game, 1),
            Self::OfAttempt(attempt) => files.void_wire(game, attempt),
        }
    }

    /// Names the file within the record's directory.
    pub(super) fn name(self, files: &Files, game: u64) -> String {
        let path = self.path(files, game);
        let name = path.file_name().unwrap_or_default();
        format!("wire/{}", name.to_string_lossy())
    }
}

impl Job {
    pub(super) fn bytes(&self) -> usize {
        self.line.len() + self.moves.bytes.len()
    }
}
