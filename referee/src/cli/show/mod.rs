//! `referee show`: shows a record to people.

mod game;
mod ply;

use std::io::{self, Write};
use std::path::PathBuf;

use bao_protocol::record::{GameRow, Run};
use clap::Args;

use super::failure::Failure;
use super::games;
use crate::arbiter::Rulings;
use crate::record::Files;
use crate::record::read::{self, Rows};
use crate::text::shown::shown;
use game::result;

/// Show a record: the list of games, one game move by move, or one move lap by lap.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Directory of the record (--out of a match or tournament).
    dir: PathBuf,
    /// Show game N, with the board after every move.
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// Show move K of the game lap by lap, with the position before it and its legal moves.
    #[arg(long, value_name = "K", requires = "game", value_parser = clap::value_parser!(u64).range(1..))]
    ply: Option<u64>,
    /// Print the position after move K, or at the end of the game, as an SVG picture.
    #[arg(long, requires = "game", conflicts_with = "annotate")]
    svg: bool,
    #[arg(long, requires = "game", conflicts_with = "ply", help = games::annotate(""))]
    annotate: bool,
    /// List at most N games.
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "game")]
    limit: usize,
    /// Skip the first N games of the list.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "game")]
    skip: u64,
}

impl Show {
    pub(super) fn run(self) -> Result<(), Failure> {
        let files = Files::new(&self.dir);
        let run = read::run(&files)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        match (self.game, self.ply) {
            (None, _) => {
                self.list(&files, &mut out)?;
                acts(&files, &run, &mut out)?;
            }
            (Some(number), ply) => {
                let shown = game::Shown::read(&files, number)?;
                match ply {
                    ply if self.svg => shown.picture(ply, &mut out)?,
                    None => shown.print(self.annotate, &mut out)?,
                    Some(ply) => ply::print(&shown, ply, &mut out)?,
                }
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Prints a table of games in the order in which they finished.
    fn list(&self, files: &Files, out: &mut impl Write) -> Result<(), Failure> {
        let mut table = vec![HEAD.map(str::to_owned)];
        let (mut total, path) = (0, files.games());
        if path.exists() {
            let mut rows = Rows::open(&path)?;
            while let Some(line) = rows.next_line()? {
                total += 1;
                if total > self.skip && table.len() <= self.limit {
                    let row: GameRow = serde_json::from_str(line).map_err(|error| rows.bad(error.into()))?;
                    table.push(cells(&row));
                }
            }
        }
        let widths = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|column| table.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0));
        for cells in &table {
            let mut line = String::new();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                let padded = match column {
                    0 | 5 | 6 => format!("{cell:>width$}  "),
                    _ => format!("{cell:width$}  "),
                };
                line += &padded;
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        let shown = table.len() as u64 - 1;
        if shown < total {
            let skipped = self.skip.min(total);
            let (first, last) = (skipped + 1, skipped + shown);
            match shown {
                0 => writeln!(out, "no game from {first} on: the record has {total}; lower --skip")?,
                _ => writeln!(
                    out,
                    "games {first} to {last} of {total}; choose others with --skip and --limit"
                )?,
            }
        }
        Ok(())
    }
}

/// Prints what the arbiter decided.
fn acts(files: &Files, run: &Run, out: &mut impl Write) -> Result<(), Failure> {
    let rulings = Rulings::read(files, run)?;
    let words = rulings.words(&run.plan);
    for ((act, words), in_force) in rulings.acts.acts.iter().zip(words).zip(&rulings.in_force) {
        let undone = if *in_force { "" } else { ", undone" };
        let (at, reason) = (&act.at, shown(&act.reason, 200));
        writeln!(out, "act {} ({at}{undone}): {} ({reason})", act.act, shown(&words, 400))?;
    }
    Ok(())
}

const HEAD: [&str; 8] = ["game", "South", "North", "result", "reason", "plies", "seeds", "detail"];

fn cells(row: &GameRow) -> [String; 8] {
    [
        row.game.to_string(),
        shown(&row.south, 40),
        shown(&row.north, 40),
        result(row).to_owned(),
        row.reason.to_string(),
        row.plies.to_string(),
        format!("{}-{}", row.seeds_south, row.seeds_north),
        shown(row.detail.as_deref().unwrap_or_default(), 600),
    ]
}
