//! A run: tables that play a schedule's games until it is over, one thread for all of them.

use std::cell::Cell;
use std::rc::Rc;
use std::time::SystemTime;

use bao_protocol::record::GameRow;
use bao_rules::Side;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinSet, LocalSet};
use tokio_util::sync::CancellationToken;

use crate::events::Events;
use crate::isolation::{Host, Promise, SetupError};
use crate::keeper::Keeper;
use crate::plan::Plan;
use crate::record::{Files, Ledger, RecordError};
use crate::schedule::{GameResult, GameSpec, Next, Schedule};
use crate::table;

/// How often running a bot may fail to start before the run is given up.
pub(crate) const STARTS: u32 = 3;

/// Why a run ended before its schedule did, through nobody's misconduct in a game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A bot's program cannot be started at all.
    #[error("the bot {name} cannot be started: {source}")]
    Spawn {
        /// The bot.
        name: String,
        /// What stands against it.
        source: SetupError,
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
    fn finished(&mut self, row: &GameRow, result: &GameResult, schedule: &Schedule);
    /// A bot has been started, with these promises about it.
    fn born(&mut self, bot: usize, promises: &[Promise]);
    /// A bot has introduced itself.
    fn greeted(&mut self, bot: usize, hello: &bao_protocol::from_bot::Hello);
}

/// How a run is carried out; none of it changes what is played.
#[derive(Debug)]
pub struct Conditions {
    /// What this machine can do to isolate bots.
    pub host: Host,
    /// Where the record goes.
    pub files: Option<Files>,
    /// Where the record's rows end so far: in `games.jsonl` and in `moves.jsonl`, in bytes.
    pub ends: [u64; 2],
    /// How many games are played at once.
    pub concurrency: usize,
    /// Takes an event for every move.
    pub events: Option<Events>,
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
        events: conditions.events,
        finish: conditions.finish,
        stop: conditions.stop,
        starts: plan.bots.iter().map(|_| Cell::new(0)).collect(),
        played: plan.bots.iter().map(|_| Cell::new(false)).collect(),
        keeper: Keeper::new(conditions.host),
        news,
    });
    let local = LocalSet::new();
    let outcome = local
        .run_until(async {
            let mut tables = JoinSet::new();
            let mut desk = Desk { schedule, follower, hall: &hall, failed: None, waiting: Vec::new() };
            for _ in 0..conditions.concurrency {
                tables.spawn_local(table::play(Rc::clone(&hall), ledger.games.clone()));
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
pub(crate) struct Hall {
    pub(crate) plan: Plan,
    pub(crate) files: Option<Files>,
    pub(crate) events: Option<Events>,
    pub(crate) finish: CancellationToken,
    pub(crate) stop: CancellationToken,
    // How often each bot has failed to start, running.
    pub(crate) starts: Vec<Cell<u32>>,
    // Whether each bot has played.
    pub(crate) played: Vec<Cell<bool>>,
    pub(crate) keeper: Keeper,
    pub(crate) news: mpsc::UnboundedSender<News>,
}

/// What a table tells the desk.
#[derive(Debug)]
pub(crate) enum News {
    /// It is free; it wants a game, or to hear that there is none.
    Free(oneshot::Sender<Option<GameSpec>>),
    /// A bot has been started.
    Born(usize, Vec<Promise>),
    /// A bot has introduced itself.
    Greeted(usize, Box<bao_protocol::from_bot::Hello>),
}

/// Where games are handed out and results are taken in.
struct Desk<'a> {
    schedule: &'a mut Schedule,
    follower: &'a mut dyn Follower,
    hall: &'a Hall,
    failed: Option<RunError>,
    waiting: Vec<oneshot::Sender<Option<GameSpec>>>,
}

impl Desk<'_> {
    fn hear(&mut self, news: News) {
        match news {
            News::Free(table) => self.hand_out(table),
            News::Born(bot, promises) => self.follower.born(bot, &promises),
            News::Greeted(bot, hello) => self.follower.greeted(bot, &hello),
        }
    }

    fn hand_out(&mut self, table: oneshot::Sender<Option<GameSpec>>) {
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
                let result = GameResult::of(&(&row).into(), &self.hall.plan)
                    .and_then(|result| self.schedule.finished(&result).map(|()| result))
                    .expect("the schedule handed this game out");
                self.follower.finished(&row, &result, self.schedule);
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

#[expect(clippy::disallowed_methods, reason = "the date in a record is the machine's")]
pub(crate) fn timestamp() -> String {
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{now:.3}")
}
