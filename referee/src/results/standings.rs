//! How the bots of a run stand: what a match or a tournament tells while it goes on and at its end.
//!
//! A game is counted in constant time, and the memory does not grow with their number, apart from a few bytes to find
//! games that are alike.

use std::collections::BTreeMap;

use bao_protocol::Reason;
use serde::Serialize;

use crate::plan::Plan;
use crate::record::read::GameBrief;
use crate::results::halves::{Half, Halves};
use crate::schedule::repeats::Repeats;
use crate::schedule::{End, GameResult, Place, Schedule};
use bao_stats::{RatingOptions, Seats, Summary, Table, ratings, summary};

/// Returns how many times strengths are drawn for the intervals of ratings: fewer where there are many bots, whose draws
/// cost the square of their number.
pub(crate) fn replicates(bots: usize) -> u32 {
    (40_000_000 / (bots * bots).max(1)).clamp(200, 1000) as u32
}

/// The results of a run, counted.
#[derive(Debug)]
pub struct Standings {
    names: Vec<String>,
    seed: u64,
    /// The pairs that tell something new.
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

    /// Returns how the two bots of a match stand.
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

    /// Returns what every bot has scored in all games that count, in the order of the plan.
    pub fn bots(&self) -> Vec<BotResult> {
        (0..self.names.len()).map(|index| self.bot(index)).collect()
    }

    fn bot(&self, index: usize) -> BotResult {
        let Seats { south, north } = self.seats[index];
        let [losses, draws, wins] = [0, 1, 2].map(|place| south[place] + north[place]);
        let score = wins as f64 + draws as f64 / 2.0;
        BotResult { name: self.names[index].clone(), wins, draws, losses, score }
    }

    /// Takes what [`Snapshot::rows`] needs, so that another thread may do the arithmetic.
    pub fn snapshot(&self, schedule: &Schedule) -> Snapshot {
        Snapshot {
            names: self.names.clone(),
            seed: self.seed,
            telling: self.telling(schedule),
            places: schedule.ranking(),
        }
    }

    /// Returns the pairs by which bots are rated: without those of withdrawn bots, and in a sequential test those that it
    /// has looked at. Pairs that were being played when it was decided are not among them.
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

    /// Returns the games that do not count, the pairs that only repeat others, and how often each reason ended a game.
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

/// How the two bots of a match stand.
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
    /// Pairs that only repeat others move for move; they are not among those above.
    pub repeated_pairs: u64,
    /// What the pairs say of the first bot against the second.
    pub statistics: Summary,
}

/// What a bot has scored.
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

/// What a run's games were like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Notes {
    /// Games that count.
    pub games: u64,
    /// Games that did not count.
    pub void: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Pairs that only repeat others move for move, and so do not count in ratings.
    pub repeated_pairs: u64,
    /// Games that were played before, move for move.
    pub repeated_games: u64,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<Reason, u64>,
}

/// The standings of a tournament at one moment, not yet worked out.
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
    /// Its points in complete pairs, with those of its byes.
    pub points: f64,
    /// Points among them of games that nobody played, because the other's program could not be started.
    pub walkovers: u64,
    /// Games that were played and make up its points.
    pub games: u64,
    /// Those won.
    pub wins: u64,
    /// Those drawn.
    pub draws: u64,
    /// Those lost.
    pub losses: u64,
    /// Rounds in which it was free (Swiss).
    pub byes: u64,
    /// The points of all that it met (Swiss).
    pub buchholz: Option<f64>,
    /// The points of those that it met, times what it scored against them.
    pub sonneborn_berger: Option<f64>,
    /// The round in which it was knocked out, or the one after the final (knockout).
    pub reached: Option<u64>,
    /// Its rating, the mean of all bots being 0.
    pub elo: Option<f64>,
    /// The lower end of the rating's 95 % interval; `None` where it is open, as for a bot that has won nothing.
    pub elo_low: Option<f64>,
    /// The upper end of the rating's 95 % interval; `None` where it is open, as for a bot that has lost nothing.
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
