//! `referee logs`: copies one bot's data out of a record.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use crate::export::logs::logs;
use crate::record::Files;
use crate::text::count::count;

/// Copy one bot's data out of a record, for its author.
///
/// The folder gets the bot's games (games.jsonl) and moves (moves.jsonl), an explanation of its faults (faults.txt), and
/// for every game the lines between the bot and the referee (lines/) and the bot's standard error (stderr/). Of other bots
/// it contains only moves and results.
#[derive(Debug, Args)]
pub(super) struct Logs {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of the bot in the record.
    #[arg(long, value_name = "NAME")]
    bot: String,
    /// Folder to write; it must be new or empty. If the name ends with .zip, an archive with the same files is written.
    #[arg(long, value_name = "FOLDER|FILE.zip")]
    out: PathBuf,
}

impl Logs {
    pub(super) fn run(self) -> Result<(), Failure> {
        let written = logs(&Files::new(&self.dir), &self.bot, &self.out)?;
        let (games, faults) = (count(written.games, "game"), count(written.faults, "fault"));
        writeln!(io::stdout(), "{}: {games}, {faults}", self.out.display())?;
        Ok(())
    }
}
