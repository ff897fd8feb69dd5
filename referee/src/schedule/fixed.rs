//! Formats with pairs that are known from the start: a match, a round robin, a gauntlet.

use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, Total};
use super::ranking::{Place, Points, Terms, rank};
use bao_protocol::record::{Size, Tiebreak};

/// A list of meetings that is played in cycles.
///
/// The pairs of a cycle have the order of the list, with one pair of each game. The opening's number is the number
/// of the cycle, so all meetings of a cycle have the same openings.
///
/// When a bot is withdrawn, its later pairs are not played and its earlier pairs no longer count, so that
/// no bot gains or loses by having met it.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// The lists, one after the other: the first, and one for each time that the event was extended.
    blocks: Vec<Block>,
    games: usize,
    /// Whether every meeting has openings of its own.
    own_openings: bool,
    /// Whether the last pair of all has only its first game.
    odd: bool,
    next: u64,
    withdrawn: Vec<usize>,
}

/// Meetings that are played in cycles.
#[derive(Debug)]
struct Block {
    meetings: Vec<[usize; 2]>,
    /// How many pairs are played.
    pairs: u64,
    /// The number of the opening of the first cycle.
    opening: u64,
}

/// Which of some bots meet: the meetings of a cycle, in their order.
type Meetings = fn(usize, usize) -> Vec<[usize; 2]>;

impl Fixed {
    /// Plans a match of two bots over a number of games.
    pub(crate) fn contest(games: u64) -> Self {
        let odd = games % 2 == 1;
        let block = Block { meetings: vec![[0, 1]], pairs: games.div_ceil(2), opening: 0 };
        Self { odd, ..Self::new(vec![block], 1) }
    }

    /// Plans at most a number of pairs of two bots; the pairs take the plan's games in turn.
    pub(crate) fn test(games: usize, pairs: u64) -> Self {
        Self::new(vec![Block { meetings: vec![[0, 1]], pairs, opening: 0 }], games)
    }

    /// Plans a round robin: every bot meets every other bot in every cycle.
    ///
    /// `sizes` are those that the event had one after the other, the last of them now: a bot that came later plays the
    /// cycles that the others have begun, after these.
    ///
    /// Within a cycle the order is that of the circle method: no bot plays its next opponent before most others have
    /// met theirs, so an early table is fair.
    pub(crate) fn round_robin(sizes: &[Size], games: usize) -> Self {
        let all: Meetings = |_, bots| {
            let seats = bots.next_multiple_of(2);
            let round = |round: usize| {
                let place = move |k: usize| if k == 0 { 0 } else { 1 + (round + k - 1) % (seats - 1) };
                (0..seats / 2).map(move |k| [place(k), place(seats - 1 - k)])
            };
            let meetings = (0..seats - 1).flat_map(round).filter(|pair| pair.iter().all(|bot| *bot < bots));
            meetings.map(|[a, b]| [a.min(b), a.max(b)]).collect()
        };
        let late: Meetings =
            |before, bots| (before..bots).flat_map(|bot| (0..bot).map(move |other| [other, bot])).collect();
        Self::grown(sizes, games, all, late)
    }

    /// Plans a gauntlet: each of the first bots meets each of the others in every cycle; `sizes` as in a round robin.
    pub(crate) fn gauntlet(challengers: usize, sizes: &[Size], games: usize) -> Self {
        let run = move |first: usize, bots: usize| -> Vec<[usize; 2]> {
            let others = first.max(challengers)..bots;
            others.flat_map(|other| (0..challengers).map(move |challenger| [challenger, other])).collect()
        };
        Self::grown(sizes, games, |_, bots| run(0, bots), run)
    }

    /// Plans the meetings of all bots, then for each larger size those of the bots that came, and the cycles that came.
    fn grown(
        sizes: &[Size],
        games: usize,
        all: impl Fn(usize, usize) -> Vec<[usize; 2]>,
        late: impl Fn(usize, usize) -> Vec<[usize; 2]>,
    ) -> Self {
        let mut blocks = Vec::new();
        let mut had = Size { bots: 0, cycles: 0, rows: 0 };
        for size in sizes {
            let mut add = |meetings: Vec<[usize; 2]>, cycles: u64, opening: u64| {
                let pairs = (meetings.len() * games) as u64 * cycles;
                blocks.extend((pairs > 0).then_some(Block { meetings, pairs, opening }));
            };
            if size.bots > had.bots && had.cycles > 0 {
                add(late(had.bots, size.bots), had.cycles, 0);
            }
            add(all(0, size.bots), size.cycles.saturating_sub(had.cycles), had.cycles);
            had = *size;
        }
        Self::new(blocks, games)
    }

    fn new(blocks: Vec<Block>, games: usize) -> Self {
        Self { blocks, games, own_openings: false, odd: false, next: 1, withdrawn: Vec::new() }
    }

    /// Gives every meeting openings of its own.
    pub(crate) fn with_own_openings(mut self, own_openings: bool) -> Self {
        self.own_openings = own_openings;
        self
    }

    fn pairs(&self) -> u64 {
        self.blocks.iter().map(|block| block.pairs).sum()
    }

    /// Returns the pair of this number.
    pub(crate) fn pair(&self, number: u64) -> Pair {
        let games = self.games as u64;
        let mut index = number - 1;
        let mut blocks = self.blocks.iter();
        let mut block = blocks.next().expect("a pair is in a block");
        while index >= block.pairs
            && let Some(next) = blocks.next()
        {
            index -= block.pairs;
            block = next;
        }
        let meetings = block.meetings.len() as u64;
        let cycle = block.opening + index / (meetings * games);
        Pair {
            number,
            round: None,
            game: (index % games) as usize,
            opening: if self.own_openings { (number - 1) / games } else { cycle },
            bots: block.meetings[(index / games % meetings) as usize],
            single: self.odd && number == self.pairs(),
        }
    }

    fn struck(&self, pair: u64) -> bool {
        !self.withdrawn.is_empty() && self.annulled(self.pair(pair).bots)
    }
}

impl Pairing for Fixed {
    fn next_pair(&mut self, _points: &Points) -> NextPair {
        let pairs = self.pairs();
        while self.next <= pairs {
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
        if (1..=self.pairs()).contains(&pair) && self.struck(pair) {
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
        let wanted = |block: &Block| {
            let struck = block.meetings.iter().filter(|bots| self.annulled(**bots)).count() as u64;
            block.pairs - block.pairs / block.meetings.len().max(1) as u64 * struck
        };
        Total::Exactly((2 * self.blocks.iter().map(wanted).sum::<u64>()).saturating_sub(u64::from(self.odd)))
    }

    fn ranking(&self, points: &Points, tiebreaks: &[Tiebreak]) -> Vec<Place> {
        let bots = self
            .blocks
            .iter()
            .flat_map(|block| block.meetings.iter().flatten())
            .max()
            .map_or(0, |last| last + 1);
        rank(
            bots,
            points,
            &Terms { withdrawn: &self.withdrawn, annulled: true, tiebreaks, ..Terms::default() },
        )
    }
}
