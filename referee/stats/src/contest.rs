//! The strength of one bot over one other, as a distribution.

use super::beta::{
    beta_below, beta_quantile, normal_below, normal_quantile, student_below, student_quantile,
};
use super::counts::Counts;
use super::dispersion::{Dispersion, Squares};

/// How likely the truth lies within an interval.
const CONFIDENCE: f64 = 0.95;

/// What counted results say of the lead in strength, in natural units: 400 / ln 10 Elo each.
///
/// The score expected of a game has the distribution Beta(w + 1/2, l + 1/2), w and l being the points of both sides
/// weighed down by the dispersion of the results: H. Jeffreys' prior and the quasi-likelihood of [`Dispersion`], as
/// ratings have them for many bots. How well the dispersion is known widens it as Student's distribution does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contest {
    a: f64,
    b: f64,
    mean: f64,
    dispersion: Dispersion,
    varied: bool,
}

impl Contest {
    /// Looks at results; `None` without any.
    pub(super) fn of(counts: &Counts) -> Option<Self> {
        let (mean, games) = (counts.mean()?, counts.games() as f64);
        let expected = (mean * games + 0.5) / (games + 1.0);
        let mut squares = Squares::new(counts.games_per_unit() as f64);
        // One result's worth of the squares is what the mean took for itself.
        let spread = expected * (1.0 - expected) * (games - counts.games_per_unit() as f64).max(0.0);
        squares.add(counts.cells(), expected * counts.games_per_unit() as f64, spread);
        let dispersion = squares.dispersion();
        let weight = games / dispersion.share;
        let [a, b] = [mean, 1.0 - mean].map(|score| score * weight + 0.5);
        Some(Self { a, b, mean, dispersion, varied: counts.variance()? > 0.0 })
    }

    /// Returns the ends of the 95 % interval of the lead; `None` where the results set no limit.
    pub(super) fn interval(&self) -> (Option<f64>, Option<f64>) {
        let two_sided = self.level((1.0 - CONFIDENCE) / 2.0);
        let one_sided = self.level(1.0 - CONFIDENCE);
        let below = |share: f64| beta_quantile(self.a, self.b, share);
        let above = |share: f64| -beta_quantile(self.b, self.a, share);
        if self.mean >= 1.0 {
            (Some(below(one_sided)), None)
        } else if self.mean <= 0.0 {
            (None, Some(above(one_sided)))
        } else {
            (Some(below(two_sided)), Some(above(two_sided)))
        }
    }

    /// Returns how likely the lead is above zero; `None` where all results went the same way, which says nothing of how
    /// they vary.
    pub(super) fn superiority(&self) -> Option<f64> {
        if (self.mean - 0.5).abs() < f64::EPSILON {
            return Some(0.5);
        }
        let (more, less) = (self.a.max(self.b), self.a.min(self.b));
        let z = -normal_quantile(beta_below(more, less, 0.0));
        let narrow = (self.dispersion.share / self.dispersion.most).sqrt();
        // Computed as the tail, so that it keeps its digits.
        let tail = student_below(self.dispersion.freedom, -z).min(normal_below(-z * narrow));
        self.varied.then_some(if self.a > self.b { 1.0 - tail } else { tail })
    }

    /// Returns the share of the distribution that lies beyond the end of an interval, were the dispersion known.
    fn level(&self, share: f64) -> f64 {
        let normal = -normal_quantile(share);
        let widest = normal * (self.dispersion.most / self.dispersion.share).sqrt();
        normal_below(-(-student_quantile(self.dispersion.freedom, share)).min(widest))
    }
}
