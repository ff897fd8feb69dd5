//! Which games are played, in which order.
//!
//! A schedule is a pure function of the plan and of the results so far; a run asks it for games and tells it results,
//! and a resumed run tells it the results on disk first.

use std::collections::BTreeSet;

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_rules::Position;

/// How often a game that did not count is played again.
const REPLAYS: u64 = 3;

/// A game that is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The game's number, from 1.
    pub game: u64,
    /// The pair that it belongs to, from 1.
    pub pair: u64,
    /// The round, from 1, where there are rounds.
    pub round: Option<u64>,
    /// The opening's number, from 1, where there is one.
    pub opening: Option<u64>,
    /// The position from which it starts.
    pub position: Position,
    /// South's and North's places in the plan's list of bots.
    pub seats: [usize; 2],
}

/// What a schedule has for a free table.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// This game.
    Game(GameSpec),
    /// Nothing until another game is finished.
    Wait,
    /// Nothing any more.
    Over,
}

/// Hands out games.
pub trait Schedule {
    /// Returns what a free table should play.
    fn next_game(&mut self) -> Next;

    /// Takes a result; a game that did not count comes again.
    fn finished(&mut self, row: &GameRow);

    /// Returns how many games there will be in all, where that is known.
    fn total(&self) -> Option<u64>;
}

/// A match of two bots: the seats alternate, two games with swapped seats are a pair.
#[derive(Debug)]
pub struct Match {
    position: Position,
    opening: Option<u64>,
    games: u64,
    // The next game that was never handed out.
    next: u64,
    again: BTreeSet<u64>,
    done: BTreeSet<u64>,
    voids: Voids,
}

impl Match {
    /// Makes the schedule of a match of so many games from a position.
    pub fn new(position: Position, opening: Option<u64>, games: u64) -> Self {
        Self {
            position,
            opening,
            games,
            next: 1,
            again: BTreeSet::new(),
            done: BTreeSet::new(),
            voids: Voids::default(),
        }
    }

    /// Returns what a game of the match is, whether it has been handed out or not.
    pub fn spec(&self, game: u64) -> GameSpec {
        let seats = if game % 2 == 1 { [0, 1] } else { [1, 0] };
        GameSpec {
            game,
            pair: game.div_ceil(2),
            round: None,
            opening: self.opening,
            position: self.position,
            seats,
        }
    }
}

impl Schedule for Match {
    fn next_game(&mut self) -> Next {
        if let Some(game) = self.again.pop_first() {
            return Next::Game(self.spec(game));
        }
        while self.done.remove(&self.next) {
            self.next += 1;
        }
        if self.next > self.games {
            return Next::Over;
        }
        self.next += 1;
        Next::Game(self.spec(self.next - 1))
    }

    fn finished(&mut self, row: &GameRow) {
        if row.reason == Reason::Void {
            if row.game < self.next && self.voids.again(row.game) {
                self.again.insert(row.game);
            }
        } else if row.game >= self.next {
            self.done.insert(row.game);
        }
    }

    fn total(&self) -> Option<u64> {
        Some(self.games)
    }
}

/// Counts the games that did not count.
#[derive(Debug, Default)]
pub struct Voids {
    counts: std::collections::BTreeMap<u64, u64>,
}

impl Voids {
    /// Takes note that a game did not count; tells whether it is to be played again.
    pub fn again(&mut self, game: u64) -> bool {
        let count = self.counts.entry(game).or_default();
        *count += 1;
        *count <= REPLAYS
    }
}
