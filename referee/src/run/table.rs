//! A table: two processes and one game at a time.

use std::rc::Rc;
use std::time::{Duration, Instant};

use bao_protocol::Reason;
use bao_protocol::record::{Channel, GameRow};
use bao_rules::Side;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinSet, spawn_local};

use super::error::{RunError, STARTS};
use super::hall::{Hall, News};
use crate::game::Game;
use crate::game::setup::Known;
use crate::game::spec::GameSpec;
use crate::game::verdict::Verdict;
use crate::play::driver::drive;
use crate::play::link::Link;
use crate::record::{Finished, RecordError, Scribe, Written, game_row, stderr_shown, timestamp};
use bao_jail::SetupError;

/// Plays one game after the other until there is none left, then sends the bots home.
///
/// # Errors
/// [`RunError`], after which this table plays no more.
pub(crate) async fn play(hall: Rc<Hall>, ledger: mpsc::Sender<Finished>) -> Result<(), RunError> {
    let mut table = Table { hall: Rc::clone(&hall), bots: Vec::new() };
    loop {
        if let Some(events) = &hall.events {
            events.drained().await;
        }
        let (answer, spec) = oneshot::channel();
        if hall.news.send(News::Free(answer)).is_err() {
            break;
        }
        let Ok(Some(spec)) = spec.await else { break };
        // A task of its own, so that a panic costs one game and not the run.
        let game = spec.clone();
        let played = spawn_local(async move {
            let played = table.game(&game).await;
            (table, played)
        });
        let (finished, error) = match played.await {
            Ok((back, Ok((finished, error)))) => {
                table = back;
                (finished, error)
            }
            Ok((_, Err(error))) => return Err(error),
            Err(panic) => {
                tracing::error!(game = spec.game, %panic, "a fault of the referee's own; the game does not count");
                table = Table { hall: Rc::clone(&hall), bots: Vec::new() };
                (table.unplayed(&spec, &Verdict::void("a fault of the referee's own")), None)
            }
        };
        // An error of the ledger is reported by the ledger itself.
        let _closed = ledger.send(finished).await;
        if let Some(error) = error {
            return Err(error);
        }
    }
    drop(ledger);
    table.send_home(|_| true).await;
    Ok(())
}

/// How long is waited before a bot is started again that has failed once; twice as long each further time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// After how many failures running there is no more waiting: 15 s in all.
const WAITS: u32 = 5;

#[derive(Debug)]
struct Table {
    hall: Rc<Hall>,
    bots: Vec<(usize, Link)>,
}

impl Table {
    /// Plays a game; the error beside it is one after which the run cannot go on.
    async fn game(&mut self, spec: &GameSpec) -> Result<(Finished, Option<RunError>), RunError> {
        let hall = Rc::clone(&self.hall);
        self.send_home(|bot| !spec.seats.contains(&bot)).await;
        let (mut south, mut north) = match self.seats(spec).await {
            Ok([south, north]) => (south, north),
            Err((side, RunError::Spawn { name, source }))
                if hall.plan.others_play_on()
                    && source.is_the_programs()
                    && !self.lost_for_good(spec.seats[side as usize]) =>
            {
                // The schedule sees to it that this is not tried for ever.
                let why = format!("{name} cannot be started: {source}");
                return Ok((
                    self.unplayed(spec, &Verdict { fault: Some(side), ..Verdict::void(&why) }),
                    None,
                ));
            }
            Err((_, error)) => return Err(error),
        };
        let setup = hall.plan.setup(spec, [south.bot.known, north.bot.known]);
        let unwritable = |source| {
            let path = hall.files.as_ref().map(|files| files.wire(spec.game)).unwrap_or_default();
            RunError::Record(RecordError { path, source })
        };
        let mut scribe = Scribe::new(hall.files.as_ref(), &setup, hall.events.clone()).map_err(unwritable)?;
        let mut game = Game::new(setup);
        let (started, clock) = (timestamp(), now());
        drive(&mut game, [&mut south, &mut north], &mut scribe, &hall.stop).await;
        let duration_us = now().duration_since(clock).as_micros() as u64;
        let verdict = game.verdict().cloned().unwrap_or_else(|| Verdict::void("the game was never played"));
        let mut stderr = None;
        for (side, channel, link) in
            [(Side::South, Channel::SouthStderr, &south), (Side::North, Channel::NorthStderr, &north)]
        {
            let (text, total) = link.bot.stderr.take();
            if total > 0 {
                scribe.wire(duration_us, channel, text.as_bytes());
            }
            if total > 0 && verdict.fault == Some(side) {
                stderr = Some(stderr_shown(&text).to_owned());
            }
        }
        let mut error = None;
        for (side, bot) in [(Side::South, south), (Side::North, north)] {
            let never_starts = self.put_back(spec.seats[side as usize], side, bot, &game, &verdict).await;
            error = error.or(never_starts);
        }
        let position = game.position().to_string();
        let Written { mut moves, wire } =
            scribe.finish(duration_us, &verdict, game.plies(), &position).map_err(unwritable)?;
        if verdict.reason == Reason::Void {
            // The game will be played again under its number: its plies and its evidence must not get in the way.
            moves.clear();
            if let Some(files) = &hall.files {
                std::fs::rename(files.wire(spec.game), files.void_wire(spec.game)).map_err(unwritable)?;
            }
        }
        let (wire, wire_sha256) = wire.unzip();
        let row = game_row(spec, &game, &verdict, started, duration_us, wire_sha256.unwrap_or_default());
        let row = GameRow { stderr, ..row };
        Ok((Finished { row, moves, wire }, error))
    }

    /// Makes the record of a game that could not be played; there is no evidence of it.
    fn unplayed(&self, spec: &GameSpec, verdict: &Verdict) -> Finished {
        let game = Game::new(self.hall.plan.setup(spec, [Known::NOTHING; 2]));
        let row = game_row(spec, &game, verdict, timestamp(), 0, String::new());
        Finished { row, moves: Vec::new(), wire: None }
    }

    /// Returns the processes of both bots, or whose could not be had.
    async fn seats(&mut self, spec: &GameSpec) -> Result<[Link; 2], (Side, RunError)> {
        let south = self.seat(spec.seats[0]).await.map_err(|error| (Side::South, error))?;
        match self.seat(spec.seats[1]).await {
            Ok(north) => Ok([south, north]),
            Err(error) => {
                self.bots.push((spec.seats[0], south));
                Err((Side::North, error))
            }
        }
    }

    /// Returns the process of a bot: one that is here already, or a new one.
    async fn seat(&mut self, index: usize) -> Result<Link, RunError> {
        if let Some(at) = self.bots.iter().position(|(bot, _)| *bot == index) {
            return Ok(self.bots.swap_remove(at).1);
        }
        let plan = &self.hall.plan.bots[index];
        let failed = |source| RunError::Spawn { name: plan.name.clone(), source };
        let birth = loop {
            self.be_patient(index).await;
            let source = match self.hall.keeper.start(&plan.command, &plan.sandbox).await {
                Ok(birth) => break birth,
                Err(source) => source,
            };
            let starts = &self.hall.starts[index];
            starts.set(starts.get() + 1);
            // A program that has played may well come back; one that has not is a matter for the schedule.
            let may_come_back = self.hall.played[index].get() && source.is_the_programs();
            if !may_come_back || starts.get() > WAITS || self.hall.finish.is_cancelled() {
                return Err(failed(source));
            }
        };
        let _nobody_listens = self.hall.news.send(News::Born(index, birth.promises.clone()));
        Link::new(birth, plan.sandbox.freeze)
            .map_err(|source| failed(SetupError::Prepare("the pipes of the bot".to_owned(), source)))
    }

    /// Waits before a bot is started that has failed to start: what stands against it may go away, and a tournament is not
    /// to be lost by a trouble of some seconds. One that fails on and on is not waited for any more.
    async fn be_patient(&self, index: usize) {
        let failures = self.hall.starts[index].get();
        if (1..=WAITS).contains(&failures) {
            tokio::select! {
                () = tokio::time::sleep(FIRST_WAIT * 2u32.pow(failures - 1)) => {}
                () = self.hall.finish.cancelled() => {}
            }
        }
    }

    /// Tells whether a program has vanished that was there before, and waiting did not help: that is the operator's trouble
    /// and no bot's, and games that are given up are so for good. A rule of withdrawal says that the others play on even so.
    fn lost_for_good(&self, index: usize) -> bool {
        let hall = &self.hall;
        hall.plan.withdraw_after.is_none() && hall.played[index].get() && hall.starts[index].get() > WAITS
    }

    /// Keeps a process for the next game, unless it failed or is to be started anew. Says so if the bot has failed so
    /// often before it could play that the run cannot go on.
    async fn put_back(
        &mut self,
        index: usize,
        side: Side,
        mut link: Link,
        game: &Game,
        verdict: &Verdict,
    ) -> Option<RunError> {
        let hall = Rc::clone(&self.hall);
        if let Some(hello) = game.hello(side) {
            link.bot.known.greeted = Some(game.greeted(side));
            let _nobody_listens = hall.news.send(News::Greeted(index, Box::new(hello.clone())));
        }
        let faulty = verdict.fault == Some(side);
        if game.began() {
            hall.played[index].set(true);
        }
        let starts = &hall.starts[index];
        starts.set(if faulty && !game.began() { starts.get() + 1 } else { 0 });
        if faulty || verdict.reason == Reason::Void {
            link.bot.kill(&hall.keeper).await;
        } else if hall.plan.restart || link.bot.known.greeted.is_none() {
            // A hello that is still to be answered would meet the next game's: nobody is asked for it twice.
            link.bot.retire(&hall.keeper).await;
        } else {
            self.bots.push((index, link));
        }
        if starts.get() < STARTS || hall.plan.others_play_on() {
            return None;
        }
        let detail = format!("{} ({})", verdict.reason, verdict.detail.as_deref().unwrap_or("no details"));
        Some(RunError::NeverStarts { name: hall.plan.bots[index].name.clone(), detail })
    }

    /// Says goodbye to the bots that are no longer needed, all at once.
    async fn send_home(&mut self, leaves: impl Fn(usize) -> bool) {
        let (leaving, staying) = self.bots.drain(..).partition(|(bot, _)| leaves(*bot));
        self.bots = staying;
        let leaving: Vec<(usize, Link)> = leaving;
        let mut farewells = JoinSet::new();
        for (_, link) in leaving {
            let hall = Rc::clone(&self.hall);
            farewells.spawn_local(async move { link.bot.retire(&hall.keeper).await });
        }
        while farewells.join_next().await.is_some() {}
    }
}

#[expect(clippy::disallowed_methods, reason = "a game's duration is measured around it")]
fn now() -> Instant {
    Instant::now()
}
