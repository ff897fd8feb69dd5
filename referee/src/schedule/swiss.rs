//! The Swiss system: bots with similar scores meet, and two bots meet twice only if there is no other way.

use std::collections::BTreeMap;

use super::matching::largest_matching;
use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, Total};
use super::ranking::{Place, Points, Terms, rank};
use super::round::{Meeting, Round};
use bao_protocol::record::Tiebreak;

/// In each round every bot plays one other bot. A round is drawn when the round before is complete.
///
/// Bots are in the order of their points, and equal bots in the order of the plan. The first of a score group meets
/// the first of its second half, and so on (1-5, 2-6, 3-7, 4-8); a bot that is left over meets the next group. As
/// few as possible meet again: a pairing is taken only if it leaves such a pairing for the others. With an odd
/// number, the last bot among those with the fewest byes is free and scores a full pair. It does not matter which
/// bot is South: sides are swapped.
#[derive(Debug)]
pub(crate) struct Swiss {
    rounds: u64,
    games: usize,
    /// Whether every meeting has openings of its own, and how many openings were used.
    own_openings: bool,
    openings: u64,
    /// How many bots of the plan's list take part by now.
    present: usize,
    /// How many pairs of each game two bots play when they meet.
    pairs: u64,
    round: u64,
    /// The pairs of the round; the first `handed` of them have been started, `complete` of them are complete.
    drawn: Vec<Pair>,
    handed: usize,
    complete: usize,
    /// The number of the next pair in the draw.
    next: u64,
    /// How often two bots met, the lower number first.
    met: BTreeMap<(usize, usize), u64>,
    byes: Vec<u64>,
    /// The rounds so far, including the current round.
    past: Vec<Round>,
    withdrawn: Vec<usize>,
}

impl Swiss {
    /// Plans a number of rounds; only the first `present` bots take part from the start.
    pub(crate) fn new(bots: usize, present: usize, games: usize, rounds: u64, pairs: u64) -> Self {
        Self {
            rounds,
            games,
            own_openings: false,
            openings: 0,
            present,
            pairs,
            round: 0,
            drawn: Vec::new(),
            handed: 0,
            complete: 0,
            next: 1,
            met: BTreeMap::new(),
            byes: vec![0; bots],
            past: Vec::new(),
            withdrawn: Vec::new(),
        }
    }

    /// Gives every meeting openings of its own.
    pub(crate) fn with_own_openings(mut self, own_openings: bool) -> Self {
        self.own_openings = own_openings;
        self
    }

    fn pairs_per_round(&self) -> u64 {
        self.pairs * self.games as u64
    }

    fn half_points_of_a_bye(&self) -> u64 {
        4 * self.pairs_per_round()
    }

    fn staying(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.present).filter(|bot| !self.withdrawn.contains(bot))
    }

    fn draw(&mut self, points: &Points) {
        let score =
            |bot: usize| points.of(bot, |_| true).half_points + self.byes[bot] * self.half_points_of_a_bye();
        let mut field: Vec<(u64, usize)> = self.staying().map(|bot| (score(bot), bot)).collect();
        field.sort_by_key(|(score, bot)| (std::cmp::Reverse(*score), *bot));
        let mut meetings = Vec::new();
        let free = (field.len() % 2 == 1).then(|| field.remove(self.free(&field)).1);
        if let Some(free) = free {
            self.byes[free] += 1;
        }
        self.round += 1;
        self.drawn.clear();
        (self.handed, self.complete) = (0, 0);
        for [a, b] in pair_up(&field, |a, b| self.times_met(a, b)) {
            *self.met.entry((a.min(b), a.max(b))).or_default() += 1;
            meetings.push(Meeting { bot: a, other: Some(b), through: None });
            let opening = if self.own_openings { self.openings } else { (self.round - 1) * self.pairs };
            self.openings += self.pairs;
            for index in 0..self.pairs_per_round() {
                self.drawn.push(Pair {
                    number: self.next,
                    round: Some(self.round),
                    game: (index % self.games as u64) as usize,
                    opening: opening + index / self.games as u64,
                    bots: [a, b],
                    single: false,
                });
                self.next += 1;
            }
        }
        meetings.extend(free.map(|bot| Meeting { bot, other: None, through: None }));
        self.past.push(Round { meetings });
    }

    /// Returns the bot of an odd field that is free: the last of those with the fewest byes without which the
    /// others can be paired with the fewest repeated meetings.
    fn free(&self, field: &[(u64, usize)]) -> usize {
        let fewest = field.iter().map(|(_, bot)| self.byes[*bot]).min().unwrap_or(0);
        let candidates = (0..field.len()).rev().filter(|place| self.byes[field[*place].1] == fewest);
        let fresh = |without: usize| {
            let rest: Vec<usize> = (0..field.len()).filter(|place| *place != without).collect();
            largest_matching(rest.len(), |a, b| self.times_met(field[rest[a]].1, field[rest[b]].1) == 0)
        };
        let mut best: Option<(usize, usize)> = None;
        for place in candidates {
            let pairs = fresh(place);
            if best.is_none_or(|(most, _)| pairs > most) {
                best = Some((pairs, place));
            }
            if pairs == field.len() / 2 {
                break;
            }
        }
        best.map_or(field.len() - 1, |(_, place)| place)
    }

    fn times_met(&self, a: usize, b: usize) -> u64 {
        self.met.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
    }
}

/// Pairs an even field, sorted by score: each bot in turn with the opponent that it should meet first, among those
/// that leave a pairing for the others with as few repeated meetings as possible.
fn pair_up(field: &[(u64, usize)], met: impl Fn(usize, usize) -> u64) -> Vec<[usize; 2]> {
    let mut left = field.to_vec();
    let mut pairs = Vec::new();
    let fresh_pairs =
        |left: &[(u64, usize)]| largest_matching(left.len(), |a, b| met(left[a].1, left[b].1) == 0);
    let mut most = fresh_pairs(&left);
    while left.len() > 1 {
        let first = left.remove(0).1;
        let mut order: Vec<usize> = wishes(&left, field, first);
        // If bots must meet again, those that have met least often come first.
        order.sort_by_key(|place| met(first, left[*place].1));
        let mut chosen = None;
        for place in order {
            let fresh = usize::from(met(first, left[place].1) == 0);
            let mut rest = left.clone();
            let second = rest.remove(place).1;
            let possible = fresh_pairs(&rest);
            if possible + fresh >= most {
                chosen = Some((second, rest, possible));
                break;
            }
        }
        let (second, rest, possible) = chosen.expect("a largest matching pairs the first with somebody");
        pairs.push([first, second]);
        (left, most) = (rest, possible);
    }
    pairs
}

/// Lists the places of those left in the order in which `first`, which was before them, should meet them.
fn wishes(left: &[(u64, usize)], field: &[(u64, usize)], first: usize) -> Vec<usize> {
    let score = field.iter().find(|(_, bot)| *bot == first).map_or(0, |(score, _)| *score);
    let group = left.iter().take_while(|(other, _)| *other == score).count();
    // With itself the group has one more; the second half begins in the middle of that.
    let middle = group.div_ceil(2).saturating_sub(1);
    (middle..group).chain((0..middle).rev()).chain(group..left.len()).collect()
}

impl Pairing for Swiss {
    fn next_pair(&mut self, points: &Points) -> NextPair {
        if self.handed == self.drawn.len() {
            if self.complete < self.drawn.len() {
                return NextPair::Wait;
            }
            if self.round == self.rounds || self.staying().nth(1).is_none() {
                return NextPair::Over;
            }
            self.draw(points);
        }
        self.handed += 1;
        NextPair::Pair(self.drawn[self.handed - 1])
    }

    fn complete(&mut self, _pair: &Pair, _end: &PairEnd) {
        self.complete += 1;
    }

    fn withdraw(&mut self, bot: usize, _game: u64) -> bool {
        self.withdrawn.push(bot);
        true
    }

    fn admit(&mut self, bots: usize) {
        self.present = bots;
    }

    fn state(&self, pair: u64) -> PairState {
        let ahead = (self.drawn.len() - self.handed) as u64;
        if (1..self.next - ahead).contains(&pair) { PairState::HandedOut } else { PairState::Ahead }
    }

    fn total(&self) -> Total {
        let meetings = self.staying().count() as u64 / 2;
        let to_draw = (self.rounds - self.round) * meetings * self.pairs_per_round();
        Total::Exactly(2 * (self.next - 1 + to_draw))
    }

    fn rounds(&self) -> Vec<Round> {
        self.past.clone()
    }

    fn ranking(&self, points: &Points, tiebreaks: &[Tiebreak]) -> Vec<Place> {
        let terms = Terms {
            withdrawn: &self.withdrawn,
            annulled: false,
            tiebreaks,
            byes: Some((&self.byes, self.half_points_of_a_bye())),
            pairs_per_bye: self.pairs_per_round(),
        };
        rank(self.byes.len(), points, &terms)
    }
}
