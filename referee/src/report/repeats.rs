//! Games that were played before, move for move.
//!
//! Bots without chance in them play the same game again whenever they meet from the same opening. Such a pair says
//! nothing new and must not narrow an error bar, so it counts once. Bots that do have chance in them repeat a short
//! game now and then as well; their pairs are independent, and leaving some out would bend the result. So the
//! pairs of two bots from one opening count once exactly while all of them are the same pair.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use bao_protocol::record::GameRow;

use crate::stats::Outcome;

/// Which games were played before; a few bytes a game.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// The first game with these moves, by their hash.
    firsts: HashMap<u64, u64>,
    /// How often a game that came again was played, by the number of the first.
    again: BTreeMap<u64, u64>,
    /// What two bots played from one opening.
    meetings: HashMap<u64, Meeting>,
}

#[derive(Debug)]
struct Meeting {
    pair: Pair,
    /// How many pairs like the first were not counted.
    held: u64,
    /// Whether a different pair has come.
    varied: bool,
}

/// A finished pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The bot that was South in the pair's first game.
    pub(super) a: usize,
    /// The other.
    pub(super) b: usize,
    /// Both games as `a` sees them.
    pub(super) outcomes: [Outcome; 2],
    /// What was played, whichever game came first.
    pub(super) hash: u64,
}

impl Repeats {
    /// Takes note of a game; returns a number that two games share only if they are alike, move for move.
    pub(super) fn game(&mut self, row: &GameRow) -> u64 {
        let mut hash = DefaultHasher::new();
        if row.plies == 0 {
            // A game without a move was not played; its number keeps it apart from all others.
            row.game.hash(&mut hash);
            return hash.finish();
        }
        (&row.variant, &row.position, &row.south, &row.north, &row.moves, row.reason).hash(&mut hash);
        let hash = hash.finish();
        let first = *self.firsts.entry(hash).or_insert(row.game);
        if first != row.game {
            *self.again.entry(first).or_insert(1) += 1;
        }
        hash
    }

    /// Takes note of a pair that was played from this position; hands out the pairs that are to be counted now.
    pub(super) fn pair(&mut self, variant: &str, position: &str, pair: Pair, mut count: impl FnMut(Pair)) {
        let mut key = DefaultHasher::new();
        (variant, position, pair.a.min(pair.b), pair.a.max(pair.b)).hash(&mut key);
        let Some(meeting) = self.meetings.get_mut(&key.finish()) else {
            self.meetings.insert(key.finish(), Meeting { pair, held: 0, varied: false });
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
    pub(super) fn held_pairs(&self) -> u64 {
        self.meetings.values().map(|meeting| meeting.held).sum()
    }

    /// Returns the games that came again, by the number of the first: how often each was played.
    pub(super) fn games(&self) -> &BTreeMap<u64, u64> {
        &self.again
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Pair, Repeats};

    fn counted(hashes: &[u64]) -> (Vec<u64>, u64) {
        let (mut repeats, mut counted) = (Repeats::default(), Vec::new());
        for &hash in hashes {
            let pair = Pair { a: 0, b: 1, outcomes: [Outcome::Win, Outcome::Loss], hash };
            repeats.pair("bao-kigogo", "start", pair, |pair| counted.push(pair.hash));
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
        for position in ["one", "two", "one"] {
            repeats.pair("bao-kigogo", position, pair, |_| count += 1);
        }
        assert_eq!((count, repeats.held_pairs()), (2, 1));
    }
}
