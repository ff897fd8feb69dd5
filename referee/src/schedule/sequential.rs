//! The sequential test: two bots play until it is clear which of two hypotheses holds.

use std::collections::{BTreeMap, VecDeque};

use super::fixed::Fixed;
use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, TestState, Total};
use super::ranking::{Place, Points};
use crate::schedule::repeats::{self, Repeats};
use bao_protocol::record::Tiebreak;
use bao_stats::{Counts, Decision, Outcome, Sprt, summary};

/// How many complete pairs may wait for the test to look at them.
///
/// If this many later pairs are complete, the test was not decided before: they would not have been started. No run
/// has that many tables.
const UNJUDGED: usize = 2048;

/// Pairs of two bots until a sequential test decides.
///
/// The test looks at complete pairs in the order of their numbers, so that it does not matter which pair finished
/// first. Pairs after the deciding pair were running at that time; they stay in the record and do not count. Pairs
/// that repeat each other count once (see [`crate::schedule::repeats`]).
#[derive(Debug)]
pub(crate) struct Sequential {
    test: Sprt,
    pairs: Fixed,
    most: u64,
    /// The first pair that is not complete.
    next: u64,
    /// Complete pairs that wait for earlier pairs.
    early: BTreeMap<u64, PairEnd>,
    repeats: Repeats,
    /// Pairs that are complete in order, and at which the test has not looked yet.
    unjudged: VecDeque<PairEnd>,
    judged: Judged,
    /// Whether the test is decided.
    decided: bool,
}

#[derive(Debug, Default)]
struct Judged {
    pairs: u64,
    counted: u64,
    counts: [u64; 5],
    points: Points,
}

impl Sequential {
    /// Plans a test over at most `max_pairs` pairs.
    pub(crate) fn new(test: Sprt, games: usize, most: u64) -> Self {
        Self {
            test,
            pairs: Fixed::test(games, most),
            most,
            next: 1,
            early: BTreeMap::new(),
            repeats: Repeats::default(),
            unjudged: VecDeque::new(),
            judged: Judged::default(),
            decided: false,
        }
    }

    /// Counts a pair; returns whether it was new.
    fn count(&mut self, end: &PairEnd) -> bool {
        let judged = &mut self.judged;
        judged.pairs += 1;
        judged.points.add([0, 1], end);
        let [Some(first), Some(second)] = end else { return false };
        let outcomes: [Outcome; 2] = [first.outcome, second.outcome];
        let pair = repeats::Pair { a: 0, b: 1, outcomes, hash: first.moves.wrapping_add(second.moves) };
        let before = judged.counted;
        self.repeats.pair(first.start, pair, |pair| {
            judged.counted += 1;
            judged.counts[pair.outcomes.map(Outcome::half_points).iter().sum::<usize>()] += 1;
        });
        judged.counted > before
    }
}

impl Pairing for Sequential {
    fn next_pair(&mut self, points: &Points) -> NextPair {
        if self.decided { NextPair::Over } else { self.pairs.next_pair(points) }
    }

    fn complete(&mut self, pair: &Pair, end: &PairEnd) {
        if self.decided {
            return;
        }
        self.early.insert(pair.number, *end);
        while let Some(end) = self.early.remove(&self.next) {
            self.next += 1;
            self.unjudged.push_back(end);
            if self.unjudged.len() > UNJUDGED
                && let Some(end) = self.unjudged.pop_front()
            {
                self.count(&end);
            }
        }
    }

    fn settle(&mut self) {
        while !self.decided
            && let Some(end) = self.unjudged.pop_front()
        {
            if self.count(&end) {
                let state = self.test.judge(&Counts::Pentanomial(self.judged.counts));
                self.decided = state.decision != Decision::Continue;
            }
        }
        if self.decided {
            self.early.clear();
            self.unjudged.clear();
        }
    }

    /// Ends the test without a result, unless earlier pairs have decided it.
    fn withdraw(&mut self, bot: usize, game: u64) -> bool {
        self.settle();
        if self.decided && game.div_ceil(2) > self.judged.pairs {
            return false;
        }
        self.pairs.withdraw(bot, game);
        (self.judged, self.repeats) = (Judged::default(), Repeats::default());
        self.decided = true;
        true
    }

    fn annulled(&self, bots: [usize; 2]) -> bool {
        self.pairs.annulled(bots)
    }

    /// A test counts only games that were played.
    fn walkovers(&self) -> bool {
        false
    }

    fn state(&self, pair: u64) -> PairState {
        if self.decided && pair > self.judged.pairs {
            return if pair <= self.most { PairState::Dropped } else { PairState::Ahead };
        }
        self.pairs.state(pair)
    }

    fn dropped(&self, pair: u64) -> Option<Pair> {
        (self.state(pair) == PairState::Dropped).then(|| self.pairs.pair(pair))
    }

    fn total(&self) -> Total {
        if self.decided { Total::Exactly(2 * self.judged.pairs) } else { Total::AtMost(2 * self.most) }
    }

    fn ranking(&self, _points: &Points, tiebreaks: &[Tiebreak]) -> Vec<Place> {
        self.pairs.ranking(&self.judged.points, tiebreaks)
    }

    fn test(&self) -> Option<TestState> {
        let Judged { pairs, counts, .. } = self.judged;
        Some(TestState {
            pairs,
            repeated: self.repeats.held_pairs(),
            counts,
            summary: summary(&Counts::Pentanomial(counts), Some(&self.test)),
            over: self.decided || pairs == self.most,
        })
    }
}
