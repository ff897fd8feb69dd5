//! The distributions that one contest needs: beta, normal and Student's.

use super::likelihood::bisect;

/// Natural units beyond which no strength of a contest is looked for.
const FARTHEST: f64 = 700.0;

/// With more than this on both sides the lead is as good as normal.
const MANY: f64 = 1e5;

/// Returns how likely a share drawn from Beta(a, b) is at most 1 / (1 + exp(-lead)).
pub(super) fn beta_below(a: f64, b: f64, lead: f64) -> f64 {
    if a.min(b) > MANY {
        return normal_below((lead - (a / b).ln()) / (1.0 / a + 1.0 / b).sqrt());
    }
    let odds = (-lead.abs()).exp();
    let (less, more) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
    let (x, y) = if lead < 0.0 { (less, more) } else { (more, less) };
    incomplete(a, b, x, y)
}

/// Returns the lead below which Beta(a, b) lies with this probability.
pub(super) fn beta_quantile(a: f64, b: f64, share: f64) -> f64 {
    bisect(-FARTHEST, FARTHEST, |lead| beta_below(a, b, lead) < share)
}

/// Returns how likely a standard normal number is below `z`.
pub(super) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// Returns the number below which a standard normal one lies with this probability.
pub(super) fn normal_quantile(share: f64) -> f64 {
    bisect(-40.0, 40.0, |z| normal_below(z) < share)
}

/// Returns how likely a number of Student's distribution is below `t`.
pub(super) fn student_below(freedom: f64, t: f64) -> f64 {
    let square = t * t;
    let tail =
        0.5 * incomplete(freedom / 2.0, 0.5, freedom / (freedom + square), square / (freedom + square));
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// Returns the number below which one of Student's distribution lies with this probability.
pub(super) fn student_quantile(freedom: f64, share: f64) -> f64 {
    bisect(-1e6, 1e6, |t| student_below(freedom, t) < share)
}

/// Returns the regularised incomplete beta function at x = 1 - y.
fn incomplete(a: f64, b: f64, x: f64, y: f64) -> f64 {
    // The fraction converges quickly on its own side of the mean.
    if x < (a + 1.0) / (a + b + 2.0) { fraction(a, b, x, y) } else { 1.0 - fraction(b, a, y, x) }
}

/// Returns the same by its continued fraction (DLMF 8.17.22), evaluated from the front as W. J. Lentz does.
fn fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = (libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * y.ln()).exp() / a;
    let tiny = 1e-300;
    let off_zero = |value: f64| if value.abs() < tiny { tiny } else { value };
    let mut below = 1.0 / off_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut above = 1.0;
    let mut fraction = below;
    // Its length grows with the root of the counts: some thousands for the most that a text may hold.
    for round in 1..100_000 {
        let m = f64::from(round);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            below = 1.0 / off_zero(1.0 + term * below);
            above = off_zero(1.0 + term / above);
            change = below * above;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    (front * fraction).min(1.0)
}
