//! A run from its plan to its end: what `referee match` and `referee tournament` have in common.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::PathBuf;

use bao_protocol::from_bot::Hello;
use bao_protocol::record::{GameRow, Run};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::failure::{Failure, Kept, Progress};
use super::follow::{Manner, Reporter};
use super::recorded;
use super::sandbox::{check, warn_of_missing_scripts, warn_of_neighbours};
use crate::game::spec::GameSpec;
use crate::plan::Plan;
use crate::record::events::Events;
use crate::record::{self, Files};
use crate::results::standings::Standings;
use crate::run::{Conditions, Follower, RunError, run};
use crate::schedule::{GameResult, Schedule, Total};
use bao_jail::{Guard, Promise};

/// A run that is to be played.
#[derive(Debug)]
pub(super) struct Session {
    /// What is played.
    pub(super) plan: Plan,
    /// Where the record goes.
    pub(super) out: Option<PathBuf>,
    /// How many games are played at once.
    pub(super) concurrency: u64,
    /// How it is told.
    pub(super) manner: Manner,
}

/// A run that was played, as far as it came.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) plan: Plan,
    pub(super) schedule: Schedule,
    pub(super) standings: Standings,
    /// Whether it is to be told for people, on standard output.
    pub(super) for_people: bool,
    outcome: Result<(), RunError>,
    stopped: bool,
    recorded: bool,
}

impl Session {
    /// Plays; with a record, goes on from it. `end` makes the last event for programs.
    pub(super) fn play(self, end: impl FnOnce(&Played) -> Value) -> Result<Played, Failure> {
        let Self { plan, out, concurrency, manner } = self;
        let host = bao_jail::Host::probe();
        check(&host, &plan.bots.iter().map(|bot| &bot.sandbox).collect::<Vec<_>>())?;
        warn_of_missing_scripts(&plan.bots);
        warn_of_neighbours(&plan.bots, out.as_deref());
        let mut schedule = Schedule::new(&plan)?;
        let mut standings = Standings::new(&plan);
        let files = out.as_ref().map(Files::new);
        // Held to the end: two referees in one directory would spoil each other's rows.
        let _lock = files.as_ref().map(recorded::lock).transpose()?;
        let (mut record, ends) = match &files {
            Some(files) => recorded::open(files, &plan, manner.what, |row| {
                let result = GameResult::of(row, &plan).map_err(|stray| stray.to_string())?;
                schedule.finished(&result).map_err(|stray| stray.to_string())?;
                standings.add(row, &result);
                Ok(())
            })?,
            None => (recorded::new(&plan)?, [0, 0]),
        };
        let runtime = crate::play::driver::runtime().map_err(Failure::Output)?;
        let (events, printer) = manner.json.then(Events::to_stdout).unzip();
        let mut reporter =
            Reporter::new(events.clone(), manner, schedule.total(), schedule.done(), plan.bots.len());
        let begin = json!({ "plan": plan, "referee": crate::NAME, "finished": standings.games() });
        reporter.event(manner.what, &begin);
        let (Total::Exactly(most) | Total::AtMost(most)) = schedule.total();
        // A record counts whoever reads the events; without one, nobody gets anything once the reader has gone.
        let listened = events.clone().filter(|_| files.is_none());
        let conditions = Conditions {
            host,
            files: files.clone(),
            ends,
            concurrency: usize::try_from(concurrency.min(most)).unwrap_or(1).max(1),
            events,
            finish: CancellationToken::new(),
            stop: CancellationToken::new(),
        };
        let finish = conditions.finish.clone();
        let outcome = runtime.block_on(async {
            let signals = heed_signals(conditions.finish.clone(), conditions.stop.clone());
            let silence = heed_silence(listened, conditions.finish.clone(), conditions.stop.clone());
            let mut hearing = Hearing {
                plan: &plan,
                reporter: &mut reporter,
                standings: &mut standings,
                record: &mut record,
                files: files.as_ref(),
            };
            tokio::select! {
                outcome = run(&plan, &mut schedule, conditions, &mut hearing) => outcome,
                never = signals => match never {},
                never = silence => match never {},
            }
        });
        reporter.close();
        if let Some(files) = &files {
            complete(&mut record, &plan, &reporter);
            record::write_run(files, &record).map_err(RunError::from)?;
        }
        schedule.settle();
        let played = Played {
            stopped: finish.is_cancelled() && !over(&mut schedule),
            plan,
            schedule,
            standings,
            for_people: printer.is_none(),
            outcome,
            recorded: out.is_some(),
        };
        reporter.event("end", &end(&played));
        drop(reporter);
        if let Some(printer) = printer {
            // Whoever closes the pipe has seen enough; a full disk is another matter.
            if let Ok(Err(error)) = printer.join()
                && error.kind() != io::ErrorKind::BrokenPipe
            {
                return Err(Failure::Output(error));
            }
        }
        Ok(played)
    }
}

impl Played {
    /// Tells whether the run came to its end, and why not.
    pub(super) fn verdict(self) -> Result<(), Failure> {
        let kept = if self.recorded { Kept::Recorded } else { Kept::Lost };
        match self.outcome {
            Err(error @ RunError::Spawn { .. }) if self.standings.games() > 0 => {
                return Err(Failure::Gone(error, kept));
            }
            outcome => outcome?,
        }
        if !self.stopped {
            return match (self.standings.games(), self.schedule.given_up()) {
                (0, given_up @ 1..) => Err(Failure::Nothing(given_up)),
                _ => Ok(()),
            };
        }
        let games = self.standings.games();
        let progress = match self.schedule.total() {
            Total::Exactly(total) => Progress::Of { games, total },
            Total::AtMost(total) => Progress::OfAtMost { games, total },
        };
        Err(Failure::Stopped(progress, kept))
    }
}

fn over(schedule: &mut Schedule) -> bool {
    matches!(schedule.next_game(), crate::schedule::Next::Over)
}

/// Adds to the head of a record what the bots said of themselves and what was promised about them.
fn complete(record: &mut Run, plan: &Plan, reporter: &Reporter) {
    for (bot, hello) in record.bots.iter_mut().zip(&reporter.hellos) {
        if let Some(hello) = hello {
            bot.hello = serde_json::to_value(hello).ok();
        }
    }
    let reached = record.isolation.get_or_insert_default();
    for (bot, promises) in plan.bots.iter().zip(&reporter.promises) {
        if let Some(promises) = promises {
            reached.insert(bot.name.clone(), promises.iter().map(promise).collect());
        }
    }
}

/// Writes a promise down.
fn promise(promise: &Promise) -> bao_protocol::record::Promise {
    let Promise { name, kept_by, gap } = promise;
    let name = match name {
        Guard::KillTree => "kill_tree",
        Guard::Memory => "memory",
        Guard::Processes => "processes",
        Guard::CpuTime => "cpu_time",
        Guard::Freeze => "freeze",
        Guard::Network => "network",
        Guard::Files => "files",
        Guard::OtherProcesses => "other_processes",
        Guard::Output => "output",
    };
    bao_protocol::record::Promise { name: name.to_owned(), kept_by: kept_by.clone(), gap: gap.clone() }
}

/// Counts results while it passes them on.
struct Hearing<'a> {
    plan: &'a Plan,
    reporter: &'a mut Reporter,
    standings: &'a mut Standings,
    record: &'a mut Run,
    files: Option<&'a Files>,
}

impl Follower for Hearing<'_> {
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str) {
        self.reporter.started(spec, south, north);
    }

    fn finished(&mut self, row: &GameRow, result: &GameResult, schedule: &Schedule) {
        let before = self.standings.pairs();
        self.standings.add(&row.into(), result);
        self.reporter.finished(row, schedule);
        if self.standings.pairs() > before {
            self.reporter.pair(self.standings, schedule);
        }
    }

    fn born(&mut self, bot: usize, promises: &[Promise]) {
        self.reporter.promises[bot].get_or_insert_with(|| promises.to_vec());
    }

    fn greeted(&mut self, bot: usize, hello: &Hello) {
        if self.reporter.hellos[bot].is_some() {
            return;
        }
        let plan = &self.plan.bots[bot];
        for (option, _) in &plan.options {
            if hello.options.iter().all(|spec| spec.name != *option) {
                tracing::warn!(
                    "{}: its hello lists no option \"{option}\", so setting it does nothing",
                    plan.name
                );
            }
        }
        self.reporter.hellos[bot] = Some(hello.clone());
        complete(self.record, self.plan, self.reporter);
        if let Some(files) = self.files {
            // Written now, so that a killed referee leaves it too; where it cannot be, the end tries again and says so.
            let _unwritable = record::write_run(files, self.record);
        }
    }
}

/// Stops the run when nobody reads its events any more, where that matters.
async fn heed_silence(
    events: Option<Events>,
    finish: CancellationToken,
    stop: CancellationToken,
) -> Infallible {
    if let Some(events) = events {
        events.unheard().await;
        let text = "nobody reads the events any more, and there is no --out: stopping now";
        let _nobody_reads = writeln!(io::stderr(), "referee: {text}");
        finish.cancel();
        stop.cancel();
    }
    std::future::pending().await
}

/// Turns the first SIGINT or SIGTERM into "finish", the second into "stop".
async fn heed_signals(finish: CancellationToken, stop: CancellationToken) -> Infallible {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    for (token, text) in [
        (&finish, "finishing the running games; once more to stop them now"),
        (&stop, "stopping now; the running games do not count"),
    ] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        let _nobody_reads = writeln!(io::stderr(), "referee: {text}");
        token.cancel();
    }
    std::future::pending().await
}
