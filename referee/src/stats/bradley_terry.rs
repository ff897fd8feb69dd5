//! Strengths of many bots from their points against each other.

/// What bot `a` and bot `b` scored against each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duel {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Points of `a`, then of `b`; a draw is half a point for both.
    pub(super) points: [f64; 2],
}

/// One drawn game of every bot against an imaginary one of strength 0.
///
/// It keeps strengths finite for bots that always win or lose and ties groups of bots together that never met.
const PRIOR_POINTS: f64 = 0.5;

/// A Newton step this small ends the search: the next one would be about its square.
const SETTLED: f64 = 1e-9;

/// A step shortened below this share gains nothing that a float can hold.
const SHORTEST_STEP: f64 = 1e-6;

/// Improves `strengths` to the most likely ones, in natural units: 400 / ln 10 Elo each.
///
/// The model says that `a` scores 1 / (1 + exp(strength_b - strength_a)) against `b` (R. A. Bradley and
/// M. E. Terry, "Rank analysis of incomplete block designs", 1952), a draw counting as half a win and half a loss.
/// The log-likelihood with the prior is strictly concave; Newton's method with step halving finds its only
/// maximum from anywhere. One step costs the cube of the number of bots.
pub(super) fn fit(strengths: &mut [f64], duels: &[Duel]) {
    let mut here = Landscape::at(strengths, duels);
    // Around ten rounds from zeros and four from nearby are usual; the cap only bounds the unforeseen.
    for _ in 0..100 {
        let step = solve(here.curvature, here.slope);
        let mut scale = 1.0;
        let (trial, next) = loop {
            let trial: Vec<f64> = strengths.iter().zip(&step).map(|(s, step)| s + scale * step).collect();
            let there = Landscape::at(&trial, duels);
            // The tolerance lets rounding pass at the summit, where nothing can be gained any more.
            if there.height >= here.height - 1e-12 * here.height.abs() {
                break (trial, there);
            }
            scale /= 2.0;
            if scale < SHORTEST_STEP {
                return;
            }
        };
        strengths.copy_from_slice(&trial);
        here = next;
        if step.iter().all(|step| step.abs() < SETTLED) {
            return;
        }
    }
}

/// The log-likelihood at one place, its gradient and its negated second derivatives (row by row).
struct Landscape {
    height: f64,
    slope: Vec<f64>,
    curvature: Vec<f64>,
}

impl Landscape {
    fn at(strengths: &[f64], duels: &[Duel]) -> Self {
        let n = strengths.len();
        let mut this = Self { height: 0.0, slope: vec![0.0; n], curvature: vec![0.0; n * n] };
        for (bot, &strength) in strengths.iter().enumerate() {
            let expected = this.game(strength, [PRIOR_POINTS; 2]);
            this.slope[bot] += expected.surplus;
            this.curvature[bot * n + bot] += expected.spread;
        }
        for &Duel { a, b, points } in duels {
            let expected = this.game(strengths[a] - strengths[b], points);
            this.slope[a] += expected.surplus;
            this.slope[b] -= expected.surplus;
            this.curvature[a * n + a] += expected.spread;
            this.curvature[b * n + b] += expected.spread;
            this.curvature[a * n + b] -= expected.spread;
            this.curvature[b * n + a] -= expected.spread;
        }
        this
    }

    /// Adds the likelihood of these points at this lead in strength, and returns its derivatives by the lead.
    fn game(&mut self, lead: f64, [own, other]: [f64; 2]) -> Expected {
        let odds = (-lead.abs()).exp();
        // ln(1 + exp(-|lead|)) is shared by both sides; the weaker side also pays |lead|.
        let weaker_points = if lead > 0.0 { other } else { own };
        self.height -= (own + other) * odds.ln_1p() + weaker_points * lead.abs();
        let weaker_chance = odds / (1.0 + odds);
        let chance = if lead > 0.0 { 1.0 - weaker_chance } else { weaker_chance };
        Expected {
            surplus: own - (own + other) * chance,
            spread: (own + other) * weaker_chance * (1.0 - weaker_chance),
        }
    }
}

struct Expected {
    surplus: f64,
    spread: f64,
}

/// Solves `matrix · x = right` for a symmetric positive definite matrix by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for row in 0..n {
        let (above, rest) = matrix.split_at_mut(row * n);
        let current = &mut rest[..n];
        for column in 0..row {
            let other = &above[column * n..column * n + n];
            let known: f64 = current[..column].iter().zip(other).map(|(x, y)| x * y).sum();
            current[column] = (current[column] - known) / other[column];
        }
        let known: f64 = current[..row].iter().map(|x| x * x).sum();
        // Rounding may eat a pivot only where a strength is all but undetermined; then a tiny one is as good.
        current[row] = (current[row] - known).max(f64::MIN_POSITIVE).sqrt();
        let known: f64 = current[..row].iter().zip(&right).map(|(x, y)| x * y).sum();
        right[row] = (right[row] - known) / current[row];
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|below| matrix[below * n + row] * right[below]).sum();
        right[row] = (right[row] - known) / matrix[row * n + row];
    }
    right
}
