//! The pairs of bots from any number of sources, to be rated together.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::plan::MOST_BOTS;
use bao_stats::{RatingOptions, Table, ratings};

/// How long a bot's name may be, in characters.
const LONGEST_NAME: usize = 200;

/// Pairs by the bots that played them; its size depends only on the bots.
#[derive(Debug, Default)]
pub struct Pool {
    names: Vec<String>,
    places: HashMap<String, usize>,
    // The pairs by the points of the first bot: the bot that was named earlier.
    pairs: BTreeMap<(usize, usize), [u64; 5]>,
}

/// Why a pair cannot be rated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unrated {
    /// A bot has no name.
    #[error("a bot has no name; give each bot a name")]
    Nameless,
    /// A name is too long.
    #[error("a name has {0} characters; the limit is {LONGEST_NAME}")]
    LongName(usize),
    /// A name would move a terminal's cursor.
    #[error("a name contains the control character {0:?}; remove it")]
    Control(String),
    /// A bot meets itself.
    #[error("{0} plays against itself; name two different bots")]
    Itself(String),
    /// There are too many bots.
    #[error("more than {MOST_BOTS} bots; rate fewer bots at once")]
    TooMany,
}

/// A bot with its rating, for people and programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rated {
    /// Its name.
    pub name: String,
    /// Its rating; `None` without a pair.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; `None` where it is open.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval; `None` where it is open.
    pub elo_high: Option<f64>,
    /// Its pairs that count.
    pub pairs: u64,
    /// Its mean score per game in these pairs, from 0 to 1.
    pub score: Option<f64>,
}

impl Pool {
    /// Returns the number of a bot, a new one if it was not named before.
    ///
    /// # Errors
    /// [`Unrated`] if the name is not valid, or there are too many bots.
    pub fn bot(&mut self, name: &str) -> Result<usize, Unrated> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let length = name.chars().count();
        if name.trim().is_empty() {
            return Err(Unrated::Nameless);
        }
        if length > LONGEST_NAME {
            return Err(Unrated::LongName(length));
        }
        if name.contains(char::is_control) {
            return Err(Unrated::Control(name.to_owned()));
        }
        let place = self.names.len();
        if place == MOST_BOTS {
            return Err(Unrated::TooMany);
        }
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    /// Counts pairs of two bots by the points of the first: 0, 1/2, 1, 3/2, 2.
    ///
    /// # Errors
    /// [`Unrated`] if both are the same bot.
    pub fn add(&mut self, [first, second]: [usize; 2], mut pairs: [u64; 5]) -> Result<(), Unrated> {
        if first == second {
            return Err(Unrated::Itself(self.names[first].clone()));
        }
        if first > second {
            pairs.reverse();
        }
        let sums = self.pairs.entry((first.min(second), first.max(second))).or_default();
        for (sum, count) in sums.iter_mut().zip(pairs) {
            *sum = sum.saturating_add(count);
        }
        Ok(())
    }

    /// Returns the names of the bots, in the order in which they were added.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Rates the bots, the best first.
    pub fn rate(&self, options: &RatingOptions) -> Vec<Rated> {
        let mut table = Table::new(self.names.len());
        for (&(a, b), &pairs) in &self.pairs {
            table.add_pairs(a, b, pairs);
        }
        let rated = ratings(&table, options).bots.into_iter().zip(&self.names);
        let mut bots: Vec<Rated> = rated
            .map(|(rating, name)| Rated {
                name: name.clone(),
                elo: rating.elo,
                elo_low: rating.elo_low,
                elo_high: rating.elo_high,
                pairs: rating.pairs,
                score: rating.score,
            })
            .collect();
        let elo = |bot: &Rated| bot.elo.unwrap_or(f64::NEG_INFINITY);
        bots.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then_with(|| a.name.cmp(&b.name)));
        bots
    }
}
