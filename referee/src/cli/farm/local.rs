//! `referee farm`, and its two halves `referee wave` and `referee gather`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::coordinator::{Coordinator, Ended, seconds};
use super::engines::{Places, command, takes_waves};
use crate::cli::failure::Failure;
use crate::cli::recorded::{self, Floor};
use crate::cli::screen::Screen;
use crate::cli::session::Played;
use crate::cli::{json::json_line, signals, tournament};
use crate::exit;
use crate::farm::engine::Engine;
use crate::plan;
use crate::record::Files;
use crate::record::outlet::Backlog;

/// How often shards are looked for while workers play.
const LOOK: Duration = Duration::from_millis(200);
/// How long a bundle should take: long enough that its start does not matter.
const BUNDLE: Duration = Duration::from_secs(4);
/// How many pairs a bundle has at most: the farm holds one shard in memory.
const MOST_PAIRS: u64 = 100;
/// How many bundles a slot has left at least, so that all of them end at about the same time.
const LAST_BUNDLES: u64 = 4;
/// How much longer than its most a wave may take, in seconds: waiting in a queue, starting.
const QUEUE: u64 = 3600;

/// Play a tournament with many workers: processes of this machine, or machines behind an engine.
///
/// The record in --out is the one of `referee tournament`: it can be verified, reported and continued by both commands. Pairs
/// go out in bundles; what a worker delivers is verified before it counts; what does not come home goes out again. Whatever
/// dies, the same command continues.
#[derive(Debug, Args)]
pub(in crate::cli) struct Farm {
    /// Tournament file.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Record the tournament in DIR.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Engine that carries out the bundles: local (processes of this machine), parallel (GNU parallel over ssh), slurm, hq
    /// (HyperQueue), kubernetes, or command (--command for each bundle). docs/MACHINES.md explains each.
    #[arg(long, value_name = "ENGINE", default_value_t = Engine::Local)]
    engine: Engine,
    /// Number of bundles that are played at once [default for local: the processors of this machine; for others: 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    slots: Option<u64>,
    /// Number of pairs in a bundle [default: what takes about four seconds; for parallel and slurm, five minutes].
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    bundle: Option<u64>,
    /// Seconds until pairs that are not at home go out again [default: the most that they can take, and an hour].
    #[arg(long, value_name = "SECONDS")]
    deadline: Option<u64>,
    /// Command for each bundle, with {bundle}, {shards} and {referee} where these belong.
    #[arg(long, value_name = "COMMAND", required_if_eq("engine", "command"))]
    command: Option<String>,
    /// Options for the engine, for example "--sshloginfile hosts" or "--partition=long".
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    options: String,
    /// Program of the referee on the workers [default: this one].
    #[arg(long, value_name = "PROGRAM")]
    referee: Option<String>,
    /// Print one JSON object per event (farm, progress, end) instead of the result.
    #[arg(long)]
    json: bool,
    /// Do not report progress on standard error.
    #[arg(long)]
    quiet: bool,
}

/// Write the next bundles of a farm without carrying them out: for engines that `referee farm` does not know.
#[derive(Debug, Args)]
pub(in crate::cli) struct Wave {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of bundles.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1000))]
    bundles: u64,
    /// Number of pairs in a bundle.
    #[arg(long, value_name = "PAIRS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// Seconds until pairs that are not at home go out again [default: the most that they can take, and an hour].
    #[arg(long, value_name = "SECONDS")]
    deadline: Option<u64>,
}

/// Take the shards of a farm that have come home into its record.
#[derive(Debug, Args)]
pub(in crate::cli) struct Gather {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl Wave {
    pub(in crate::cli) fn run(self) -> Result<(), Failure> {
        let mut coordinator = Coordinator::open(&self.dir)?;
        coordinator.gather()?;
        let pairs = usize::try_from(self.pairs).unwrap_or(usize::MAX);
        let bundles = usize::try_from(self.bundles).unwrap_or(usize::MAX);
        let deadline = seconds() + self.deadline.unwrap_or_else(|| most(&coordinator, self.pairs));
        for path in coordinator.send("by hand", bundles, pairs, deadline)? {
            writeln!(io::stdout(), "{}", path.display())?;
        }
        drop(coordinator.close()?);
        Ok(())
    }
}

impl Gather {
    pub(in crate::cli) fn run(self) -> Result<(), Failure> {
        let mut coordinator = Coordinator::open(&self.dir)?;
        coordinator.gather()?;
        let (tally, total) = (coordinator.tally, coordinator.total());
        let waiting = coordinator.bundles_out();
        let over = coordinator.is_over();
        drop(coordinator.close()?);
        let state = if over { "complete".to_owned() } else { format!("{waiting} bundles out") };
        writeln!(
            io::stdout(),
            "{} of {total} games; {} pairs came twice, {} shards were set aside; {state}",
            tally.games,
            tally.twice,
            tally.bad
        )?;
        Ok(())
    }
}

/// Returns how many seconds a bundle of pairs may take at most.
fn most(coordinator: &Coordinator, pairs: u64) -> u64 {
    let plan = coordinator.plan();
    let side_us =
        plan.bots.iter().map(|bot| plan::most_us(bot.clock, plan.max_plies / 2 + 1)).max().unwrap_or(0);
    let game_us = side_us.saturating_mul(2).saturating_add(plan.handshake_us).saturating_add(plan.ready_us);
    (2 * pairs).saturating_mul(game_us / 1_000_000 + 1).saturating_add(QUEUE)
}

impl Farm {
    pub(in crate::cli) fn run(self) -> Result<(), Failure> {
        let (plan, _) = tournament::read(&self.file, Some(&self.out))?;
        let files = Files::new(&self.out);
        recorded::begun(&files)?;
        {
            let _lock = recorded::lock(&files)?;
            let floor = Floor { concurrency: 1, pinning: None };
            let opened = recorded::open(&files, &plan, &floor, "tournament", |_, _| {})?;
            drop(opened);
        }
        let mut coordinator = Coordinator::open(&self.out)?;
        let backlog = Backlog::default();
        let total = coordinator.total();
        let screen = Screen::start(&backlog, !self.quiet, total);
        let (finish, stop) = (CancellationToken::new(), CancellationToken::new());
        signals::heed(finish.clone(), stop.clone(), screen.caption());
        let mut crew = Crew::new(&self, finish, stop);
        let outcome = self.play(&mut coordinator, &mut crew, &screen);
        crew.dismiss();
        let gathered = coordinator.gather();
        screen.caption().over();
        drop(screen);
        let stopped = crew.finish.is_cancelled() && !coordinator.is_over();
        let (plan, schedule, standings) = coordinator.close()?;
        outcome.and(gathered)?;
        let played = Played::of(plan, schedule, standings, !self.json, stopped);
        if self.json {
            let mut end = json!({ "event": "end" });
            if let (Some(end), serde_json::Value::Object(told)) =
                (end.as_object_mut(), tournament::end(&played))
            {
                end.extend(told);
            }
            json_line(&mut io::stdout().lock(), &end)?;
        } else if played.standings.games() > 0 {
            io::stdout().write_all(tournament::text(&played).as_bytes())?;
        }
        played.verdict()
    }

    /// Sends bundles and takes shards until the event is over.
    fn play(&self, coordinator: &mut Coordinator, crew: &mut Crew, screen: &Screen) -> Result<(), Failure> {
        if self.json {
            let (games, total) = (coordinator.tally.games, coordinator.total());
            let begun = json!({ "event": "farm", "engine": self.engine.to_string(), "finished": games, "games": total });
            json_line(&mut io::stdout().lock(), &begun)?;
        }
        let mut told = None;
        loop {
            coordinator.gather()?;
            for (wave, number, how) in crew.ended() {
                coordinator.ended(wave, number, how)?;
            }
            let tally = coordinator.tally;
            if told != Some(tally) {
                told = Some(tally);
                let total = coordinator.total();
                screen.caption().progress(
                    tally.games,
                    total,
                    format!(", {} bundles out", coordinator.bundles_out()),
                );
                if self.json {
                    let progress = json!({
                        "event": "progress", "finished": tally.games, "games": total,
                        "twice": tally.twice, "bad": tally.bad, "bundles": coordinator.bundles_out(),
                    });
                    json_line(&mut io::stdout().lock(), &progress)?;
                }
            }
            if coordinator.is_over() || (crew.finish.is_cancelled() && crew.idle()) {
                return Ok(());
            }
            if !crew.finish.is_cancelled() {
                let sent = crew.send(coordinator)?;
                if sent == 0 && crew.idle() && coordinator.bundles_out() == 0 {
                    return Err(Failure::NothingToPlay);
                }
            }
            crew.wait();
        }
    }
}

/// The workers of a farm, or the commands that carry out its waves.
#[derive(Debug)]
struct Crew {
    engine: Engine,
    slots: usize,
    pairs: Option<u64>,
    deadline: Option<u64>,
    command: String,
    options: String,
    referee: String,
    finish: CancellationToken,
    stop: CancellationToken,
    /// The bundles of each command that runs, by the number of its process.
    running: BTreeMap<u32, Vec<(u64, u64)>>,
    over: mpsc::Sender<(u32, Option<i32>)>,
    news: mpsc::Receiver<(u32, Option<i32>)>,
    heard: Vec<(u32, Option<i32>)>,
    told_to_finish: bool,
    /// How long pairs took, to choose the size of bundles.
    pace: Pace,
}

/// How long pairs take.
#[derive(Debug, Default)]
struct Pace {
    sent: BTreeMap<u32, (std::time::Instant, u64)>,
    pairs: u64,
    time: Duration,
}

impl Crew {
    fn new(farm: &Farm, finish: CancellationToken, stop: CancellationToken) -> Self {
        let (over, news) = mpsc::channel();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let usual = if farm.engine == Engine::Local { processors } else { 8 };
        let own =
            std::env::current_exe().map_or_else(|_| "referee".to_owned(), |path| path.display().to_string());
        Self {
            engine: farm.engine,
            slots: farm.slots.and_then(|slots| usize::try_from(slots).ok()).unwrap_or(usual),
            pairs: farm.bundle,
            deadline: farm.deadline,
            command: farm.command.clone().unwrap_or_default(),
            options: farm.options.clone(),
            referee: farm.referee.clone().unwrap_or(own),
            finish,
            stop,
            running: BTreeMap::new(),
            over,
            news,
            heard: Vec::new(),
            told_to_finish: false,
            pace: Pace::default(),
        }
    }

    fn idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Chooses how many pairs the next bundles have.
    fn size(&self, coordinator: &mut Coordinator) -> usize {
        if let Some(pairs) = self.pairs {
            return usize::try_from(pairs).unwrap_or(1);
        }
        let wanted = if takes_waves(self.engine) { BUNDLE * 75 } else { BUNDLE };
        let each = match self.pace.pairs {
            0 => return 1,
            pairs => self.pace.time.div_f64(pairs as f64).max(Duration::from_micros(1)),
        };
        let fit = wanted.div_duration_f64(each) as u64;
        let left = coordinator.total().saturating_sub(coordinator.tally.games) / 2;
        let even = left / (self.slots as u64 * LAST_BUNDLES);
        // Smaller ones at the end, but none so small that its start is most of it.
        usize::try_from(fit.min(even.max(fit / 4)).clamp(1, MOST_PAIRS)).unwrap_or(1)
    }

    /// Sends bundles to all slots that are free; returns how many.
    fn send(&mut self, coordinator: &mut Coordinator) -> Result<usize, Failure> {
        // A wave's command runs until its last bundle is over; those that are at home leave their slots before.
        let playing = match self.engine {
            Engine::Local | Engine::Command => self.running.len(),
            Engine::Parallel | Engine::Slurm | Engine::Hq | Engine::Kubernetes => coordinator.bundles_out(),
        };
        let free = self.slots.saturating_sub(playing);
        // A wave is sent when half of the one before is at home.
        if free == 0 || (takes_waves(self.engine) && free < self.slots.div_ceil(2)) {
            return Ok(0);
        }
        let pairs = self.size(coordinator);
        // Workers of this machine end with this process: what they have is not out any more after it.
        let deadline = match self.engine {
            Engine::Local => 0,
            Engine::Parallel | Engine::Slurm | Engine::Hq | Engine::Kubernetes | Engine::Command => {
                seconds() + self.deadline.unwrap_or_else(|| most(coordinator, pairs as u64))
            }
        };
        let bundles = coordinator.send(&self.engine.to_string(), free, pairs, deadline)?;
        let Some(wave) = bundles.first().and_then(|path| path.parent()).map(Path::to_owned) else {
            return Ok(0);
        };
        let number = wave.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or(0);
        let sent = bundles.len();
        if takes_waves(self.engine) {
            let all = (1..=sent as u64).map(|bundle| (number, bundle)).collect();
            self.start(coordinator, &wave, &wave, sent, all, (pairs * sent) as u64)?;
        } else {
            for (bundle, path) in (1..).zip(&bundles) {
                self.start(coordinator, &wave, path, sent, vec![(number, bundle)], pairs as u64)?;
            }
        }
        Ok(sent)
    }

    fn start(
        &mut self,
        coordinator: &Coordinator,
        wave: &Path,
        bundle: &Path,
        bundles: usize,
        carries: Vec<(u64, u64)>,
        pairs: u64,
    ) -> Result<(), Failure> {
        let log =
            carries.first().map(|(wave, number)| coordinator.waves.log(*wave, *number)).unwrap_or_default();
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| Failure::Page { path, source }
        };
        let log_file = File::create(&log).map_err(failed(&log))?;
        let mut child = if self.engine == Engine::Local {
            let mut worker = Command::new(&self.referee);
            worker.arg("task").arg(bundle).arg("--of").arg(std::process::id().to_string());
            worker
        } else {
            let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let (wave, bundle) = (absolute(wave), absolute(bundle));
            let places = Places {
                wave: &wave,
                bundle: &bundle,
                bundles,
                referee: &self.referee,
                options: &self.options,
                command: &self.command,
            };
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(command(self.engine, &places));
            shell
        };
        // A stop that is typed reaches the farm alone, which passes it on once.
        child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log_file).process_group(0);
        let child = child.spawn().map_err(failed(Path::new(&self.referee)))?;
        let pid = child.id();
        self.running.insert(pid, carries);
        #[expect(clippy::disallowed_methods, reason = "how long bundles take decides how large they are")]
        self.pace.sent.insert(pid, (std::time::Instant::now(), pairs));
        let over = self.over.clone();
        std::thread::spawn(move || wait_for(child, &over));
        Ok(())
    }

    /// Waits until a worker ends, or for a while.
    fn wait(&mut self) {
        if let Ok(news) = self.news.recv_timeout(LOOK) {
            self.heard.push(news);
        }
        self.heard.extend(self.news.try_iter());
        if self.finish.is_cancelled() && !self.told_to_finish {
            self.told_to_finish = true;
            self.signal(rustix::process::Signal::TERM);
        }
        if self.stop.is_cancelled() {
            self.signal(rustix::process::Signal::KILL);
        }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        for pid in self.running.keys().filter_map(|pid| i32::try_from(*pid).ok()) {
            let _gone =
                rustix::process::Pid::from_raw(pid).map(|pid| rustix::process::kill_process(pid, signal));
        }
    }

    /// Lists the bundles whose workers have ended, with how they did.
    fn ended(&mut self) -> Vec<(u64, u64, Ended)> {
        let mut ended = Vec::new();
        for (pid, code) in std::mem::take(&mut self.heard) {
            let Some(bundles) = self.running.remove(&pid) else { continue };
            let how = match code {
                Some(code) if code == i32::from(exit::DONE) => Ended::Done,
                Some(code) if code == i32::from(exit::STOPPED) => Ended::Stopped,
                Some(code) if code == i32::from(exit::ELSEWHERE) => Ended::Unable,
                Some(_) | None => Ended::Failed,
            };
            if let Some((since, pairs)) = self.pace.sent.remove(&pid)
                && how == Ended::Done
            {
                self.pace.pairs += pairs;
                self.pace.time += since.elapsed();
            }
            ended.extend(bundles.into_iter().map(|(wave, number)| (wave, number, how)));
        }
        ended
    }

    /// Ends what still runs.
    fn dismiss(&mut self) {
        self.signal(rustix::process::Signal::TERM);
        while !self.idle() {
            self.wait();
            drop(self.ended());
        }
    }
}

fn wait_for(mut child: Child, over: &mpsc::Sender<(u32, Option<i32>)>) {
    let code = child.wait().ok().and_then(|status| status.code());
    let _nobody_listens = over.send((child.id(), code));
}
