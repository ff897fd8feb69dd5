//! The trait of a format: it decides which pairs are played, given the pairs that are complete.

use super::pair::{Pair, PairEnd};
use super::ranking::{Place, Points};
use super::round::Round;
use bao_protocol::record::Tiebreak;
use bao_stats::Summary;
use serde::Serialize;

/// A format's answer when it is asked for a pair.
pub(crate) enum NextPair {
    Pair(Pair),
    /// None until a pair is complete.
    Wait,
    Over,
}

/// A format: decides which pairs are played, given the pairs that are complete.
pub(crate) trait Pairing: std::fmt::Debug {
    /// Returns the next pair to play.
    fn next_pair(&mut self, points: &Points) -> NextPair;

    /// Takes a complete pair.
    fn complete(&mut self, pair: &Pair, end: &PairEnd);

    /// Draws the conclusions that were delayed while results came in.
    fn settle(&mut self) {}

    /// Withdraws this bot because of its failure in a game. Returns whether it did so: it does not if the
    /// game does not count because everything was decided while it was running.
    fn withdraw(&mut self, bot: usize, game: u64) -> bool;

    /// Lets bots take part from the next round on: the first ones of the plan's list, this many.
    fn admit(&mut self, _bots: usize) {}

    /// Returns whether the games of these two no longer count, because one of them was withdrawn.
    fn annulled(&self, _bots: [usize; 2]) -> bool {
        false
    }

    /// Returns whether a bot loses a game that was given up because its program could not be started, so that its
    /// opponents do not get fewer points than bots that met it at a better time.
    fn walkovers(&self) -> bool {
        true
    }

    /// Returns the state of the pair with this number.
    fn state(&self, pair: u64) -> PairState;

    /// Returns a pair that is no longer wanted.
    fn dropped(&self, _pair: u64) -> Option<Pair> {
        None
    }

    /// Returns how many games there will be in all, as far as is known.
    fn total(&self) -> Total;

    /// Ranks the bots by their complete pairs; equal points by these tie-breaks, or by the format's own if there are none.
    fn ranking(&self, points: &Points, tiebreaks: &[Tiebreak]) -> Vec<Place>;

    /// Returns the rounds that have been drawn, in a format that has rounds.
    fn rounds(&self) -> Vec<Round> {
        Vec::new()
    }

    /// Returns the state of the sequential test, if there is one.
    fn test(&self) -> Option<TestState> {
        None
    }
}

/// The state of the pair with a given number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairState {
    /// It was started and counts.
    HandedOut,
    /// It was not started yet.
    Ahead,
    /// It is no longer wanted; it may have been running when this was decided.
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

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestState {
    /// How many complete pairs it has looked at.
    pub pairs: u64,
    /// How many of them repeated an earlier pair and so did not count.
    pub repeated: u64,
    /// The others by the first bot's points: 0, ½, 1, 1½, 2.
    pub counts: [u64; 5],
    /// The statistics of these counts.
    pub summary: Summary,
    /// Whether the test is over: decided, out of pairs, or ended by the withdrawal of a bot.
    pub over: bool,
}
