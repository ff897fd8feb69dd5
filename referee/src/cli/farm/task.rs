//! `referee task`: plays a bundle, and delivers its record as a shard.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use rustix::process::Signal;
use serde_json::Value;

use crate::cli::changed::changed_program;
use crate::cli::failure::Failure;
use crate::cli::follow::Manner;
use crate::cli::session::{Part, Session};
use crate::farm::bundle::{Bundle, Waves};
use crate::farm::{engine, shard};
use crate::plan::{Absent, Plan};

/// Play one bundle of a farm: usually started by `referee farm` through an engine.
///
/// The bots are started once before the first game. If this machine cannot play the bundle (a program is missing or differs,
/// a bot does not start, the isolation cannot be kept), the exit code is 75 and nothing is delivered: another machine should
/// try. On SIGTERM the current games are finished, and what is complete is delivered.
#[derive(Debug, Args)]
pub(in crate::cli) struct Task {
    /// Bundle to play; "-" reads it from standard input; the directory of a wave needs --index.
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// Number of the bundle in the wave, from 1 [default: what the engine says, for example SLURM_ARRAY_TASK_ID].
    #[arg(long, value_name = "N")]
    index: Option<u64>,
    /// Deliver the shard into this directory, under a name of its own [default: the directory "shards" beside the bundle].
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    deliver: Option<PathBuf>,
    /// Write the shard to this file; "-" is standard output.
    #[arg(long, value_name = "FILE")]
    shard: Option<PathBuf>,
    /// Directory for the record while it is played [default: the system's directory for temporary files].
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Directory with the programs of bots by their SHA-256, for machines that do not have them where the plan says.
    #[arg(long, value_name = "DIR")]
    bots: Option<PathBuf>,
    /// Number of games to play at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    concurrency: u64,
    /// End if the process with this number, which started this one, ends.
    #[arg(long, value_name = "PID", hide = true)]
    of: Option<u32>,
}

impl Task {
    pub(in crate::cli) fn run(self) -> Result<(), Failure> {
        if let Some(parent) = self.of {
            let _older_kernel = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
            if now != Some(parent) {
                return Err(Failure::Elsewhere("the program that started this task is gone".to_owned()));
            }
        }
        let path = self.bundle_path()?;
        let unreadable = |source| Failure::Given { path: path.clone(), source };
        let (bundle, sha256) = Waves::read_bundle(&path).map_err(unreadable)?;
        let mut plan: Plan = serde_json::from_value(bundle.plan.clone())
            .map_err(|error| unreadable(io::Error::from(error)))?;
        if bundle.run.referee != crate::NAME {
            let (theirs, ours) = (&bundle.run.referee, crate::NAME);
            return Err(Failure::Elsewhere(format!("the bundle is by {theirs}, and this is {ours}")));
        }
        let playing: Vec<usize> = bundle.playing();
        self.replace_programs(&bundle, &mut plan);
        for bot in &playing {
            let then = bundle.run.bots.get(*bot..=*bot).unwrap_or_default();
            let now = &plan.bots[*bot..=*bot];
            if let (None, Some((bot, file, change))) = (&self.bots, changed_program(then, now)) {
                return Err(Failure::Elsewhere(format!("bot {bot}: {file} {change}")));
            }
        }
        let place = self.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let scratch = tempfile::Builder::new()
            .prefix("bao-task-")
            .tempdir_in(&place)
            .map_err(|error| Failure::Elsewhere(format!("no directory in {}: {error}", place.display())))?;
        let record = scratch.path().join("record");
        let session = Session {
            plan,
            absent: if bundle.walkover { Absent::Walkover } else { Absent::Refuse },
            out: Some(record.clone()),
            concurrency: self.concurrency,
            pin: None,
            manner: Manner { what: "task", json: false, quiet: true, every: 0 },
            part: Some(Part { run: bundle.run.clone(), pairs: bundle.pairs.clone() }),
        };
        let played = session.play(|_| Value::Null).map_err(|failure| {
            // Another machine may do better; only a person can mend the rest.
            let machines = matches!(
                failure,
                Failure::Entries { .. }
                    | Failure::Gaps(_)
                    | Failure::InexactClock(_)
                    | Failure::TooFewFiles(_)
                    | Failure::Files { .. }
                    | Failure::Given { .. }
                    | Failure::Run(_)
            );
            if machines { Failure::Elsewhere(failure.to_string()) } else { failure }
        })?;
        self.deliver(&record, &path, &bundle, sha256)?;
        played.verdict()
    }

    fn bundle_path(&self) -> Result<PathBuf, Failure> {
        if self.bundle.as_os_str() == "-" {
            return Ok(PathBuf::from("/dev/stdin"));
        }
        if !self.bundle.is_dir() {
            return Ok(self.bundle.clone());
        }
        let told = || engine::index(|name| std::env::var(name).ok());
        let index = self.index.or_else(told).ok_or(Failure::NoIndex(self.bundle.clone()))?;
        Ok(self.bundle.join(format!("bundle-{index:04}.json")))
    }

    /// Takes programs from the directory of programs, where they are not where the plan says.
    fn replace_programs(&self, bundle: &Bundle, plan: &mut Plan) {
        let Some(bots) = &self.bots else { return };
        for (known, bot) in bundle.run.bots.iter().zip(&mut plan.bots) {
            let program = known.command.first().zip(known.program_sha256.as_ref());
            for (file, sha256) in known.files_sha256.iter().chain(program) {
                let stored = bots.join(sha256).join(Path::new(file).file_name().unwrap_or_default());
                let same = crate::record::sha256_of(Path::new(file)).is_ok_and(|there| there == *sha256);
                if same || !stored.is_file() {
                    continue;
                }
                let stored = std::path::absolute(&stored).unwrap_or(stored).to_string_lossy().into_owned();
                for word in &mut bot.command {
                    if word == file || Path::new(file).ends_with(Path::new(word.trim_start_matches("./"))) {
                        word.clone_from(&stored);
                    }
                }
            }
        }
    }

    fn deliver(&self, record: &Path, path: &Path, bundle: &Bundle, sha256: String) -> Result<(), Failure> {
        if let Some(file) = &self.shard {
            let failed = |source| Failure::Page { path: file.clone(), source };
            if file.as_os_str() == "-" {
                let mut out = io::stdout().lock();
                return shard::pack(record, sha256, &mut out).and_then(|()| out.flush()).map_err(failed);
            }
            let mut out = std::fs::File::create(file).map_err(failed)?;
            return shard::pack(record, sha256, &mut out).and_then(|()| out.sync_all()).map_err(failed);
        }
        let beside = || path.parent().unwrap_or(Path::new(".")).join("shards");
        let shards = self.deliver.clone().unwrap_or_else(beside);
        let system = rustix::system::uname();
        let (host, pid) = (system.nodename().to_string_lossy().into_owned(), std::process::id());
        // Two runs of one bundle never share a name.
        let name = format!("{:04}.{host}-{pid}-{}", bundle.number, crate::cli::seed::drawn());
        shard::deliver(record, sha256, &shards, &name)
            .map(drop)
            .map_err(|source| Failure::Page { path: shards.clone(), source })
    }
}
