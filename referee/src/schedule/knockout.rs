//! The knockout: the loser of a duel is out.

use super::pair::{Pair, PairEnd};
use super::pairing::{NextPair, PairState, Pairing, Total};
use super::ranking::{Place, Points, order};
use super::round::{Meeting, Round};
use bao_protocol::record::Tiebreak;

/// Duels over the best of a number of pairs, in a bracket whose seeds are the order of the plan: the first two can
/// meet in the final only. If the bracket has more places than there are bots, the best seeds go through without
/// playing.
///
/// A duel ends as soon as one bot cannot catch up any more. A pair is played only if it will be needed with any
/// results of the pairs before it: so the same pairs are played with any number of games at once. If the pairs end
/// in a tie, more pairs are played one after the other; after `extra` of them the better seed goes through.
///
/// A duel with a withdrawn bot is over at once: the other bot goes through, and the duel's games no longer count, so
/// that it does not matter how many of them were running. If both bots are withdrawn, the better seed goes through.
#[derive(Debug)]
pub(crate) struct Knockout {
    bots: usize,
    games: usize,
    /// Whether every duel has openings of its own.
    own_openings: bool,
    best_of: u64,
    extra: u64,
    round: u64,
    duels: Vec<Duel>,
    /// The number of the first pair of the round.
    first: u64,
    /// Complete pairs of the rounds before.
    played: u64,
    /// The round in which each bot was knocked out.
    reached: Vec<u64>,
    withdrawn: Vec<usize>,
    /// The duels that no longer count.
    annulled: Vec<Annulled>,
    champion: Option<usize>,
    /// The rounds that are over.
    past: Vec<Round>,
}

#[derive(Debug)]
struct Duel {
    /// The better seed first; the second may be missing.
    bots: [usize; 2],
    handed: u64,
    complete: u64,
    /// The lead of the better seed in complete pairs, in half points.
    lead: i64,
}

/// A duel that no longer counts; some of its pairs may have been running when this was decided.
#[derive(Debug)]
struct Annulled {
    round: u64,
    /// The number of the round's first pair, and how many duels the round had.
    first: u64,
    duels: u64,
    /// The duel's index among them.
    index: u64,
    bots: [usize; 2],
}

/// The most half points that one pair can change a lead by.
const SWING: i64 = 4;

impl Knockout {
    /// Plans a knockout over the best of `best_of` pairs of each game, with up to `extra` pairs to break a tie.
    pub(crate) fn new(bots: usize, games: usize, best_of: u64, extra: u64) -> Self {
        let best_of = best_of * games as u64;
        let mut knockout = Self {
            bots,
            games,
            own_openings: false,
            best_of,
            extra,
            round: 0,
            duels: Vec::new(),
            first: 1,
            played: 0,
            reached: vec![0; bots],
            withdrawn: Vec::new(),
            annulled: Vec::new(),
            champion: None,
            past: Vec::new(),
        };
        knockout.draw(&bracket(bots.next_power_of_two()));
        knockout
    }

    /// Gives every duel openings of its own.
    pub(crate) fn with_own_openings(mut self, own_openings: bool) -> Self {
        self.own_openings = own_openings;
        self
    }

    fn draw(&mut self, field: &[usize]) {
        self.first += self.places();
        self.played += self.complete_pairs();
        self.round += 1;
        let duel = |bots: &[usize]| Duel {
            bots: [bots[0].min(bots[1]), bots[0].max(bots[1])],
            handed: 0,
            complete: 0,
            lead: 0,
        };
        self.duels = field.chunks_exact(2).map(duel).collect();
    }

    /// Begins the next round when every duel is over.
    fn advance(&mut self) {
        while self.champion.is_none() {
            let winners: Option<Vec<usize>> = self.duels.iter().map(|duel| self.winner(duel)).collect();
            let Some(winners) = winners else { return };
            self.past.push(self.drawn());
            for (duel, winner) in self.duels.iter().zip(&winners) {
                let [a, b] = duel.bots;
                let loser = if a == *winner { b } else { a };
                if loser < self.bots {
                    self.reached[loser] = self.round;
                }
            }
            if let [champion] = winners[..] {
                self.reached[champion] = self.round + 1;
                self.champion = Some(champion);
            } else {
                self.draw(&winners);
            }
        }
    }

    /// Returns the round that is being played.
    fn drawn(&self) -> Round {
        let meeting = |duel: &Duel| {
            let [bot, other] = duel.bots;
            let other = (other < self.bots).then_some(other);
            Meeting { bot, other, through: self.winner(duel) }
        };
        Round { meetings: self.duels.iter().map(meeting).collect() }
    }

    fn winner(&self, duel: &Duel) -> Option<usize> {
        let [seed, other] = duel.bots;
        if other >= self.bots {
            return Some(seed);
        }
        if let Some(out) = duel.bots.into_iter().rev().find(|bot| self.withdrawn.contains(bot)) {
            return Some(if out == seed { other } else { seed });
        }
        if duel.complete < duel.handed || !self.decided(duel.lead.abs(), duel.complete) {
            return None;
        }
        Some(if duel.lead >= 0 { seed } else { other })
    }

    /// Returns whether a lead after a number of pairs decides a duel.
    fn decided(&self, lead: i64, pairs: u64) -> bool {
        lead > SWING * self.best_of.saturating_sub(pairs).cast_signed() || pairs >= self.best_of + self.extra
    }

    /// Returns whether a duel's next pair will be needed with any results of the running pairs.
    fn needs_more(&self, duel: &Duel) -> bool {
        let running = (duel.handed - duel.complete).cast_signed();
        let contested = duel.bots[1] < self.bots && !duel.bots.iter().any(|bot| self.withdrawn.contains(bot));
        contested && !self.decided(duel.lead.abs() + SWING * running, duel.handed)
    }

    fn complete_pairs(&self) -> u64 {
        self.duels.iter().map(|duel| duel.complete).sum()
    }

    /// Returns the pair of this number: the `turn`th of its duel, in a round of this many duels.
    fn pair(&self, round: u64, number: u64, turn: u64, duels: u64, bots: [usize; 2]) -> Pair {
        let games = self.games as u64;
        // The number of the duel's first pair, plus one opening a turn.
        let own = number - 1 - (turn - turn / games) * duels;
        Pair {
            number,
            round: Some(round),
            game: (turn % games) as usize,
            opening: if self.own_openings {
                own
            } else {
                ((round - 1) * (self.best_of + self.extra) + turn) / games
            },
            bots,
            single: false,
        }
    }

    /// How many numbers the round's pairs take; the numbers of pairs that were not needed stay unused.
    fn places(&self) -> u64 {
        (self.best_of + self.extra) * self.duels.len() as u64
    }

    /// Returns the place of a pair in its round: the duel, and the pair's index in it.
    fn place(&self, number: u64) -> Option<(usize, u64)> {
        let place = number.checked_sub(self.first).filter(|place| *place < self.places())?;
        let duels = self.duels.len() as u64;
        Some(((place % duels) as usize, place / duels))
    }
}

/// Lists seeds, from 0, so that neighbours meet and the strong meet late.
fn bracket(places: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < places {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|seed| [*seed, last - seed]).collect();
    }
    seeds
}

impl Pairing for Knockout {
    fn next_pair(&mut self, _points: &Points) -> NextPair {
        self.advance();
        if self.champion.is_some() {
            return NextPair::Over;
        }
        let open = (0..self.duels.len()).filter(|duel| self.needs_more(&self.duels[*duel]));
        let Some(index) = open.min_by_key(|duel| self.duels[*duel].handed) else { return NextPair::Wait };
        let duels = self.duels.len() as u64;
        let duel = &mut self.duels[index];
        let turn = duel.handed;
        duel.handed += 1;
        let bots = duel.bots;
        NextPair::Pair(self.pair(self.round, self.first + turn * duels + index as u64, turn, duels, bots))
    }

    fn complete(&mut self, pair: &Pair, end: &PairEnd) {
        let (duel, _) = self.place(pair.number).expect("a round ends when its pairs are complete");
        let duel = &mut self.duels[duel];
        duel.complete += 1;
        for game in end.iter().flatten() {
            duel.lead += 2 * game.outcome.half_points().cast_signed() as i64 - 2;
        }
    }

    fn withdraw(&mut self, bot: usize, _game: u64) -> bool {
        self.withdrawn.push(bot);
        if let Some(index) = self.duels.iter().position(|duel| duel.bots.contains(&bot)) {
            let duel = &mut self.duels[index];
            let bots = duel.bots;
            (duel.handed, duel.complete, duel.lead) = (0, 0, 0);
            let (round, first, duels) = (self.round, self.first, self.duels.len() as u64);
            self.annulled.push(Annulled { round, first, duels, index: index as u64, bots });
        }
        true
    }

    fn annulled(&self, bots: [usize; 2]) -> bool {
        let [a, b] = bots;
        self.annulled.iter().any(|duel| duel.bots == [a.min(b), a.max(b)])
    }

    fn dropped(&self, pair: u64) -> Option<Pair> {
        self.annulled.iter().find_map(|duel| {
            let place = pair.checked_sub(duel.first)?;
            let turn = place / duel.duels;
            let is_its_own = place % duel.duels == duel.index && turn < self.best_of + self.extra;
            is_its_own.then(|| self.pair(duel.round, pair, turn, duel.duels, duel.bots))
        })
    }

    fn state(&self, number: u64) -> PairState {
        if self.dropped(number).is_some() {
            return PairState::Dropped;
        }
        match self.place(number) {
            Some((duel, turn)) if turn < self.duels[duel].handed => PairState::HandedOut,
            None if number < self.first => PairState::HandedOut,
            Some(_) | None => PairState::Ahead,
        }
    }

    fn total(&self) -> Total {
        if self.champion.is_some() {
            return Total::Exactly(2 * (self.played + self.complete_pairs()));
        }
        let most = |duel: &Duel| match self.winner(duel) {
            Some(_) => duel.complete,
            None => (self.best_of + self.extra).max(duel.handed),
        };
        let now: u64 = self.duels.iter().map(most).sum();
        let later = (self.duels.len() as u64 - 1) * (self.best_of + self.extra);
        Total::AtMost(2 * (self.played + now + later))
    }

    fn rounds(&self) -> Vec<Round> {
        let current = self.champion.is_none().then(|| self.drawn());
        self.past.iter().cloned().chain(current).collect()
    }

    fn ranking(&self, points: &Points, _tiebreaks: &[Tiebreak]) -> Vec<Place> {
        let mut places: Vec<Place> = (0..self.bots)
            .map(|bot| {
                let scored = points.of(bot, |other| !self.annulled([bot, other]));
                let still_in = if self.reached[bot] == 0 { self.round } else { self.reached[bot] };
                Place {
                    bot,
                    rank: 0,
                    points: scored.half_points as f64 / 2.0,
                    results: scored.results,
                    walkovers: scored.walkovers,
                    pairs: scored.pairs,
                    byes: 0,
                    buchholz: None,
                    sonneborn_berger: None,
                    reached: Some(still_in),
                    withdrawn: self.withdrawn.contains(&bot),
                }
            })
            .collect();
        order(&mut places, |a, b| b.reached.cmp(&a.reached));
        places
    }
}
