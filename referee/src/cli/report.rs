//! `referee report`: a record as a report for people.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::games;
use crate::record::Files;
use crate::record::public::Audience;
use crate::report::{Replays, Report};
use crate::text::lang::Lang;

/// Print a report on a record as Markdown; with --html, also write it as a page.
///
/// The report needs only the record; the event may be finished or running. It shows the standings with intervals, the
/// crosstable, how games ended and how long they took, the use of time, and the faults with their evidence. The page also
/// has charts, and games to step through. It is a single file that needs no network.
#[derive(Debug, Args)]
pub(super) struct Reported {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Write the page to FILE.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Number of games to step through on the page, or "all" [default: as many as fit into 2 MiB]. Games lost by a fault
    /// come first, the others are evenly spaced.
    #[arg(long, value_name = "N|all", requires = "html")]
    replays: Option<Replays>,
    /// Language of the page's headings, games and explanations: en, sw (Swahili) or pt (Portuguese). Statistics are always
    /// in English.
    #[arg(long, value_name = "LANG", default_value = "en", requires = "html")]
    lang: Lang,
    /// Leave out private data of bots and organiser: standard error, commands, paths.
    #[arg(long)]
    public: bool,
    #[arg(long, requires = "html", help = games::annotate("; about a second per game"))]
    annotate: bool,
}

impl Reported {
    pub(super) fn run(self) -> Result<(), Failure> {
        let audience = if self.public { Audience::Public } else { Audience::Organiser };
        let report = Report::read_for(&Files::new(self.dir), self.replays.unwrap_or_default(), audience)?
            .in_language(self.lang);
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
