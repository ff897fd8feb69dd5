//! The order of the bots, best first.
//!
//! Where the record holds a plan that this version can carry out, the plan's own schedule ranks them, as it did
//! while the run continued: tie-breaks, byes and withdrawals included. Else ratings or points do.

use bao_protocol::record::{GameRow, Run};

use super::results::Results;
use super::words::{points, quarters};
use crate::arbiter::Rulings;
use crate::schedule::planned::Planned;
use crate::schedule::{Place, Round, Stray, TestState, Total};
use bao_stats::{Rating, Ratings};

/// A run's schedule while it takes in the rows of the record.
#[derive(Debug)]
pub(super) struct Official {
    planned: Planned,
    /// What does not fit the plan, once something does not.
    stray: Option<Stray>,
}

/// What a schedule says in the end.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// The bots in their order; empty where the schedule cannot tell.
    pub(super) places: Vec<Place>,
    /// The state of the sequential test, if there is one.
    pub(super) test: Option<TestState>,
    /// The rounds, in a format that has rounds.
    pub(super) rounds: Vec<Round>,
    /// How far the run has come; `None` where the schedule cannot tell.
    pub(super) extent: Option<Extent>,
    /// How many games were given up after too many tries that did not count.
    pub(super) given_up: u64,
    /// Why the schedule cannot tell, where it should.
    pub(super) stray: Option<Stray>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All games that its plan wants are over.
    Over {
        /// How many they are.
        games: u64,
    },
    /// It has more to play.
    Running {
        /// How many games are over.
        done: u64,
        /// How many there will be in all.
        games: u64,
        /// Whether there will be at most this many.
        at_most: bool,
    },
}

/// A bot's place in the order.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) bot: usize,
    /// Its place by the format's own rule, where that is known.
    pub(super) place: Option<Place>,
    pub(super) rating: Rating,
    /// Losses, draws, wins in all games.
    pub(super) results: [u64; 3],
    /// How many games it lost by its program's fault.
    pub(super) faults: u64,
}

impl Official {
    /// Makes the schedule of a run, if its plan is one that this version can carry out.
    pub(super) fn of(rulings: Rulings, run: &Run) -> Option<Self> {
        // Bots are known by their places, so both lists must be the same.
        let same = rulings.plan.bots.iter().map(|bot| &bot.name).eq(run.bots.iter().map(|bot| &bot.name));
        let planned = Planned::new(rulings).ok().filter(|_| same)?;
        Some(Self { planned, stray: None })
    }

    /// Reports a game to the schedule.
    pub(super) fn add(&mut self, row: &GameRow) {
        if self.stray.is_none() {
            self.stray = self.planned.take(row).1.err();
        }
    }

    /// Asks the schedule for its conclusions.
    pub(super) fn conclude(mut self) -> Ranking {
        if self.stray.is_some() {
            return Ranking { stray: self.stray, ..Ranking::default() };
        }
        let over = self.planned.still_to_come().is_none();
        let schedule = self.planned.schedule();
        let extent = match (over, schedule.total()) {
            (true, _) => Extent::Over { games: schedule.done() },
            (false, Total::Exactly(games)) => {
                Extent::Running { done: schedule.done(), games, at_most: false }
            }
            (false, Total::AtMost(games)) => Extent::Running { done: schedule.done(), games, at_most: true },
        };
        Ranking {
            rounds: schedule.rounds(),
            extent: Some(extent),
            places: schedule.ranking(),
            test: schedule.test(),
            given_up: schedule.given_up(),
            stray: None,
        }
    }
}

impl Ranking {
    /// Returns the bots that were withdrawn.
    pub(super) fn withdrawn(&self) -> Vec<usize> {
        self.places.iter().filter(|place| place.withdrawn).map(|place| place.bot).collect()
    }
}

impl Standing {
    /// Returns how many games the bot has played.
    pub(super) fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Shows the points that decide its place.
    pub(super) fn shown_points(&self) -> String {
        match &self.place {
            Some(place) => quarters(place.points),
            None => points(self.results),
        }
    }

    fn half_points(&self) -> u64 {
        self.results[1] + 2 * self.results[2]
    }
}

/// Puts the bots in order: two by their points in all games; more by the schedule's ranking, or where there is none
/// by points or ratings.
pub(super) fn standings(
    results: &Results,
    ratings: &Ratings,
    ranking: &Ranking,
    by_points: bool,
) -> Vec<Standing> {
    let standing = |bot: usize, place: Option<Place>| Standing {
        bot,
        place,
        rating: ratings.bots[bot],
        results: results.points_of(bot),
        faults: results.faults_of(bot),
    };
    if results.bots.len() > 2 && !ranking.places.is_empty() {
        return ranking.places.iter().map(|place| standing(place.bot, Some(place.clone()))).collect();
    }
    let mut standings: Vec<Standing> = (0..results.bots.len()).map(|bot| standing(bot, None)).collect();
    let by_points = by_points || standings.len() == 2;
    standings.sort_by(|one, other| {
        let points = other.half_points().cmp(&one.half_points());
        let elo = |standing: &Standing| standing.rating.elo.unwrap_or(f64::NEG_INFINITY);
        let elo = elo(other).total_cmp(&elo(one));
        if by_points { points.then(elo) } else { elo.then(points) }
    });
    standings
}
