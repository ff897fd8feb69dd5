//! Gives a run's games to the tables and takes in their results.

use bao_protocol::record::Run;
use bao_rules::Side;
use tokio::sync::oneshot;

use super::error::RunError;
use super::hall::{Hall, News};
use crate::game::spec::GameSpec;
use crate::record::outlet::Outlet;
use crate::record::{Entry, Finished, RecordError};
use crate::schedule::{GameResult, Next, Schedule};
use bao_jail::Promise;

/// What a run reports to its followers.
pub trait Follower {
    /// A game has been started.
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str);
    /// A game is over and durable.
    fn finished(&mut self, finished: &Finished, result: &GameResult, schedule: &Schedule);
    /// A bot has been started, with these promises about it.
    fn born(&mut self, bot: usize, promises: &[Promise]);
    /// A bot has introduced itself. Returns the record's head if it has changed.
    fn greeted(&mut self, bot: usize, hello: &bao_protocol::from_bot::Hello) -> Option<Run>;
}

/// Gives games to the tables and takes in their results.
pub(super) struct Desk<'a> {
    schedule: &'a mut Schedule,
    follower: &'a mut dyn Follower,
    hall: &'a Hall,
    // `None` once the tables are done.
    ledger: Option<Outlet<Entry>>,
    failed: Option<RunError>,
    waiting: Vec<oneshot::Sender<Option<GameSpec>>>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        schedule: &'a mut Schedule,
        follower: &'a mut dyn Follower,
        hall: &'a Hall,
        ledger: Outlet<Entry>,
    ) -> Self {
        Self { schedule, follower, hall, ledger: Some(ledger), failed: None, waiting: Vec::new() }
    }

    /// Drops its sender to the ledger, so that the ledger can be closed.
    pub(super) fn leave_ledger(&mut self) {
        self.ledger = None;
    }

    /// Returns the error that ended the run, if one did.
    pub(super) fn close(self) -> Result<(), RunError> {
        self.failed.map_or(Ok(()), Err)
    }

    pub(super) fn hear(&mut self, news: News) {
        match news {
            News::Free(table) => self.hand_out(table),
            News::Born(bot, promises) => self.follower.born(bot, &promises),
            News::Greeted(bot, hello) => {
                tracing::debug!(bot = self.hall.plan.bots[bot].name, hello = hello.name, "greet");
                if let (Some(head), Some(ledger)) = (self.follower.greeted(bot, &hello), &self.ledger) {
                    ledger.enter(Entry::Head(Box::new(head)));
                }
            }
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

    pub(super) fn durable(&mut self, finished: Result<Finished, RecordError>) {
        match finished {
            Ok(finished) => {
                let result = GameResult::of(&(&finished.row).into(), &self.hall.plan)
                    .and_then(|result| self.schedule.finished(&result).map(|()| result))
                    .expect("the schedule handed this game out");
                self.follower.finished(&finished, &result, self.schedule);
                for table in std::mem::take(&mut self.waiting) {
                    self.hand_out(table);
                }
            }
            Err(error) => self.fail(error.into()),
        }
    }

    pub(super) fn fail(&mut self, error: RunError) {
        self.hall.finish.cancel();
        self.hall.stop.cancel();
        for table in std::mem::take(&mut self.waiting) {
            self.hand_out(table);
        }
        self.failed.get_or_insert(error);
    }
}
