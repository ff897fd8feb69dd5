//! The sequential test between two hypotheses about a bot's strength.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::elo::{ELO_PER_NORMALIZED_UNIT, score_of_elo};
use super::likelihood::{log_likelihood_at_mean, log_likelihood_at_t};

/// Holds the largest Elo, either sign, that a hypothesis may state.
pub const MAX_SPRT_ELO: f64 = 500.0;

/// A result that never came counts this much, so that it stays possible (as in fishtest and fastchess).
const NEVER_SEEN: f64 = 1e-3;

/// Names the scale on which the hypotheses of a test are stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Normalized Elo: the test takes about as long whatever the share of draws.
    #[default]
    Normalized,
    /// Logistic Elo: the scale of ratings.
    Logistic,
}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(text: &str) -> Result<Self, UnknownModel> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(UnknownModel(text.to_owned())),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

/// Holds a text that names no [`Model`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownModel(pub String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a model; write `normalized` or `logistic`", self.0)
    }
}

impl std::error::Error for UnknownModel {}

/// Tests "A is `elo0` better than B" (H0) against "A is `elo1` better" (H1).
// The private fields keep what `new` checked: finite, elo0 < elo1, error rates between 0 and one half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Creates a test that wrongly accepts H1 with probability `alpha` and wrongly accepts H0 with `beta`.
    ///
    /// # Errors
    /// `elo0` must be below `elo1`, both within [`MAX_SPRT_ELO`]; `alpha` and `beta` above 0 and below 0.5.
    pub fn new(model: Model, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if elo.is_nan() || elo.abs() > MAX_SPRT_ELO {
                return Err(SprtError::Elo { name, found: elo });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate { name, found: rate });
            }
        }
        Ok(Self { model, elo0, elo1, alpha, beta })
    }

    /// Returns the ratio at or below which H0 is accepted: ln(β / (1 - α)) (A. Wald, "Sequential Analysis").
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Returns the ratio at or above which H1 is accepted: ln((1 - β) / α) (A. Wald, "Sequential Analysis").
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Returns the generalised log-likelihood ratio of H1 over H0; 0 without results.
    ///
    /// Each hypothesis is given its best case: the result probabilities that explain the counts best among all
    /// those that have the hypothesis' strength. The ratio is Σ nᵢ ln(p1ᵢ / p0ᵢ), exact rather than by the
    /// normal approximation (M. Van den Bergh, "The generalized maximum likelihood ratio for the
    /// expectation value of a distribution" and "Comments on normalized Elo"; fishtest's `LLRcalc`
    /// and fastchess compute the same). A result that never came counts 0.001 times.
    pub fn llr(&self, counts: &Counts) -> f64 {
        match counts {
            Counts::Trinomial(cells) => self.ratio(cells, 1.0),
            Counts::Pentanomial(cells) => self.ratio(cells, 2.0),
        }
    }

    /// Returns the ratio, its bounds and what follows from them.
    pub fn judge(&self, counts: &Counts) -> SprtState {
        let (llr, lower, upper) = (self.llr(counts), self.lower(), self.upper());
        let decision = if llr <= lower {
            Decision::AcceptH0
        } else if llr >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        };
        SprtState { llr, lower, upper, decision }
    }

    fn ratio<const N: usize>(&self, cells: &[u64; N], games_per_unit: f64) -> f64 {
        if cells.iter().all(|&n| n == 0) {
            return 0.0;
        }
        let weights = cells.map(|n| if n == 0 { NEVER_SEEN } else { n as f64 });
        let total: f64 = weights.iter().sum();
        let shares = weights.map(|w| w / total);
        let log_likelihood = |elo: f64| match self.model {
            Model::Logistic => log_likelihood_at_mean(&shares, score_of_elo(elo)),
            // A pair's mean score deviates by 1 / sqrt(2) of what a game's does.
            Model::Normalized => {
                log_likelihood_at_t(&shares, elo / ELO_PER_NORMALIZED_UNIT * games_per_unit.sqrt())
            }
        };
        total * (log_likelihood(self.elo1) - log_likelihood(self.elo0))
    }
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SprtState {
    /// The log-likelihood ratio of H1 over H0.
    pub llr: f64,
    /// At or below it H0 is accepted.
    pub lower: f64,
    /// At or above it H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: Decision,
}

/// Names what a sequential test says; in JSON `accept_h0`, `accept_h1`, `continue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The lower bound is reached.
    AcceptH0,
    /// The upper bound is reached.
    AcceptH1,
    /// Neither is: more pairs are needed.
    Continue,
}

/// The reason why a sequential test makes no sense.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SprtError {
    /// A hypothesis is not a number or beyond [`MAX_SPRT_ELO`].
    Elo {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// Its value.
        found: f64,
    },
    /// H1 is not above H0.
    Order {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// An error rate is not above 0 and below 0.5.
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        found: f64,
    },
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elo { name, found } => {
                write!(f, "{name} is {found}: give a number from -{MAX_SPRT_ELO} to {MAX_SPRT_ELO}")
            }
            Self::Order { elo0, elo1 } => {
                write!(
                    f,
                    "elo0 ({elo0}) must be below elo1 ({elo1}): the test asks which of the two is nearer"
                )
            }
            Self::Rate { name, found } => {
                write!(f, "{name} is {found}: give a probability above 0 and below 0.5, such as 0.05")
            }
        }
    }
}

impl std::error::Error for SprtError {}
