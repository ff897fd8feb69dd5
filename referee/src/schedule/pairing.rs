//! What a format is: it says which pairs are played, given the pairs that are complete.

use super::pair::{Pair, PairEnd};
use super::ranking::{Place, Points};
use super::round::Round;
use bao_stats::Summary;
use serde::Serialize;

/// What a format says when it is asked for a pair.
pub(crate) enum NextPair {
    Pair(Pair),
    /// None until a pair is complete.
    Wait,
    Over,
}

/// A format: says which pairs are played, given the pairs that are complete.
pub(crate) trait Pairing: std::fmt::Debug {
    /// Returns the next pair that was not handed out yet.
    fn next_pair(&mut self, points: &Points) -> NextPair;

    /// Takes a pair that is complete.
    fn complete(&mut self, pair: &Pair, end: &PairEnd);

    /// Draws whatever conclusions were put off while results came in.
    fn settle(&mut self) {}

    /// Plans nothing more with this bot, whose death in a game was one too many. Returns whether that is so: not where the
    /// game does not count, because it was only running when all was decided.
    fn withdraw(&mut self, bot: usize, game: u64) -> bool;

    /// Returns whether the games of these two no longer count, because one of them was withdrawn.
    fn annulled(&self, _bots: [usize; 2]) -> bool {
        false
    }

    /// Returns whether a game that was given up because a program could not be started is lost by that bot, so that its
    /// opponents are not left with fewer points than those who met it at a better time.
    fn walkovers(&self) -> bool {
        true
    }

    /// Returns what is known of a pair's number.
    fn state(&self, pair: u64) -> PairState;

    /// Returns what a pair was that is no longer wanted.
    fn dropped(&self, _pair: u64) -> Option<Pair> {
        None
    }

    /// Returns how many games there will be in all, as far as is known.
    fn total(&self) -> Total;

    /// Ranks the bots by what is complete.
    fn ranking(&self, points: &Points) -> Vec<Place>;

    /// Returns the rounds that have been drawn, in a format that has rounds.
    fn rounds(&self) -> Vec<Round> {
        Vec::new()
    }

    /// Returns where the sequential test stands, if there is one.
    fn test(&self) -> Option<TestState> {
        None
    }
}

/// What a format knows of a pair's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairState {
    /// It was handed out and counts.
    HandedOut,
    /// It was not handed out, and may be.
    Ahead,
    /// It is not wanted any more; it may have been running when that was found.
    Dropped,
}

/// A number of games that may not be known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Exactly this many.
    Exactly(u64),
    /// At most this many.
    AtMost(u64),
}

/// Where a sequential test stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestState {
    /// How many complete pairs it has looked at.
    pub pairs: u64,
    /// How many of them only repeated an earlier one and so did not count.
    pub repeated: u64,
    /// The others by the first bot's points: 0, ½, 1, 1½, 2.
    pub counts: [u64; 5],
    /// What follows from them.
    pub summary: Summary,
    /// Whether the test is over: decided, out of pairs, or ended by the withdrawal of a bot.
    pub over: bool,
}
