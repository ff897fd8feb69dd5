//! A game between a bot's process and a side that is played here, by a person or at random.
//!
//! The rules, the clock and the verdicts are those of any [`Game`]; only the other side's answers come from the
//! caller.

use std::cell::Cell;
use std::collections::VecDeque;

use bao_protocol::record::MoveRow;
use bao_protocol::{FromBot, ToBot, VoidCause, from_bot};
use bao_rules::{BySide, Pit, Position, Side};

use crate::game::clock::TimeControl;
use crate::game::setup::{Edition, Greeted, Measure, SeatSetup, Setup};
use crate::game::verdict::{Loss, Verdict};
use crate::game::{Game, Note};
use crate::play::driver::{Driver, Party, Table};
use crate::play::link::Link;
use crate::play::talk::Talk;
use crate::play::witness::Witness;

/// The setup of a bout.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The game's number.
    pub game: u64,
    /// The position from which it starts.
    pub position: Position,
    /// The side that the bot plays.
    pub bot: Side,
    /// The bot's clock.
    pub clock: TimeControl,
    /// How far the bot may exceed its clock without losing, in microseconds.
    pub grace_us: u64,
    /// How long the bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// The ply after which the game is ended.
    pub max_plies: u64,
    /// The seed that the bot gets.
    pub seed: u64,
}

/// A game with one bot.
#[derive(Debug)]
pub struct Bout {
    game: Game,
    bot: Side,
    driver: Driver,
    // Moves that were made in an earlier bout and are made again without the bot.
    replay: VecDeque<Pit>,
    // The request that must be answered here.
    request: Cell<Option<Request>>,
    open: Option<u64>,
    impression: Impression,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The side that is played here is to move: [`Bout::play`], then [`Bout::go_on`].
    Ours,
    /// The game is over.
    Over,
}

/// How long a bot took for its moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// How many moves.
    pub moves: u64,
    /// The time for all of them, in microseconds.
    pub total_us: u64,
    /// The longest time for one of them.
    pub most_us: u64,
}

/// What a bot reported about a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Thought {
    /// How many plies ahead it looked.
    pub depth: Option<u64>,
    /// What it expects, in hundredths of a seed.
    pub score: Option<i64>,
}

/// A request to a side that is answered here.
#[derive(Debug, Clone, Copy)]
enum Request {
    Ready(u64),
    Move(u64),
}

impl Bout {
    /// Sets up a game with a bot that has been greeted. The `moves` were made before, in a game that was taken back:
    /// they are made again without asking the bot.
    ///
    /// Nothing happens until [`go_on`](Self::go_on).
    pub fn new(terms: &Terms, talk: &Talk, moves: &[Pit]) -> Self {
        let seat = |side: Side| SeatSetup {
            name: side.word().to_owned(),
            clock: if side == terms.bot { terms.clock } else { TimeControl::UNLIMITED },
            options: Vec::new(),
            greeted: if side == terms.bot { talk.greeted() } else { Some(Greeted::default()) },
            next_id: if side == terms.bot { talk.next_id() } else { 1 },
        };
        let setup = Setup {
            game: terms.game,
            position: terms.position,
            seats: Side::BOTH.map(seat),
            grace_us: terms.grace_us,
            measure: Measure::Wall,
            adjudication: None,
            edition: Edition::LATEST,
            plan_sha256: None,
            max_plies: terms.max_plies,
            seed: terms.seed,
            // Both sides have been greeted.
            handshake_us: 0,
            ready_us: terms.ready_us,
        };
        Self {
            game: Game::new(setup),
            bot: terms.bot,
            driver: Driver::start(),
            replay: moves.iter().copied().collect(),
            request: Cell::new(None),
            open: None,
            impression: Impression::default(),
        }
    }

    /// Continues the game until the side that is played here is to move, or the game is over.
    pub async fn go_on(&mut self, talk: &mut Talk) -> Turn {
        loop {
            if self.game.verdict().is_some() {
                return Turn::Over;
            }
            if self.open.is_some() {
                return Turn::Ours;
            }
            match self.request.take() {
                Some(Request::Ready(id)) => {
                    self.reply(talk, self.bot.other(), &FromBot::Ready(from_bot::Ready { id }));
                }
                Some(Request::Move(id)) => match self.replay.pop_front() {
                    Some(pit) => self.make(talk, self.game.position().side(), id, pit),
                    None => self.open = Some(id),
                },
                None => {
                    self.table(talk).step().await;
                    self.note(talk);
                }
            }
        }
    }

    /// Makes a move for the side that is played here, which is to move.
    pub fn play(&mut self, talk: &mut Talk, pit: Pit) {
        if let Some(id) = self.open.take() {
            self.make(talk, self.bot.other(), id, pit);
        }
    }

    /// Resigns for the side that is played here, which is to move.
    pub fn resign(&mut self, talk: &mut Talk) {
        if let Some(id) = self.open.take() {
            self.reply(talk, self.bot.other(), &FromBot::Resign(from_bot::Resign { id }));
        }
    }

    /// Ends the game; it does not count.
    pub fn stop(&mut self, talk: &mut Talk, why: &str) {
        self.table(talk).stop(VoidCause::Operator, why);
        self.note(talk);
    }

    /// Returns how fast the bot was.
    pub fn pace(&self) -> Pace {
        self.impression.pace
    }

    /// Returns what the bot reported about its last move.
    pub fn thought(&self) -> Thought {
        self.impression.thought
    }

    /// Returns the position reached.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Returns the moves made, with single spaces between.
    pub fn moves(&self) -> &str {
        self.game.moves()
    }

    /// Returns how many moves have been made.
    pub fn plies(&self) -> u64 {
        self.game.plies()
    }

    /// Returns the verdict, once there is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.game.verdict()
    }

    fn make(&mut self, talk: &mut Talk, side: Side, id: u64, pit: Pit) {
        let answer = from_bot::Move { id, mv: pit.name().to_owned(), info: None };
        self.reply(talk, side, &FromBot::Move(answer));
    }

    /// Answers a request to a side that is answered here.
    fn reply(&mut self, talk: &mut Talk, side: Side, answer: &FromBot) {
        let mut line = Vec::new();
        answer.write_line(&mut line);
        self.table(talk).reply(side, line.strip_suffix(b"\n").unwrap_or(&line));
        self.note(talk);
    }

    fn table<'a>(&'a mut self, talk: &'a mut Talk) -> Table<'a, Seat<'a>, Impression> {
        let (replaying, mut talk) = (!self.replay.is_empty(), Some(talk));
        self.impression.of = (!replaying).then_some(self.bot);
        let parties = BySide::from_fn(|side| Seat {
            talk: if side == self.bot { talk.take() } else { None },
            replaying,
            request: &self.request,
        });
        Table { driver: &mut self.driver, game: &mut self.game, parties, witness: &mut self.impression }
    }

    /// Keeps the output of the last step.
    fn note(&mut self, talk: &mut Talk) {
        talk.set_next_id(self.game.next_id(self.bot));
        for text in self.impression.notes.drain(..) {
            talk.manners.remark(&text);
        }
    }
}

/// A side of a bout: the bot's, or the one that is answered here.
#[derive(Debug)]
struct Seat<'a> {
    talk: Option<&'a mut Talk>,
    replaying: bool,
    request: &'a Cell<Option<Request>>,
}

impl Party for Seat<'_> {
    fn link(&mut self) -> Option<&mut Link> {
        self.talk.as_mut()?.link()
    }

    fn say(&mut self, line: &[u8]) {
        let answered_here = self.talk.is_none() || self.replaying;
        let message = if answered_here { ToBot::read(line).ok().flatten() } else { None };
        match (message, &mut self.talk) {
            (Some(ToBot::Go(go)), _) => self.request.set(Some(Request::Move(go.id))),
            (Some(ToBot::NewGame(game)), None) => self.request.set(Some(Request::Ready(game.id))),
            (_, Some(talk)) => talk.say(line),
            (_, None) => {}
        }
    }

    fn line(&mut self, line: &mut Vec<u8>) -> Option<Result<(), Loss>> {
        self.talk.as_mut()?.line(line)
    }
}

/// What a bot makes of itself in a bout.
#[derive(Debug, Default)]
struct Impression {
    // Whose moves are looked at.
    of: Option<Side>,
    pace: Pace,
    thought: Thought,
    notes: Vec<String>,
}

impl Witness for Impression {
    fn ply(&mut self, row: &MoveRow<'_>) {
        if self.of == Some(row.side.into()) {
            self.pace.moves += 1;
            self.pace.total_us += row.used_us;
            self.pace.most_us = self.pace.most_us.max(row.used_us);
            self.thought = Thought { depth: row.depth, score: row.score };
        }
    }

    fn note(&mut self, _: u64, side: Side, note: &Note<'_>) {
        // The conversation itself records what a single line shows.
        if self.of == Some(side) && !note.is_of_the_line() {
            self.notes.push(note.to_string());
        }
    }
}

impl Pace {
    /// Adds the moves of another game.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.total_us += other.total_us;
        self.most_us = self.most_us.max(other.most_us);
    }
}
