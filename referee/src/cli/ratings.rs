//! `referee ratings`: rates bots from any results.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::json::json_line;
use super::tables;
use crate::results::pool::{Pool, Rated};
use crate::results::sources;
use bao_stats::{Anchor, RatingOptions};

/// Rate bots from their results in records, games.jsonl files or CSV files.
///
/// A CSV file has the header a,b,points_a,points_b and one line per pair of games (same opening, sides swapped): two names
/// and the points of each in both games together. Bots with the same name in several files are one bot. In a record, pairs
/// with exactly the same moves count once, and pairs of withdrawn bots do not count.
///
/// Intervals are 95 % intervals. A bot that lost no points has no upper end; a bot that won no points has no lower end.
///
/// Example:  referee ratings record/ old-ladder.csv --anchor random-bot=0
#[derive(Debug, Args)]
pub(super) struct RatingsOf {
    /// Directory of a record, file of rows (.jsonl) or CSV file.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Give the bot NAME this rating; all other ratings are relative to it [default: the mean of all bots is 0].
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<(String, f64)>,
    /// Weight of the imaginary drawn games that keep ratings finite (one game fewer than there are bots).
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = prior)]
    prior: f64,
    /// Number of random samples for the intervals; 0 prints no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    replicates: u32,
    /// Seed of the random samples.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    bots: &'a [Rated],
}

impl RatingsOf {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut pool = Pool::default();
        self.files.iter().try_for_each(|file| sources::add(&mut pool, file))?;
        let anchor = match &self.anchor {
            None => Anchor::Mean,
            Some((name, elo)) => match pool.names().iter().position(|known| known == name) {
                Some(bot) => Anchor::Bot { bot, elo: *elo },
                None => {
                    return Err(Failure::Anchor { name: name.clone(), names: pool.names().to_vec() });
                }
            },
        };
        let Self { prior, replicates, seed, .. } = self;
        let bots = pool.rate(&RatingOptions { anchor, prior, replicates, seed });
        let mut out = io::stdout().lock();
        if self.json {
            return Ok(json_line(&mut out, &Answer { bots: &bots })?);
        }
        Ok(out.write_all(tables::ratings(&bots).as_bytes())?)
    }
}

/// Reads NAME=ELO.
fn anchor(text: &str) -> Result<(String, f64), BadNumber> {
    let (name, elo) = text.rsplit_once('=').ok_or(BadNumber::Anchor)?;
    let elo = elo.trim().parse().ok().filter(|elo: &f64| elo.abs() <= 1e5).ok_or(BadNumber::Anchor)?;
    Ok((name.trim().to_owned(), elo))
}

fn prior(text: &str) -> Result<f64, BadNumber> {
    text.parse().ok().filter(|prior| (0.01..=100.0).contains(prior)).ok_or(BadNumber::Prior)
}

/// A value that an option cannot have.
#[derive(Debug, thiserror::Error)]
enum BadNumber {
    #[error("give a bot's name, = and a number from -100000 to 100000, such as random-bot=0")]
    Anchor,
    #[error("give a number from 0.01 to 100")]
    Prior,
}
