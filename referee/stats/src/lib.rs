//! Statistics of contests: pure arithmetic on counts, without files, clock or hidden randomness.
//!
//! The *pair* is the unit: one opening played twice with the seats swapped. Two games of a pair share their
//! opening and are not independent, so error bars come from how whole pairs vary.
//!
//! - [`Counts`] holds the results of one bot against another; [`summary`] turns it into Elo, normalized Elo,
//!   likelihood of superiority and, with an [`Sprt`], a log-likelihood ratio and a decision.
//! - [`Table`] collects the pairs of many bots; [`Table::cross_table`] and [`ratings`] read it.
//! - [`Tally`] collects what single games tell: seats, openings, reasons, time, length.
//!
//! Feeding a pair or a game takes constant time, and memory never depends on how many games were fed.
//! Nothing here ever yields NaN or infinity: what cannot be estimated is `None`, in JSON `null`.

mod beta;
mod bradley_terry;
mod contest;
mod counts;
mod dispersion;
mod elo;
mod field;
mod likelihood;
mod posterior;
mod ratings;
mod sprt;
mod summary;
mod table;
mod tally;
mod triangle;

pub use counts::{Counts, CountsError, Outcome};
pub use elo::{ELO_PER_NORMALIZED_UNIT, elo_of_score, score_of_elo};
pub use ratings::{Anchor, Rating, RatingOptions, Ratings, ratings};
pub use sprt::{Decision, MAX_SPRT_ELO, Model, Sprt, SprtError, SprtState, UnknownModel};
pub use summary::{Summary, Z_95, summary};
pub use table::{CrossCell, Table};
pub use tally::{GameFacts, LengthBucket, Lengths, Seats, Tally, TimeUse};

/// The example of README.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
