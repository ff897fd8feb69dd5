//! `referee moves` and `referee schema`: the rules core and the formats for scripts.

use std::io::{self, BufRead, Write};

use bao_rules::{Outcome, Pit, Position, Side, Variant};
use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::json::json_line;
use super::values::game;
use crate::plan::reachable;

/// Print the legal moves of a position and the result of each, as one JSON object.
///
/// Without POSITION, read positions from standard input, one per line.
#[derive(Debug, Args)]
pub(super) struct MovesOf {
    /// Game of the position.
    #[arg(value_parser = game())]
    game: Variant,
    /// Position, for example "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0" [default: standard input].
    position: Option<String>,
}

/// Print the JSON Schemas (2020-12) of the protocol and of the record's files, as one JSON object.
#[derive(Debug, Args)]
pub(super) struct Schema {
    /// Name of one schema [default: all].
    name: Option<String>,
}

/// A position and its moves, as `referee moves` prints them.
#[derive(Debug, Serialize)]
struct Described {
    position: String,
    legal: Vec<&'static str>,
    plays: Vec<Played>,
    over: Option<Over>,
}

#[derive(Debug, Serialize)]
struct Played {
    #[serde(rename = "move")]
    mv: &'static str,
    laps: Option<u64>,
    last: Option<&'static str>,
    after: Option<String>,
    over: Option<Over>,
}

#[derive(Debug, Serialize)]
struct Over {
    winner: Option<char>,
    reason: &'static str,
}

impl MovesOf {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        if let Some(text) = &self.position {
            let position = reachable(self.game, text).map_err(Failure::Unreachable)?;
            json_line(&mut out, &describe(&position))?;
        } else {
            for (index, line) in io::stdin().lock().lines().enumerate() {
                let line = line?;
                if line.trim().is_empty() {
                    continue;
                }
                let position = reachable(self.game, &line)
                    .map_err(|problem| Failure::Line { line: index + 1, problem })?;
                json_line(&mut out, &describe(&position))?;
                out.flush()?;
            }
        }
        Ok(out.flush()?)
    }
}

impl Schema {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let all = bao_protocol::schema::all();
        let value = match &self.name {
            None => all.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect(),
            Some(wanted) => {
                let names: Vec<&'static str> = all.iter().map(|(name, _)| *name).collect();
                let missing = Failure::Schema { wanted: wanted.clone(), names };
                all.into_iter().find(|(name, _)| name == wanted).ok_or(missing)?.1
            }
        };
        serde_json::to_writer_pretty(&mut out, &value).map_err(io::Error::from)?;
        Ok(writeln!(out)?)
    }
}

fn describe(position: &Position) -> Described {
    let legal = position.legal_moves();
    let plays = legal.iter().filter_map(|pit| {
        let play = position.play(pit).ok()?;
        Some(Played {
            mv: pit.name(),
            laps: play.laps,
            last: play.last.map(Pit::name),
            after: play.after.map(|after| after.to_string()),
            over: play.over.map(over),
        })
    });
    Described {
        position: position.to_string(),
        legal: legal.iter().map(Pit::name).collect(),
        plays: plays.collect(),
        over: position.over().map(over),
    }
}

fn over(outcome: Outcome) -> Over {
    Over { winner: outcome.winner.map(Side::letter), reason: outcome.reason.name() }
}
