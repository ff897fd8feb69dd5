//! Decides which games are played, and in which order.
//!
//! A schedule is a pure function of the plan and of the results so far. A run asks it for games and gives it
//! results, and a resumed run gives it the results on disk first. The unit is the pair: one opening played twice
//! with the seats swapped, in games 2p - 1 and 2p of pair p. A format only decides which pairs are played. This
//! module makes games of them, and repeats games that did not count.

mod fixed;
mod knockout;
mod listed;
mod matching;
mod pair;
mod pairing;
pub(crate) mod planned;
mod ranking;
pub mod repeats;
mod result;
mod round;
mod sequential;
mod swiss;
mod withdrawal;

pub use pairing::{TestState, Total};
pub use ranking::Place;
pub use result::{End, GameResult, Stray};
pub use round::{Meeting, Round};

use std::collections::{BTreeMap, BTreeSet};

use bao_protocol::record::{OpeningsPer, Size, Tiebreak};
use bao_rules::Side;

use crate::arbiter::cycles;
use crate::game::spec::GameSpec;
use crate::plan::{self, Book, Format, Plan, PlanError, scale};
use bao_stats::{Outcome, Sprt};
use fixed::Fixed;
use knockout::Knockout;
use listed::Listed;
pub(crate) use pair::Pair;
use pair::{GameEnd, PairEnd};
use pairing::{NextPair, PairState, Pairing};
use ranking::Points;
use sequential::Sequential;
use swiss::Swiss;
use withdrawal::{Life, Withdrawals};

/// How often a game that did not count is played again.
const REPLAYS: u32 = 3;
/// How often a game is played again because the referee was absent, so that a run on a hopeless machine ends.
const ABSENCES: u32 = 20;

/// What a free table should do.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Play this game.
    Game(GameSpec),
    /// Wait until another game is finished.
    Wait,
    /// Stop: nothing is left.
    Over,
}

/// The games of a plan, one after the other.
#[derive(Debug)]
pub struct Schedule {
    books: Vec<Book>,
    pairing: Box<dyn Pairing>,
    withdrawals: Withdrawals,
    points: Points,
    tiebreaks: Vec<Tiebreak>,
    /// The points by which a Swiss draws its rounds, if the arbiter changed results after a draw.
    drawn: Option<Drawn>,
    /// The pairs that are not complete, by number.
    open: BTreeMap<u64, Open>,
    /// The games of open pairs that are neither finished nor being played.
    ready: BTreeSet<u64>,
    /// How many games of every two bots are over: finished with a result, and given up.
    over: BTreeMap<[usize; 2], [u64; 2]>,
}

/// Points as they were when rounds were drawn.
#[derive(Debug)]
struct Drawn {
    points: Points,
    /// Pairs with results that the arbiter changes after a number of rows of the record, in the order of these numbers.
    changes: BTreeMap<(u64, u64), ([usize; 2], PairEnd)>,
}

#[derive(Debug)]
struct Open {
    pair: Pair,
    games: [Course; 2],
    voids: [u32; 2],
    absences: [u32; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    ToPlay,
    /// Over: the result of the pair's first bot; `None` if the game was given up or never planned.
    Over(Option<GameEnd>),
}

impl Schedule {
    /// Makes the schedule of a plan.
    ///
    /// # Errors
    /// [`PlanError`] if the openings cannot be made.
    pub fn new(plan: &Plan) -> Result<Self, PlanError> {
        let (bots, games) = (plan.bots.len(), plan.games.len());
        let now = Size { bots, cycles: cycles(&plan.format), rows: 0 };
        let sizes: Vec<Size> = plan.before.iter().copied().chain([now]).collect();
        let own_openings = plan.openings_per == OpeningsPer::Pairing;
        let pairing: Box<dyn Pairing> = match plan.format {
            Format::Match { games } => Box::new(Fixed::contest(games)),
            Format::RoundRobin { .. } => {
                Box::new(Fixed::round_robin(&sizes, games).with_own_openings(own_openings))
            }
            Format::Gauntlet { challengers, .. } => {
                let gauntlet = Fixed::gauntlet(challengers as usize, &sizes, games);
                Box::new(gauntlet.with_own_openings(own_openings))
            }
            Format::Swiss { rounds, pairs } => {
                let swiss = Swiss::new(bots, sizes[0].bots, games, rounds, pairs);
                Box::new(swiss.with_own_openings(own_openings))
            }
            Format::Knockout { best_of, extra } => {
                Box::new(Knockout::new(bots, games, best_of, extra).with_own_openings(own_openings))
            }
            Format::Sprt { elo0, elo1, alpha, beta, model, max_pairs } => {
                let test = Sprt::new(scale(model), elo0, elo1, alpha, beta)?;
                Box::new(Sequential::new(test, games, max_pairs))
            }
        };
        Ok(Self {
            books: plan::books(plan)?,
            pairing,
            withdrawals: Withdrawals::new(bots, plan.withdraw_after),
            points: Points::default(),
            tiebreaks: plan.tiebreaks.clone(),
            drawn: None,
            open: BTreeMap::new(),
            ready: BTreeSet::new(),
            over: BTreeMap::new(),
        })
    }

    /// Makes a schedule of pairs that the schedule of this plan has chosen: it plays these and nothing else.
    ///
    /// # Errors
    /// [`PlanError`] if the openings cannot be made.
    pub(crate) fn of_pairs(plan: &Plan, pairs: Vec<Pair>) -> Result<Self, PlanError> {
        let withdrawals = Withdrawals::new(plan.bots.len(), None);
        Ok(Self { pairing: Box::new(Listed::new(pairs)), withdrawals, ..Self::new(plan)? })
    }

    /// Returns the pairs that could be played now, at most this many, without those with these numbers; only pairs of which
    /// no game is over.
    pub(crate) fn playable(&mut self, most: usize, without: &BTreeSet<u64>) -> Vec<Pair> {
        // Games that were only looked at are still to be played: before this, and by this.
        self.look_again();
        let mut pairs = BTreeMap::new();
        while pairs.len() < most {
            let Next::Game(spec) = self.next_game() else { break };
            if !without.contains(&spec.pair) {
                pairs.extend(self.open.get(&spec.pair).map(|open| (spec.pair, open.pair)));
            }
        }
        self.look_again();
        pairs.into_values().collect()
    }

    fn look_again(&mut self) {
        self.ready.extend(self.open.values().flat_map(Open::to_play));
    }

    /// Returns whether the pair with this number is being played: it was started and has an unfinished game.
    pub(crate) fn is_open(&mut self, pair: u64) -> bool {
        self.reach(pair);
        self.open.contains_key(&pair)
    }

    /// Returns what a free table should play.
    pub fn next_game(&mut self) -> Next {
        self.settle();
        loop {
            if let Some(game) = self.ready.pop_first() {
                let pair = self.open[&game.div_ceil(2)].pair;
                return Next::Game(self.spec(game, pair));
            }
            match self.next_pair() {
                NextPair::Pair(pair) => self.open(pair),
                // A game that is being played may have to be played again.
                NextPair::Wait | NextPair::Over if !self.open.is_empty() => return Next::Wait,
                NextPair::Wait | NextPair::Over => return Next::Over,
            }
        }
    }

    /// Returns whether nothing is left to play, and no game is being played.
    pub fn is_over(&mut self) -> bool {
        self.settle();
        if self.open.is_empty()
            && let NextPair::Pair(pair) = self.next_pair()
        {
            self.open(pair);
        }
        self.open.is_empty()
    }

    /// Returns an unfinished game that has been started or could be started now; `None` for any other.
    pub fn planned(&mut self, game: u64) -> Option<GameSpec> {
        let number = game.div_ceil(2);
        if game == 0 {
            return None;
        }
        self.reach(number);
        match self.open.get(&number) {
            Some(open) if open.games[usize::from(game.is_multiple_of(2))] == Course::ToPlay => {
                Some(self.spec(game, open.pair))
            }
            Some(_) => None,
            // It may have been running when the format no longer wanted it.
            None => self.pairing.dropped(number).map(|pair| self.spec(game, pair)),
        }
    }

    /// Takes a result, in any order; a game that did not count will be repeated.
    ///
    /// # Errors
    /// [`Stray`] for a game that this schedule cannot have started.
    pub fn finished(&mut self, result: &GameResult) -> Result<(), Stray> {
        let GameResult { game, seats, end, before, died, moves, start } = *result;
        let number = game.div_ceil(2);
        let second = usize::from(game % 2 == 0);
        self.reach(number);
        let Some(open) = self.open.get_mut(&number) else {
            return match self.pairing.state(number) {
                PairState::Dropped => Ok(()),
                PairState::HandedOut => Err(Stray::Twice { game }),
                PairState::Ahead => Err(Stray::Unknown { game }),
            };
        };
        let Pair { bots, .. } = open.pair;
        if seats != if second == 0 { bots } else { [bots[1], bots[0]] } {
            return Err(Stray::Seats { game });
        }
        if open.games[second] != Course::ToPlay {
            return Err(Stray::Twice { game });
        }
        let outcome = match end {
            End::Counts(south) => Some(if second == 0 { south } else { south.mirrored() }),
            End::Stopped => None,
            End::Void => {
                open.voids[second] += 1;
                None
            }
            End::Absent => {
                open.absences[second] += 1;
                None
            }
        };
        if outcome.is_none() && open.voids[second] <= REPLAYS && open.absences[second] <= ABSENCES {
            self.ready.insert(game);
            return Ok(());
        }
        let walkover = match <[bool; 2]>::from(died) {
            // If neither bot could start, neither gets a walkover.
            [true, true] | [false, false] => None,
            [south, _] if self.pairing.walkovers() => {
                Some(if south == (second == 0) { Outcome::Loss } else { Outcome::Win })
            }
            [_, _] => None,
        };
        let before = before.map(|(south, rows)| (if second == 0 { south } else { south.mirrored() }, rows));
        let end = |outcome| GameEnd { outcome, before, walkover: end == End::Void, moves, start };
        open.games[second] = Course::Over(outcome.or(walkover).map(end));
        self.ready.remove(&game);
        self.over.entry(bots).or_default()[usize::from(outcome.is_none())] += 1;
        self.close(number);
        for (bot, side) in seats.into_iter().zip(Side::BOTH) {
            let life = match died[side] {
                true => Life::Died,
                false if outcome.is_none() => Life::Untried,
                false => Life::Lived,
            };
            let unfinished = self.open.iter().find_map(|(_, open)| open.unfinished(bot));
            if let Some(last) = self.withdrawals.played(bot, game, life, unfinished)
                && self.pairing.withdraw(bot, last)
            {
                self.withdrawals.withdraw(bot);
                self.drop_unwanted();
            }
        }
        Ok(())
    }

    /// Draws the conclusions that were delayed while results came in; call it after the last of many results.
    pub fn settle(&mut self) {
        self.pairing.settle();
        self.drop_unwanted();
    }

    /// Ranks the bots by their complete pairs, the best first.
    pub fn ranking(&self) -> Vec<Place> {
        let mut places = self.pairing.ranking(&self.points, &self.tiebreaks);
        for place in &mut places {
            place.withdrawn = self.withdrawn().contains(&place.bot);
        }
        places
    }

    /// Returns the rounds that have been drawn by now, in a format that has rounds (Swiss, knockout).
    pub fn rounds(&self) -> Vec<Round> {
        self.pairing.rounds()
    }

    /// Returns the state of the sequential test, if there is one.
    pub fn test(&self) -> Option<TestState> {
        self.pairing.test()
    }

    /// Returns how many games there will be in all, as far as is known.
    pub fn total(&self) -> Total {
        self.pairing.total()
    }

    /// Returns whether the format counts a pair that was played; ask when the schedule is over.
    pub fn wants(&self, pair: u64) -> bool {
        self.pairing.state(pair) == PairState::HandedOut
    }

    /// Returns how many games are over, with a result or given up. Games that no longer count because a bot was
    /// withdrawn are left out, as in [`total`](Self::total).
    pub fn done(&self) -> u64 {
        let over = self.over().iter().sum();
        match self.total() {
            // More games were being played when everything was decided.
            Total::Exactly(total) => total.min(over),
            Total::AtMost(_) => over,
        }
    }

    /// Returns whether a finished game counts. It does not count if it was still being played when everything was
    /// decided, or if one of its bots was withdrawn and its games no longer count in this format.
    pub(crate) fn counts(&self, game: u64, bots: [usize; 2]) -> bool {
        self.pairing.state(game.div_ceil(2)) != PairState::Dropped && !self.pairing.annulled(bots)
    }

    /// Returns how many of them were given up after too many attempts that did not count.
    pub fn given_up(&self) -> u64 {
        self.over()[1]
    }

    fn over(&self) -> [u64; 2] {
        let counts = self.over.iter().filter(|(bots, _)| !self.pairing.annulled(**bots));
        counts.fold([0; 2], |[finished, given_up], (_, over)| [finished + over[0], given_up + over[1]])
    }

    /// Returns the bots that were withdrawn, by their places in the plan.
    pub fn withdrawn(&self) -> &[usize] {
        self.withdrawals.withdrawn()
    }

    /// Withdraws a bot by the arbiter's decision.
    pub fn disqualify(&mut self, bot: usize) {
        if !self.withdrawn().contains(&bot) && self.pairing.withdraw(bot, 0) {
            self.withdrawals.withdraw(bot);
            self.drop_unwanted();
        }
    }

    /// Lets the first `bots` of the plan's list take part from now on: some of them came after the event had begun.
    pub fn admit(&mut self, bots: usize) {
        self.pairing.admit(bots);
    }

    /// Notes how many rows the record has by now: results that the arbiter changed then are changed from now on.
    pub(crate) fn at_row(&mut self, rows: u64) {
        let Some(Drawn { points, changes }) = &mut self.drawn else { return };
        while let Some(change) = changes.first_entry()
            && change.key().0 <= rows
        {
            let (bots, end) = change.remove();
            points.take_back(bots, &as_played(&end));
            points.add(bots, &end);
        }
    }

    fn next_pair(&mut self) -> NextPair {
        let points = self.drawn.as_ref().map_or(&self.points, |drawn| &drawn.points);
        self.pairing.next_pair(points)
    }

    /// Scores a complete pair.
    fn score(&mut self, pair: &Pair, end: &PairEnd) {
        let rows = end.iter().flatten().filter_map(|game| Some(game.before?.1)).max();
        if let Some(rows) = rows {
            let drawn = Drawn { points: self.points.clone(), changes: BTreeMap::new() };
            self.drawn.get_or_insert(drawn).changes.insert((rows, pair.number), (pair.bots, *end));
        }
        self.points.add(pair.bots, end);
        if let Some(drawn) = &mut self.drawn {
            drawn.points.add(pair.bots, &as_played(end));
        }
    }

    /// Opens pairs until this pair is open, if that is possible now.
    fn reach(&mut self, number: u64) {
        while self.pairing.state(number) == PairState::Ahead {
            match self.next_pair() {
                NextPair::Pair(pair) => self.open(pair),
                NextPair::Wait | NextPair::Over => return,
            }
        }
    }

    fn open(&mut self, pair: Pair) {
        let second = if pair.single { Course::Over(None) } else { Course::ToPlay };
        self.ready.insert(2 * pair.number - 1);
        if !pair.single {
            self.ready.insert(2 * pair.number);
        }
        self.open.insert(
            pair.number,
            Open { pair, games: [Course::ToPlay, second], voids: [0; 2], absences: [0; 2] },
        );
    }

    /// Reports a complete pair to the format.
    fn close(&mut self, number: u64) {
        let Some(open) = self.open.get(&number) else { return };
        let [Course::Over(first), Course::Over(second)] = open.games else { return };
        let pair = open.pair;
        self.open.remove(&number);
        let end = [first, second];
        self.score(&pair, &end);
        self.pairing.complete(&pair, &end);
    }

    /// Removes the pairs that the format no longer wants; their games that are being played will not count.
    fn drop_unwanted(&mut self) {
        let Self { open, ready, pairing, .. } = self;
        open.retain(|number, _| {
            let wanted = pairing.state(*number) != PairState::Dropped;
            if !wanted {
                ready.remove(&(2 * number - 1));
                ready.remove(&(2 * number));
            }
            wanted
        });
    }

    fn spec(&mut self, game: u64, pair: Pair) -> GameSpec {
        let number = game.div_ceil(2);
        let [first, second] = pair.bots;
        let (opening, position) = self.books[pair.game].opening(pair.opening);
        GameSpec {
            game,
            pair: number,
            round: pair.round,
            opening,
            position,
            seats: if game % 2 == 1 { [first, second] } else { [second, first] },
        }
    }
}

/// Returns a pair's end before the arbiter changed it.
fn as_played(end: &PairEnd) -> PairEnd {
    end.map(|game| {
        game.map(|game| GameEnd { outcome: game.before.map_or(game.outcome, |(was, _)| was), ..game })
    })
}

impl Open {
    /// Lists its unfinished games.
    fn to_play(&self) -> impl Iterator<Item = u64> + '_ {
        let games = self.games.iter().zip([2 * self.pair.number - 1, 2 * self.pair.number]);
        games.filter(|(course, _)| **course == Course::ToPlay).map(|(_, game)| game)
    }

    /// Returns the first unfinished game of this bot.
    fn unfinished(&self, bot: usize) -> Option<u64> {
        let first = 2 * self.pair.number - 1;
        let waiting = self.games.iter().position(|course| *course == Course::ToPlay)?;
        self.pair.bots.contains(&bot).then_some(first + waiting as u64)
    }
}
