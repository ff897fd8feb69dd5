//! Formats with pairs that are known from the start: a match, a round robin, a gauntlet.

use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, Total};
use super::ranking::{Place, Points, Terms, rank};

/// A list of meetings that is played in cycles.
///
/// The pairs of a cycle have the order of the list, with one pair of each game. The opening's number is the number
/// of the cycle, so all meetings of a cycle have the same openings.
///
/// When a bot is withdrawn, its later pairs are not played and its earlier pairs no longer count, so that
/// no bot gains or loses by having met it.
#[derive(Debug)]
pub(crate) struct Fixed {
    meetings: Vec<[usize; 2]>,
    games: usize,
    pairs: u64,
    /// Whether the last pair of all has only its first game.
    odd: bool,
    next: u64,
    withdrawn: Vec<usize>,
}

impl Fixed {
    /// Plans a match of two bots over a number of games.
    pub(crate) fn contest(games: u64) -> Self {
        let odd = games % 2 == 1;
        Self { pairs: games.div_ceil(2), odd, ..Self::cycles(vec![[0, 1]], 1, 0) }
    }

    /// Plans at most a number of pairs of two bots; the pairs take the plan's games in turn.
    pub(crate) fn test(games: usize, pairs: u64) -> Self {
        Self { pairs, ..Self::cycles(vec![[0, 1]], games, 0) }
    }

    /// Plans a round robin: every bot meets every other bot in every cycle.
    ///
    /// Within a cycle the order is that of the circle method: no bot plays its next opponent before most others have
    /// met theirs, so an early table is fair.
    pub(crate) fn round_robin(bots: usize, games: usize, cycles: u64) -> Self {
        let seats = bots.next_multiple_of(2);
        let round = |round: usize| {
            let place = move |k: usize| if k == 0 { 0 } else { 1 + (round + k - 1) % (seats - 1) };
            (0..seats / 2).map(move |k| [place(k), place(seats - 1 - k)])
        };
        let meetings = (0..seats - 1).flat_map(round).filter(|pair| pair.iter().all(|bot| *bot < bots));
        Self::cycles(meetings.map(|[a, b]| [a.min(b), a.max(b)]).collect(), games, cycles)
    }

    /// Plans a gauntlet: each of the first bots meets each of the others in every cycle.
    pub(crate) fn gauntlet(challengers: usize, bots: usize, games: usize, cycles: u64) -> Self {
        let others = challengers..bots;
        let meetings = others.flat_map(|other| (0..challengers).map(move |challenger| [challenger, other]));
        Self::cycles(meetings.collect(), games, cycles)
    }

    fn cycles(meetings: Vec<[usize; 2]>, games: usize, cycles: u64) -> Self {
        let pairs = (meetings.len() * games) as u64 * cycles;
        Self { meetings, games, pairs, odd: false, next: 1, withdrawn: Vec::new() }
    }

    /// Returns the pair of this number.
    pub(crate) fn pair(&self, number: u64) -> Pair {
        let (meetings, games) = (self.meetings.len() as u64, self.games as u64);
        let index = number - 1;
        Pair {
            number,
            round: None,
            game: (index % games) as usize,
            opening: index / (meetings * games),
            bots: self.meetings[(index / games % meetings) as usize],
            single: self.odd && number == self.pairs,
        }
    }

    fn struck(&self, pair: u64) -> bool {
        !self.withdrawn.is_empty() && self.annulled(self.pair(pair).bots)
    }
}

impl Pairing for Fixed {
    fn next_pair(&mut self, _points: &Points) -> NextPair {
        while self.next <= self.pairs {
            let pair = self.next;
            self.next += 1;
            if !self.struck(pair) {
                return NextPair::Pair(self.pair(pair));
            }
        }
        NextPair::Over
    }

    fn complete(&mut self, _pair: &Pair, _end: &PairEnd) {}

    fn withdraw(&mut self, bot: usize, _game: u64) -> bool {
        self.withdrawn.push(bot);
        true
    }

    fn annulled(&self, bots: [usize; 2]) -> bool {
        bots.iter().any(|bot| self.withdrawn.contains(bot))
    }

    fn state(&self, pair: u64) -> PairState {
        if (1..=self.pairs).contains(&pair) && self.struck(pair) {
            PairState::Dropped
        } else if (1..self.next).contains(&pair) {
            PairState::HandedOut
        } else {
            PairState::Ahead
        }
    }

    fn dropped(&self, pair: u64) -> Option<Pair> {
        (self.state(pair) == PairState::Dropped).then(|| self.pair(pair))
    }

    fn total(&self) -> Total {
        let per_meeting = self.pairs / self.meetings.len().max(1) as u64;
        let struck = self.meetings.iter().filter(|bots| self.annulled(**bots));
        Total::Exactly(2 * (self.pairs - per_meeting * struck.count() as u64) - u64::from(self.odd))
    }

    fn ranking(&self, points: &Points) -> Vec<Place> {
        let bots = self.meetings.iter().flatten().max().map_or(0, |last| last + 1);
        rank(bots, points, &Terms { withdrawn: &self.withdrawn, annulled: true, ..Terms::default() })
    }
}
