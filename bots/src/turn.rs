//! What a bot learns before a game and when it is to move.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use bao_protocol::FromBot;
use bao_protocol::from_bot::{Info, Log, Thought};
use bao_protocol::to_bot::{Clock, Go, NewGame};
use bao_rules::{Moves, Position};

use crate::{Random, Settings};

/// The start of a game.
pub struct Start<'a> {
    /// The position in which it starts; the other side may be to move.
    pub position: Position,
    /// When the message was read.
    pub started: Instant,
    /// The message `new_game` as it came.
    pub new_game: &'a NewGame<'a>,
    /// The options' values.
    pub settings: &'a Settings,
    pub(crate) output: Output<'a>,
}

/// A request to move.
pub struct Turn<'a> {
    /// The position, with the bot to move.
    pub position: Position,
    /// The legal moves; there is at least one.
    pub legal: Moves,
    /// A sensible time for this move, by the kind of the clock; see [`budget`](crate::budget()).
    pub budget: Duration,
    /// When the request was read.
    pub started: Instant,
    /// The message `go` as it came: clocks, the opponent's last move, the history.
    pub go: &'a Go<'a>,
    /// The clock that `new_game` announced.
    pub clock: &'a Clock,
    /// The options' values.
    pub settings: &'a Settings,
    /// Chance that follows from the option `seed` and the game, so that a game can be repeated; with seed 0 it
    /// cannot.
    pub random: &'a mut Random,
    pub(crate) past: &'a HashSet<Position>,
    pub(crate) output: Output<'a>,
}

/// Where lines for the referee go.
pub(crate) struct Output<'a>(pub(crate) RefCell<&'a mut dyn Write>);

impl Start<'_> {
    /// Writes a line for the record; the level is for example `info` or `warn`.
    pub fn log(&self, text: &str, level: &str) {
        self.output.log(text, level);
    }
}

impl Turn<'_> {
    /// Returns whether a position was in this game before: it would end the game.
    pub fn seen(&self, position: &Position) -> bool {
        self.past.contains(position)
    }

    /// Returns how long this move has taken.
    pub fn elapsed(&self) -> Duration {
        now() - self.started
    }

    /// Returns whether this move has taken its budget.
    pub fn time_is_up(&self) -> bool {
        self.elapsed() >= self.budget
    }

    /// Reports what the bot thinks so far; never needed, and seldom is better than often.
    pub fn tell(&self, thought: Thought) {
        let Thought { depth, score, nodes, pv, text } = thought;
        self.output.say(&FromBot::Info(Info { id: self.go.id, depth, score, nodes, pv, text }));
    }

    /// Writes a line for the record; the level is for example `info` or `warn`.
    pub fn log(&self, text: &str, level: &str) {
        self.output.log(text, level);
    }
}

impl Output<'_> {
    fn log(&self, text: &str, level: &str) {
        self.say(&FromBot::Log(Log { level: level.to_owned(), text: text.to_owned() }));
    }

    fn say(&self, message: &FromBot) {
        let mut line = Vec::new();
        message.write_line(&mut line);
        let mut output = self.0.borrow_mut();
        // Where the pipe is broken, the answer will say so.
        let _broken = output.write_all(&line).and_then(|()| output.flush());
    }
}

impl fmt::Debug for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Start").field("new_game", &self.new_game).finish_non_exhaustive()
    }
}

impl fmt::Debug for Turn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("position", &self.position).field("go", &self.go).finish_non_exhaustive()
    }
}

#[expect(clippy::disallowed_methods, reason = "a bot that minds its clock reads the time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
