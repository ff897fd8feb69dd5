//! A run: tables that play a schedule's games until it is over, one thread for all of them.

use std::cell::Cell;
use std::io;
use std::process::Command;
use std::rc::Rc;
use std::time::{Instant, SystemTime};

use bao_protocol::Reason;
use bao_protocol::record::{Channel, GameRow};
use bao_rules::Side;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, LocalSet};
use tokio_util::sync::CancellationToken;

use crate::bot::BotProcess;
use crate::driver::drive;
use crate::game::Game;
use crate::plan::{BotPlan, Plan};
use crate::record::{Files, Finished, Ledger, RecordError, Scribe, game_row};
use crate::schedule::{GameResult, GameSpec, Next, Schedule};
use crate::setup::{SeatSetup, Setup};
use crate::verdict::Verdict;

/// How often running a bot may fail to start before the run is given up.
const STARTS: u32 = 3;

/// Why a run ended before its schedule did, through nobody's misconduct in a game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A bot's program cannot be started at all.
    #[error("the bot {name} cannot be started: {command}: {source}")]
    Spawn {
        /// The bot.
        name: String,
        /// Its program.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// A bot failed several times running before it could play.
    #[error("the bot {name} could not start a game {STARTS} times running; the last time: {detail}")]
    NeverStarts {
        /// The bot.
        name: String,
        /// The reason and the details of its last failure.
        detail: String,
    },
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// What a run tells whoever follows it.
pub trait Follower {
    /// A game has been started.
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str);
    /// A game is over and durable.
    fn finished(&mut self, row: &GameRow);
    /// A bot has introduced itself.
    fn greeted(&mut self, bot: usize, hello: &bao_protocol::from_bot::Hello);
}

/// How a run is carried out; none of it changes what is played.
#[derive(Debug)]
pub struct Conditions {
    /// Where the record goes.
    pub files: Option<Files>,
    /// Where the record's rows end so far: in `games.jsonl` and in `moves.jsonl`, in bytes.
    pub ends: [u64; 2],
    /// How many games are played at once.
    pub concurrency: usize,
    /// Takes a line for every move, as JSON.
    pub moves: Option<mpsc::UnboundedSender<String>>,
    /// No new game is started once this is cancelled.
    pub finish: CancellationToken,
    /// Running games are ended once this is cancelled; they do not count.
    pub stop: CancellationToken,
}

/// Plays a schedule to its end, or until the operator or an error ends it. Finished games are durable either way.
///
/// # Errors
/// [`RunError`]; the games that were running have been ended, no bot is left.
pub async fn run(
    plan: &Plan,
    schedule: &mut Schedule,
    conditions: Conditions,
    follower: &mut dyn Follower,
) -> Result<(), RunError> {
    let mut ledger = Ledger::open(conditions.files.as_ref(), conditions.ends[0], conditions.ends[1])?;
    let (news, mut heard) = mpsc::unbounded_channel();
    let hall = Rc::new(Hall {
        plan: plan.clone(),
        files: conditions.files,
        moves: conditions.moves,
        finish: conditions.finish,
        stop: conditions.stop,
        starts: plan.bots.iter().map(|_| Cell::new(0)).collect(),
        news,
    });
    let local = LocalSet::new();
    let outcome = local
        .run_until(async {
            let mut tables = JoinSet::new();
            let mut desk = Desk { schedule, follower, hall: &hall, failed: None, waiting: Vec::new() };
            for _ in 0..conditions.concurrency {
                tables.spawn_local(Table::new(Rc::clone(&hall)).play(ledger.games.clone()));
            }
            loop {
                tokio::select! {
                    Some(news) = heard.recv() => desk.hear(news),
                    Some(row) = ledger.durable.recv() => desk.durable(row),
                    joined = tables.join_next() => match joined {
                        Some(Ok(Ok(()))) => {}
                        Some(Ok(Err(error))) => desk.fail(error),
                        Some(Err(panic)) => std::panic::resume_unwind(panic.into_panic()),
                        None => break,
                    },
                }
            }
            let mut durable = ledger.close();
            while let Ok(row) = durable.try_recv() {
                desk.durable(row);
            }
            while let Ok(news) = heard.try_recv() {
                desk.hear(news);
            }
            desk.failed.map_or(Ok(()), Err)
        })
        .await;
    local.await;
    outcome
}

/// What all tables share.
#[derive(Debug)]
struct Hall {
    plan: Plan,
    files: Option<Files>,
    moves: Option<mpsc::UnboundedSender<String>>,
    finish: CancellationToken,
    stop: CancellationToken,
    // How often each bot has failed to start, running.
    starts: Vec<Cell<u32>>,
    news: mpsc::UnboundedSender<News>,
}

/// What a table tells the desk.
#[derive(Debug)]
enum News {
    Free(tokio::sync::oneshot::Sender<Option<GameSpec>>),
    Greeted(usize, Box<bao_protocol::from_bot::Hello>),
}

/// Where games are handed out and results are taken in.
struct Desk<'a> {
    schedule: &'a mut Schedule,
    follower: &'a mut dyn Follower,
    hall: &'a Hall,
    failed: Option<RunError>,
    waiting: Vec<tokio::sync::oneshot::Sender<Option<GameSpec>>>,
}

impl Desk<'_> {
    fn hear(&mut self, news: News) {
        match news {
            News::Free(table) => self.hand_out(table),
            News::Greeted(bot, hello) => self.follower.greeted(bot, &hello),
        }
    }

    fn hand_out(&mut self, table: tokio::sync::oneshot::Sender<Option<GameSpec>>) {
        if self.hall.finish.is_cancelled() {
            let _gone = table.send(None);
            return;
        }
        match self.schedule.next_game() {
            Next::Game(spec) => {
                let name = |side: Side| self.hall.plan.bots[spec.seats[side as usize]].name.as_str();
                self.follower.started(&spec, name(Side::South), name(Side::North));
                let _gone = table.send(Some(spec));
            }
            Next::Wait => self.waiting.push(table),
            Next::Over => drop(table.send(None)),
        }
    }

    fn durable(&mut self, row: Result<GameRow, RecordError>) {
        match row {
            Ok(row) => {
                GameResult::of(&(&row).into(), &self.hall.plan)
                    .and_then(|result| self.schedule.finished(&result))
                    .expect("the schedule handed this game out");
                self.follower.finished(&row);
                for table in std::mem::take(&mut self.waiting) {
                    self.hand_out(table);
                }
            }
            Err(error) => self.fail(error.into()),
        }
    }

    fn fail(&mut self, error: RunError) {
        self.hall.finish.cancel();
        self.hall.stop.cancel();
        for table in std::mem::take(&mut self.waiting) {
            self.hand_out(table);
        }
        self.failed.get_or_insert(error);
    }
}

/// A table: two processes and one game at a time.
#[derive(Debug)]
struct Table {
    hall: Rc<Hall>,
    bots: Vec<(usize, BotProcess)>,
}

impl Table {
    fn new(hall: Rc<Hall>) -> Self {
        Self { hall, bots: Vec::new() }
    }

    async fn play(mut self, ledger: mpsc::Sender<Finished>) -> Result<(), RunError> {
        let mut result = Ok(());
        while result.is_ok() {
            let (answer, spec) = tokio::sync::oneshot::channel();
            if self.hall.news.send(News::Free(answer)).is_err() {
                break;
            }
            let Ok(Some(spec)) = spec.await else { break };
            result = match self.game(&spec).await {
                Ok(finished) => {
                    // An error is reported by the ledger itself.
                    let _closed = ledger.send(finished).await;
                    Ok(())
                }
                Err(error) => Err(error),
            };
        }
        drop(ledger);
        let mut leaving = JoinSet::new();
        for (_, mut bot) in self.bots.drain(..) {
            bot.bye();
            leaving.spawn_local(bot.retire());
        }
        while leaving.join_next().await.is_some() {}
        result
    }

    async fn game(&mut self, spec: &GameSpec) -> Result<Finished, RunError> {
        let hall = Rc::clone(&self.hall);
        let mut south = self.seat(spec.seats[0]).await?;
        let mut north = self.seat(spec.seats[1]).await?;
        let setup = Setup {
            game: spec.game,
            position: spec.position,
            seats: [
                seat_setup(&hall.plan, spec.seats[0], &south),
                seat_setup(&hall.plan, spec.seats[1], &north),
            ],
            grace_us: hall.plan.grace_us,
            measure: hall.plan.measure,
            max_plies: hall.plan.max_plies,
            seed: hall.plan.seed,
            handshake_us: hall.plan.handshake_us,
            ready_us: hall.plan.ready_us,
        };
        let unwritable = |source| {
            let path = hall.files.as_ref().map(|files| files.wire(spec.game)).unwrap_or_default();
            RunError::Record(RecordError { path, source })
        };
        let mut scribe = Scribe::new(hall.files.as_ref(), &setup, hall.moves.clone()).map_err(unwritable)?;
        let mut game = Game::new(setup);
        let (started, clock) = (timestamp(), now());
        drive(&mut game, [&mut south, &mut north], &mut scribe, &hall.stop).await;
        let duration_us = now().duration_since(clock).as_micros() as u64;
        for (channel, bot) in [(Channel::SouthStderr, &south), (Channel::NorthStderr, &north)] {
            let (text, total) = bot.stderr.take();
            if total > 0 {
                scribe.wire(duration_us, channel, text.as_bytes());
            }
        }
        let verdict = game.verdict().cloned().unwrap_or_else(|| Verdict::void("the game was never played"));
        for (side, bot) in [(Side::South, south), (Side::North, north)] {
            self.put_back(spec.seats[side as usize], side, bot, &game, &verdict).await?;
        }
        let position = game.position().to_string();
        let (moves, wire) =
            scribe.finish(duration_us, &verdict, game.plies(), &position).map_err(unwritable)?;
        let (wire, wire_sha256) = wire.unzip();
        let row = game_row(spec, &game, &verdict, started, duration_us, wire_sha256.unwrap_or_default());
        Ok(Finished { row, moves, wire })
    }

    /// Returns the process of a bot, a running one if there is one; others that are in the way are sent home.
    async fn seat(&mut self, bot: usize) -> Result<BotProcess, RunError> {
        if let Some(at) = self.bots.iter().position(|(index, _)| *index == bot) {
            return Ok(self.bots.swap_remove(at).1);
        }
        if self.bots.len() > 1 {
            let (_, mut leaving) = self.bots.remove(0);
            leaving.bye();
            leaving.retire().await;
        }
        let plan = &self.hall.plan.bots[bot];
        BotProcess::spawn(Command::new(&plan.command[0]).args(&plan.command[1..])).map_err(|source| {
            RunError::Spawn { name: plan.name.clone(), command: plan.command[0].clone(), source }
        })
    }

    /// Keeps a process for the next game, unless it failed or is to be started anew.
    async fn put_back(
        &mut self,
        index: usize,
        side: Side,
        mut bot: BotProcess,
        game: &Game,
        verdict: &Verdict,
    ) -> Result<(), RunError> {
        let hall = Rc::clone(&self.hall);
        if let Some(hello) = game.hello(side) {
            bot.greeted = Some(game.greeted(side));
            let _nobody_listens = hall.news.send(News::Greeted(index, Box::new(hello.clone())));
        }
        let faulty = verdict.fault == Some(side) && verdict.reason.is_fault();
        let starts = &hall.starts[index];
        starts.set(if faulty && !game.began() { starts.get() + 1 } else { 0 });
        if faulty || verdict.reason == Reason::Void {
            bot.kill().await;
        } else if hall.plan.restart {
            bot.bye();
            bot.retire().await;
        } else {
            self.bots.push((index, bot));
        }
        if starts.get() < STARTS || hall.plan.withdraw_after.is_some() {
            return Ok(());
        }
        let detail = format!("{} ({})", verdict.reason, verdict.detail.as_deref().unwrap_or("no details"));
        Err(RunError::NeverStarts { name: hall.plan.bots[index].name.clone(), detail })
    }
}

fn seat_setup(plan: &Plan, index: usize, bot: &BotProcess) -> SeatSetup {
    let BotPlan { name, command: _, clock, options } = plan.bots[index].clone();
    SeatSetup { name, clock, options, greeted: bot.greeted, next_id: bot.next_id }
}

#[expect(clippy::disallowed_methods, reason = "the date in a record is the machine's")]
pub(crate) fn timestamp() -> String {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{now:.3}")
}

#[expect(clippy::disallowed_methods, reason = "a game's duration is measured around it")]
fn now() -> Instant {
    Instant::now()
}
