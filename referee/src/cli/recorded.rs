//! The record of a run that begins or goes on.

use std::collections::BTreeMap;
use std::fs::File;

use bao_protocol::record::{Host, Run, RunBot};
use serde_json::Value;

use super::failure::Failure;
use crate::plan::{BotPlan, Plan};
use crate::record::read::GameBrief;
use crate::record::{self, Files, RecordError};
use crate::run::RunError;
use crate::text::shown::shown;

/// Takes a record's directory for one referee alone, for as long as the result is held; makes it where there is none.
///
/// # Errors
/// Where it cannot be made, or another referee is writing there.
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

/// Opens a record: a new one, or that of the same plan with every row told to `each`. Returns it with where its rows
/// end in `games.jsonl` and in `moves.jsonl`; `what` names the kind of run for messages.
pub(super) fn open(
    files: &Files,
    plan: &Plan,
    what: &'static str,
    mut each: impl FnMut(&GameBrief<'_>) -> Result<(), String>,
) -> Result<(Run, [u64; 2]), Failure> {
    if files.run().exists() {
        let run = record::read::run(files)?;
        let asked = plan.to_json()?;
        if let Some(difference) = difference(&run.plan, &asked, "") {
            return Err(Failure::OtherRun { dir: files.dir().to_owned(), what, difference });
        }
        if let Some((bot, file)) = changed_program(&run.bots, &plan.bots) {
            return Err(Failure::Changed { dir: files.dir().to_owned(), bot, file });
        }
        let mut moves_end = 0;
        let games_end = record::read::briefs(files, |row| {
            moves_end = row.moves_end;
            each(row)
        })?;
        return Ok((run, [games_end, moves_end]));
    }
    let cannot = |source| RunError::from(RecordError { path: files.dir().to_owned(), source });
    std::fs::create_dir_all(files.dir()).map_err(cannot)?;
    if std::fs::read_dir(files.dir()).map_err(cannot)?.next().is_some() {
        return Err(Failure::NotARecord(files.dir().to_owned()));
    }
    let run = new(plan)?;
    record::write_run(files, &run).map_err(RunError::from)?;
    Ok((run, [0, 0]))
}

/// Makes the head of a new record.
pub(super) fn new(plan: &Plan) -> Result<Run, Failure> {
    let mut sha256 = hasher();
    let bots = plan.bots.iter().map(|bot| RunBot {
        name: bot.name.clone(),
        command: bot.command.clone(),
        program_sha256: sha256(&bot.command[0]),
        files_sha256: bao_jail::named_files(&bot.command, &bot.sandbox)
            .iter()
            .filter_map(|file| Some((file.to_str()?.to_owned(), sha256(file.to_str()?)?)))
            .collect(),
        hello: None,
    });
    let system = rustix::system::uname();
    Ok(Run {
        record: bao_protocol::record::VERSION,
        protocol: bao_protocol::VERSION,
        rules: 1,
        referee: crate::NAME.to_owned(),
        started: crate::record::timestamp(),
        seed: plan.seed,
        plan: plan.to_json()?,
        bots: bots.collect(),
        host: Host {
            system: format!("{} {}", system.sysname().to_string_lossy(), system.release().to_string_lossy()),
            architecture: std::env::consts::ARCH.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64),
            memory_bytes: Some(rustix::system::sysinfo().totalram as u64),
        },
        isolation: None,
    })
}

/// Hashes files that can be read, each only once: many bots may share a program.
fn hasher() -> impl FnMut(&str) -> Option<String> {
    let mut known = BTreeMap::new();
    move |file| known.entry(file.to_owned()).or_insert_with(|| record::sha256_of(file.as_ref()).ok()).clone()
}

/// Finds a bot that is no longer the program that it was, and the file that has changed.
fn changed_program(then: &[RunBot], now: &[BotPlan]) -> Option<(String, String)> {
    let mut sha256 = hasher();
    then.iter().zip(now).find_map(|(then, now)| {
        let program = then.program_sha256.iter().map(|hash| (&now.command[0], hash));
        let mut files = program.chain(&then.files_sha256);
        let changed = files.find(|(file, hash)| sha256(file).is_some_and(|is| is != **hash));
        changed.map(|(file, _)| (then.name.clone(), file.clone()))
    })
}

/// Names the first place where two values differ.
fn difference(old: &Value, new: &Value, path: &str) -> Option<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).find_map(|key| {
                let null = Value::Null;
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                difference(old.get(key).unwrap_or(&null), new.get(key).unwrap_or(&null), &path)
            })
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let mut pairs = old.iter().zip(new).enumerate();
            pairs.find_map(|(index, (old, new))| difference(old, new, &format!("{path}[{index}]")))
        }
        (Value::Array(old), Value::Array(new)) => Some(format!(
            "{path} differs: the record has {} entries, this command has {}",
            old.len(),
            new.len()
        )),
        (old, new) if old == new => None,
        (old, new) => {
            let [old, new] = [old, new]
                .map(|value| shown(&value.as_str().map_or_else(|| value.to_string(), str::to_owned), 200));
            Some(format!("{path} differs: the record has {old}, this command has {new}"))
        }
    }
}
