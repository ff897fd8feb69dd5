//! Pairs that another schedule has chosen: those of a bundle.

use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, Total};
use super::ranking::{Place, Points};
use bao_protocol::record::Tiebreak;

/// Pairs with the numbers that they have in the event, one after the other.
///
/// It draws no conclusions: whether a bot is withdrawn, and what follows, is for the schedule of the event.
#[derive(Debug)]
pub(crate) struct Listed {
    pairs: Vec<Pair>,
    handed: usize,
}

impl Listed {
    /// Lists pairs in the order in which they are played.
    pub(crate) fn new(pairs: Vec<Pair>) -> Self {
        Self { pairs, handed: 0 }
    }
}

impl Pairing for Listed {
    fn next_pair(&mut self, _points: &Points) -> NextPair {
        let next = self.pairs.get(self.handed).map_or(NextPair::Over, |pair| NextPair::Pair(*pair));
        self.handed = (self.handed + 1).min(self.pairs.len());
        next
    }

    fn complete(&mut self, _pair: &Pair, _end: &PairEnd) {}

    fn withdraw(&mut self, _bot: usize, _game: u64) -> bool {
        false
    }

    fn state(&self, pair: u64) -> PairState {
        match self.pairs[..self.handed].iter().any(|handed| handed.number == pair) {
            true => PairState::HandedOut,
            false => PairState::Ahead,
        }
    }

    fn total(&self) -> Total {
        Total::Exactly(self.pairs.iter().map(|pair| if pair.single { 1 } else { 2 }).sum())
    }

    fn ranking(&self, _points: &Points, _tiebreaks: &[Tiebreak]) -> Vec<Place> {
        Vec::new()
    }
}
