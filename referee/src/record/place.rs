//! Finds the data of each row of `games.jsonl` in the record's other files, where it has the same order as the rows.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, MoveRow, StderrRow};
use bao_rules::BySide;
use serde::Deserialize;

use super::Files;
use super::read::{GameBrief, Rows};

use crate::open;

/// The ends that a row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Ends {
    /// The game's number.
    pub game: u64,
    /// Why the game ended.
    pub reason: Reason,
    /// Where the rows of its plies end in `moves.jsonl`, in bytes.
    pub moves_end: u64,
    /// Where the rows of its bots' standard errors end in `stderr.jsonl`, in bytes, from version 2 on.
    #[serde(default)]
    pub stderr_end: u64,
}

impl From<&GameBrief<'_>> for Ends {
    fn from(row: &GameBrief<'_>) -> Self {
        let stderr_end = row.packed.map_or(0, |packed| packed.stderr_end);
        Self { game: row.game, reason: row.reason, moves_end: row.moves_end, stderr_end }
    }
}

impl From<&GameRow> for Ends {
    fn from(row: &GameRow) -> Self {
        Self::from(&GameBrief::from(row))
    }
}

/// Where the data of a row is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The rows of its plies in `moves.jsonl`, in bytes.
    pub moves: Range<u64>,
    /// The rows of its bots' standard errors in `stderr.jsonl`, in bytes.
    pub stderr: Range<u64>,
    /// How many rows of the game so far do not count, this one included.
    pub void: u64,
}

/// Finds the places of rows, one after the other.
#[derive(Debug, Default)]
pub struct Places {
    moves_end: u64,
    stderr_end: u64,
    voids: BTreeMap<u64, u64>,
}

impl Places {
    /// Takes the next row of `games.jsonl`; returns where its data is.
    pub fn take(&mut self, row: Ends) -> Place {
        let moves = self.moves_end..row.moves_end.max(self.moves_end);
        let stderr = self.stderr_end..row.stderr_end.max(self.stderr_end);
        (self.moves_end, self.stderr_end) = (moves.end, stderr.end);
        let void = if row.reason == Reason::Void {
            let void = self.voids.entry(row.game).or_default();
            *void += 1;
            *void
        } else {
            self.voids.remove(&row.game).unwrap_or(0)
        };
        Place { moves, stderr, void }
    }
}

/// Calls `each` with the rows of a game's plies in this part of `moves.jsonl`, in order, as far as they can be
/// read.
pub fn plies(files: &Files, game: u64, part: &Range<u64>, mut each: impl FnMut(&MoveRow<'_>)) {
    let Some(mut rows) = part_of(&files.moves(), part) else { return };
    let mut ply = 1;
    while let Ok(Some(row)) = rows.next_row::<MoveRow<'_>>() {
        if (row.game, row.ply) != (game, ply) {
            return;
        }
        each(&row);
        ply += 1;
    }
}

/// Reads what the bots wrote to their standard errors in one attempt, whose rows are in this part of `stderr.jsonl`;
/// empty if they cannot be read, as in a public copy.
pub fn stderr(files: &Files, part: &Range<u64>) -> BySide<String> {
    let mut texts = BySide::default();
    let Some(mut rows) = part_of(&files.stderr(), part) else { return texts };
    while let Ok(Some(line)) = rows.next_line() {
        let Ok(StderrRow { side, text, .. }) = serde_json::from_str(line) else { continue };
        texts[side.into()] = text.into_owned();
    }
    texts
}

/// Opens a part of a file of rows, if possible.
fn part_of(path: &Path, part: &Range<u64>) -> Option<Rows> {
    let mut file = open::file(path).ok()?;
    file.seek(SeekFrom::Start(part.start)).ok()?;
    let part = file.take(part.end.saturating_sub(part.start));
    Some(Rows::of(path, Box::new(BufReader::new(part))))
}
