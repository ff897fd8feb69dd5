//! `referee export`: writes a run's games for other programs.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::values::format;
use crate::export::{ExportError, Kind, export};
use crate::record::Files;
use crate::record::public::Audience;

/// Export the games of a record to standard output, for other programs.
///
/// Games that did not count are left out.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Output format.
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Kind,
    /// Leave out text that quotes a bot or names a path.
    #[arg(long)]
    public: bool,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        let audience = if self.public { Audience::Public } else { Audience::Organiser };
        export(&Files::new(self.dir), self.format, audience, &mut out).map_err(|error| match error {
            ExportError::Read(error) => Failure::Read(error),
            ExportError::Write(error) => Failure::Output(error),
        })?;
        Ok(out.flush()?)
    }
}
