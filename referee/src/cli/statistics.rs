//! `referee stats`: statistics of counted results.

use std::io;

use clap::Args;

use super::failure::Failure;
use super::json::json_line;
use super::values::{hypotheses, model};
use crate::plan::{self, Format};
use bao_stats::{Counts, Model, Sprt, summary};

/// The number of pairs after which a sequential test ends undecided by default.
pub(super) const MOST_PAIRS: u64 = 100_000;

/// Compute statistics from counted results, as one JSON object.
///
/// Five numbers are pairs of games (same opening, sides swapped) by the points of the first bot in the pair: 0, 0.5, 1,
/// 1.5, 2. Three numbers are single games: lost, drawn, won; their intervals hold only if no two games share an opening.
///
/// Keys of the object: games; score (points per game of the first bot, 0 to 1); elo, elo_low, elo_high (Elo of the first bot
/// and its 95 % interval); nelo, nelo_error (normalized Elo and half the width of its 95 % interval); los (likelihood that the
/// first bot is stronger); with --sprt also llr, lower, upper, decision. A value is null if the results do not determine it.
///
/// Example:  referee stats 34,54,63,64,75 --sprt 0,5
#[derive(Debug, Args)]
pub(super) struct Statistics {
    /// LL,LD,DD,WD,WW for pairs, or L,D,W for games.
    #[arg(value_name = "COUNTS")]
    counts: Counts,
    #[command(flatten)]
    test: TestArguments,
}

impl Statistics {
    pub(super) fn run(self) -> Result<(), Failure> {
        let test = self.test.test()?;
        Ok(json_line(&mut io::stdout().lock(), &summary(&self.counts, test.as_ref()))?)
    }
}

/// A sequential test on the command line.
#[derive(Debug, Args)]
pub(super) struct TestArguments {
    /// Play or evaluate a sequential test: is the first bot ELO0 (H0) or ELO1 (H1) Elo stronger than the second?
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true, help_heading = "Sequential test")]
    sprt: Option<[f64; 2]>,
    /// Scale of ELO0 and ELO1.
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "normalized",
        value_parser = model(),
        requires = "sprt",
        help_heading = "Sequential test"
    )]
    model: Model,
    /// Highest rate at which H1 is accepted although H0 is true.
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = 0.05,
        requires = "sprt",
        help_heading = "Sequential test"
    )]
    alpha: f64,
    /// Highest rate at which H0 is accepted although H1 is true.
    #[arg(
        long,
        value_name = "RATE",
        default_value_t = 0.05,
        requires = "sprt",
        help_heading = "Sequential test"
    )]
    beta: f64,
}

impl TestArguments {
    /// Returns whether a test was asked for.
    pub(super) fn asked(&self) -> bool {
        self.sprt.is_some()
    }

    /// Returns the format of this test, which ends undecided after `max_pairs` pairs.
    pub(super) fn format(&self, max_pairs: u64) -> Result<Option<Format>, Failure> {
        let Self { alpha, beta, .. } = *self;
        let model = match self.model {
            Model::Normalized => plan::Model::Normalized,
            Model::Logistic => plan::Model::Logistic,
        };
        let format = |[elo0, elo1]: [f64; 2]| Format::Sprt { elo0, elo1, alpha, beta, model, max_pairs };
        Ok(self.test()?.and(self.sprt).map(format))
    }

    fn test(&self) -> Result<Option<Sprt>, Failure> {
        let test = |[elo0, elo1]: [f64; 2]| Sprt::new(self.model, elo0, elo1, self.alpha, self.beta);
        self.sprt.map(test).transpose().map_err(Failure::Test)
    }
}
