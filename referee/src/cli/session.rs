//! A run from its plan to its end: the common part of `referee match` and `referee tournament`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::thread::JoinHandle;

use bao_protocol::from_bot::Hello;
use bao_protocol::record::{Pinning, Run};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::entries::admit;
use super::failure::{Failure, Kept, Progress};
use super::follow::{Manner, Reporter, games};
use super::recorded::{self, Floor, Opened};
use super::sandbox::{check, enough_files, keep_apart, warn_of_what_is_open};
use super::screen::{Caption, Screen};
use super::signals;
use crate::arbiter::Rulings;
use crate::game::setup::Measure;
use crate::game::spec::GameSpec;
use crate::plan::{Absent, Plan};
use crate::processors::{Cores, Pin, keep_to};
use crate::record::events::Events;
use crate::record::outlet::Backlog;
use crate::record::{self, Files, Finished, Layout, Tail, plan_sha256};
use crate::results::standings::Standings;
use crate::run::{Conditions, Follower, RunError, run};
use crate::schedule::planned::Planned;
use crate::schedule::{GameResult, Pair, Schedule, Total};
use bao_jail::{Host, Promise};

/// A run to play.
#[derive(Debug)]
pub(super) struct Session {
    /// What is played.
    pub(super) plan: Plan,
    /// What happens if a bot cannot play.
    pub(super) absent: Absent,
    /// Where the record goes.
    pub(super) out: Option<PathBuf>,
    /// How many games are played at once.
    pub(super) concurrency: u64,
    /// Which processors are whose.
    pub(super) pin: Option<Pin>,
    /// How it is reported.
    pub(super) manner: Manner,
    /// The part of an event that is played, if it is not the whole.
    pub(super) part: Option<Part>,
}

/// A part of an event: some of its pairs.
#[derive(Debug)]
pub(super) struct Part {
    /// The head of the event's record.
    pub(super) run: Run,
    /// The pairs.
    pub(super) pairs: Vec<Pair>,
}

impl Part {
    /// Begins the record of the part.
    fn open(&self, files: &Files, plan: &Plan) -> Result<Opened, Failure> {
        record::write_run(files, &self.run).map_err(RunError::from)?;
        let planned = Planned::of_pairs(plan.clone(), self.run.plan.clone(), self.pairs.clone())?;
        Ok(Opened { run: self.run.clone(), tail: Tail::of_new(&self.run), planned })
    }

    /// Lists the bots that play in it.
    fn bots(&self) -> Vec<usize> {
        let bots: BTreeSet<usize> = self.pairs.iter().flat_map(|pair| pair.bots).collect();
        bots.into_iter().collect()
    }
}

/// A run that was played, perhaps not to its end.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) plan: Plan,
    pub(super) schedule: Schedule,
    pub(super) standings: Standings,
    /// Whether to print the result for people on standard output.
    pub(super) for_people: bool,
    outcome: Result<(), RunError>,
    stopped: bool,
    recorded: bool,
}

/// A run that can begin: its plan, its progress, and its record.
#[derive(Debug)]
struct Prepared {
    plan: Plan,
    host: Host,
    schedule: Schedule,
    standings: Standings,
    rulings: Rulings,
    files: Option<Files>,
    // Kept until the end: two referees in one directory would damage each other's rows.
    _lock: Option<File>,
    record: Run,
    tail: Tail,
    pinning: Option<Pinning>,
}

impl Session {
    /// Plays; with a record, continues from it. `end` makes the last event for programs.
    pub(super) fn play(self, end: impl FnOnce(&Played) -> Value) -> Result<Played, Failure> {
        let manner = self.manner;
        let mut run = self.prepare()?;
        let backlog = Backlog::default();
        let total = run.schedule.total();
        let screen = Screen::start(&backlog, !manner.quiet, games(total));
        let (events, printer) = manner.json.then(|| Events::to_stdout(&backlog)).unzip();
        let (done, bots) = (run.schedule.done(), run.plan.bots.len());
        let mut reporter = Reporter::new(events.clone(), screen.caption(), manner, done, bots);
        let begin = json!({ "plan": run.plan, "referee": crate::NAME, "finished": run.standings.games() });
        reporter.event(manner.what, &begin);
        let conditions = Conditions {
            host: run.host.clone(),
            record: run.files.clone().map(|files| (files, run.tail.clone())),
            plan_sha256: Some(plan_sha256(&run.record.plan)),
            concurrency: tables(&run.schedule, self.concurrency),
            pinning: run.pinning.clone(),
            events,
            backlog,
            finish: CancellationToken::new(),
            stop: CancellationToken::new(),
        };
        let finish = conditions.finish.clone();
        let outcome = run.play(conditions, &mut reporter)?;
        reporter.close();
        run.complete(&reporter)?;
        let Prepared { plan, mut schedule, standings, files, .. } = run;
        schedule.settle();
        let played = Played {
            stopped: finish.is_cancelled() && !over(&mut schedule),
            plan,
            schedule,
            standings,
            for_people: printer.is_none(),
            outcome,
            recorded: files.is_some(),
        };
        reporter.event("end", &end(&played));
        drop(reporter);
        match printer.map(JoinHandle::join) {
            // A closed pipe is no error; a full disk is.
            Some(Ok(Err(error))) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
            Some(_) | None => Ok(played),
        }
    }

    /// Checks that the run can begin, and opens its record.
    fn prepare(&self) -> Result<Prepared, Failure> {
        let mut plan = self.plan.clone();
        let host = super::sandbox::host()?;
        for bot in &mut plan.bots {
            bot.sandbox.exact_processor_time = plan.measure == Measure::Cpu;
        }
        check(&host, &plan.bots.iter().map(|bot| &bot.sandbox).collect::<Vec<_>>())?;
        enough_files(plan.bots.len(), self.concurrency)?;
        let files = self.out.as_ref().map(Files::new);
        // An existing record also shows whether a bot has changed.
        let begun = files.as_ref().map_or(Ok(false), recorded::begun)?;
        keep_apart(&mut plan.bots, self.out.as_deref());
        let schedule = Schedule::new(&plan)?;
        let mut standings = Standings::new(&plan);
        let pinning = self.pinning(&schedule)?;
        if !begun {
            let all = || (0..plan.bots.len()).collect();
            let everybody: Vec<usize> = self.part.as_ref().map_or_else(all, Part::bots);
            let games = tables(&schedule, self.concurrency);
            admit(&plan, &everybody, &host, games, self.absent)?;
        }
        let lock = files.as_ref().map(recorded::lock).transpose()?;
        let floor =
            Floor { concurrency: tables(&schedule, self.concurrency) as u64, pinning: pinning.clone() };
        let Opened { run: mut record, mut tail, planned } = match (&files, &self.part) {
            (Some(files), Some(part)) => part.open(files, &plan)?,
            (Some(files), None) => recorded::open(files, &plan, &floor, self.manner.what, |row, result| {
                standings.add(row, result);
            })?,
            (None, _) => {
                let run = recorded::new(&plan, &floor)?;
                let planned = Planned::new(Rulings::none(plan.clone(), run.plan.clone()))?;
                Opened { tail: Tail::of_new(&run), run, planned }
            }
        };
        let (mut schedule, rulings) = planned.into_schedule();
        plan.before.clone_from(&rulings.plan.before);
        if begun && !schedule.is_over() {
            let staying = (0..plan.bots.len()).filter(|bot| !schedule.withdrawn().contains(bot));
            let games = tables(&schedule, self.concurrency);
            admit(&plan, &staying.collect::<Vec<_>>(), &host, games, self.absent)?;
        }
        if let Some(files) = &files {
            recorded::join_in(files, &mut record, &mut tail, &floor)?;
        }
        warn_of_what_is_open(&plan.bots, &host, self.out.as_deref());
        Ok(Prepared { plan, host, schedule, standings, rulings, files, _lock: lock, record, tail, pinning })
    }

    /// Shares the processors out, if that is asked for.
    pub(super) fn pinning(&self, schedule: &Schedule) -> Result<Option<Pinning>, Failure> {
        let Some(pin) = self.pin else { return Ok(None) };
        let cores = Cores::of_this_process().map_err(Failure::Processors)?;
        Ok(Some(cores.share_out(pin, tables(schedule, self.concurrency))?))
    }
}

impl Prepared {
    /// Plays until the schedule is over, the operator stops the run, or the last reader of the events is gone.
    fn play(
        &mut self,
        conditions: Conditions,
        reporter: &mut Reporter,
    ) -> Result<Result<(), RunError>, Failure> {
        if let Some(pinning) = &self.pinning {
            keep_to(&pinning.referee).map_err(Failure::Processors)?;
        }
        let Self { plan, schedule, standings, record, files, tail, .. } = self;
        let runtime = crate::play::driver::runtime().map_err(Failure::Output)?;
        let (finish, stop) = (conditions.finish.clone(), conditions.stop.clone());
        signals::heed(finish.clone(), stop.clone(), reporter.screen.clone());
        // A record has the results even without a reader of the events; without a record they would be lost.
        let listened = conditions.events.clone().filter(|_| files.is_none());
        let silence = heed_silence(listened, finish, stop, reporter.screen.clone());
        let recorded = files.is_some();
        let (host, withdrawn) = (tail.host, schedule.withdrawn().len());
        let mut hearing = Hearing { plan, reporter, standings, record, host, recorded, withdrawn };
        Ok(runtime.block_on(async {
            tokio::select! {
                outcome = run(plan, schedule, conditions, &mut hearing) => outcome,
                never = silence => match never {},
            }
        }))
    }

    /// Writes the head of the record for the last time.
    fn complete(&mut self, reporter: &Reporter) -> Result<(), Failure> {
        let Some(files) = &self.files else { return Ok(()) };
        complete(&mut self.record, self.tail.host, &self.plan, reporter);
        self.schedule.settle();
        if over(&mut self.schedule) && Layout::of(&self.record) == Layout::Packed {
            self.record.end = Some(recorded::end(files, &self.record, &self.rulings, &self.schedule)?);
        }
        Ok(record::write_run(files, &self.record).map_err(RunError::from)?)
    }
}

impl Played {
    /// A run that was played by others.
    pub(super) fn of(
        plan: Plan,
        schedule: Schedule,
        standings: Standings,
        for_people: bool,
        stopped: bool,
    ) -> Self {
        Self { plan, schedule, standings, for_people, outcome: Ok(()), stopped, recorded: true }
    }

    /// Returns an error if the run did not come to its end.
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
        let games = self.schedule.done();
        let progress = match self.schedule.total() {
            Total::Exactly(total) => Progress::Of { games, total },
            Total::AtMost(total) => Progress::OfAtMost { games, total },
        };
        Err(Failure::Stopped(progress, kept))
    }
}

/// Returns how many games are played at once: at most as many as there are.
pub(super) fn tables(schedule: &Schedule, concurrency: u64) -> usize {
    usize::try_from(concurrency.min(games(schedule.total()))).unwrap_or(1).max(1)
}

fn over(schedule: &mut Schedule) -> bool {
    matches!(schedule.next_game(), crate::schedule::Next::Over)
}

/// Adds the bots' hellos and the promises about them to the head of a record.
fn complete(record: &mut Run, host: u64, plan: &Plan, reporter: &Reporter) {
    for (bot, hello) in record.bots.iter_mut().zip(&reporter.hellos) {
        if let Some(hello) = hello {
            bot.hello = serde_json::to_value(hello).ok();
        }
    }
    let host = usize::try_from(host).ok().and_then(|host| record.hosts.get_mut(host));
    let reached = match (&mut record.only, host) {
        (Some(only), _) => &mut only.isolation,
        (None, Some(host)) => &mut host.isolation,
        (None, None) => return,
    };
    let reached = reached.get_or_insert_default();
    for (bot, promises) in plan.bots.iter().zip(&reporter.promises) {
        if let Some(promises) = promises {
            reached.insert(bot.name.clone(), promises.iter().map(promise).collect());
        }
    }
}

/// Converts a promise to the record's format.
fn promise(promise: &Promise) -> bao_protocol::record::Promise {
    let Promise { name, kept_by, gap, .. } = promise;
    bao_protocol::record::Promise { name: name.name().to_owned(), kept_by: kept_by.clone(), gap: gap.clone() }
}

/// Counts results and passes them on.
struct Hearing<'a> {
    plan: &'a Plan,
    reporter: &'a mut Reporter,
    standings: &'a mut Standings,
    record: &'a mut Run,
    // The place of this machine among the record's hosts.
    host: u64,
    recorded: bool,
    // How many withdrawals have been reported.
    withdrawn: usize,
}

impl Follower for Hearing<'_> {
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str) {
        self.reporter.started(spec, south, north);
    }

    fn finished(&mut self, finished: &Finished, result: &GameResult, schedule: &Schedule) {
        let before = self.standings.pairs();
        let row = &finished.row;
        self.standings.add(&row.into(), result);
        self.reporter.finished(finished, schedule);
        for bot in &schedule.withdrawn()[self.withdrawn..] {
            self.reporter.withdrawn(&self.plan.bots[*bot].name, row.game, self.plan.withdraw_after);
        }
        self.withdrawn = schedule.withdrawn().len();
        if self.standings.pairs() > before {
            self.reporter.pair(self.standings, schedule);
        }
    }

    fn born(&mut self, bot: usize, promises: &[Promise]) {
        self.reporter.promises[bot].get_or_insert_with(|| promises.to_vec());
    }

    fn greeted(&mut self, bot: usize, hello: &Hello) -> Option<Run> {
        if self.reporter.hellos[bot].is_some() {
            return None;
        }
        self.reporter.hellos[bot] = Some(hello.clone());
        complete(self.record, self.host, self.plan, self.reporter);
        // Written now, so that the record of a killed referee has it, too.
        self.recorded.then(|| self.record.clone())
    }
}

/// Stops the run when no program reads its events any more, if that matters.
async fn heed_silence(
    events: Option<Events>,
    finish: CancellationToken,
    stop: CancellationToken,
    screen: Caption,
) -> Infallible {
    if let Some(events) = events {
        events.unheard().await;
        finish.cancel();
        stop.cancel();
        screen.text(
            "referee: the reader of the events is gone, and there is no --out: stopping now\n".to_owned(),
        );
    }
    std::future::pending().await
}
