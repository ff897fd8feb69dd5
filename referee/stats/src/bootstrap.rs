//! Resampling of pairs: what the results might have been.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};

/// Spreads half a pair over the five results of every pairing before drawing from it.
///
/// Without it a pairing whose pairs all ended alike would never vary, and one lucky pair would look like certainty.
/// After a hundred pairs it no longer matters.
const DOUBT: f64 = 0.1;

/// Draws as many pairs as were played, each a result seen in this pairing as often as there.
///
/// This is B. Efron's bootstrap ("Bootstrap methods: another look at the jackknife", 1979) with the pair as
/// the unit, slightly smoothed. Drawing counts instead of single pairs makes the cost independent of their
/// number: a multinomial draw is a chain of binomial ones.
pub(super) fn resample(pairs: &[u64; 5], rng: &mut ChaCha8Rng) -> [u64; 5] {
    let mut left = pairs.iter().sum();
    let mut weight_left = left as f64 + DOUBT * pairs.len() as f64;
    let mut drawn = [0; 5];
    for (i, (drawn, &n)) in drawn.iter_mut().zip(pairs).enumerate() {
        let weight = n as f64 + DOUBT;
        *drawn = if i + 1 == pairs.len() {
            left
        } else {
            // Rounding could lift the last quotients above one.
            let share = (weight / weight_left).min(1.0);
            Binomial::new(left, share).expect("a share lies between 0 and 1").sample(rng)
        };
        left -= *drawn;
        weight_left -= weight;
    }
    drawn
}
