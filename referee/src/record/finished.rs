//! A game that is over, as it is handed to the ledger.

use bao_protocol::record::GameRow;
use bao_rules::{BySide, Side};

use super::row::stderr_shown;
use crate::game::setup::Edition;

/// A game that is over and not yet on the disk.
#[derive(Debug)]
pub struct Finished {
    /// Its row; the ledger fills in the fields that depend on where it is written.
    pub row: GameRow,
    /// The rows of its plies.
    pub moves: Vec<u8>,
    /// The rest of its evidence; `None` if it was never played.
    pub wire: Option<Vec<u8>>,
    /// What its bots wrote to their standard errors.
    pub stderr: BySide<Option<String>>,
    /// The place of its machine among the record's hosts, if it was played on another machine than this one.
    pub host: Option<u64>,
}

impl Finished {
    /// Returns what is shown of the standard error of the side whose conduct decided the game.
    pub fn stderr_of_fault(&self) -> Option<String> {
        let text = self.stderr[Side::from(self.row.fault?)].as_ref()?;
        Some(stderr_shown(text, Edition::LATEST))
    }
}
