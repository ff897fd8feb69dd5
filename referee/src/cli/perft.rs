//! `referee perft`: counts sequences of moves.

use std::io::{self, Write};
use std::time::Instant;

use bao_rules::{Position, Variant, perft};
use clap::Args;

use super::failure::Failure;
use super::json::json_line;
use super::values::game;

/// Count the sequences of legal moves of each length, to test an implementation of the rules.
///
/// Print one line per length: the length in moves, the number of sequences, and the sequences counted per second.
#[derive(Debug, Args)]
pub(super) struct Perft {
    /// Game to count in.
    #[arg(value_parser = game())]
    game: Variant,
    /// Length of the longest sequences, in moves.
    depth: u32,
    /// Count from this position [default: the start].
    #[arg(long)]
    position: Option<String>,
    /// Print one JSON object per depth.
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position = match &self.position {
            Some(text) => Position::parse(self.game, text)?,
            None => Position::start(self.game),
        };
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(out, "{:>5} {:>16}  {:>14}", "moves", "sequences", "per second")?;
        }
        for depth in 1..=self.depth {
            let start = now();
            let count = perft(&position, depth);
            let seconds = now().duration_since(start).as_secs_f64().max(1e-9);
            let rate = (count as f64 / seconds) as u64;
            if self.json {
                let row = serde_json::json!({ "depth": depth, "count": count, "nodes_per_second": rate });
                json_line(&mut out, &row)?;
            } else {
                writeln!(out, "{depth:>5} {count:>16}  {rate:>14}")?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "the rate is what this command measures")]
fn now() -> Instant {
    Instant::now()
}
