//! `referee verify`: does a record hold what it says?

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::json::json_line;
use super::tables;
use crate::record::Files;
use crate::results::standings::StandingsRow;
use crate::text::shown::shown;
use crate::verify::{Summary, verify};

/// Verifies the record of a run.
///
/// Everything that was said is replayed through the referee: the chain of the lines, the requests and their clocks, the
/// moves by the rules, the verdicts, the rows and the standings are recomputed. Every difference is a line that says
/// where it is, what stands there and what should stand there. What a referee that was killed had not finished writing
/// is told as unfinished and is no difference.
///
/// Exit code 4 where something differs, 6 where the record cannot be read at all.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The record's directory (--out of a match).
    dir: PathBuf,
    /// Print one JSON object for every finding (difference, unfinished) and one at the end (summary).
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SummaryEvent<'a> {
    event: &'static str,
    #[serde(flatten)]
    summary: &'a Summary,
}

impl Verify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut failed = None;
        let summary = verify(&Files::new(&self.dir), |finding| {
            let written = if self.json { json_line(&mut out, finding) } else { writeln!(out, "{finding}") };
            failed = failed.take().or(written.err());
        })?;
        if let Some(error) = failed {
            return Err(Failure::Output(error));
        }
        if self.json {
            json_line(&mut out, &SummaryEvent { event: "summary", summary: &summary })?;
        } else {
            print(&mut out, &summary)?;
        }
        out.flush()?;
        match summary.differences {
            0 => Ok(()),
            1 => Err(Failure::Differs(format!("{}: 1 difference", self.dir.display()))),
            many => Err(Failure::Differs(format!("{}: {many} differences", self.dir.display()))),
        }
    }
}

fn print(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let Summary { games, planned: _, void, plies, differences, unfinished, bots, rows, test } = summary;
    let differences = match differences {
        0 => "no difference".to_owned(),
        1 => "1 difference".to_owned(),
        many => format!("{many} differences"),
    };
    write!(out, "{games} games, {plies} plies verified: {differences}, {unfinished} unfinished")?;
    match void {
        0 => writeln!(out)?,
        1 => writeln!(out, "; 1 attempt did not count")?,
        void => writeln!(out, "; {void} attempts did not count")?,
    }
    if !rows.is_empty() {
        let clean = |row: &StandingsRow| StandingsRow { name: shown(&row.name, 100), ..row.clone() };
        out.write_all(tables::standings(&rows.iter().map(clean).collect::<Vec<_>>()).as_bytes())?;
        return test.iter().try_for_each(|test| out.write_all(tables::test(test).as_bytes()));
    }
    let width = bots.iter().map(|bot| bot.name.chars().count()).max().unwrap_or(0).max(3);
    writeln!(out, "{:width$}  score   won drawn  lost", "bot")?;
    for bot in bots {
        let (name, score) = (shown(&bot.name, 100), bot.score);
        writeln!(out, "{name:width$} {score:>6} {:>5} {:>5} {:>5}", bot.wins, bot.draws, bot.losses)?;
    }
    Ok(())
}
