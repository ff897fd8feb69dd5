//! One game as a pure state machine.
//!
//! [`Game::step`] takes what happened and when, and gives an [`Out`] the lines to send and the notes. It reads no
//! clock and touches no pipe: the driver does, and `referee verify` feeds the same machine from a record. Times are
//! whole microseconds since the game was started, so that a replay gives the same bytes.
//!
//! This file holds the state and what can be asked of it; `prepare.rs`, `turn.rs` and `end.rs` have its three phases.

use bao_protocol::decode::Decoded;
use bao_protocol::from_bot::{self, FromBot, Thought};
use bao_protocol::{Reason, decode};
use bao_rules::{BySide, History, Moves, Pit, Position, Side, Sowing};

use crate::game::adjudication::Scores;
use crate::game::clock::Clock;
use crate::game::flood::Flood;
use crate::game::input::{Cpu, Heard, Input, Out};
use crate::game::instead;
use crate::game::messages::Texts;
use crate::game::note::{Answer, Note};
use crate::game::setup::{Edition, Greeted, Setup};
use crate::game::verdict::{Verdict, excerpt, printable};

/// How many notes about one bot are kept in one game.
const NOTES: u64 = 200;
/// The least lateness at a deadline that counts as the referee's absence, in microseconds; where the grace is
/// longer, it is the grace.
const ABSENCE_US: u64 = 100_000;
/// How many laps are sown in one step: about a millisecond.
pub(super) const LAPS: u64 = 50_000;
/// How much of a line is read for a quotation, in bytes.
pub(super) const LONGEST_LINE: usize = 1000;

/// A game from the first hello to its verdict.
#[derive(Debug)]
pub struct Game {
    pub(super) setup: Setup,
    pub(super) position: Position,
    pub(super) history: History,
    pub(super) legal: Moves,
    pub(super) plies: u64,
    pub(super) moves: String,
    pub(super) last: Option<Pit>,
    pub(super) clocks: BySide<Clock>,
    pub(super) bots: BySide<Bot>,
    pub(super) max_lag_us: u64,
    pub(super) scores: Scores,
    pub(super) began: bool,
    pub(super) phase: Phase,
    pub(super) text: Texts,
    // The stamp of the input that is being taken.
    pub(super) now_us: u64,
}

/// What a game knows of one of its bots.
#[derive(Debug, Default)]
pub(super) struct Bot {
    pub(super) next_id: u64,
    pub(super) greeted: Greeted,
    pub(super) hello: Option<from_bot::Hello>,
    pub(super) used_us: u64,
    pub(super) flood: Flood,
    pub(super) notes: u64,
    // The last line that was no answer, for the hint in a verdict.
    pub(super) astray: Option<Unusable>,
    // The last line since the request that was not a message, likewise.
    pub(super) noise: Option<Unusable>,
}

/// Something that a bot wrote and that could not be used.
#[derive(Debug, Clone)]
pub(super) struct Unusable {
    /// What is wrong with it.
    pub(super) problem: String,
    /// What the bot wrote, as far as a verdict may quote it.
    pub(super) line: Vec<u8>,
}

impl Unusable {
    fn new(problem: String, line: &[u8]) -> Self {
        Self { problem, line: line[..line.len().min(LONGEST_LINE)].to_vec() }
    }
}

#[derive(Debug)]
pub(super) enum Phase {
    Preparing(BySide<Preparing>),
    Due(Side),
    Thinking(Turn),
    /// A move was made, and its sowing is not finished.
    Sowing(Box<(Made, Sowing)>),
    Over(Verdict),
}

#[derive(Debug, Clone)]
pub(super) enum Preparing {
    Stranger,
    Greeting {
        deadline_us: u64,
    },
    Greeted,
    Readying {
        id: u64,
        deadline_us: u64,
    },
    Ready,
    /// It has failed, and the other bot's preparation decides the result.
    Failed(Verdict),
}

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) side: Side,
    pub(super) id: u64,
    pub(super) asked_us: u64,
    pub(super) deadline_us: u64,
    pub(super) thought: Thought,
}

/// A legal move that was made in time: the fields of its row that do not follow from the move itself.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) side: Side,
    pub(super) pit: Pit,
    pub(super) wall_us: u64,
    pub(super) lag_us: u64,
    pub(super) cpu: Cpu,
    pub(super) thought: Thought,
}

/// Returns a sentence about a line that was begun and not ended.
pub(crate) fn unended(bytes: u64, text: &str) -> String {
    format!("{bytes} bytes came without a newline at their end: {text}")
}

impl Game {
    /// Sets up a game; nothing happens until the first [`Input::Ask`].
    pub fn new(setup: Setup) -> Self {
        let position = setup.position;
        let bot = |side: Side| Bot {
            next_id: setup.seat(side).next_id,
            greeted: setup.seat(side).greeted.unwrap_or_default(),
            ..Bot::default()
        };
        let preparing = |side: Side| match setup.seat(side).greeted {
            Some(_) => Preparing::Greeted,
            None => Preparing::Stranger,
        };
        Self {
            history: History::new(&position),
            legal: position.legal_moves(),
            plies: 0,
            moves: String::new(),
            last: None,
            clocks: BySide::from_fn(|side| Clock::new(setup.seat(side).clock, setup.edition)),
            bots: BySide::from_fn(bot),
            max_lag_us: 0,
            scores: Scores::default(),
            began: false,
            phase: Phase::Preparing(BySide::from_fn(preparing)),
            text: Texts { game_id: setup.game.to_string(), ..Texts::default() },
            now_us: 0,
            position,
            setup,
        }
    }

    /// Takes one input that happened at `now_us`, and everything that follows from it.
    pub fn step(&mut self, now_us: u64, input: Input<'_>, out: &mut impl Out) {
        self.step_briefly(now_us, input, out);
        while self.sowing() {
            self.sow(out);
        }
    }

    /// Takes one input that happened at `now_us`; a long sowing may be left to [`sow`](Self::sow), so that a driver of
    /// several games can continue the others.
    pub fn step_briefly(&mut self, now_us: u64, input: Input<'_>, out: &mut impl Out) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        self.now_us = now_us;
        match input {
            Input::Ask => self.ask(out),
            Input::Line(heard) => self.line(heard, out),
            Input::Lost { side, loss } => self.lost(side, loss, out),
            Input::HalfLine { side, bytes, text } => {
                let quoted = match self.setup.edition {
                    Edition::First => printable(text, 80),
                    Edition::Second | Edition::Third => excerpt(text, 80),
                };
                self.bots[side].astray = Some(Unusable::new(unended(bytes, &quoted), text.as_bytes()));
            }
            Input::Ran { side, us } => {
                self.clocks[side].owe(us);
                self.note(side, &Note::Ran { us }, out);
            }
            Input::Tick => self.tick(out),
            Input::Stop { cause, why } => self.end(Verdict::void(cause, why), out),
        }
    }

    /// Returns the stamp of a line that is read now, `now_us`, from a bot that is awaited.
    ///
    /// A referee that wakes long after a deadline was absent. A line that is then in the pipe may have been there
    /// in time, and counts as written at the last moment in time.
    pub fn stamp_of(&self, side: Side, now_us: u64) -> u64 {
        match self.awaited(side) {
            Some(deadline_us) if self.is_absence(now_us.saturating_sub(deadline_us)) => deadline_us - 1,
            Some(_) | None => now_us,
        }
    }

    /// Returns whether a move was made whose sowing is not finished; no clock runs then.
    pub fn sowing(&self) -> bool {
        matches!(self.phase, Phase::Sowing(..))
    }

    /// Continues the sowing for a while.
    pub fn sow(&mut self, out: &mut impl Out) {
        let Phase::Sowing(parts) = &mut self.phase else { return };
        let (made, sowing) = &mut **parts;
        if let Some(play) = sowing.go_on(LAPS) {
            let made = made.clone();
            self.moved(made, &play, out);
        }
    }

    /// Returns whether a request is due: the driver should read what that bot has written too early, then give
    /// [`Input::Ask`].
    pub fn due(&self, side: Side) -> bool {
        match &self.phase {
            Phase::Preparing(sides) => {
                matches!(sides[side], Preparing::Stranger | Preparing::Greeted)
            }
            Phase::Due(turn) => *turn == side,
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => false,
        }
    }

    /// Returns the deadline of this bot's answer, if one is awaited: the first microsecond that is too late.
    pub fn awaited(&self, side: Side) -> Option<u64> {
        match &self.phase {
            Phase::Preparing(sides) => match &sides[side] {
                Preparing::Greeting { deadline_us } | Preparing::Readying { deadline_us, .. } => {
                    Some(*deadline_us)
                }
                Preparing::Stranger | Preparing::Greeted | Preparing::Ready | Preparing::Failed(_) => None,
            },
            Phase::Thinking(turn) if turn.side == side => Some(turn.deadline_us),
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Due(_) | Phase::Over(_) => None,
        }
    }

    /// Returns whether this bot is on turn with its clock running.
    pub fn thinking(&self, side: Side) -> bool {
        matches!(&self.phase, Phase::Thinking(turn) if turn.side == side)
    }

    /// Returns whether both bots were ready and the first of them was asked for a move.
    pub fn began(&self) -> bool {
        self.began
    }

    /// Returns the verdict, once there is one.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.phase {
            Phase::Over(verdict) => Some(verdict),
            Phase::Preparing(_) | Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) => None,
        }
    }

    /// Returns the setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the position reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns how many moves have been made.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Returns the moves made, with single spaces between.
    pub fn moves(&self) -> &str {
        &self.moves
    }

    /// Returns the time that a side has used for its moves, in microseconds.
    pub fn used_us(&self, side: Side) -> u64 {
        self.bots[side].used_us
    }

    /// Returns the referee's worst lag at a move, in microseconds.
    pub fn max_lag_us(&self) -> u64 {
        self.max_lag_us
    }

    /// Returns the id that the next request to this side's bot would have.
    pub fn next_id(&self, side: Side) -> u64 {
        self.bots[side].next_id
    }

    /// Returns this side's hello, if it came in this game.
    pub fn hello(&self, side: Side) -> Option<&from_bot::Hello> {
        self.bots[side].hello.as_ref()
    }

    /// Returns what is kept of this side's hello for the next game.
    pub fn greeted(&self, side: Side) -> Greeted {
        self.bots[side].greeted
    }

    /// Returns whether this much lateness at a deadline means that the referee was absent.
    pub(super) fn is_absence(&self, late_us: u64) -> bool {
        self.setup.edition >= Edition::Second && late_us > self.setup.grace_us.max(ABSENCE_US)
    }

    fn line(&mut self, heard: Heard<'_>, out: &mut impl Out) {
        let Heard { side, bytes, .. } = heard;
        if self.awaited(side).is_some_and(|deadline_us| self.now_us >= deadline_us) {
            return self.tick(out);
        }
        if let Some(flood) = self.bots[side].flood.line(bytes) {
            return self.fault(side, Reason::OutputFlood, &flood, bytes, out);
        }
        match decode(bytes) {
            Decoded::Blank => {}
            Decoded::Noise => match self.bots[side].flood.noise(bytes) {
                Some(flood) => self.fault(side, Reason::OutputFlood, &flood, bytes, out),
                None => {
                    self.note(side, &Note::Noise, out);
                    let noise = instead::noise(bytes, self.open(side), &self.legal);
                    self.bots[side].noise = Some(Unusable::new(noise, bytes));
                }
            },
            Decoded::Unknown(kind) => {
                self.note(side, &Note::Unknown { kind: &kind }, out);
                self.bots[side].noise = Some(Unusable::new(instead::unknown(&kind), bytes));
            }
            Decoded::Bad(bad) => self.fault(side, Reason::BadMessage, &bad.to_string(), bytes, out),
            Decoded::Message(message, warnings) => {
                for warning in &warnings {
                    self.note(side, &Note::Warning(warning), out);
                }
                self.message(message, heard, out);
            }
        }
    }

    fn message(&mut self, message: FromBot, heard: Heard<'_>, out: &mut impl Out) {
        let side = heard.side;
        match message {
            FromBot::Hello(hello) => self.hello_came(side, hello, heard.bytes, out),
            FromBot::Ready(ready) => self.ready(side, ready.id, heard.bytes, out),
            FromBot::Move(mv) => self.move_came(mv, heard, out),
            FromBot::Resign(resign) => self.resigned(side, resign.id, heard.bytes, out),
            FromBot::Info(info) => self.informed(side, info),
            FromBot::Log(_) => {}
            FromBot::Pong(_) | FromBot::Solution(_) => self.note(side, &Note::Unasked, out),
        }
    }

    /// Takes an answer that does not belong to the open request.
    pub(super) fn astray(&mut self, side: Side, kind: Answer, id: u64, bytes: &[u8], out: &mut impl Out) {
        let note = Note::Astray { kind, id, was_made: id < self.bots[side].next_id };
        self.note(side, &note, out);
        let problem = match self.setup.edition {
            Edition::First => note.to_string(),
            Edition::Second | Edition::Third => instead::other_id(kind, id, self.open(side)),
        };
        self.bots[side].astray = Some(Unusable::new(problem, bytes));
    }

    /// Returns the id of the request that this side must answer, if there is one.
    pub(super) fn open(&self, side: Side) -> Option<u64> {
        match &self.phase {
            Phase::Thinking(turn) if turn.side == side => Some(turn.id),
            Phase::Preparing(sides) => match &sides[side] {
                Preparing::Readying { id, .. } => Some(*id),
                Preparing::Stranger
                | Preparing::Greeting { .. }
                | Preparing::Greeted
                | Preparing::Ready
                | Preparing::Failed(_) => None,
            },
            Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => None,
        }
    }

    pub(super) fn note(&mut self, side: Side, note: &Note<'_>, out: &mut impl Out) {
        let bot = &mut self.bots[side];
        bot.notes += 1;
        if bot.notes <= NOTES {
            out.note(side, note);
        } else if bot.notes == NOTES + 1 {
            out.note(side, &Note::LeftOut);
        }
    }
}

impl Bot {
    pub(super) fn take_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}
