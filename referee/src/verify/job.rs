//! A row of a record, and where its data is.

use bao_protocol::record::{GameRow, Packed};

use super::finding::Finding;
use super::moves::GameMoves;
use super::stderr::GameStderr;
use crate::game::spec::GameSpec;
use crate::record::Files;
use crate::record::evidence::Evidence;

/// A row of `games.jsonl` and its data.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) row: GameRow,
    /// The row as it is in the file, without its newline.
    pub(super) line: Vec<u8>,
    pub(super) number: u64,
    pub(super) moves: GameMoves,
    pub(super) evidence: Which,
    pub(super) stderr: GameStderr,
    /// Which attempt at the game this is, from 1.
    pub(super) attempt: u64,
    /// The game that the schedule planned, or that the row names.
    pub(super) spec: Option<GameSpec>,
    /// Why the schedule does not have it, if it does not.
    pub(super) stray: Option<crate::schedule::Stray>,
    /// What the row should be chained to.
    pub(super) prev_sha256: String,
    /// Why its evidence cannot be where the row says, if it cannot.
    pub(super) misplaced: Option<Finding>,
}

/// Which evidence belongs to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The member that the row names.
    Member(Packed),
    /// Version 1: the file of the game.
    OfGame,
    /// Version 1: the file of one of the attempts that did not count; its hash shows which.
    OfVoid,
    /// Version 1: the file of the attempt with this number.
    OfAttempt(u64),
    /// None: it never existed, or the first releases have overwritten it.
    Gone,
}

impl Which {
    /// Finds the evidence.
    pub(super) fn evidence(self, files: &Files, game: u64) -> Evidence {
        match self {
            Self::Member(packed) => Evidence::of_counted(files, game, Some(packed)),
            Self::OfGame => Evidence::of_counted(files, game, None),
            Self::OfVoid | Self::Gone => Evidence::File(files.void_wire(game, 1)),
            Self::OfAttempt(attempt) => Evidence::File(files.void_wire(game, attempt)),
        }
    }

    /// Names the file within the record's directory.
    pub(super) fn name(self, files: &Files, game: u64) -> String {
        let evidence = self.evidence(files, game);
        let name = evidence.path().file_name().unwrap_or_default();
        format!("wire/{}", name.to_string_lossy())
    }
}

impl Job {
    pub(super) fn bytes(&self) -> usize {
        self.line.len() + self.moves.bytes.len() + self.stderr.bytes.len()
    }
}
