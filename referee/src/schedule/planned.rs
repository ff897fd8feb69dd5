//! The schedule of a run, repeated from its record.

use std::collections::VecDeque;

use bao_protocol::record::GameRow;
use bao_rules::{Position, Variant};

use crate::arbiter::Rulings;
use crate::game::spec::GameSpec;
use crate::plan::{Format, MOST_BOTS, MOST_PLIES, Openings, Plan, PlanError};
use crate::record::read::{GameBrief, Ruling};
use crate::schedule::{GameResult, Next, Pair, Schedule, Stray, Total};

/// How far a game's number may be ahead of the rows read so far: more than any number of tables needs, little enough
/// for the memory of a schedule.
const FARTHEST: u64 = 1 << 20;
/// The greatest number of a plan, and product of such numbers: the limit keeps sums of hostile numbers from
/// overflowing.
const GREATEST: u128 = 1 << 40;
/// The most openings that are made before the first game.
const MOST_OPENINGS: u64 = 10_000_000;

/// A schedule that takes row after row, as in a continued run, with the arbiter's rulings on them.
#[derive(Debug)]
pub(crate) struct Planned {
    schedule: Schedule,
    rulings: Rulings,
    // What happens to bots after a number of rows.
    bots: VecDeque<(u64, Change)>,
    rows: u64,
}

/// What happens to the bots of an event while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// This many of the list take part now.
    Admit(usize),
    /// This one is disqualified.
    Disqualify(usize),
}

impl Planned {
    /// Makes the schedule of a plan and of the acts about it.
    ///
    /// # Errors
    /// [`PlanError`] if the plan is not valid.
    pub(crate) fn new(rulings: Rulings) -> Result<Self, PlanError> {
        let plan = &rulings.plan;
        if !within_bounds(plan) {
            return Err(PlanError::OutOfBounds);
        }
        let later = plan.before.iter().skip(1).map(|size| size.bots).chain([plan.bots.len()]);
        let admitted = plan.before.iter().zip(later).map(|(size, bots)| (size.rows, Change::Admit(bots)));
        let out = rulings.disqualified().filter_map(|(rows, name)| Some((rows, plan.bot(name)?)));
        let out = out.map(|(rows, bot)| (rows, Change::Disqualify(bot)));
        let mut bots: Vec<(u64, Change)> = admitted.chain(out).collect();
        bots.sort_unstable();
        Ok(Self { schedule: Schedule::new(plan)?, bots: bots.into(), rulings, rows: 0 })
    }

    /// Makes the schedule of some pairs of a plan, as the schedule of the plan has chosen them.
    ///
    /// # Errors
    /// [`PlanError`] if the plan is not valid.
    pub(crate) fn of_pairs(plan: Plan, json: serde_json::Value, pairs: Vec<Pair>) -> Result<Self, PlanError> {
        if !within_bounds(&plan) {
            return Err(PlanError::OutOfBounds);
        }
        let schedule = Schedule::of_pairs(&plan, pairs)?;
        Ok(Self { schedule, rulings: Rulings::none(plan, json), bots: VecDeque::new(), rows: 0 })
    }

    /// Returns the schedule, to be continued after the rows that were taken.
    pub(crate) fn continued(&mut self) -> &mut Schedule {
        self.catch_up();
        &mut self.schedule
    }

    /// Returns the plan.
    pub(crate) fn plan(&self) -> &Plan {
        &self.rulings.plan
    }

    /// Returns the rulings.
    pub(crate) fn rulings(&self) -> &Rulings {
        &self.rulings
    }

    /// Rules on the next row, which was not taken yet.
    pub(crate) fn rule<'a>(&self, row: &'a GameRow) -> GameBrief<'a> {
        let mut brief = GameBrief::from(row);
        self.rulings.rule(self.rows + 1, &mut brief);
        brief
    }

    /// Takes the next row; returns the game that was planned and its result, or why the schedule does not have it.
    ///
    /// The row of a game that was running when it was no longer wanted does not matter: it is taken as it is.
    pub(crate) fn take(&mut self, row: &GameRow) -> (Option<GameSpec>, Result<GameResult, Stray>) {
        let brief = self.rule(row);
        self.catch_up();
        let spec = if self.is_near(row.game) { self.schedule.planned(row.game) } else { None };
        let result = self.continue_with(&brief);
        (spec.or_else(|| as_it_says(row, &self.rulings.plan)), result)
    }

    /// Takes the next row, on which was ruled before.
    ///
    /// # Errors
    /// [`Stray`] if the schedule does not have its game.
    pub(crate) fn continue_with(&mut self, row: &GameBrief<'_>) -> Result<GameResult, Stray> {
        self.catch_up();
        let near = self.is_near(row.game);
        self.rows += 1;
        if !near {
            return Err(Stray::Unknown { game: row.game });
        }
        let result = GameResult::of(row, &self.rulings.plan)?;
        self.schedule.finished(&result)?;
        Ok(result)
    }

    fn is_near(&self, game: u64) -> bool {
        game <= self.rows + 1 + FARTHEST
    }

    /// Does what was to happen after the rows that were taken.
    fn catch_up(&mut self) {
        self.schedule.at_row(self.rows);
        while self.bots.front().is_some_and(|(rows, _)| *rows <= self.rows)
            && let Some((_, change)) = self.bots.pop_front()
        {
            match change {
                Change::Admit(bots) => self.schedule.admit(bots),
                Change::Disqualify(bot) => self.schedule.disqualify(bot),
            }
        }
    }

    /// Returns the schedule after all rows that were taken.
    pub(crate) fn schedule(&mut self) -> &Schedule {
        self.catch_up();
        // A knockout draws conclusions from its last duels when it is asked for another pair.
        let _never_played = self.schedule.next_game();
        &self.schedule
    }

    /// Returns the schedule, to be continued, with the plan.
    pub(crate) fn into_schedule(mut self) -> (Schedule, Rulings) {
        self.catch_up();
        (self.schedule, self.rulings)
    }

    /// Returns whether the game of the row with this number counts, by the rows that were taken; call
    /// [`schedule`](Self::schedule) first.
    pub(crate) fn counts(&self, number: u64, game: u64, bots: [usize; 2]) -> bool {
        self.rulings.ruling(number) != Some(Ruling::Annulled) && self.schedule.counts(game, bots)
    }

    /// Returns how many games the run has in total, as far as is known; `None` if it is complete.
    pub(crate) fn still_to_come(&mut self) -> Option<u64> {
        self.catch_up();
        match self.schedule.next_game() {
            Next::Over => None,
            Next::Game(_) | Next::Wait => Some(match self.schedule.total() {
                Total::Exactly(games) | Total::AtMost(games) => games,
            }),
        }
    }
}

/// Returns the game that a row names.
fn as_it_says(row: &GameRow, plan: &Plan) -> Option<GameSpec> {
    let variant: Variant = row.variant.parse().ok()?;
    let GameRow { game, pair, round, opening, .. } = *row;
    let position = Position::parse(variant, &row.position).ok()?;
    Some(GameSpec {
        game,
        pair,
        round,
        opening,
        position,
        seats: [plan.bot(&row.south)?, plan.bot(&row.north)?],
    })
}

/// Returns whether a run can have been started with the numbers of this plan.
fn within_bounds(plan: &Plan) -> bool {
    let (bots, games) = (plan.bots.len() as u128, plan.games.len() as u128);
    let most = match plan.format {
        Format::Match { games } => u128::from(games),
        Format::RoundRobin { cycles } => bots * bots * games * u128::from(cycles),
        Format::Gauntlet { challengers, cycles } => {
            if u128::from(challengers) > bots {
                return false;
            }
            bots * bots * games * u128::from(cycles)
        }
        Format::Swiss { rounds, pairs } => {
            bots * games * u128::from(rounds).saturating_mul(u128::from(pairs)).min(GREATEST)
        }
        Format::Knockout { best_of, extra } => bots * games * (u128::from(best_of) + u128::from(extra)),
        Format::Sprt { max_pairs, .. } => u128::from(max_pairs),
    };
    let openings = plan.games.iter().all(|game| match game.openings {
        Openings::Generated { plies, count } => {
            u64::from(plies) <= MOST_PLIES && count.is_none_or(|count| (1..=MOST_OPENINGS).contains(&count))
        }
        Openings::None {} | Openings::Given { .. } => true,
    });
    (2..=MOST_BOTS as u128).contains(&bots)
        && games >= 1
        && most <= GREATEST
        && openings
        && plan.max_plies <= MOST_PLIES
}
