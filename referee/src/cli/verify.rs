//! `referee verify`: checks a record.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::json::json_line;
use super::tables;
use crate::record::Files;
use crate::results::standings::StandingsRow;
use crate::text::count::{count, plural};
use crate::text::shown::shown;
use crate::verify::{Summary, verify};

/// Check a record against its evidence and the rules.
///
/// Replay every recorded line and recompute the hash chain, requests, clocks, moves, verdicts, rows and standings.
/// Print one line per difference: where it is, what the record has, what it should have. If the referee was killed,
/// parts that it did not finish writing are reported as unfinished, not as differences.
///
/// Exit codes: 4 if something differs, 6 if the record cannot be read.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Directory of the record (--out of a match or tournament).
    dir: PathBuf,
    /// Print one JSON object per finding (difference, unfinished), and one at the end (summary).
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
            differences => Err(Failure::Differs { dir: self.dir, differences }),
        }
    }
}

fn print(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let Summary {
        games,
        unfollowed,
        planned: _,
        void,
        cut,
        acts,
        plies,
        differences,
        unfinished,
        without_stderr,
        plan_sha256,
        course_sha256,
        bots,
        rows,
        test,
    } = summary;
    let differences = match differences {
        0 => "no differences".to_owned(),
        many => count(*many, "difference"),
    };
    let (verified, plies) = (count(*games, "game"), plural(*plies, "ply", "plies"));
    write!(out, "{verified}, {plies} verified: {differences}, {unfinished} unfinished")?;
    if *unfollowed > 0 {
        write!(out, "; {} could not be verified to the end", count(*unfollowed, "more game"))?;
    }
    if *void > 0 {
        write!(out, "; {} did not count", count(*void, "attempt"))?;
    }
    if *acts > 0 {
        write!(out, "; {} of the arbiter (`referee show`)", count(*acts, "act"))?;
    }
    match cut {
        0 => {}
        1 => write!(out, "; 1 attempt was cut off when the referee was killed")?,
        cut => write!(out, "; {cut} attempts were cut off when the referee was killed")?,
    }
    writeln!(out)?;
    if *without_stderr {
        writeln!(out, "without stderr.jsonl: a copy that does not show what bots wrote to standard error")?;
    }
    writeln!(out, "plan   {plan_sha256}\ncourse {course_sha256}")?;
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
