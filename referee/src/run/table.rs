//! A table: two processes and one game at a time.

use std::rc::Rc;
use std::time::Duration;

use bao_protocol::{Reason, VoidCause};
use bao_rules::{BySide, Side};
use tokio::sync::oneshot;
use tokio::task::{JoinSet, spawn_local};

use super::error::{RunError, STARTS};
use super::hall::{Hall, News};
use crate::game::Game;
use crate::game::setup::{Known, Setup};
use crate::game::spec::GameSpec;
use crate::game::verdict::Verdict;
use crate::plan;
use crate::play::driver::drive;
use crate::play::link::Link;
use crate::record::outlet::Outlet;
use crate::record::{Entry, Finished, Scribe, Written, game_row, timestamp};
use bao_jail::{Sandbox, SetupError};

/// Plays one game after the other until none is left, then ends the bots.
///
/// # Errors
/// [`RunError`], after which this table plays no more.
pub(crate) async fn play(number: usize, hall: Rc<Hall>, ledger: Outlet<Entry>) -> Result<(), RunError> {
    let empty = || Table {
        number,
        hall: Rc::clone(&hall),
        ledger: ledger.clone(),
        bots: Vec::new(),
        places: [None; 2],
    };
    let mut table = empty();
    while let Some(spec) = next_game(&hall).await {
        // A separate task, so that a panic costs one game and not the run.
        let game = spec.clone();
        let played = spawn_local(async move {
            let played = Box::pin(table.game(&game)).await;
            (table, played)
        });
        let played = match played.await {
            Ok((back, played)) => {
                table = back;
                played?
            }
            Err(panic) => {
                tracing::error!(game = spec.game, %panic, "a fault of the referee's own; the game does not count");
                table = empty();
                let verdict = Verdict::void(VoidCause::Internal, "a fault of the referee's own");
                Played::Game(table.unplayed(&spec, &verdict))
            }
        };
        let (finished, stop) = match played {
            Played::Game(finished) => (finished, Ok(())),
            Played::GameThenStop(finished, error) => (finished, Err(error)),
        };
        ledger.enter(Entry::Finished(Box::new(finished)));
        stop?;
    }
    table.send_home(|_| true).await;
    Ok(())
}

/// Asks for the next game, once the output of earlier games is written; `None` if there is none.
async fn next_game(hall: &Hall) -> Option<GameSpec> {
    tokio::select! {
        () = hall.backlog.drained() => {}
        () = hall.finish.cancelled() => {}
    }
    let (answer, spec) = oneshot::channel();
    hall.news.send(News::Free(answer)).ok()?;
    spec.await.ok().flatten()
}

/// The result of a game.
#[derive(Debug)]
enum Played {
    /// It is over.
    Game(Finished),
    /// It is over, and the run cannot continue after it.
    GameThenStop(Finished, RunError),
}

/// How long to wait before a bot is restarted that has failed once; twice as long after each further failure.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// After how many failures in a row the table stops waiting: 15 s in all.
const WAITS: u32 = 5;

#[derive(Debug)]
struct Table {
    number: usize,
    hall: Rc<Hall>,
    ledger: Outlet<Entry>,
    bots: Vec<(usize, Link)>,
    // The bot that was started last on each of the table's two sets of processors.
    places: [Option<usize>; 2],
}

impl Table {
    /// Plays a game.
    async fn game(&mut self, spec: &GameSpec) -> Result<Played, RunError> {
        self.send_home(|bot| !spec.seats.contains(&bot)).await;
        let (south, north) = match self.seats(spec).await {
            Ok([south, north]) => (south, north),
            Err((side, error)) => return self.absent(spec, side, error).map(Played::Game),
        };
        let hall = Rc::clone(&self.hall);
        let setup = plan::setup(&hall.plan, spec, [south.bot.known, north.bot.known]);
        let setup = Setup { plan_sha256: hall.plan_sha256.clone(), ..setup };
        let ledger = hall.layout.map(|layout| (self.ledger.clone(), layout));
        let mut scribe = Scribe::new(ledger, &setup, hall.events.clone());
        let started = timestamp();
        let mut game = Game::new(setup);
        let mut seats = [south, north];
        let duration_us = drive(&mut game, seats.each_mut(), &mut scribe, &hall.stop).await;
        let verdict = game
            .verdict()
            .cloned()
            .unwrap_or_else(|| Verdict::void(VoidCause::Internal, "the game was never played"));
        tracing::debug!(game = spec.game, reason = %verdict.reason, detail = verdict.detail, "verdict");
        standard_errors(&seats, duration_us, &mut scribe);
        let mut stop = None;
        for (side, link) in Side::BOTH.into_iter().zip(seats) {
            let never_starts = self.put_back(spec.seats[side as usize], side, link, &game, &verdict).await;
            stop = stop.or(never_starts);
        }
        let position = game.position().to_string();
        let Written { mut moves, wire, stderr } =
            scribe.finish(duration_us, &verdict, game.plies(), &position);
        if verdict.reason == Reason::Void {
            // The game will be played again under its number: its plies must not get in the way.
            moves.clear();
        }
        let row = game_row(spec, &game, &verdict, started, duration_us);
        let finished = Finished { row, moves, wire, stderr, host: None };
        Ok(match stop {
            None => Played::Game(finished),
            Some(error) => Played::GameThenStop(finished, error),
        })
    }

    /// Decides the result of a failed start: a game that does not count, or the end of the run.
    fn absent(&self, spec: &GameSpec, side: Side, error: RunError) -> Result<Finished, RunError> {
        let bot = spec.seats[side as usize];
        match error {
            RunError::Spawn { name, source }
                if self.hall.others_play_on() && source.is_the_programs() && !self.lost_for_good(bot) =>
            {
                // The schedule limits how often this is tried.
                let why = format!("{name} cannot be started: {source}");
                let verdict = Verdict { fault: Some(side), ..Verdict::void(VoidCause::Program, &why) };
                Ok(self.unplayed(spec, &verdict))
            }
            error @ (RunError::Spawn { .. } | RunError::NeverStarts { .. } | RunError::Record(_)) => {
                Err(error)
            }
        }
    }

    /// Makes the record of a game that could not be played; there is no evidence of it.
    fn unplayed(&self, spec: &GameSpec, verdict: &Verdict) -> Finished {
        let game = Game::new(plan::setup(&self.hall.plan, spec, [Known::NOTHING; 2]));
        let row = game_row(spec, &game, verdict, timestamp(), 0);
        Finished { row, moves: Vec::new(), wire: None, stderr: BySide::default(), host: None }
    }

    /// Returns the processes of both bots, or the bot that could not be started.
    async fn seats(&mut self, spec: &GameSpec) -> Result<[Link; 2], (Side, RunError)> {
        let [first, second] = spec.seats;
        let south = self.seat(first, second).await.map_err(|error| (Side::South, error))?;
        match self.seat(second, first).await {
            Ok(north) => Ok([south, north]),
            Err(error) => {
                self.bots.push((spec.seats[0], south));
                Err((Side::North, error))
            }
        }
    }

    /// Returns the process of a bot, for a game against an opponent: the one from the last game, or a new one.
    async fn seat(&mut self, index: usize, opponent: usize) -> Result<Link, RunError> {
        if let Some(at) = self.bots.iter().position(|(bot, _)| *bot == index) {
            return Ok(self.bots.swap_remove(at).1);
        }
        let plan = &self.hall.plan.bots[index];
        let failed = |source| RunError::Spawn { name: plan.name.clone(), source };
        // A process stays on its processors, whichever side it plays.
        let place = usize::from(self.places[0] == Some(opponent) || self.places[1] == Some(index));
        self.places[place] = Some(index);
        let processors = self.hall.processors(self.number, place);
        let sandbox = Sandbox { processors, ..plan.sandbox.clone() };
        let birth = loop {
            self.be_patient(index).await;
            let source = match self.hall.keeper.start(&plan.command, &sandbox).await {
                Ok(birth) => break birth,
                Err(source) => source,
            };
            let starts = &self.hall.starts[index];
            starts.set(starts.get() + 1);
            // A program that has played may come back; the schedule deals with one that has not.
            let may_come_back = self.hall.played[index].get() && source.is_the_programs();
            if !may_come_back || starts.get() > WAITS || self.hall.finish.is_cancelled() {
                return Err(failed(source));
            }
        };
        let _nobody_listens = self.hall.news.send(News::Born(index, birth.promises.clone()));
        Link::new(birth, plan.sandbox.freeze)
            .map_err(|source| failed(SetupError::Prepare("the pipes of the bot".to_owned(), source)))
    }

    /// Waits before it starts a bot that has failed to start: the cause may go away, and a tournament should not
    /// fail because of a problem of some seconds. After many failures it no longer waits.
    async fn be_patient(&self, index: usize) {
        let failures = self.hall.starts[index].get();
        if (1..=WAITS).contains(&failures) {
            tokio::select! {
                () = tokio::time::sleep(FIRST_WAIT * 2u32.pow(failures - 1)) => {}
                () = self.hall.finish.cancelled() => {}
            }
        }
    }

    /// Returns whether a program has disappeared that existed before, and waiting did not help. This is the
    /// operator's problem and no bot's, and a game that is given up is never played again. With a rule of
    /// withdrawal the other bots play on.
    fn lost_for_good(&self, index: usize) -> bool {
        let hall = &self.hall;
        hall.plan.withdraw_after.is_none() && hall.played[index].get() && hall.starts[index].get() > WAITS
    }

    /// Keeps a process for the next game, unless it failed or must be restarted. Returns an error if the bot has
    /// failed so often before it could play that the run cannot continue.
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
        let faulty = verdict.failed(side);
        if game.began() {
            hall.played[index].set(true);
        }
        let starts = &hall.starts[index];
        starts.set(if faulty && !game.began() { starts.get() + 1 } else { 0 });
        if faulty || link.spent || verdict.reason == Reason::Void {
            link.bot.kill(&hall.keeper).await;
        } else if hall.plan.restart || link.bot.known.greeted.is_none() {
            // An unanswered `hello` would mix with that of the next game: no bot is asked for it twice.
            link.bot.retire(&hall.keeper).await;
        } else {
            self.bots.push((index, link));
        }
        if starts.get() < STARTS || hall.others_play_on() {
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

/// Records what the bots wrote to their standard errors.
fn standard_errors(seats: &[Link; 2], at_us: u64, scribe: &mut Scribe) {
    for side in Side::BOTH {
        let (text, total) = seats[side as usize].bot.stderr.take();
        if total > 0 {
            scribe.stderr(at_us, side, text);
        }
    }
}
