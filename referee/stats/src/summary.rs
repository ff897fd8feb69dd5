//! Elo, normalized Elo and likelihood of superiority of one bot over another.

use serde::Serialize;

use super::contest::Contest;
use super::counts::Counts;
use super::elo::{ELO_PER_NORMALIZED_UNIT, ELO_PER_STRENGTH, elo_of_score};
use super::sprt::{Sprt, SprtState};

/// Holds the 97.5 % quantile of the standard normal distribution: 95 % lie within this many deviations.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Holds what is known of bot A against bot B, ready for JSON; printed by `referee stats`.
///
/// An estimate that does not exist or is not finite is `None`: without games everything is; a score of 0 or 1
/// has no Elo, and its interval is open on that side; results that are all alike have no deviation, and so neither a
/// normalized Elo nor, unless they are level, a likelihood of superiority.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Games played. For pairs this is twice the number of pairs.
    pub games: u64,
    /// A's mean score a game, from 0 to 1.
    pub score: Option<f64>,
    /// A's logistic Elo over B.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; missing where A lost every game.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; missing where A won every game.
    pub elo_high: Option<f64>,
    /// A's normalized Elo over B.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval, which is symmetric.
    pub nelo_error: Option<f64>,
    /// The likelihood, from 0 to 1, that A is the better bot; missing where every result went the same way.
    pub los: Option<f64>,
    /// The sequential test, if one was asked for. Its four keys stand beside the others.
    // Only ever written, never read back: flattening costs no error message here.
    #[serde(flatten)]
    pub sprt: Option<SprtState>,
}

/// Summarises a contest, with a sequential test if one is given.
///
/// Let m and v be mean and variance of a result's score, n the number of results, g the games in one result.
/// - Elo: 400 log10(m / (1 - m)), A. Elo's logistic curve. Interval: the same curve at quantiles of the distribution of
///   the score given the results, Beta(w + 1/2, l + 1/2), where w and l are A's and B's points weighed by how much whole
///   results vary beside independent games without draws, with Student's correction for how well that is known. Where
///   all games went one way the only end holds in 95 % of cases by itself.
/// - Normalized Elo: (m - 1/2) / sqrt(g v) · 800 / ln 10, error 1.96 / sqrt(g n) · 800 / ln 10
///   (M. Van den Bergh, "Normalized Elo"). The error takes v as known, as fastchess does.
/// - Likelihood of superiority: the share of the same distribution above an even score.
///
/// fastchess and fishtest print the same Elo, normalized Elo and ratio for the same counts. Their intervals and
/// likelihoods take the deviation as known; with many results they come to the same.
pub fn summary(counts: &Counts, sprt: Option<&Sprt>) -> Summary {
    let estimate = Estimate::of(counts);
    let contest = Contest::of(counts);
    let (low, high) = contest.map_or((None, None), |contest| contest.interval());
    let elo = |lead: Option<f64>| lead.map(|lead| lead * ELO_PER_STRENGTH);
    Summary {
        games: counts.games(),
        score: counts.mean(),
        elo: estimate.and_then(|e| elo_of_score(e.mean)),
        elo_low: elo(low),
        elo_high: elo(high),
        nelo: estimate.and_then(Estimate::normalized_elo),
        nelo_error: estimate.and_then(Estimate::normalized_elo_error),
        los: contest.and_then(|contest| contest.superiority()),
        sprt: sprt.map(|sprt| sprt.judge(counts)),
    }
}

/// A sample with at least one result.
#[derive(Clone, Copy)]
struct Estimate {
    mean: f64,
    variance: f64,
    units: f64,
    games_per_unit: f64,
}

impl Estimate {
    fn of(counts: &Counts) -> Option<Self> {
        Some(Self {
            mean: counts.mean()?,
            variance: counts.variance()?,
            units: counts.units() as f64,
            games_per_unit: counts.games_per_unit() as f64,
        })
    }

    fn normalized_elo(self) -> Option<f64> {
        let deviation = (self.games_per_unit * self.variance).sqrt();
        (deviation > 0.0).then(|| (self.mean - 0.5) / deviation * ELO_PER_NORMALIZED_UNIT)
    }

    fn normalized_elo_error(self) -> Option<f64> {
        let error = Z_95 / (self.games_per_unit * self.units).sqrt() * ELO_PER_NORMALIZED_UNIT;
        (self.variance > 0.0).then_some(error)
    }
}
