//! The standings of a run: what a match or a tournament reports while it runs and at its end.
//!
//! A game is counted in constant time. Memory does not grow with the number of games, apart from a few bytes per
//! game to find repeated games.

use std::collections::BTreeMap;

use bao_protocol::Reason;
use serde::Serialize;

use crate::plan::Plan;
use crate::record::read::GameBrief;
use crate::results::halves::{Half, Halves};
use crate::schedule::repeats::Repeats;
use crate::schedule::{End, GameResult, Place, Schedule};
use bao_stats::{RatingOptions, Seats, Summary, Table, ratings, summary};

/// Returns how many random samples the intervals of ratings get: fewer for many bots, because the cost of a sample
/// grows with the square of their number.
pub(crate) fn replicates(bots: usize) -> u32 {
    (40_000_000 / (bots * bots).max(1)).clamp(200, 1000) as u32
}

/// The results of a run, counted.
#[derive(Debug)]
pub struct Standings {
    names: Vec<String>,
    seed: u64,
    /// The pairs that do not repeat others.
    telling: Table,
    seats: Vec<Seats>,
    halves: Halves,
    repeats: Repeats,
    pairs: u64,
    games: u64,
    voids: u64,
    reasons: BTreeMap<Reason, u64>,
}

impl Standings {
    /// Begins with no game.
    pub fn new(plan: &Plan) -> Self {
        let bots = plan.bots.len();
        Self {
            names: plan.bots.iter().map(|bot| bot.name.clone()).collect(),
            seed: plan.seed,
            telling: Table::new(bots),
            seats: vec![Seats::default(); bots],
            halves: Halves::default(),
            repeats: Repeats::default(),
            pairs: 0,
            games: 0,
            voids: 0,
            reasons: BTreeMap::new(),
        }
    }

    /// Counts a finished game.
    pub fn add(&mut self, row: &GameBrief<'_>, result: &GameResult) {
        let End::Counts(south) = result.end else {
            self.voids += 1;
            return;
        };
        self.games += 1;
        *self.reasons.entry(row.reason).or_default() += 1;
        self.seats[result.seats[0]].south[south.half_points()] += 1;
        self.seats[result.seats[1]].north[south.mirrored().half_points()] += 1;
        self.repeats.game(row.game, result.moves);
        let GameResult { game, seats, moves, start, .. } = *result;
        let half = Half { game, seats, outcome: south, moves, start };
        if let Some((start, pair)) = self.halves.add(row.pair, half) {
            self.pairs += 1;
            let telling = &mut self.telling;
            self.repeats.pair(start, pair, |pair| telling.add_pair(pair.a, pair.b, pair.outcomes));
        }
    }

    /// Returns how many games count so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns how many pairs are complete.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the standings of the two bots of a match.
    ///
    /// # Panics
    /// The plan has one bot only.
    pub fn contest(&self, schedule: &Schedule) -> Contest {
        let [first, second] = [self.bot(0), self.bot(1)];
        let counts = self.telling(schedule).contest(0, 1);
        let pairs = counts.cells().try_into().expect("a table counts pairs");
        let wins = |seats: fn(&Seats) -> &[u64; 3]| self.seats.iter().map(|bot| seats(bot)[2]).sum();
        Contest {
            games: self.games,
            void: self.voids,
            bots: [first, second],
            south_wins: wins(|seats| &seats.south),
            north_wins: wins(|seats| &seats.north),
            reasons: self.reasons.clone(),
            pairs,
            repeated_pairs: self.repeated_pairs(schedule),
            statistics: summary(&counts, None),
        }
    }

    /// Returns the score of every bot in all games that count, in the order of the plan.
    pub fn bots(&self) -> Vec<BotResult> {
        (0..self.names.len()).map(|index| self.bot(index)).collect()
    }

    fn bot(&self, index: usize) -> BotResult {
        let Seats { south, north } = self.seats[index];
        let [losses, draws, wins] = [0, 1, 2].map(|place| south[place] + north[place]);
        let score = wins as f64 + draws as f64 / 2.0;
        BotResult { name: self.names[index].clone(), wins, draws, losses, score }
    }

    /// Copies what [`Snapshot::rows`] needs, so that another thread can compute it.
    pub fn snapshot(&self, schedule: &Schedule) -> Snapshot {
        Snapshot {
            names: self.names.clone(),
            seed: self.seed,
            telling: self.telling(schedule),
            places: schedule.ranking(),
        }
    }

    /// Returns the pairs for ratings: without those of withdrawn bots, and in a sequential test only those at which
    /// the test has looked. Pairs that were being played when it was decided are not among them.
    fn telling(&self, schedule: &Schedule) -> Table {
        let Some(test) = schedule.test() else { return self.telling.without(schedule.withdrawn()) };
        let mut table = Table::new(self.names.len());
        table.add_pairs(0, 1, test.counts);
        table
    }

    /// Returns the same pairs by the names of their bots, counted by the points of the first.
    pub(crate) fn telling_pairs(&self, schedule: &Schedule) -> Vec<([&str; 2], [u64; 5])> {
        let table = self.telling(schedule);
        let bots = 0..self.names.len();
        let two = bots.clone().flat_map(|a| bots.clone().skip(a + 1).map(move |b| [a, b]));
        let met = two.filter_map(|[a, b]| {
            let pairs = table.contest(a, b).cells().try_into().expect("a table counts pairs");
            (pairs != [0; 5]).then(|| ([a, b].map(|bot| self.names[bot].as_str()), pairs))
        });
        met.collect()
    }

    fn repeated_pairs(&self, schedule: &Schedule) -> u64 {
        schedule.test().map_or_else(|| self.repeats.held_pairs(), |test| test.repeated)
    }

    /// Returns the games that do not count, the pairs that repeat others, and how often each reason ended a game.
    pub fn notes(&self, schedule: &Schedule) -> Notes {
        Notes {
            games: self.games,
            void: self.voids,
            pairs: self.pairs,
            repeated_pairs: self.repeated_pairs(schedule),
            repeated_games: self.repeats.games().values().map(|times| times - 1).sum(),
            reasons: self.reasons.clone(),
        }
    }
}

/// The standings of the two bots of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contest {
    /// Games that count.
    pub games: u64,
    /// Games that did not count.
    pub void: u64,
    /// The two, in the order of the plan.
    pub bots: [BotResult; 2],
    /// Games won by South.
    pub south_wins: u64,
    /// Games won by North.
    pub north_wins: u64,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<Reason, u64>,
    /// Complete pairs by the first bot's points in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Pairs with the same moves as others; they are not in `pairs`.
    pub repeated_pairs: u64,
    /// The statistics of the first bot against the second.
    pub statistics: Summary,
}

/// The score of a bot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BotResult {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points: 1 for a win, 0.5 for a draw.
    pub score: f64,
}

/// Counts of a run's games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notes {
    /// Games that count.
    pub games: u64,
    /// Games that did not count.
    pub void: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Pairs with the same moves as others, which do not count in ratings.
    pub repeated_pairs: u64,
    /// Games with the same moves as earlier games.
    pub repeated_games: u64,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<Reason, u64>,
}

/// The standings of a tournament at one moment, not computed yet.
#[derive(Debug, Clone)]
pub struct Snapshot {
    names: Vec<String>,
    seed: u64,
    telling: Table,
    places: Vec<Place>,
}

/// One line of a tournament's standings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingsRow {
    /// The bot's name.
    pub name: String,
    /// Its rank by the format's own rule, from 1.
    pub rank: u64,
    /// Its points in complete pairs and for byes.
    pub points: f64,
    /// The part of these points from games that were not played because the opponent's program could not be started.
    pub walkovers: u64,
    /// The games behind its points that were played.
    pub games: u64,
    /// Those won.
    pub wins: u64,
    /// Those drawn.
    pub draws: u64,
    /// Those lost.
    pub losses: u64,
    /// Rounds in which it was free (Swiss).
    pub byes: u64,
    /// The sum of its opponents' points (Swiss).
    pub buchholz: Option<f64>,
    /// The sum of each opponent's points times its score against this opponent.
    pub sonneborn_berger: Option<f64>,
    /// The round in which it was knocked out, or the number after the final's for the winner (knockout).
    pub reached: Option<u64>,
    /// Its rating; the mean of all bots is 0.
    pub elo: Option<f64>,
    /// The lower end of the rating's 95 % interval; `None` if it is open, as for a bot that won no points.
    pub elo_low: Option<f64>,
    /// The upper end of the rating's 95 % interval; `None` if it is open, as for a bot that lost no points.
    pub elo_high: Option<f64>,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
}

impl Snapshot {
    /// Computes the standings, best first.
    pub fn rows(&self) -> Vec<StandingsRow> {
        let options =
            RatingOptions { replicates: replicates(self.names.len()), seed: self.seed, ..Default::default() };
        let ratings = ratings(&self.telling, &options);
        let row = |place: &Place| {
            let [losses, draws, wins] = place.results;
            let rating = &ratings.bots[place.bot];
            StandingsRow {
                name: self.names[place.bot].clone(),
                rank: place.rank,
                points: place.points,
                walkovers: place.walkovers,
                games: wins + draws + losses,
                wins,
                draws,
                losses,
                byes: place.byes,
                buchholz: place.buchholz,
                sonneborn_berger: place.sonneborn_berger,
                reached: place.reached,
                elo: rating.elo,
                elo_low: rating.elo_low,
                elo_high: rating.elo_high,
                withdrawn: place.withdrawn,
            }
        };
        self.places.iter().map(row).collect()
    }
}
