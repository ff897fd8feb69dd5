//! `referee match`: two bots, so many games.

use std::io::{self, Write};
use std::path::PathBuf;

use bao_protocol::record::{GameRow, Host, Run, RunBot};
use bao_rules::Variant;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Failure;
use super::follow::{Reporter, stdout_thread};
use super::sandbox::{SandboxesArguments, check};
use crate::clock::{TimeControl, span};
use crate::isolation::{self, Promise};
use crate::plan::{self, BotPlan, Format, GamePlan, MOST_PLIES, Openings, Plan};
use crate::record::read::GameBrief;
use crate::record::{self, Files, RecordError};
use crate::run::{Conditions, RunError, run};
use crate::schedule::{GameResult, GameSpec, Schedule};
use crate::setup::Measure;

/// Plays a match between two bots.
///
/// A bot is given as a command line ("python3 my_bot.py --fast"). A bare name is looked for beside the referee, then
/// in PATH. The bots change seats after every game; two games are a pair.
///
/// Clocks: none, 100ms/move (a time for every move), 60s (for the whole game), 60s+500ms (with an increment),
/// 40/60s (for every 40 moves), "30s byoyomi 5x3s", "60s delay 2s".
#[derive(Debug, Args)]
pub(super) struct Match {
    /// The game: bao-kigogo or bao-kingulu.
    game: Variant,
    /// The first bot's command line; it plays South in the first game.
    #[arg(value_name = "BOT")]
    first: String,
    /// The second bot's command line.
    #[arg(value_name = "BOT")]
    second: String,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Both bots' clock.
    #[arg(long, value_name = "CLOCK", default_value = "10s+100ms")]
    clock: TimeControl,
    /// The first bot's clock, if it is another.
    #[arg(long, value_name = "CLOCK")]
    first_clock: Option<TimeControl>,
    /// The second bot's clock, if it is another.
    #[arg(long, value_name = "CLOCK")]
    second_clock: Option<TimeControl>,
    /// How far a clock may be overstepped before the flag falls.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = span)]
    grace: u64,
    /// End a game after so many moves: a draw in Bao Kigogo, counted in Bao Kingulu.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_PLIES))]
    max_plies: u64,
    /// Start every game from here: moves from the start ("A3 a2") or a position text.
    #[arg(long, value_name = "MOVES|POSITION")]
    opening: Option<String>,
    /// Set an option of both bots (may be given more than once).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Set an option of the first bot.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    first_option: Vec<(String, String)>,
    /// Set an option of the second bot.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    second_option: Vec<(String, String)>,
    /// The first bot's name in the record.
    #[arg(long, value_name = "NAME")]
    first_name: Option<String>,
    /// The second bot's name in the record.
    #[arg(long, value_name = "NAME")]
    second_name: Option<String>,
    /// What clocks count: wall (time as it goes by) or cpu (the bot's own processor time, with a cap of four times the
    /// budget and a second on the time that goes by).
    #[arg(long, value_name = "WHAT", default_value = "wall")]
    clock_measure: Measure,
    /// Start the bots anew for every game.
    #[arg(long)]
    restart: bool,
    /// How many games are played at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    concurrency: u64,
    /// The seed from which everything random follows; it is told to bots as the option "seed" where they have one.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How long a bot may take to answer the first message.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = span)]
    handshake: u64,
    /// Write the record into this directory; the same command with the same directory goes on with a match that was
    /// stopped.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for every event (match, game, move, verdict, end) instead of the result.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxesArguments,
}

impl Match {
    pub(super) fn run(self) -> Result<(), Failure> {
        let plan = self.plan()?;
        let mut schedule = Schedule::new(&plan)?;
        let mut tally = Tally::new(&plan);
        let files = self.out.as_ref().map(Files::new);
        let (mut record, ends) = match &files {
            Some(files) => open(files, &plan, |row| {
                let result = GameResult::of(row, &plan).map_err(|stray| stray.to_string())?;
                schedule.finished(&result).map_err(|stray| stray.to_string())?;
                tally.add(row);
                Ok(())
            })?,
            None => (new_record(&plan), [0, 0]),
        };
        let runtime = crate::driver::runtime().map_err(Failure::Output)?;
        let (events, lines) = mpsc::unbounded_channel();
        let printer = self.json.then(|| stdout_thread(lines));
        let events = self.json.then_some(events);
        let mut reporter = Reporter::new(events.clone(), self.games, tally.counted(), plan.bots.len());
        reporter
            .event("match", &json!({ "plan": plan, "referee": crate::NAME, "finished": tally.counted() }));
        let host = isolation::Host::probe();
        check(&host, &plan.bots.iter().map(|bot| &bot.sandbox).collect::<Vec<_>>())?;
        let conditions = Conditions {
            host,
            files: files.clone(),
            ends,
            concurrency: usize::try_from(self.concurrency.min(self.games)).unwrap_or(1),
            moves: events,
            finish: CancellationToken::new(),
            stop: CancellationToken::new(),
        };
        let finish = conditions.finish.clone();
        let outcome = runtime.block_on(async {
            let signals = heed_signals(conditions.finish.clone(), conditions.stop.clone());
            let mut follower = Counting { reporter: &mut reporter, tally: &mut tally };
            tokio::select! {
                outcome = run(&plan, &mut schedule, conditions, &mut follower) => outcome,
                never = signals => match never {},
            }
        });
        reporter.close();
        if let Some(files) = &files {
            for (bot, hello) in record.bots.iter_mut().zip(&reporter.hellos) {
                if let Some(hello) = hello {
                    bot.hello = serde_json::to_value(hello).ok();
                }
            }
            let promises = plan.bots.iter().zip(&reporter.promises);
            let promises = promises.map(|(bot, promises)| (bot.name.clone(), json!(promises)));
            record.isolation = promises.collect::<serde_json::Map<_, _>>().into();
            record::write_run(files, &record).map_err(RunError::from)?;
        }
        reporter.event("end", &tally.summary());
        drop(reporter);
        if let Some(printer) = printer {
            let _panicked = printer.join();
        } else if tally.counted() > 0 {
            tally.print(&plan, self.games)?;
        }
        outcome?;
        if finish.is_cancelled() && tally.counted() < self.games {
            let how = match &self.out {
                Some(_) => "the same command goes on from here",
                None => "without --out nothing was kept to go on from",
            };
            let done = format!("{} of {} games are finished; {how}", tally.counted(), self.games);
            return Err(Failure::Stopped(done));
        }
        Ok(())
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let openings = match &self.opening {
            Some(text) => Openings::Given { positions: vec![plan::opening(self.game, text)?.to_string()] },
            None => Openings::None {},
        };
        let commands = [plan::command(&self.first)?, plan::command(&self.second)?];
        let named = |index: usize, name: &Option<String>| {
            name.clone().unwrap_or_else(|| plan::bot_name(&commands[index]))
        };
        let names = plan::distinct(vec![named(0, &self.first_name), named(1, &self.second_name)]);
        let clocks = [self.first_clock.unwrap_or(self.clock), self.second_clock.unwrap_or(self.clock)];
        let sandboxes = self.sandbox.both();
        let own = [&self.first_option, &self.second_option];
        let bots = commands.into_iter().zip(names).enumerate().map(|(index, (command, name))| BotPlan {
            name,
            command,
            clock: clocks[index],
            options: self.option.iter().chain(own[index]).cloned().collect(),
            sandbox: sandboxes[index].clone(),
        });
        Ok(Plan {
            event: None,
            format: Format::Match { games: self.games },
            games: vec![GamePlan { variant: self.game.name().to_owned(), openings }],
            bots: bots.collect(),
            grace_us: self.grace,
            measure: self.clock_measure,
            max_plies: self.max_plies,
            restart: self.restart,
            handshake_us: self.handshake,
            ready_us: 10_000_000,
            withdraw_after: None,
            seed: self.seed,
        })
    }
}

/// Reads an option that is to be set: NAME=VALUE.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE")?;
    if name.is_empty() {
        return Err("the option's name is empty".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Opens a record: a new one, or that of the same plan with every row told to `each`.
fn open(
    files: &Files,
    plan: &Plan,
    mut each: impl FnMut(&GameBrief<'_>) -> Result<(), String>,
) -> Result<(Run, [u64; 2]), Failure> {
    if files.run().exists() {
        let run = record::read::run(files)?;
        let asked = serde_json::to_value(plan).expect("a plan always serialises");
        if let Some(difference) = difference(&run.plan, &asked, "") {
            return Err(Failure::Usage(format!(
                "{} holds the record of another match: {difference}; name another directory",
                files.dir().display()
            )));
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
        let dir = files.dir().display();
        return Err(Failure::Usage(format!(
            "{dir} is not empty and holds no record (run.json); name a new directory"
        )));
    }
    let run = new_record(plan);
    record::write_run(files, &run).map_err(RunError::from)?;
    Ok((run, [0, 0]))
}

fn new_record(plan: &Plan) -> Run {
    let bots = plan.bots.iter().map(|bot| RunBot {
        name: bot.name.clone(),
        command: bot.command.clone(),
        program_sha256: record::sha256_of(bot.command[0].as_ref()).ok(),
        hello: None,
    });
    let system = rustix::system::uname();
    Run {
        record: bao_protocol::record::VERSION,
        protocol: bao_protocol::VERSION,
        rules: 1,
        referee: crate::NAME.to_owned(),
        started: crate::run::timestamp(),
        seed: plan.seed,
        plan: serde_json::to_value(plan).expect("a plan always serialises"),
        bots: bots.collect(),
        host: Host {
            system: format!("{} {}", system.sysname().to_string_lossy(), system.release().to_string_lossy()),
            architecture: std::env::consts::ARCH.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64),
            memory_bytes: Some(rustix::system::sysinfo().totalram as u64),
        },
        isolation: json!(null),
    }
}

/// Names the first place where two values differ.
fn difference(old: &serde_json::Value, new: &serde_json::Value, path: &str) -> Option<String> {
    use serde_json::Value;
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
        (old, new) if old == new => None,
        (old, new) => Some(format!("its {path} is {old}, asked for is {new}")),
    }
}

/// Turns the first SIGINT or SIGTERM into "finish", the second into "stop".
async fn heed_signals(finish: CancellationToken, stop: CancellationToken) -> std::convert::Infallible {
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

/// Counts results while it passes them on.
struct Counting<'a> {
    reporter: &'a mut Reporter,
    tally: &'a mut Tally,
}

impl crate::run::Follower for Counting<'_> {
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str) {
        self.reporter.started(spec, south, north);
    }

    fn finished(&mut self, row: &GameRow) {
        self.tally.add(&row.into());
        self.reporter.finished(row);
    }

    fn born(&mut self, bot: usize, promises: &[Promise]) {
        self.reporter.born(bot, promises);
    }

    fn greeted(&mut self, bot: usize, hello: &bao_protocol::from_bot::Hello) {
        self.reporter.greeted(bot, hello);
    }
}

/// The results of a match so far.
#[derive(Debug)]
struct Tally {
    bots: [BotTally; 2],
    void: u64,
    south_wins: u64,
    north_wins: u64,
    reasons: std::collections::BTreeMap<bao_protocol::Reason, u64>,
}

#[derive(Debug, Clone, Serialize)]
struct BotTally {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
}

#[derive(Debug, Serialize)]
struct Summary<'a> {
    games: u64,
    void: u64,
    bots: &'a [BotTally; 2],
    south_wins: u64,
    north_wins: u64,
    reasons: &'a std::collections::BTreeMap<bao_protocol::Reason, u64>,
}

impl Tally {
    fn new(plan: &Plan) -> Self {
        let bot = |index: usize| BotTally {
            name: plan.bots[index].name.clone(),
            wins: 0,
            draws: 0,
            losses: 0,
            score: 0.0,
        };
        Self {
            bots: [bot(0), bot(1)],
            void: 0,
            south_wins: 0,
            north_wins: 0,
            reasons: std::collections::BTreeMap::new(),
        }
    }

    fn add(&mut self, row: &GameBrief<'_>) {
        let score_south = match (row.reason, row.winner) {
            (bao_protocol::Reason::Void, _) => {
                self.void += 1;
                return;
            }
            (_, Some(bao_protocol::Seat::South)) => 1.0,
            (_, Some(bao_protocol::Seat::North)) => 0.0,
            (_, None) => 0.5,
        };
        *self.reasons.entry(row.reason).or_default() += 1;
        self.south_wins += u64::from(score_south > 0.75);
        self.north_wins += u64::from(score_south < 0.25);
        for bot in &mut self.bots {
            let score = if bot.name == row.south { score_south } else { 1.0 - score_south };
            bot.score += score;
            bot.wins += u64::from(score > 0.75);
            bot.losses += u64::from(score < 0.25);
            bot.draws += u64::from((0.25..=0.75).contains(&score));
        }
    }

    fn counted(&self) -> u64 {
        self.bots[0].wins + self.bots[0].draws + self.bots[0].losses
    }

    fn summary(&self) -> Summary<'_> {
        Summary {
            games: self.counted(),
            void: self.void,
            bots: &self.bots,
            south_wins: self.south_wins,
            north_wins: self.north_wins,
            reasons: &self.reasons,
        }
    }

    fn print(&self, plan: &Plan, games: u64) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let width = self.bots.iter().map(|bot| bot.name.chars().count()).max().unwrap_or(0).max(3);
        writeln!(out, "{}, {} of {games} games", plan.games[0].variant, self.counted())?;
        writeln!(out, "{:width$}  score   won drawn  lost  clock", "bot")?;
        for (bot, plan) in self.bots.iter().zip(&plan.bots) {
            let BotTally { name, wins, draws, losses, score } = bot;
            writeln!(out, "{name:width$} {score:>6} {wins:>5} {draws:>5} {losses:>5}  {}", plan.clock)?;
        }
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let drawn = self.counted() - self.south_wins - self.north_wins;
        writeln!(out, "South won {}, North won {}, drawn {drawn}", self.south_wins, self.north_wins)?;
        writeln!(out, "endings: {}", reasons.join(", "))?;
        if self.void > 0 {
            writeln!(out, "{} games did not count and were played again", self.void)?;
        }
        Ok(())
    }
}
