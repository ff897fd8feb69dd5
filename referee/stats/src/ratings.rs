//! Ratings of many bots with intervals, and how likely each is better than each other.

use std::cmp::Ordering;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::bootstrap::resample;
use super::bradley_terry::{Duel, fit};
use super::table::Table;

const ELO_PER_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Says how ratings are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingOptions {
    /// What the ratings are measured from.
    pub anchor: Anchor,
    /// How many times the pairs are drawn anew for intervals and likelihoods; 0 leaves them out.
    pub replicates: u32,
    /// The seed of those draws: the same seed and results give the same intervals.
    pub seed: u64,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self { anchor: Anchor::Mean, replicates: 1000, seed: 0 }
    }
}

/// Names the zero of the rating scale, since games tell only differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all bots that played is 0.
    Mean,
    /// This bot has this Elo, and so no interval of its own.
    Bot {
        /// The bot's number.
        bot: usize,
        /// Its Elo.
        elo: f64,
    },
}

/// Holds what [`ratings`] found, bots in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// One rating a bot.
    pub bots: Vec<Rating>,
    /// Row a, column b: the likelihood that a is better than b; `None` on the diagonal, without replicates, and
    /// for a bot that has not played.
    pub superiority: Vec<Vec<Option<f64>>>,
}

/// Holds one bot's rating. All values but the counts are `None` for a bot that has not played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// The bot's number.
    pub bot: usize,
    /// Complete pairs played.
    pub pairs: u64,
    /// Games in them.
    pub games: u64,
    /// Mean score a game, from 0 to 1.
    pub score: Option<f64>,
    /// The rating.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `None` also without replicates.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` also without replicates.
    pub elo_high: Option<f64>,
}

/// Rates all bots of a table on one Elo scale.
///
/// - Ratings: Bradley-Terry, most likely after one virtual draw of every bot against a bot of strength 0, which
///   keeps all-win bots finite (as the priors of R. Coulom's BayesElo and M. A. Ballicora's Ordo do). Bots that
///   no chain of games joins are compared by that draw alone, that is: by nothing.
/// - Intervals: 2.5 % and 97.5 % quantiles of the ratings over replicates in which the pairs of every pairing
///   are drawn anew (B. Efron's percentile bootstrap), widened if need be to contain the rating.
/// - Superiority: the share of replicates in which a stands above b, equal ratings counting half.
///
/// The cost does not depend on the number of games; a replicate takes a few Newton steps, each some dozen times the
/// number of pairings that met.
pub fn ratings(table: &Table, options: &RatingOptions) -> Ratings {
    let mut duels: Vec<Duel> = Vec::new();
    let mut played = vec![false; table.bots()];
    for (a, b, pairs) in table.pairings() {
        duels.push(Duel { a, b, points: points(&pairs) });
        (played[a], played[b]) = (true, true);
    }
    let scale = Scale { anchor: options.anchor, played: &played };
    let mut strengths = vec![0.0; table.bots()];
    fit(&mut strengths, &duels);
    let elos = scale.elos(&strengths);

    let mut spread = Spread::new(table.bots(), options.replicates);
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    for _ in 0..options.replicates {
        for (duel, (_, _, pairs)) in duels.iter_mut().zip(table.pairings()) {
            duel.points = points(&resample(&pairs, &mut rng));
        }
        let mut drawn = strengths.clone();
        fit(&mut drawn, &duels);
        spread.add(&scale.elos(&drawn));
    }

    let rate = |bot: usize| {
        let counts = table.against_all(bot);
        let interval = spread.interval(bot).filter(|_| played[bot]);
        Rating {
            bot,
            pairs: counts.units(),
            games: counts.games(),
            score: counts.mean(),
            elo: played[bot].then_some(elos[bot]),
            elo_low: interval.map(|(low, _)| low.min(elos[bot])),
            elo_high: interval.map(|(_, high)| high.max(elos[bot])),
        }
    };
    let superiority = |a: usize, b: usize| (a != b && played[a] && played[b]).then(|| spread.above(a, b))?;
    Ratings {
        bots: (0..table.bots()).map(rate).collect(),
        superiority: (0..table.bots())
            .map(|a| (0..table.bots()).map(|b| superiority(a, b)).collect())
            .collect(),
    }
}

/// Returns the points of both sides in these pairs.
fn points(pairs: &[u64; 5]) -> [f64; 2] {
    let own: f64 =
        pairs.iter().enumerate().map(|(half_points, &n)| (half_points as u64 * n) as f64 / 2.0).sum();
    let games = 2.0 * pairs.iter().sum::<u64>() as f64;
    [own, games - own]
}

/// Where zero is.
struct Scale<'a> {
    anchor: Anchor,
    played: &'a [bool],
}

impl Scale<'_> {
    fn elos(&self, strengths: &[f64]) -> Vec<f64> {
        let elos = strengths.iter().map(|strength| strength * ELO_PER_STRENGTH);
        let shift = match self.anchor {
            Anchor::Bot { bot, elo } => elo - strengths[bot] * ELO_PER_STRENGTH,
            Anchor::Mean => {
                let rated = elos.clone().zip(self.played).filter(|(_, played)| **played);
                let (sum, count) = rated.fold((0.0, 0.0), |(sum, count), (elo, _)| (sum + elo, count + 1.0));
                if count > 0.0 { -sum / count } else { 0.0 }
            }
        };
        elos.map(|elo| elo + shift).collect()
    }
}

/// The ratings of all replicates.
struct Spread {
    /// One list a bot.
    elos: Vec<Vec<f64>>,
}

impl Spread {
    fn new(bots: usize, replicates: u32) -> Self {
        Self { elos: vec![Vec::with_capacity(replicates as usize); bots] }
    }

    fn add(&mut self, elos: &[f64]) {
        for (list, &elo) in self.elos.iter_mut().zip(elos) {
            list.push(elo);
        }
    }

    fn interval(&self, bot: usize) -> Option<(f64, f64)> {
        let mut sorted = self.elos[bot].clone();
        sorted.sort_by(f64::total_cmp);
        Some((quantile(&sorted, 0.025)?, quantile(&sorted, 0.975)?))
    }

    fn above(&self, a: usize, b: usize) -> Option<f64> {
        let (a, b) = (&self.elos[a], &self.elos[b]);
        let wins: f64 = a
            .iter()
            .zip(b)
            .map(|(a, b)| match a.total_cmp(b) {
                Ordering::Greater => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Less => 0.0,
            })
            .sum();
        (!a.is_empty()).then(|| wins / a.len() as f64)
    }
}

/// Returns the quantile of a sorted list, linear between neighbours, or `None` if the list is empty.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}
