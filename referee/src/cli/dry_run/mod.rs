//! `--dry-run` of `referee match` and `referee tournament`: everything that can be known before a run.

mod findings;
mod forecast;
mod trial;
mod words;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::entries::{options_without_effect, start};
use super::failure::Failure;
use super::follow::games;
use super::json::json_line;
use super::recorded::{self, Floor};
use super::sandbox::{self, check, enough_files, keep_apart, warn_of_what_is_open};
use super::session::{Session, tables};
use crate::game::clock::above_zero;
use crate::game::setup::Measure;
use crate::plan::{Absent, Plan};
use crate::record::Files;
use crate::run::Problem;
use crate::schedule::{Schedule, Total};
use findings::{BotFindings, Findings};
use forecast::{Disk, Processors, Time};

/// The options of a dry run.
#[derive(Debug, Clone, Args)]
pub(super) struct DryRunArguments {
    /// Play nothing and write nothing: report the games, the time, the disk, the processors, and all problems.
    #[arg(long, help_heading = "Dry run")]
    pub(super) dry_run: bool,
    /// Time limit for a trial: a pair of each game between the first two bots, to estimate the length of the run.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = above_zero, requires = "dry_run", help_heading = "Dry run")]
    measure: u64,
    /// Play no trial: estimate the length of the run from the clocks alone.
    #[arg(long, requires = "dry_run", conflicts_with = "measure", help_heading = "Dry run")]
    no_measure: bool,
}

impl Session {
    /// Finds out everything that can be known of the run, and prints it.
    ///
    /// # Errors
    /// [`Failure::WouldBeRefused`] if there are problems; another failure if the dry run itself is impossible.
    pub(super) fn dry_run(self, asked: &DryRunArguments) -> Result<(), Failure> {
        let mut plan = self.plan.clone();
        let host = sandbox::host()?;
        for bot in &mut plan.bots {
            bot.sandbox.exact_processor_time = plan.measure == Measure::Cpu;
        }
        let mut problems: Vec<String> = Vec::new();
        let mut found =
            |outcome: Result<(), Failure>| problems.extend(outcome.err().map(|it| it.to_string()));
        found(check(&host, &plan.bots.iter().map(|bot| &bot.sandbox).collect::<Vec<_>>()));
        found(enough_files(plan.bots.len(), self.concurrency));
        keep_apart(&mut plan.bots, self.out.as_deref());
        warn_of_what_is_open(&plan.bots, &host, self.out.as_deref());
        let mut schedule = Schedule::new(&plan)?;
        match self.out.as_deref().map(|out| self.continued(out, &plan)).transpose() {
            Ok(Some(Some(continued))) => schedule = continued,
            Ok(_) => {}
            Err(failure) => found(Err(failure)),
        }
        let tables = tables(&schedule, self.concurrency);
        let pinning = self.pinning(&schedule).unwrap_or_else(|failure| {
            problems.push(failure.to_string());
            None
        });
        let staying: Vec<usize> =
            (0..plan.bots.len()).filter(|bot| !schedule.withdrawn().contains(bot)).collect();
        let entries = start(&plan, &staying, &host, tables)?;
        let mut warnings = options_without_effect(&plan, &entries);
        for entry in &entries {
            let lines =
                entry.problems.iter().map(|problem| format!("bot {} {problem}", plan.bots[entry.bot].name));
            let refuses = self.absent == Absent::Refuse || entry.problems.iter().any(Problem::is_ours);
            if refuses { &mut problems } else { &mut warnings }.extend(lines);
        }
        let playable = entries.iter().filter(|entry| entry.problems.is_empty()).map(|entry| entry.bot);
        let measured = match (asked.no_measure, &playable.take(2).collect::<Vec<_>>()[..]) {
            (false, [one, other]) => Some(trial::play(&plan, [*one, *other], host, asked.measure)?),
            _ => None,
        };
        let (total, finished) = (schedule.total(), schedule.done());
        let left = games(total).saturating_sub(finished);
        let time = Time::foretell(&plan, left, tables as u64, measured.as_ref());
        let disk = Disk::foretell(&plan, left, self.out.as_deref(), measured.as_ref());
        let processors = Processors::of(&plan, tables as u64, pinning);
        warnings.extend(disk.warning());
        warnings.extend(processors.warning());
        let findings = Findings {
            event: "dry_run",
            games: games(total),
            games_are_exact: matches!(total, Total::Exactly(_)),
            finished,
            plan: words::plan(&plan),
            time,
            measured,
            disk,
            processors,
            bots: entries.into_iter().map(|entry| BotFindings::of(&plan, entry)).collect(),
            warnings,
            problems,
        };
        let mut out = io::stdout().lock();
        if self.manner.json {
            json_line(&mut out, &findings)?;
        } else {
            words::print(&mut out, &findings)?;
        }
        out.flush()?;
        match findings.problems.len() {
            0 => Ok(()),
            problems => Err(Failure::WouldBeRefused { problems: problems as u64 }),
        }
    }

    /// Returns the schedule after the games of the record in this directory, if there is one.
    fn continued(&self, out: &Path, plan: &Plan) -> Result<Option<Schedule>, Failure> {
        let files = Files::new(PathBuf::from(out));
        if !recorded::begun(&files)? {
            return Ok(None);
        }
        let floor = Floor { concurrency: 1, pinning: None };
        let opened = recorded::open(&files, plan, &floor, self.manner.what, |_, _| {})?;
        Ok(Some(opened.planned.into_schedule().0))
    }
}
