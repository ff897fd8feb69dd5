//! Elo, normalized Elo and likelihood of superiority of one bot over another.

use serde::Serialize;

use super::counts::Counts;
use super::elo::{ELO_PER_NORMALIZED_UNIT, elo_of_score};
use super::sprt::{Sprt, SprtState};

/// Holds the 97.5 % quantile of the standard normal distribution: 95 % lie within this many deviations.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Holds what is known of bot A against bot B, ready for JSON; printed by `referee stats`.
///
/// An estimate that does not exist or is not finite is `None`: without games everything is; a score of 0 or 1
/// has no Elo; a bound is missing when the score's interval reaches 0 or 1 (the Elo is then unbounded on
/// that side); results that are all alike have no deviation, and so neither an interval nor a normalized Elo, nor, unless
/// they are level, a likelihood of superiority.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// Games played. For pairs this is twice the number of pairs.
    pub games: u64,
    /// A's mean score a game, from 0 to 1.
    pub score: Option<f64>,
    /// A's logistic Elo over B.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval.
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
/// - Elo: 400 log10(m / (1 - m)), A. Elo's logistic curve; interval: the same curve at m ± 1.96 sqrt(v / n).
/// - Normalized Elo: (m - 1/2) / sqrt(g v) · 800 / ln 10, error 1.96 / sqrt(g n) · 800 / ln 10
///   (M. Van den Bergh, "Normalized Elo"). The error takes v as known, as fastchess does.
/// - Likelihood of superiority: Φ((m - 1/2) / sqrt(v / n)), Φ the normal distribution function.
///
/// fastchess and fishtest print the same figures for the same counts.
pub fn summary(counts: &Counts, sprt: Option<&Sprt>) -> Summary {
    let estimate = Estimate::of(counts);
    Summary {
        games: counts.games(),
        score: counts.mean(),
        elo: estimate.and_then(|e| elo_of_score(e.mean)),
        elo_low: estimate.and_then(|e| elo_of_score(e.mean - e.margin()?)),
        elo_high: estimate.and_then(|e| elo_of_score(e.mean + e.margin()?)),
        nelo: estimate.and_then(Estimate::normalized_elo),
        nelo_error: estimate.and_then(Estimate::normalized_elo_error),
        los: estimate.and_then(Estimate::likelihood_of_superiority),
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

    fn margin(self) -> Option<f64> {
        (self.variance > 0.0).then(|| Z_95 * self.standard_error())
    }

    fn standard_error(self) -> f64 {
        (self.variance / self.units).sqrt()
    }

    fn normalized_elo(self) -> Option<f64> {
        let deviation = (self.games_per_unit * self.variance).sqrt();
        (deviation > 0.0).then(|| (self.mean - 0.5) / deviation * ELO_PER_NORMALIZED_UNIT)
    }

    fn normalized_elo_error(self) -> Option<f64> {
        let error = Z_95 / (self.games_per_unit * self.units).sqrt() * ELO_PER_NORMALIZED_UNIT;
        (self.variance > 0.0).then_some(error)
    }

    fn likelihood_of_superiority(self) -> Option<f64> {
        let lead = self.mean - 0.5;
        if lead == 0.0 {
            return Some(0.5);
        }
        // Results that all went one way say nothing of their own spread: one pair is no certainty.
        (self.variance > 0.0)
            .then(|| 0.5 * libm::erfc(-lead / self.standard_error() / std::f64::consts::SQRT_2))
    }
}
