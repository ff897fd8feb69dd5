//! The schedule of a run, repeated from its record.

use bao_protocol::record::GameRow;
use bao_rules::{Position, Variant};

use crate::game::spec::GameSpec;
use crate::plan::{Format, MOST_BOTS, MOST_PLIES, Openings, Plan, PlanError};
use crate::schedule::{GameResult, Next, Schedule, Stray, Total};

/// How far a game's number may be ahead of the rows read so far: more than any number of tables needs, little enough
/// for the memory of a schedule.
const FARTHEST: u64 = 1 << 20;
/// The greatest number of a plan, and product of such numbers: the limit keeps sums of hostile numbers from
/// overflowing.
const GREATEST: u128 = 1 << 40;
/// The most openings that are made before the first game.
const MOST_OPENINGS: u64 = 10_000_000;

/// A schedule that takes row after row, as in a continued run.
#[derive(Debug)]
pub(crate) struct Planned {
    schedule: Schedule,
    rows: u64,
}

impl Planned {
    /// Makes the schedule of a plan.
    ///
    /// # Errors
    /// [`PlanError`] if the plan is not valid.
    pub(crate) fn new(plan: &Plan) -> Result<Self, PlanError> {
        if !within_bounds(plan) {
            return Err(PlanError::OutOfBounds);
        }
        Ok(Self { schedule: Schedule::new(plan)?, rows: 0 })
    }

    /// Takes the next row; returns the game that was planned and its result, or why the schedule does not have it.
    ///
    /// The row of a game that was running when it was no longer wanted does not matter: it is taken as it is.
    pub(crate) fn take(
        &mut self,
        row: &GameRow,
        plan: &Plan,
    ) -> (Option<GameSpec>, Result<GameResult, Stray>) {
        self.rows += 1;
        if row.game > self.rows + FARTHEST {
            return (None, Err(Stray::Unknown { game: row.game }));
        }
        let spec = self.schedule.planned(row.game);
        let result = GameResult::of(&row.into(), plan)
            .and_then(|result| self.schedule.finished(&result).map(|()| result));
        (spec.or_else(|| as_it_says(row, plan)), result)
    }

    /// Returns the schedule after all rows that were taken.
    pub(crate) fn schedule(&mut self) -> &Schedule {
        // A knockout draws conclusions from its last duels when it is asked for another pair.
        let _never_played = self.schedule.next_game();
        &self.schedule
    }

    /// Returns whether a finished game counts, by the rows that were taken; call [`schedule`](Self::schedule) first.
    pub(crate) fn counts(&self, game: u64, bots: [usize; 2]) -> bool {
        self.schedule.counts(game, bots)
    }

    /// Returns how many games the run has in total, as far as is known; `None` if it is complete.
    pub(crate) fn still_to_come(&mut self) -> Option<u64> {
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
