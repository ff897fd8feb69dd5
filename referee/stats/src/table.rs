//! Results of many bots against each other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::{Counts, Outcome};

/// Collects the pairs of many bots, which are numbered from 0.
///
/// Memory grows with the number of pairings that met, never with the number of games.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Table {
    bots: usize,
    // Keys (a, b) with a < b; the results are a's.
    pairings: BTreeMap<(usize, usize), Pairing>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Pairing {
    pairs: [u64; 5],
    games: [u64; 3],
}

impl Table {
    /// Creates an empty table for this many bots.
    pub fn new(bots: usize) -> Self {
        Self { bots, pairings: BTreeMap::new() }
    }

    /// Returns the number of bots.
    pub fn bots(&self) -> usize {
        self.bots
    }

    /// Counts one pair of `a` against `b`, both games as `a` sees them, in constant time.
    ///
    /// # Panics
    /// A bot must be in the table and cannot play itself.
    pub fn add_pair(&mut self, a: usize, b: usize, games: [Outcome; 2]) {
        assert!(a < self.bots && b < self.bots && a != b, "bots {a} and {b} of {} cannot meet", self.bots);
        let games = if a < b { games } else { games.map(Outcome::mirrored) };
        let pairing = self.pairings.entry((a.min(b), a.max(b))).or_default();
        for game in games {
            pairing.games[game.half_points()] += 1;
        }
        pairing.pairs[games[0].half_points() + games[1].half_points()] += 1;
    }

    /// Counts pairs of `a` against `b` by the points of `a` in them, whose games are not known apart: 0, 1/2, 1, 3/2, 2.
    ///
    /// In the cross table a pair of 1 point counts as a win and a loss.
    ///
    /// # Panics
    /// A bot must be in the table and cannot play itself.
    pub fn add_pairs(&mut self, a: usize, b: usize, mut pairs: [u64; 5]) {
        assert!(a < self.bots && b < self.bots && a != b, "bots {a} and {b} of {} cannot meet", self.bots);
        if a > b {
            pairs.reverse();
        }
        if pairs == [0; 5] {
            return;
        }
        let pairing = self.pairings.entry((a.min(b), a.max(b))).or_default();
        let games = [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]];
        for ((count, sum), games) in pairs.into_iter().zip(&mut pairing.pairs).zip(games) {
            *sum += count;
            for (sum, each) in pairing.games.iter_mut().zip(games) {
                *sum += count * each;
            }
        }
    }

    /// Returns the same table as if these bots had never played.
    #[must_use]
    pub fn without(&self, bots: &[usize]) -> Self {
        let mut table = self.clone();
        table.pairings.retain(|(a, b), _| !bots.contains(a) && !bots.contains(b));
        table
    }

    /// Returns the pairs of `a` against `b` as `a` sees them; all zero if they never met.
    pub fn contest(&self, a: usize, b: usize) -> Counts {
        let pairs = self.pairing(a, b).unwrap_or_default().pairs;
        Counts::Pentanomial(pairs)
    }

    /// Returns the pairs of `bot` against all others together as `bot` sees them.
    pub fn against_all(&self, bot: usize) -> Counts {
        let mut sum = [0; 5];
        for pairing in (0..self.bots).filter_map(|other| self.pairing(bot, other)) {
            for (sum, n) in sum.iter_mut().zip(pairing.pairs) {
                *sum += n;
            }
        }
        Counts::Pentanomial(sum)
    }

    /// Returns one row a bot with one cell an opponent; `None` where the two never met.
    pub fn cross_table(&self) -> Vec<Vec<Option<CrossCell>>> {
        (0..self.bots)
            .map(|a| (0..self.bots).map(|b| self.pairing(a, b).map(CrossCell::from)).collect())
            .collect()
    }

    /// Iterates over the pairings that met as (a, b, pairs as a sees them), a < b, in ascending order.
    pub(super) fn pairings(&self) -> impl Iterator<Item = (usize, usize, [u64; 5])> + '_ {
        self.pairings.iter().map(|(&(a, b), pairing)| (a, b, pairing.pairs))
    }

    fn pairing(&self, a: usize, b: usize) -> Option<Pairing> {
        let mut pairing = *self.pairings.get(&(a.min(b), a.max(b)))?;
        if a > b {
            pairing.pairs.reverse();
            pairing.games.reverse();
        }
        Some(pairing)
    }
}

/// Holds one cell of a cross table: the row's bot against the column's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CrossCell {
    /// Games won by the row's bot.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the row's bot.
    pub losses: u64,
    /// The row's bot's points: a win counts 1, a draw ½.
    pub points: f64,
    /// The row's bot's mean score a game, from 0 to 1.
    pub score: f64,
    /// The pairs by the row's bot's points in them: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl From<Pairing> for CrossCell {
    fn from(pairing: Pairing) -> Self {
        let [losses, draws, wins] = pairing.games;
        let points = wins as f64 + draws as f64 / 2.0;
        // A pairing exists only once a pair was counted, so the number of games is not zero.
        let score = points / (wins + draws + losses) as f64;
        Self { wins, draws, losses, points, score, pairs: pairing.pairs }
    }
}
