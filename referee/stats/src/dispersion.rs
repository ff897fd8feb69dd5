//! How much results vary, compared with independent games that are never drawn.

/// How many imaginary pairs of equal bots, their games independent and never drawn, join in saying how much pairs vary.
const PSEUDO_PAIRS: f64 = 4.0;

/// The variance of the points of such a pair.
const EVEN_PAIR: f64 = 0.5;

/// The squares of few upsets say less than those of as many normal numbers.
const WORTH: f64 = 0.5;

/// How much results vary as a share of what independent games without draws would, and how well that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dispersion {
    /// The share.
    pub(super) share: f64,
    /// The degrees of freedom behind it.
    pub(super) freedom: f64,
    /// No share is greater: two games that always end alike vary twice as much as two independent ones.
    pub(super) most: f64,
}

/// Sums up squares of what results were beside what was expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Squares {
    seen: f64,
    expected: f64,
    games_per_result: f64,
}

impl Squares {
    /// Begins with the imaginary pairs; a result is one game or two.
    pub(super) fn new(games_per_result: f64) -> Self {
        let imaginary = PSEUDO_PAIRS * EVEN_PAIR;
        Self { seen: imaginary, expected: imaginary, games_per_result }
    }

    /// Adds results, counted from 0 in half points, of which `mean` points were expected each; they were to vary by
    /// `spread` in all.
    pub(super) fn add(&mut self, cells: &[u64], mean: f64, spread: f64) {
        for (&count, half_points) in cells.iter().zip(0..) {
            self.seen += count as f64 * (f64::from(half_points) / 2.0 - mean).powi(2);
        }
        self.expected += spread;
    }

    /// Returns what follows.
    pub(super) fn dispersion(self) -> Dispersion {
        let most = self.games_per_result;
        let share = (self.seen / self.expected).min(most);
        Dispersion { share, freedom: WORTH * self.expected / EVEN_PAIR, most }
    }
}
