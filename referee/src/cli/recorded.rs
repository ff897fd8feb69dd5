//! Begins or continues the record of a run.

use std::fs::File;

use bao_protocol::record::{End, Host, Machine, Pinning, Run, RunBot};

use super::changed::{changed_program, hasher, named_sha256};
use super::difference::{Side, differences};
use super::failure::Failure;
use crate::arbiter::Rulings;
use crate::plan::{self, Plan};
use crate::record::read::{GameBrief, ReadError, Ruling};
use crate::record::{self, Files, Layout, RecordError, Tail};
use crate::run::RunError;
use crate::schedule::planned::Planned;
use crate::schedule::{GameResult, Schedule, Stray};

/// How games use this machine.
#[derive(Debug, Clone)]
pub(super) struct Floor {
    /// The number of games at once.
    pub(super) concurrency: u64,
    /// The processors of the referee and of each table, if they are pinned.
    pub(super) pinning: Option<Pinning>,
}

/// Locks a record's directory for one referee, as long as the result is kept; creates the directory if necessary.
///
/// # Errors
/// If it cannot be created, or another referee is writing there.
pub(super) fn lock(files: &Files) -> Result<File, Failure> {
    let cannot = |source| RunError::from(RecordError { path: files.dir().to_owned(), source });
    std::fs::create_dir_all(files.dir()).map_err(cannot)?;
    let dir = File::open(files.dir()).map_err(cannot)?;
    match rustix::fs::flock(&dir, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(dir),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Failure::Locked(files.dir().to_owned())),
        Err(error) => Err(cannot(error.into()).into()),
    }
}

/// Returns whether there is a record to continue; changes nothing.
///
/// # Errors
/// If the directory contains something else than a record.
pub(super) fn begun(files: &Files) -> Result<bool, Failure> {
    if files.run().exists() {
        return Ok(true);
    }
    let cannot = |source| RunError::from(RecordError { path: files.dir().to_owned(), source });
    let entries = match std::fs::read_dir(files.dir()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(cannot(error).into()),
    };
    for entry in entries {
        // A referee that was killed while it wrote the head of a record leaves this file; nothing has been played
        // yet.
        if entry.map_err(cannot)?.path() != files.run_draft() {
            return Err(Failure::NotARecord(files.dir().to_owned()));
        }
    }
    Ok(false)
}

/// A record that was opened: its head, where it ends, and its schedule after all its rows.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) run: Run,
    pub(super) tail: Tail,
    pub(super) planned: Planned,
}

/// Opens a new record, or the existing record of the same plan, and calls `each` with every row and its result; `what`
/// names the kind of run for messages.
pub(super) fn open(
    files: &Files,
    plan: &Plan,
    floor: &Floor,
    what: &'static str,
    mut each: impl FnMut(&GameBrief<'_>, &GameResult),
) -> Result<Opened, Failure> {
    if files.run().exists() {
        let mut run = record::read::run(files)?;
        let mut rulings = Rulings::read(files, &run)?;
        let asked = new(plan, floor)?;
        // A command that extended the event may have died before it wrote this.
        let known = run.bots.len().min(asked.bots.len());
        run.bots.extend_from_slice(&asked.bots[known..]);
        let then = Side { plan: &rulings.json, bots: &run.bots };
        let now = Side { plan: &asked.plan, bots: &asked.bots };
        if let Some(differences) = differences(then, now) {
            return Err(Failure::OtherRun { dir: files.dir().to_owned(), what, differences });
        }
        if let Some((bot, file, change)) = changed_program(&run.bots, &plan.bots) {
            return Err(Failure::Changed { dir: files.dir().to_owned(), bot, file, change });
        }
        // The command's plan also has what no record has.
        rulings.plan = Plan { before: rulings.plan.before, ..plan.clone() };
        let mut planned = Planned::new(rulings.clone())?;
        let rule = |number, row: &mut GameBrief<'_>| rulings.rule(number, row);
        let tail = record::survey(files, &run, rule, |row| -> Result<(), Stray> {
            let result = planned.continue_with(row)?;
            each(row, &result);
            Ok(())
        });
        return Ok(Opened { run, tail: tail.map_err(Failure::Broken)?, planned });
    }
    let cannot = |source| RunError::from(RecordError { path: files.dir().to_owned(), source });
    std::fs::create_dir_all(files.dir()).map_err(cannot)?;
    let run = new(plan, floor)?;
    record::write_run(files, &run).map_err(RunError::from)?;
    let tail = Tail::of_new(&run);
    let planned = Planned::new(Rulings::none(plan.clone(), run.plan.clone()))?;
    Ok(Opened { run, tail, planned })
}

/// Makes the head of a new record.
pub(super) fn new(plan: &Plan, floor: &Floor) -> Result<Run, Failure> {
    let mut sha256 = hasher();
    let bots = plan.bots.iter().map(|bot| RunBot {
        name: bot.name.clone(),
        command: bot.command.clone(),
        program_sha256: sha256(&bot.command[0]),
        files_sha256: named_sha256(bot, &mut sha256),
        hello: None,
    });
    Ok(Run {
        record: bao_protocol::record::VERSION,
        protocol: bao_protocol::VERSION,
        rules: 1,
        referee: crate::NAME.to_owned(),
        started: crate::record::timestamp(),
        seed: plan.seed,
        plan: plan::to_json(plan)?,
        bots: bots.collect(),
        only: None,
        hosts: vec![host(floor)],
        end: None,
    })
}

/// Describes this machine and how games use it.
fn host(floor: &Floor) -> Host {
    let system = rustix::system::uname();
    let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    Host {
        name: system.nodename().to_string_lossy().into_owned(),
        boot_id: boot_id.ok().map(|text| text.trim_end().to_owned()),
        machine: Machine {
            system: format!("{} {}", system.sysname().to_string_lossy(), system.release().to_string_lossy()),
            architecture: std::env::consts::ARCH.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64),
            memory_bytes: Some(rustix::system::sysinfo().totalram as u64),
        },
        user: rustix::process::geteuid().as_raw(),
        concurrency: floor.concurrency,
        pinning: floor.pinning.clone(),
        since: crate::record::timestamp(),
        isolation: None,
    }
}

/// Returns the end of a record whose schedule is over.
///
/// # Errors
/// If its rows cannot be read.
pub(super) fn end(
    files: &Files,
    run: &Run,
    rulings: &Rulings,
    schedule: &Schedule,
) -> Result<End, ReadError> {
    let annulled = |number| rulings.ruling(number) == Some(Ruling::Annulled);
    record::end(files, run, rulings.acts.sha256.last().cloned(), annulled, |pair| schedule.wants(pair))
}

/// Names this machine among a record's hosts, before a row does.
///
/// # Errors
/// If the head of the record cannot be written.
pub(super) fn join_in(files: &Files, run: &mut Run, tail: &mut Tail, floor: &Floor) -> Result<(), Failure> {
    if tail.layout == Layout::Packed && run.end.is_none() {
        let known = run.hosts.len();
        tail.host = join(run, host(floor));
        if run.hosts.len() > known {
            record::write_run(files, run).map_err(RunError::from)?;
        }
    }
    Ok(())
}

/// Finds the index of a machine in a record's hosts; adds the machine if it or its concurrency is new.
fn join(run: &mut Run, host: Host) -> u64 {
    let same = |known: &Host| {
        *known == Host { since: known.since.clone(), isolation: known.isolation.clone(), ..host.clone() }
    };
    let place = run.hosts.iter().position(same).unwrap_or(run.hosts.len());
    if place == run.hosts.len() {
        run.hosts.push(host);
    }
    place as u64
}
