//! Plays a pair of each game between two bots to measure how long games take; nothing is recorded.

use std::time::Duration;

use bao_protocol::from_bot::Hello;
use bao_protocol::record::Run;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::cli::failure::Failure;
use crate::game::spec::GameSpec;
use crate::plan::{Format, Plan};
use crate::record::Finished;
use crate::record::outlet::Backlog;
use crate::run::{Conditions, Follower, run};
use crate::schedule::{GameResult, Schedule};
use bao_jail::{Host, Promise};

/// The measurements.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Trial {
    /// The two bots.
    pub(super) bots: Vec<String>,
    /// How many games were finished.
    pub(super) games: u64,
    /// How many moves these games had together.
    pub(super) plies: u64,
    /// How many moves were made in all games, including unfinished games.
    pub(super) all_plies: u64,
    /// How long all of them took together.
    pub(super) duration_us: u64,
}

impl Trial {
    /// Returns how long a move takes, in microseconds, if any was made.
    pub(super) fn ply_us(&self) -> Option<f64> {
        (self.all_plies > 0).then(|| self.duration_us as f64 / self.all_plies as f64)
    }

    /// Returns how many moves a game has, if any was finished.
    pub(super) fn plies_a_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.plies as f64 / self.games as f64)
    }
}

impl Follower for Trial {
    fn started(&mut self, _spec: &GameSpec, _south: &str, _north: &str) {}

    fn finished(&mut self, finished: &Finished, _result: &GameResult, _schedule: &Schedule) {
        let row = &finished.row;
        self.all_plies += row.plies;
        self.duration_us += row.duration_us;
        if row.score_south.is_some() {
            self.games += 1;
            self.plies += row.plies;
        }
    }

    fn born(&mut self, _bot: usize, _promises: &[Promise]) {}

    fn greeted(&mut self, _bot: usize, _hello: &Hello) -> Option<Run> {
        None
    }
}

/// Plays a pair of each of the plan's games between two of its bots, for no longer than the budget.
pub(super) fn play(plan: &Plan, bots: [usize; 2], host: Host, budget_us: u64) -> Result<Trial, Failure> {
    let plan = Plan {
        format: Format::RoundRobin { cycles: 1 },
        bots: bots.map(|bot| plan.bots[bot].clone()).into(),
        withdraw_after: None,
        before: Vec::new(),
        ..plan.clone()
    };
    let mut schedule = Schedule::new(&plan)?;
    let conditions = Conditions {
        host,
        record: None,
        plan_sha256: None,
        concurrency: 1,
        pinning: None,
        events: None,
        backlog: Backlog::default(),
        finish: CancellationToken::new(),
        stop: CancellationToken::new(),
    };
    let (finish, stop) = (conditions.finish.clone(), conditions.stop.clone());
    let mut trial =
        Trial { bots: plan.bots.iter().map(|bot| bot.name.clone()).collect(), ..Trial::default() };
    let runtime = crate::play::driver::runtime()?;
    runtime.block_on(async {
        let played = run(&plan, &mut schedule, conditions, &mut trial);
        tokio::pin!(played);
        tokio::select! {
            outcome = &mut played => return outcome,
            () = tokio::time::sleep(Duration::from_micros(budget_us)) => {}
        }
        finish.cancel();
        stop.cancel();
        played.await
    })?;
    Ok(trial)
}
