//! Strengths of many bots from their points against each other.

/// What bot `a` and bot `b` scored against each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Duel {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Points of `a`, then of `b`; a draw is half a point for both.
    pub(super) points: [f64; 2],
}

/// A Newton step this small ends the search: the next one would be about its square.
const SETTLED: f64 = 1e-9;

/// A step is solved for to this share of it.
const ROUNDING: f64 = 1e-13;

/// A step shortened below this share gains nothing that a float can hold.
const SHORTEST_STEP: f64 = 1e-6;

/// Improves `strengths` to the most likely ones, in natural units: 400 / ln 10 Elo each.
///
/// The model says that `a` scores 1 / (1 + exp(strength_b - strength_a)) against `b` (R. A. Bradley and M. E.
/// Terry, "Rank analysis of incomplete block designs", 1952), a draw counting as half a win and half a loss. If
/// both bots of every duel have points, the log-likelihood is strictly concave, except for a common shift of bots
/// that duels join; Newton's method with step halving finds its maximum from anywhere. A step is found by conjugate
/// gradients, so that its cost grows with the pairings that met and not with the cube of the number of bots.
pub(super) fn fit(strengths: &mut [f64], duels: &[Duel]) {
    let mut here = Landscape::at(strengths, duels);
    // Around ten rounds from zeros and four from nearby are usual; the cap only bounds the unforeseen.
    for _ in 0..100 {
        let step = here.step(duels);
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

/// The log-likelihood at one place, its gradient and its negated second derivatives: the diagonal, and what each duel
/// takes off at its two places beside it.
struct Landscape {
    height: f64,
    slope: Vec<f64>,
    diagonal: Vec<f64>,
    spreads: Vec<f64>,
}

impl Landscape {
    fn at(strengths: &[f64], duels: &[Duel]) -> Self {
        let n = strengths.len();
        let spreads = Vec::with_capacity(duels.len());
        let mut this = Self { height: 0.0, slope: vec![0.0; n], diagonal: vec![0.0; n], spreads };
        for &Duel { a, b, points } in duels {
            let lead = strengths[a] - strengths[b];
            let expected = Expected::of(lead, points);
            this.height += height(lead, points);
            this.slope[a] += expected.surplus;
            this.slope[b] -= expected.surplus;
            this.diagonal[a] += expected.spread;
            this.diagonal[b] += expected.spread;
            this.spreads.push(expected.spread);
        }
        this
    }

    /// Finds the step to the summit of the parabola that fits here, by the method of conjugate gradients (M. R.
    /// Hestenes and E. Stiefel, 1952) with the diagonal as its preconditioner.
    fn step(&self, duels: &[Duel]) -> Vec<f64> {
        let n = self.slope.len();
        let mut step = vec![0.0; n];
        let mut residual = self.slope.clone();
        let eased = |residual: &[f64]| -> Vec<f64> {
            // Rounding may eat a place only where a strength is all but undetermined; then a tiny one is as good.
            residual.iter().zip(&self.diagonal).map(|(r, d)| r / d.max(f64::MIN_POSITIVE)).collect()
        };
        let mut direction = eased(&residual);
        let mut left = dot(&residual, &direction);
        let enough = left * ROUNDING * ROUNDING;
        // In exact arithmetic as many rounds as bots are enough; usually it takes a few dozen.
        for _ in 0..2 * n + 10 {
            if left <= enough {
                break;
            }
            let bent = self.bent(&direction, duels);
            let curvature = dot(&direction, &bent);
            if curvature <= 0.0 {
                // Only rounding is left of the direction.
                break;
            }
            let share = left / curvature;
            for bot in 0..n {
                step[bot] += share * direction[bot];
                residual[bot] -= share * bent[bot];
            }
            let eased = eased(&residual);
            let now = dot(&residual, &eased);
            for (direction, eased) in direction.iter_mut().zip(&eased) {
                *direction = eased + now / left * *direction;
            }
            left = now;
        }
        step
    }

    /// Multiplies the negated second derivatives with a direction.
    fn bent(&self, direction: &[f64], duels: &[Duel]) -> Vec<f64> {
        let mut bent: Vec<f64> = direction.iter().zip(&self.diagonal).map(|(x, d)| x * d).collect();
        for (&Duel { a, b, .. }, spread) in duels.iter().zip(&self.spreads) {
            bent[a] -= spread * direction[b];
            bent[b] -= spread * direction[a];
        }
        bent
    }
}

/// Returns the log-likelihood of these points at this lead in strength.
pub(super) fn height(lead: f64, [own, other]: [f64; 2]) -> f64 {
    // ln(1 + exp(-|lead|)) is shared by both sides; the weaker side also pays |lead|.
    let weaker_points = if lead > 0.0 { other } else { own };
    -(own + other) * (-lead.abs()).exp().ln_1p() - weaker_points * lead.abs()
}

/// How points compare with what a lead in strength lets expect.
pub(super) struct Expected {
    /// The points above what was expected.
    pub(super) surplus: f64,
    /// Their variance, were every game independent and without draws.
    pub(super) spread: f64,
}

impl Expected {
    pub(super) fn of(lead: f64, [own, other]: [f64; 2]) -> Self {
        let odds = (-lead.abs()).exp();
        let weaker_chance = odds / (1.0 + odds);
        let chance = if lead > 0.0 { 1.0 - weaker_chance } else { weaker_chance };
        Self {
            surplus: own - (own + other) * chance,
            spread: (own + other) * weaker_chance * (1.0 - weaker_chance),
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
