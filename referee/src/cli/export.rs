//! `referee export`: a run's games for other programs.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use crate::export::{ExportError, Kind, export};
use crate::record::Files;

/// Prints the games of a record in a format of other programs.
///
/// pgn is the notation of chess games, for rating programs such as Ordo and BayesElo: South is White. csv has one line
/// a game, with the columns of games.jsonl. Games that did not count are left out.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// The directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The format: pgn or csv.
    #[arg(long, value_name = "FORMAT")]
    format: Kind,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        export(&Files::new(self.dir), self.format, &mut out).map_err(|error| match error {
            ExportError::Read(error) => Failure::Read(error),
            ExportError::Write(error) => Failure::Output(error),
        })?;
        Ok(out.flush()?)
    }
}
