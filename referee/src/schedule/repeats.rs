//! Games with the same moves as earlier games.
//!
//! Bots without randomness play the same game whenever they meet from the same opening. Such a pair says
//! nothing new and must not narrow an error bar, so it counts once. Bots with randomness also repeat a short
//! game now and then; their pairs are independent, and leaving some out would bias the result. So the
//! pairs of two bots from one opening count once as long as all of them are the same pair.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::record::read::GameBrief;
use bao_stats::Outcome;

/// How many games, and how many pairs from different openings, are remembered: tens of megabytes.
const REMEMBERED: usize = 1 << 18;

/// The games that were played before: a few bytes per game, up to a limit after which every game counts as new.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// The first game with these moves, by their hash.
    firsts: HashMap<u64, u64>,
    /// How often a repeated game was played, by the number of the first.
    again: BTreeMap<u64, u64>,
    /// What two bots played from one opening.
    meetings: HashMap<u64, Meeting>,
}

#[derive(Debug)]
struct Meeting {
    pair: Pair,
    /// How many repeated pairs were not counted.
    held: u64,
    /// Whether there was a different pair.
    varied: bool,
}

/// A finished pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The bot that was South in the pair's first game.
    pub(crate) a: usize,
    /// The other.
    pub(crate) b: usize,
    /// Both games as `a` sees them.
    pub(crate) outcomes: [Outcome; 2],
    /// A hash of what was played, independent of which game finished first.
    pub(crate) hash: u64,
}

impl Repeats {
    /// Adds a game with this number and these [`moves`].
    pub(crate) fn game(&mut self, number: u64, moves: u64) {
        let first = match self.firsts.get(&moves) {
            Some(first) => *first,
            None if self.firsts.len() < REMEMBERED => *self.firsts.entry(moves).or_insert(number),
            None => number,
        };
        if first != number {
            *self.again.entry(first).or_insert(1) += 1;
        }
    }

    /// Adds a pair that was played from this [`start`]; calls `count` with each pair that counts now.
    pub(crate) fn pair(&mut self, start: u64, pair: Pair, mut count: impl FnMut(Pair)) {
        let mut key = DefaultHasher::new();
        (start, pair.a.min(pair.b), pair.a.max(pair.b)).hash(&mut key);
        let key = key.finish();
        let Some(meeting) = self.meetings.get_mut(&key) else {
            if self.meetings.len() < REMEMBERED {
                self.meetings.insert(key, Meeting { pair, held: 0, varied: false });
            }
            return count(pair);
        };
        if !meeting.varied && meeting.pair.hash == pair.hash {
            meeting.held += 1;
            return;
        }
        meeting.varied = true;
        for _ in 0..std::mem::take(&mut meeting.held) {
            count(meeting.pair);
        }
        count(pair);
    }

    /// Returns how many pairs were not counted.
    pub(crate) fn held_pairs(&self) -> u64 {
        self.meetings.values().map(|meeting| meeting.held).sum()
    }

    /// Returns how often each repeated game was played, by the number of the first.
    pub(crate) fn games(&self) -> &BTreeMap<u64, u64> {
        &self.again
    }
}

/// Returns a number that two games share only if they have the same bots, seats and moves.
pub(crate) fn moves(row: &GameBrief<'_>) -> u64 {
    let mut hash = DefaultHasher::new();
    if row.plies == 0 || row.ruling.is_some() {
        // A game without a move was not played, and one with another result is like no other; its number makes it
        // different from all others.
        row.game.hash(&mut hash);
    } else {
        (&row.variant, &row.position, &row.south, &row.north, &row.moves, row.reason).hash(&mut hash);
    }
    hash.finish()
}

/// Returns a number that two games share only if they have the same start.
pub(crate) fn start(row: &GameBrief<'_>) -> u64 {
    let mut hash = DefaultHasher::new();
    (&row.variant, &row.position).hash(&mut hash);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Pair, Repeats};

    fn counted(hashes: &[u64]) -> (Vec<u64>, u64) {
        let (mut repeats, mut counted) = (Repeats::default(), Vec::new());
        for &hash in hashes {
            let pair = Pair { a: 0, b: 1, outcomes: [Outcome::Win, Outcome::Loss], hash };
            repeats.pair(0, pair, |pair| counted.push(pair.hash));
        }
        (counted, repeats.held_pairs())
    }

    #[test]
    fn pairs_of_bots_without_chance_count_once() {
        assert_eq!(counted(&[7, 7, 7]), (vec![7], 2));
    }

    #[test]
    fn every_pair_counts_once_the_bots_have_varied() {
        assert_eq!(counted(&[7, 7, 7, 5, 7, 5]), (vec![7, 7, 7, 5, 7, 5], 0));
    }

    #[test]
    fn openings_are_told_apart() {
        let mut repeats = Repeats::default();
        let pair = Pair { a: 0, b: 1, outcomes: [Outcome::Draw; 2], hash: 1 };
        let mut count = 0;
        for start in [1, 2, 1] {
            repeats.pair(start, pair, |_| count += 1);
        }
        assert_eq!((count, repeats.held_pairs()), (2, 1));
    }
}
