//! A game between a bot's process and a side that is played here: by a person, or by chance.
//!
//! The rules, the clock and the verdicts are those of any [`Game`]; only the other side's answers come from the caller.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bao_protocol::record::MoveRow;
use bao_protocol::{FromBot, ToBot, from_bot};
use bao_rules::{Pit, Position, Side};

use crate::game::clock::TimeControl;
use crate::game::setup::{Greeted, Measure, SeatSetup, Setup};
use crate::game::verdict::Verdict;
use crate::game::{Cpu, Game, Input, Out};
use crate::play::talk::{Heard, Talk, now};
use crate::process::lag::lag_us;

/// The most that is read of what a bot said before it was asked, at each request, in bytes.
const EARLY_BYTES: usize = 64 << 10;

/// How notes begin that the conversation takes itself, of what lies in a line alone.
const NOTED: [&str; 5] = [
    "unknown field",
    "a whole number is written",
    "a message of the unknown type",
    "a line that is no message",
    "further notes",
];

/// What is agreed before a bout.
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
    /// How far the clock may be overstepped, in microseconds.
    pub grace_us: u64,
    /// How long the bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// The ply after which the game is ended.
    pub max_plies: u64,
    /// The seed of which the bot is told.
    pub seed: u64,
}

/// A game with one bot.
#[derive(Debug)]
pub struct Bout {
    game: Game,
    bot: Side,
    epoch: Instant,
    now_us: u64,
    // Moves that were made in an earlier bout and are made again without the bot.
    replay: VecDeque<Pit>,
    request: Option<Request>,
    open: Option<u64>,
    /// How fast the bot was.
    pub pace: Pace,
    /// What it said of its last move.
    pub thought: Thought,
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

/// What a bot said of a move.
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
            max_plies: terms.max_plies,
            seed: terms.seed,
            // Both sides have been greeted.
            handshake_us: 0,
            ready_us: terms.ready_us,
        };
        Self {
            game: Game::new(setup),
            bot: terms.bot,
            epoch: now(),
            now_us: 0,
            replay: moves.iter().copied().collect(),
            request: None,
            open: None,
            pace: Pace::default(),
            thought: Thought::default(),
        }
    }

    /// Lets the game go on until the side that is played here is to move, or the game is over.
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
                None if Side::BOTH.iter().any(|side| self.game.due(*side)) => self.ask(talk),
                None => self.listen(talk).await,
            }
        }
    }

    /// Makes a move for the side that is played here, which is to move.
    pub fn play(&mut self, talk: &mut Talk, pit: Pit) {
        if let Some(id) = self.open.take() {
            self.make(talk, self.bot.other(), id, pit);
        }
    }

    /// Gives the game up for the side that is played here, which is to move.
    pub fn resign(&mut self, talk: &mut Talk) {
        if let Some(id) = self.open.take() {
            self.reply(talk, self.bot.other(), &FromBot::Resign(from_bot::Resign { id }));
        }
    }

    /// Ends the game; it does not count.
    pub fn stop(&mut self, talk: &mut Talk, why: &str) {
        self.step(talk, Input::Stop { why });
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

    /// Hears what the bot has said unasked, then lets the request go out that is due.
    fn ask(&mut self, talk: &mut Talk) {
        let mut bytes = 0;
        while bytes < EARLY_BYTES && self.game.verdict().is_none() {
            match talk.overheard() {
                Some(Heard::Line(line)) => {
                    bytes += line.len() + 1;
                    self.heard(talk, Heard::Line(line));
                }
                Some(Heard::Lost(loss)) => self.heard(talk, Heard::Lost(loss)),
                Some(Heard::Nothing) | None => break,
            }
        }
        self.step(talk, Input::Ask);
    }

    /// Waits for the bot.
    async fn listen(&mut self, talk: &mut Talk) {
        // Only a side that is answered here is asked for nothing, and its requests have been answered.
        let deadline_us = self.game.awaited(self.bot).unwrap_or(0);
        let heard = talk.hear(self.epoch + Duration::from_micros(deadline_us)).await;
        self.heard(talk, heard);
    }

    fn heard(&mut self, talk: &mut Talk, heard: Heard) {
        let lag_us = lag_us(now());
        match heard {
            Heard::Line(bytes) => {
                let input = Input::Line { side: self.bot, bytes: &bytes, lag_us, cpu: Cpu::default() };
                self.step(talk, input);
            }
            Heard::Nothing => {
                if let Some((bytes, text)) = talk.half_line() {
                    self.step(talk, Input::HalfLine { side: self.bot, bytes, text: &text });
                }
                self.step(talk, Input::Tick);
            }
            Heard::Lost(loss) => self.step(talk, Input::Lost { side: self.bot, loss: &loss }),
        }
    }

    fn make(&mut self, talk: &mut Talk, side: Side, id: u64, pit: Pit) {
        let answer = from_bot::Move { id, mv: pit.name().to_owned(), info: None };
        self.reply(talk, side, &FromBot::Move(answer));
    }

    /// Answers a request to a side that is answered here.
    fn reply(&mut self, talk: &mut Talk, side: Side, answer: &FromBot) {
        let mut line = Vec::new();
        answer.write_line(&mut line);
        let bytes = line.strip_suffix(b"\n").unwrap_or(&line);
        self.step(talk, Input::Line { side, bytes, lag_us: 0, cpu: Cpu::default() });
    }

    fn step(&mut self, talk: &mut Talk, input: Input<'_>) {
        self.now_us = now().duration_since(self.epoch).as_micros() as u64;
        let mut desk = Desk {
            talk,
            bot: self.bot,
            replaying: !self.replay.is_empty(),
            request: &mut self.request,
            pace: &mut self.pace,
            thought: &mut self.thought,
        };
        self.game.step(self.now_us, input, &mut desk);
        talk.set_next_id(self.game.next_id(self.bot));
    }
}

/// Where the game's wishes are carried out.
struct Desk<'a> {
    talk: &'a mut Talk,
    bot: Side,
    replaying: bool,
    request: &'a mut Option<Request>,
    pace: &'a mut Pace,
    thought: &'a mut Thought,
}

impl Out for Desk<'_> {
    fn send(&mut self, side: Side, line: &[u8]) {
        let message =
            if side == self.bot && !self.replaying { None } else { ToBot::read(line).ok().flatten() };
        match message {
            Some(ToBot::Go(go)) => *self.request = Some(Request::Move(go.id)),
            Some(ToBot::NewGame(game)) if side != self.bot => *self.request = Some(Request::Ready(game.id)),
            Some(_) if side != self.bot => {}
            Some(_) | None => self.talk.say_line(line),
        }
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        if Side::from(row.side) == self.bot && !self.replaying {
            self.pace.moves += 1;
            self.pace.total_us += row.used_us;
            self.pace.most_us = self.pace.most_us.max(row.used_us);
            *self.thought = Thought { depth: row.depth, score: row.score };
        }
    }

    fn note(&mut self, side: Side, text: &str) {
        if side == self.bot && !NOTED.iter().any(|start| text.starts_with(start)) {
            self.talk.manners.remark(text);
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
