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
    pub(super) stray: Option<String>,
}

/// Where the evidence of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// In the wire file of the game.
    OfGame,
    /// In that of the last try that did not count.
    OfVoid,
    /// Nowhere: later tries that did not count have overwritten it, or there never was any.
    Gone,
}

impl Evidence {
    /// Names the file.
    pub(super) fn path(self, files: &Files, game: u64) -> PathBuf {
        match self {
            Self::OfGame => files.wire(game),
            Self::OfVoid | Self::Gone => files.void_wire(game),
        }
    }

    /// Names the file within the record's directory.
    pub(super) fn name(self, game: u64) -> String {
        match self {
            Self::OfGame => format!("wire/{game}.jsonl"),
            Self::OfVoid | Self::Gone => format!("wire/{game}.void.jsonl"),
        }
    }
}

impl Job {
    pub(super) fn bytes(&self) -> usize {
        self.line.len() + self.moves.bytes.len()
    }
}
