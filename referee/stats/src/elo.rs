//! The scales of strength: logistic and normalized Elo.

/// Converts "points above one half, in standard deviations of a game" to normalized Elo: 800 / ln 10.
///
/// The factor makes normalized and logistic Elo agree for small differences and games without draws
/// (M. Van den Bergh, "Normalized Elo").
pub const ELO_PER_NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Converts natural units of the logistic curve to Elo.
pub(super) const ELO_PER_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// Returns the logistic Elo of a mean score, or `None` unless the score lies strictly between 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    // Zero is added because it has no sign then.
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10() + 0.0)
}

/// Returns the mean score of a logistic Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
