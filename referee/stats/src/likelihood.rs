//! The largest likelihood of counted results when their strength is given.
//!
//! Results are scored 0, 1/(N-1), .., 1, and `shares` are their observed frequencies, all above zero. Among the
//! distributions with a given strength, that of largest likelihood is pᵢ = sharesᵢ / (1 + θ hᵢ), where h is the
//! gradient of the constraint, shifted so that Σ pᵢ hᵢ = 0 says that the constraint holds, and θ a Lagrange
//! multiplier (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
//! distribution", support_MLE_multinomial.pdf, proposition 1.1; A. B. Owen, "Empirical Likelihood", has the
//! same for a mean).
//!
//! Likelihoods are returned as Σ sharesᵢ ln(pᵢ / sharesᵢ): a result's mean, zero at best.

/// How finely `log_likelihood_at_t` looks for solutions. The equation has one, rarely three.
const SCAN_STEPS: u32 = 32;

/// Returns the largest log-likelihood when the mean score is `mean`, strictly between 0 and 1.
pub(super) fn log_likelihood_at_mean<const N: usize>(shares: &[f64; N], mean: f64) -> f64 {
    tilt(shares, &scores().map(|score| score - mean))
        .expect("0 and 1 are scores on both sides")
        .log_likelihood
}

/// Returns the largest log-likelihood when (mean - 1/2) / deviation is `t`, from -2.8 to 2.8.
///
/// The gradient depends on mean and deviation of the distribution sought: with deviation s and mean
/// m = 1/2 + t s, h(x) = x - 1/2 - t s (1 + ((x - m) / s)²) / 2 (M. Van den Bergh, "Comments on normalized
/// Elo", normalized_elo_practical.pdf). fishtest iterates from a uniform distribution until h settles, which
/// suits small t only. Here s is searched for instead: the distribution that s leads to must have the mean
/// 1/2 + t s. For t > 0 its mean is too high where h begins to be positive at the lowest score above 1/2, and
/// too low (or right) at the largest deviation that any distribution with that mean has; so there is a
/// solution between, and of several the one that makes the counts likeliest is taken.
pub(super) fn log_likelihood_at_t<const N: usize>(shares: &[f64; N], t: f64) -> f64 {
    if t == 0.0 {
        return log_likelihood_at_mean(shares, 0.5);
    }
    if t < 0.0 {
        // Seen by the opponent, all strengths change their sign.
        let mut mirrored = *shares;
        mirrored.reverse();
        return log_likelihood_at_t(&mirrored, -t);
    }
    let root = t.hypot(1.0);
    let smallest = 1.0 / (N - 1) as f64 / (t + (1.0 + root) / t);
    let largest = 0.5 / root;
    let solve = |deviation: f64| tilt(shares, &gradient(t, deviation));
    // At the lower end h has no positive value and so no distribution: the side where the mean is too high.
    let too_high = |deviation: f64| solve(deviation).is_none_or(|p| p.mean > 0.5 + t * deviation);

    let mut best = f64::NEG_INFINITY;
    let (mut left, mut left_high) = (smallest, true);
    for step in 1..=SCAN_STEPS {
        let right = smallest + (largest - smallest) * f64::from(step) / f64::from(SCAN_STEPS);
        let right_high = step < SCAN_STEPS && too_high(right);
        if left_high != right_high {
            let deviation = bisect(left, right, |deviation| too_high(deviation) == left_high);
            best = best.max(solve(deviation).map_or(f64::NEG_INFINITY, |p| p.log_likelihood));
        }
        (left, left_high) = (right, right_high);
    }
    best
}

fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}

fn gradient<const N: usize>(t: f64, deviation: f64) -> [f64; N] {
    let mean = 0.5 + t * deviation;
    scores().map(|x| x - 0.5 - t * deviation * (1.0 + ((x - mean) / deviation).powi(2)) / 2.0)
}

/// What is needed of a distribution pᵢ = sharesᵢ / (1 + θ hᵢ).
struct Tilted {
    log_likelihood: f64,
    mean: f64,
}

/// Finds θ with Σ sharesᵢ hᵢ / (1 + θ hᵢ) = 0; `None` unless `h` has values on both sides of zero.
///
/// The sum falls from +∞ to -∞ as θ runs from -1 / max h to -1 / min h: Newton's method, kept inside the bracket.
fn tilt<const N: usize>(shares: &[f64; N], h: &[f64; N]) -> Option<Tilted> {
    let max = h.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let min = h.iter().copied().fold(f64::INFINITY, f64::min);
    if max <= 0.0 || min >= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let mut theta = 0.0;
    // Far more than ever needed: halving alone reaches the precision of a float in some 60 rounds.
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, h) in shares.iter().zip(h) {
            let quotient = h / (1.0 + theta * h);
            value += share * quotient;
            slope -= share * quotient * quotient;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let settled = (next - theta).abs() <= f64::EPSILON * theta.abs();
        theta = next;
        if settled {
            break;
        }
    }
    let (mut log_likelihood, mut mean) = (0.0, 0.0);
    for ((share, h), score) in shares.iter().zip(h).zip(scores::<N>()) {
        log_likelihood -= share * (theta * h).ln_1p();
        mean += share / (1.0 + theta * h) * score;
    }
    Some(Tilted { log_likelihood, mean })
}

/// Returns the place, to the precision of a float, where `is_left` stops to hold.
pub(super) fn bisect(mut left: f64, mut right: f64, is_left: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = f64::midpoint(left, right);
        if middle <= left || middle >= right {
            return middle;
        }
        if is_left(middle) {
            left = middle;
        } else {
            right = middle;
        }
    }
}
