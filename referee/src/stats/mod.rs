//! Statistics of contests: pure arithmetic on counts, without files, clock or hidden randomness.
//!
//! The *pair* is the unit: one opening played twice with the seats swapped. Two games of a pair share their
//! opening and are not independent, so error bars come from how whole pairs vary.
//!
//! - [`Counts`] holds the results of one bot against another; [`summary`] turns it into Elo, normalized Elo,
//!   likelihood of superiority and, with an [`Sprt`], a log-likelihood ratio and a decision.
//!
//! Feeding a pair or a game takes constant time, and memory never depends on how many games were fed.
//! Nothing here ever yields NaN or infinity: what cannot be estimated is `None`, in JSON `null`.

mod counts;
mod elo;
mod likelihood;
mod sprt;

pub use counts::{Counts, CountsError, Outcome};
pub use elo::{ELO_PER_NORMALIZED_UNIT, Summary, Z_95, elo_of_score, score_of_elo, summary};
pub use sprt::{Decision, MAX_SPRT_ELO, Model, Sprt, SprtError, SprtState, UnknownModel};
