//! Combines the two games of a pair.

use std::collections::BTreeMap;

use crate::schedule::repeats::Pair;
use bao_stats::Outcome;

/// One game of a pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Half {
    /// The game's number.
    pub(crate) game: u64,
    /// South's and North's bots.
    pub(crate) seats: [usize; 2],
    /// How it ended for South.
    pub(crate) outcome: Outcome,
    /// A number that only games with the same moves share.
    pub(crate) moves: u64,
    /// A number that only games from the same opening share.
    pub(crate) start: u64,
}

/// The games whose pairs are not complete, by the pair's number.
#[derive(Debug, Default)]
pub(crate) struct Halves(BTreeMap<u64, Half>);

impl Halves {
    /// Takes a finished game; returns the pair that it completes, and the pair's [`start`](Half::start).
    ///
    /// The pair's first bot is South in the game with the lower number, whichever game finished first. Two
    /// games of different bots are not a pair.
    pub(crate) fn add(&mut self, pair: u64, half: Half) -> Option<(u64, Pair)> {
        let Some(other) = self.0.remove(&pair) else {
            self.0.insert(pair, half);
            return None;
        };
        let (first, second) = if other.game < half.game { (other, half) } else { (half, other) };
        let [a, b] = first.seats;
        let again = match second.seats {
            seats if seats == [b, a] => second.outcome.mirrored(),
            seats if seats == [a, b] => second.outcome,
            _ => return None,
        };
        let hash = first.moves.wrapping_add(second.moves);
        Some((first.start, Pair { a, b, outcomes: [first.outcome, again], hash }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_the_same_whichever_of_its_games_comes_first() {
        let half = |game, seats, outcome| Half { game, seats, outcome, moves: game, start: 9 };
        let (one, two) = (half(1, [4, 5], Outcome::Win), half(2, [5, 4], Outcome::Draw));
        let expected = Some((9, Pair { a: 4, b: 5, outcomes: [Outcome::Win, Outcome::Draw], hash: 3 }));
        for [first, second] in [[one, two], [two, one]] {
            let mut halves = Halves::default();
            assert_eq!(halves.add(1, first), None);
            assert_eq!(halves.add(1, second), expected);
        }
        let mut halves = Halves::default();
        halves.add(1, one);
        assert_eq!(halves.add(1, half(2, [5, 6], Outcome::Win)), None, "a game of others");
    }
}
