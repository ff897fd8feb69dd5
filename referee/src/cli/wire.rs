//! `referee wire`: the evidence of a game, for programs.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use crate::record::Files;
use crate::record::evidence::Evidence;
use crate::record::place::{Ends, Places};
use crate::record::read::{self, GameBrief, Rows};

/// Print the evidence of a game: one JSON object for each line that was exchanged, with its time.
///
/// A game that does not count is played again. The attempts at a game are numbered from 1. By default the last attempt is
/// printed.
#[derive(Debug, Args)]
pub(super) struct Wire {
    /// Directory of the record (--out of a match or tournament).
    dir: PathBuf,
    /// Number of the game.
    game: u64,
    /// Print attempt N at the game instead of the last one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    attempt: Option<u64>,
}

impl Wire {
    pub(super) fn run(self) -> Result<(), Failure> {
        let files = Files::new(&self.dir);
        read::run(&files)?;
        let (mut attempts, mut total, mut found) = (0, 0, None);
        if files.games().exists() {
            let (mut rows, mut places) = (Rows::open(&files.games())?, Places::default());
            while let Some(row) = rows.next_row::<GameBrief<'_>>()? {
                total += 1;
                let place = places.take(Ends::from(&row));
                if row.game == self.game {
                    attempts += 1;
                    if self.attempt.is_none_or(|attempt| attempt == attempts) {
                        found = Some(Evidence::of(&files, &row, place.void));
                    }
                }
            }
        }
        let number = self.game;
        let evidence = match (found, self.attempt) {
            (Some(evidence), _) => evidence,
            (None, Some(attempt)) if attempts > 0 => {
                return Err(Failure::NoAttempt { number, attempt, attempts });
            }
            (None, _) if files.spool(number).exists() || files.wire(number).exists() => {
                return Err(Failure::Unfinished(number));
            }
            (None, _) => return Err(Failure::NoGame { number, total }),
        };
        let lines = evidence.as_ref().map(Evidence::lines).transpose()?.flatten();
        let mut lines = lines.ok_or(Failure::NoEvidence(number))?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        while let Some(line) = lines.next_bytes()? {
            out.write_all(line)?;
        }
        out.flush()?;
        Ok(())
    }
}
