//! The plan of a run, read from its record: what it says of each game.

use bao_protocol::record::GameRow;
use bao_rules::{Position, Variant};

use crate::game::spec::GameSpec;
use crate::plan::{Format, MOST_BOTS, MOST_PLIES, Openings, Plan, PlanError};
use crate::schedule::{GameResult, Next, Schedule, Stray, Total};

/// How far ahead of the rows read so far a game's number may be: more than any number of tables reaches, little enough
/// for a schedule to hold.
const FARTHEST: u64 = 1 << 20;
/// No number of a plan, nor a product of them, is greater: it keeps sums of hostile numbers from overflowing.
const GREATEST: u128 = 1 << 40;
/// The most openings that are made before a game is looked at.
const MOST_OPENINGS: u64 = 10_000_000;

/// A schedule that takes in row after row, as a run that goes on does.
#[derive(Debug)]
pub(crate) struct Planned {
    schedule: Schedule,
    rows: u64,
}

impl Planned {
    /// Makes the schedule of a plan.
    ///
    /// # Errors
    /// What is wrong with the plan.
    pub(crate) fn new(plan: &Plan) -> Result<Self, PlanError> {
        if !within_bounds(plan) {
            return Err(PlanError::OutOfBounds);
        }
        Ok(Self { schedule: Schedule::new(plan)?, rows: 0 })
    }

    /// Takes the next row; says what its game was to be, and its result, or why the schedule does not have it.
    ///
    /// A game that was running when it was no longer wanted has a row that does not matter: it is what it says.
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

    /// Returns the schedule, told of all rows that were taken.
    pub(crate) fn schedule(&mut self) -> &Schedule {
        // A knockout draws conclusions from its last duels when it is asked for more.
        let _never_played = self.schedule.next_game();
        &self.schedule
    }

    /// Returns whether a finished game counts, as far as the rows that were taken say; after [`schedule`](Self::schedule).
    pub(crate) fn counts(&self, game: u64, bots: [usize; 2]) -> bool {
        self.schedule.counts(game, bots)
    }

    /// Returns how many games the run has in all, as far as is known; none where it is complete.
    pub(crate) fn still_to_come(&mut self) -> Option<u64> {
        match self.schedule.next_game() {
            Next::Over => None,
            Next::Game(_) | Next::Wait => Some(match self.schedule.total() {
                Total::Exactly(games) | Total::AtMost(games) => games,
            }),
        }
    }
}

/// The game that a row says it is.
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

/// Returns whether the numbers of a plan are such as a run can have been started with.
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
