//! `referee report`: what a run's record tells, for people.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use crate::record::Files;
use crate::report::{Replays, Report};

/// Prints a report on a run as Markdown, and writes it as a page of HTML.
///
/// The report is made from the record alone, of a finished run or of one that still goes on: the order of the bots with
/// intervals, who beat whom, how games ended and how long they were, use of time, faults with their evidence. The page
/// has pictures besides, and the games to step through. It is one file that needs no network.
#[derive(Debug, Args)]
pub(super) struct Reported {
    /// The directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Write the page to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How many games the page holds to step through, or "all"; without it, as many as fit into 2 MiB: those lost by a
    /// fault first, the others evenly spaced.
    #[arg(long, value_name = "N|all", requires = "html")]
    replays: Option<Replays>,
    /// Tell in the page what every move of a Bao Kingulu game gave away against perfect play; takes about a second a game.
    #[arg(long, requires = "html")]
    annotate: bool,
}

impl Reported {
    pub(super) fn run(self) -> Result<(), Failure> {
        let report = Report::read(&Files::new(self.dir), self.replays.unwrap_or_default())?;
        if let Some(path) = &self.html {
            write_page(&report, path, self.annotate)
                .map_err(|source| Failure::Page { path: path.clone(), source })?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        report.write_markdown(&mut out)?;
        Ok(out.flush()?)
    }
}

fn write_page(report: &Report, path: &Path, annotate: bool) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    if annotate {
        report.write_annotated_html(&mut out)?;
    } else {
        report.write_html(&mut out)?;
    }
    out.flush()
}
