//! One game as a pure state machine.
//!
//! [`Game::step`] takes what happened and when, and tells an [`Out`] what is to be sent and noted. It reads no clock
//! and touches no pipe: the driver does, and `referee verify` feeds the same machine from a record. Times are whole
//! microseconds since the game was started, so that a replay gives the same bytes.

use std::borrow::Cow;
use std::fmt::Write as _;

use bao_protocol::from_bot::{self, Thought};
use bao_protocol::record::MoveRow;
use bao_protocol::to_bot::{self, ToBot};
use bao_protocol::{BadLine, Decoded, FromBot, Reason, Seat, VoidCause, YourResult, decode};
use bao_rules::{Ending, History, Moves, Pit, Play, Position, Side, Sowing, Variant};

use crate::game::adjudication::Scores;
use crate::game::clock::Clock;
use crate::game::flood::Flood;
use crate::game::instead;
use crate::game::note::{Answer, Note};
use crate::game::setup::{self, Edition, Greeted, Measure, Setup};
use crate::game::verdict::{Loss, Verdict, excerpt, printable};

/// How many notes about one bot are kept in one game.
const NOTES: u64 = 200;

/// What a game tells the world.
pub trait Out {
    /// A line, newline included, is to be written to a bot.
    fn send(&mut self, side: Side, line: &[u8]);
    /// A move was made.
    fn ply(&mut self, row: &MoveRow<'_>);
    /// Something about a bot is worth a line in the record.
    fn note(&mut self, side: Side, note: &Note<'_>);
}

/// What happened to a game.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// The driver is ready to write: whatever request is due goes out now.
    Ask,
    /// A bot wrote a line.
    Line {
        /// Who wrote it.
        side: Side,
        /// The line, without its newline.
        bytes: &'a [u8],
        /// How late the referee was to read it, in microseconds.
        lag_us: u64,
        /// The processor time that was used since the bot was asked.
        cpu: Cpu,
    },
    /// A bot can no longer play.
    Lost {
        /// Which one.
        side: Side,
        /// What became of it.
        loss: &'a Loss,
    },
    /// A line was begun and is not ended, and the time for it is up; it is told where that decides the game.
    HalfLine {
        /// Who began it.
        side: Side,
        /// How many bytes were read of it.
        bytes: u64,
        /// Its beginning, printable.
        text: &'a str,
    },
    /// Time went by.
    Tick,
    /// The game is ended and does not count.
    Stop {
        /// Why.
        cause: VoidCause,
        /// Why, in a sentence.
        why: &'a str,
    },
}

/// Processor time that was used since the bot on turn was asked, in microseconds, where it was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cpu {
    /// By the bot on turn.
    pub mover_us: Option<u64>,
    /// By its opponent.
    pub opponent_us: Option<u64>,
}

/// A game from the first hello to its verdict.
#[derive(Debug)]
pub struct Game {
    setup: Setup,
    position: Position,
    history: History,
    legal: Moves,
    plies: u64,
    moves: String,
    last: Option<Pit>,
    clocks: [Clock; 2],
    bots: [Bot; 2],
    max_lag_us: u64,
    scores: Scores,
    began: bool,
    phase: Phase,
    text: Texts,
}

/// What a game knows of one of its bots.
#[derive(Debug, Default)]
struct Bot {
    next_id: u64,
    greeted: Greeted,
    hello: Option<from_bot::Hello>,
    used_us: u64,
    flood: Flood,
    notes: u64,
    // The last that came and was no answer, for the hint in a verdict.
    astray: Option<String>,
    // The last line since the request that was no message, likewise.
    noise: Option<String>,
}

#[derive(Debug)]
enum Phase {
    Preparing([Preparing; 2]),
    Due(Side),
    Thinking(Turn),
    /// A move was made, and its sowing goes on for long.
    Sowing(Box<(Made, Sowing)>),
    Over(Verdict),
}

#[derive(Debug, Clone, Copy)]
enum Preparing {
    Stranger,
    Greeting { deadline_us: u64 },
    Greeted,
    Readying { id: u64, deadline_us: u64 },
    Ready,
}

#[derive(Debug)]
struct Turn {
    side: Side,
    id: u64,
    asked_us: u64,
    deadline_us: u64,
    thought: Thought,
}

/// A legal move that was made in time: what its row says beside what comes of it.
#[derive(Debug, Clone)]
struct Made {
    side: Side,
    pit: Pit,
    wall_us: u64,
    lag_us: u64,
    cpu: Cpu,
    thought: Thought,
}

/// How many laps are sown in one go: about a millisecond's worth.
const LAPS: u64 = 50_000;

/// Says that a line was begun and not ended.
pub(crate) fn unended(bytes: u64, text: &str) -> String {
    format!("{bytes} bytes came without a newline at their end: {text}")
}

/// Buffers that live as long as the game, so that a ply allocates next to nothing.
#[derive(Debug, Default)]
struct Texts {
    line: Vec<u8>,
    position: String,
    legal: String,
    reserved: String,
    last: String,
    game_id: String,
}

impl Game {
    /// Sets up a game; nothing happens until the first [`Input::Ask`].
    pub fn new(setup: Setup) -> Self {
        let position = setup.position;
        let seat = |side: Side| &setup.seats[side as usize];
        let bot = |side: Side| Bot {
            next_id: seat(side).next_id,
            greeted: seat(side).greeted.unwrap_or_default(),
            ..Bot::default()
        };
        let preparing = |side: Side| match seat(side).greeted {
            Some(_) => Preparing::Greeted,
            None => Preparing::Stranger,
        };
        Self {
            history: History::new(&position),
            legal: position.legal_moves(),
            plies: 0,
            moves: String::new(),
            last: None,
            clocks: [Side::South, Side::North].map(|side| Clock::new(seat(side).clock)),
            bots: [bot(Side::South), bot(Side::North)],
            max_lag_us: 0,
            scores: Scores::default(),
            began: false,
            phase: Phase::Preparing([preparing(Side::South), preparing(Side::North)]),
            text: Texts { game_id: setup.game.to_string(), ..Texts::default() },
            position,
            setup,
        }
    }

    /// Takes one thing that happened at `now_us`, and all that follows from it.
    pub fn step(&mut self, now_us: u64, input: Input<'_>, out: &mut impl Out) {
        self.step_briefly(now_us, input, out);
        while self.sowing() {
            self.sow(out);
        }
    }

    /// Takes one thing that happened at `now_us`; a long sowing may be left to [`sow`](Self::sow), so that whoever plays
    /// other games meanwhile can look after them.
    pub fn step_briefly(&mut self, now_us: u64, input: Input<'_>, out: &mut impl Out) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        match input {
            Input::Ask => self.ask(now_us, out),
            Input::Line { side, bytes, lag_us, cpu } => self.line(now_us, side, bytes, lag_us, cpu, out),
            Input::Lost { side, loss } => self.lost(side, loss, out),
            Input::HalfLine { side, bytes, text } => {
                let text = match self.setup.edition {
                    Edition::First => printable(text, 80),
                    Edition::Second => excerpt(text, 80),
                };
                self.bots[side as usize].astray = Some(unended(bytes, &text));
            }
            Input::Tick => self.tick(now_us, out),
            Input::Stop { cause, why } => self.end(Verdict::void(cause, why), out),
        }
    }

    /// Tells whether a move was made whose sowing is not at its end; nobody's clock runs then.
    pub fn sowing(&self) -> bool {
        matches!(self.phase, Phase::Sowing(..))
    }

    /// Goes on with the sowing for a while.
    pub fn sow(&mut self, out: &mut impl Out) {
        let Phase::Sowing(parts) = &mut self.phase else { return };
        let (made, sowing) = &mut **parts;
        if let Some(play) = sowing.go_on(LAPS) {
            let made = made.clone();
            self.moved(made, &play, out);
        }
    }

    /// Tells whether a request is due: the driver should read what that bot has said unasked, then give
    /// [`Input::Ask`].
    pub fn due(&self, side: Side) -> bool {
        match &self.phase {
            Phase::Preparing(sides) => {
                matches!(sides[side as usize], Preparing::Stranger | Preparing::Greeted)
            }
            Phase::Due(turn) => *turn == side,
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => false,
        }
    }

    /// Tells until when an answer of this bot is awaited, if it is: the first microsecond that is too late.
    pub fn awaited(&self, side: Side) -> Option<u64> {
        match &self.phase {
            Phase::Preparing(sides) => match sides[side as usize] {
                Preparing::Greeting { deadline_us } | Preparing::Readying { deadline_us, .. } => {
                    Some(deadline_us)
                }
                Preparing::Stranger | Preparing::Greeted | Preparing::Ready => None,
            },
            Phase::Thinking(turn) if turn.side == side => Some(turn.deadline_us),
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Due(_) | Phase::Over(_) => None,
        }
    }

    /// Tells whether this bot is on turn, its clock running.
    pub fn thinking(&self, side: Side) -> bool {
        matches!(&self.phase, Phase::Thinking(turn) if turn.side == side)
    }

    /// Tells whether both bots were ready and the first of them was asked for a move.
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

    /// Returns what was agreed.
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
        self.bots[side as usize].used_us
    }

    /// Returns the referee's worst lag at a move, in microseconds.
    pub fn max_lag_us(&self) -> u64 {
        self.max_lag_us
    }

    /// Returns the id that the next request to this side's bot would have.
    pub fn next_id(&self, side: Side) -> u64 {
        self.bots[side as usize].next_id
    }

    /// Returns what this side's bot said of itself, if it said it in this game.
    pub fn hello(&self, side: Side) -> Option<&from_bot::Hello> {
        self.bots[side as usize].hello.as_ref()
    }

    /// Returns what is kept of this side's hello for the next game.
    pub fn greeted(&self, side: Side) -> Greeted {
        self.bots[side as usize].greeted
    }

    fn variant(&self) -> Variant {
        self.position.variant()
    }

    fn ask(&mut self, now_us: u64, out: &mut impl Out) {
        match &self.phase {
            Phase::Preparing(_) => {
                for side in [Side::South, Side::North] {
                    self.prepare(now_us, side, out);
                }
            }
            Phase::Due(side) => self.go(now_us, *side, out),
            Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => {}
        }
    }

    fn prepare(&mut self, now_us: u64, side: Side, out: &mut impl Out) {
        let Phase::Preparing(sides) = &mut self.phase else { return };
        let state = &mut sides[side as usize];
        match state {
            Preparing::Stranger => {
                let handshake_us = self.setup.handshake_us;
                *state = Preparing::Greeting { deadline_us: now_us + handshake_us };
                self.say(side, &hello(handshake_us), out);
            }
            Preparing::Greeted => {
                if self.bots[side as usize].greeted.seed {
                    let id = self.bots[side as usize].take_id();
                    let value = self.setup.seed_option(side, self.bots[side as usize].greeted).to_string();
                    send(&mut self.text.line, side, &set_option(id, "seed", &value), out);
                }
                let id = self.bots[side as usize].take_id();
                *state = Preparing::Readying { id, deadline_us: now_us + self.setup.ready_us };
                let seat = &self.setup.seats[side as usize];
                let message = ToBot::NewGame(to_bot::NewGame {
                    id,
                    game_id: Cow::Borrowed(&self.text.game_id),
                    game: Cow::Borrowed(self.setup.position.variant().name()),
                    you: side.into(),
                    position: self.position.to_string().into(),
                    clock: seat.clock.to_wire(),
                    max_plies: self.setup.max_plies,
                });
                send(&mut self.text.line, side, &message, out);
            }
            Preparing::Greeting { .. } | Preparing::Readying { .. } | Preparing::Ready => {}
        }
    }

    fn go(&mut self, now_us: u64, side: Side, out: &mut impl Out) {
        let (id, history) = {
            let bot = &mut self.bots[side as usize];
            bot.flood.next_turn();
            bot.noise = None;
            (bot.take_id(), bot.greeted.history)
        };
        let clock = &self.clocks[side as usize];
        let budget_us = clock.budget_us();
        self.began = true;
        self.phase = Phase::Thinking(Turn {
            side,
            id,
            asked_us: now_us,
            deadline_us: now_us + self.setup.deadline_us(budget_us) + 1,
            thought: Thought::default(),
        });
        let text = &mut self.text;
        describe(&self.position, &self.legal, self.last, text);
        let (south, north) = (row(&self.position, Side::South), row(&self.position, Side::North));
        let pits = self.position.pits(Side::South).count();
        let message = ToBot::Go(to_bot::Go {
            id,
            game_id: Cow::Borrowed(&text.game_id),
            ply: self.plies,
            you: side.into(),
            position: Cow::Borrowed(&text.position),
            south: Cow::Borrowed(&south[..pits]),
            north: Cow::Borrowed(&north[..pits]),
            captured_south: self.position.captured(Side::South).into(),
            captured_north: self.position.captured(Side::North).into(),
            reserved: Cow::Borrowed(&text.reserved),
            legal: Cow::Borrowed(&text.legal),
            last: Cow::Borrowed(&text.last),
            moves: history.then_some(Cow::Borrowed(&self.moves)),
            you_ms: clock.left_ms(),
            opponent_ms: self.clocks[side.other() as usize].left_ms(),
            increment_ms: clock.increment_ms(),
            moves_to_go: clock.moves_to_go().into(),
            periods: clock.periods().into(),
            deadline_ms: clock.deadline_ms(),
        });
        send(&mut text.line, side, &message, out);
    }

    fn line(&mut self, now_us: u64, side: Side, bytes: &[u8], lag_us: u64, cpu: Cpu, out: &mut impl Out) {
        if self.awaited(side).is_some_and(|deadline_us| now_us >= deadline_us) {
            return self.tick(now_us, out);
        }
        if let Some(flood) = self.bots[side as usize].flood.line(bytes) {
            return self.fault(side, Reason::OutputFlood, &flood, bytes, out);
        }
        match decode(bytes) {
            Decoded::Blank => {}
            Decoded::Noise => match self.bots[side as usize].flood.noise(bytes) {
                Some(flood) => self.fault(side, Reason::OutputFlood, &flood, bytes, out),
                None => {
                    self.note(side, &Note::Noise, out);
                    let noise = instead::noise(bytes, self.open(side), &self.legal);
                    self.bots[side as usize].noise = Some(noise);
                }
            },
            Decoded::Unknown(kind) => {
                self.note(side, &Note::Unknown { kind: &kind }, out);
                self.bots[side as usize].noise = Some(instead::unknown(&kind));
            }
            Decoded::Bad(bad) => self.bad_message(side, &bad, bytes, out),
            Decoded::Message(message, warnings) => {
                for warning in &warnings {
                    self.note(side, &Note::Warning(warning), out);
                }
                self.message(now_us, side, message, bytes, lag_us, cpu, out);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one Input::Line, taken apart once")]
    fn message(
        &mut self,
        now_us: u64,
        side: Side,
        message: FromBot,
        bytes: &[u8],
        lag_us: u64,
        cpu: Cpu,
        out: &mut impl Out,
    ) {
        match message {
            FromBot::Hello(hello) => self.hello_came(side, hello, bytes, out),
            FromBot::Ready(ready) => self.ready(side, ready.id, out),
            FromBot::Move(mv) => {
                if self.answers(side, mv.id, Answer::Move, out) {
                    self.answered(now_us, side, mv, bytes, lag_us, cpu, out);
                }
            }
            FromBot::Resign(resign) => {
                if self.answers(side, resign.id, Answer::Resign, out) {
                    let verdict = Verdict::ended(Some(side.other()), Reason::Resign, None);
                    self.end(verdict, out);
                }
            }
            FromBot::Info(info) => {
                if let Phase::Thinking(turn) = &mut self.phase
                    && (turn.side, turn.id) == (side, info.id)
                {
                    let from_bot::Info { id: _, depth, score, nodes, pv, text } = info;
                    turn.thought = Thought { depth, score, nodes, pv, text };
                }
            }
            FromBot::Log(_) => {}
            FromBot::Pong(_) | FromBot::Solution(_) => self.note(side, &Note::Unasked, out),
        }
    }

    fn hello_came(&mut self, side: Side, hello: from_bot::Hello, bytes: &[u8], out: &mut impl Out) {
        let Phase::Preparing(sides) = &mut self.phase else {
            return self.note(side, &Note::SecondHello, out);
        };
        if !matches!(sides[side as usize], Preparing::Greeting { .. }) {
            return self.note(side, &Note::SecondHello, out);
        }
        let name = self.setup.position.variant().name();
        if hello.protocol != u64::from(bao_protocol::VERSION) {
            let why = format!(
                "{} speaks version {} of the protocol, the referee version {}",
                self.setup.seats[side as usize].name,
                hello.protocol,
                bao_protocol::VERSION
            );
            return self.end(Verdict { fault: Some(side), ..Verdict::void(VoidCause::Program, &why) }, out);
        }
        if !hello.games.iter().any(|game| game == name) {
            let plays = match self.setup.edition {
                Edition::First => printable(&hello.games.join(", "), 100),
                Edition::Second => excerpt(&hello.games.join(", "), 100),
            };
            let detail = format!("the bot does not play {name}; its hello lists: {plays}");
            return self.fault(side, Reason::Handshake, &detail, bytes, out);
        }
        sides[side as usize] = Preparing::Greeted;
        let unknown: Vec<String> = self.setup.seats[side as usize]
            .options
            .iter()
            .filter(|(option, _)| !hello.options.iter().any(|spec| spec.name == *option))
            .map(|(option, _)| option.clone())
            .collect();
        let unfit = setup::unfit(&hello, &self.setup.seats[side as usize].options);
        let greeted = setup::greeted(&hello, &self.setup.seats[side as usize].options, self.setup.edition);
        let bot = &mut self.bots[side as usize];
        bot.greeted = greeted;
        bot.hello = Some(hello);
        for option in &unknown {
            self.note(side, &Note::Unlisted { option }, out);
        }
        if self.setup.edition == Edition::Second {
            for (option, value, takes) in &unfit {
                self.note(side, &Note::Unfit { option, value, takes }, out);
            }
        }
        for (name, value) in &self.setup.seats[side as usize].options {
            let id = self.bots[side as usize].take_id();
            send(&mut self.text.line, side, &set_option(id, name, value), out);
        }
    }

    fn ready(&mut self, side: Side, id: u64, out: &mut impl Out) {
        if let Phase::Preparing(sides) = &mut self.phase
            && let Preparing::Readying { id: asked, .. } = sides[side as usize]
            && asked == id
        {
            sides[side as usize] = Preparing::Ready;
            if sides.iter().all(|state| matches!(state, Preparing::Ready)) {
                self.next_turn(out);
            }
        } else {
            self.astray(side, Answer::Ready, id, out);
        }
    }

    /// Tells whether an answer is one to the request that is open; notes it where it is not.
    fn answers(&mut self, side: Side, id: u64, kind: Answer, out: &mut impl Out) -> bool {
        let fits = matches!(&self.phase, Phase::Thinking(turn) if (turn.side, turn.id) == (side, id));
        if !fits {
            self.astray(side, kind, id, out);
        }
        fits
    }

    fn astray(&mut self, side: Side, kind: Answer, id: u64, out: &mut impl Out) {
        let note = Note::Astray { kind, id, was_made: id < self.bots[side as usize].next_id };
        self.note(side, &note, out);
        self.bots[side as usize].astray = Some(match self.setup.edition {
            Edition::First => note.to_string(),
            Edition::Second => instead::other_id(kind, id, self.open(side)),
        });
    }

    /// Returns the id of the request that this side has to answer, if there is one.
    fn open(&self, side: Side) -> Option<u64> {
        match &self.phase {
            Phase::Thinking(turn) if turn.side == side => Some(turn.id),
            Phase::Preparing(sides) => match sides[side as usize] {
                Preparing::Readying { id, .. } => Some(id),
                Preparing::Stranger | Preparing::Greeting { .. } | Preparing::Greeted | Preparing::Ready => {
                    None
                }
            },
            Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => None,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one Input::Line, taken apart once")]
    fn answered(
        &mut self,
        now_us: u64,
        side: Side,
        mv: from_bot::Move,
        bytes: &[u8],
        lag_us: u64,
        cpu: Cpu,
        out: &mut impl Out,
    ) {
        let Phase::Thinking(turn) = &mut self.phase else { return };
        let thought = mv.info.unwrap_or_else(|| std::mem::take(&mut turn.thought));
        let wall_us = now_us - turn.asked_us;
        let used_us = match self.setup.measure {
            Measure::Wall => wall_us,
            Measure::Cpu => cpu.mover_us.unwrap_or(wall_us),
        };
        let bot = &mut self.bots[side as usize];
        bot.used_us += used_us;
        (bot.astray, bot.noise) = (None, None);
        // A thread that never sleeps cannot tell when an answer came; not before the request, in any case.
        let lag_us = lag_us.min(wall_us);
        self.max_lag_us = self.max_lag_us.max(lag_us);
        if let Err(flagged) = self.clocks[side as usize].charge(used_us, self.setup.grace_us) {
            return self.out_of_time(side, used_us, flagged.budget_us, out);
        }
        let pit = match Pit::parse(self.variant(), &mv.mv) {
            Ok(pit) => pit,
            Err(error) => {
                let detail = format!("unknown_pit: {error}{}", self.meant(&mv.mv));
                return self.fault(side, Reason::IllegalMove, &detail, bytes, out);
            }
        };
        let mut sowing = match self.position.begin(pit) {
            Ok(sowing) => sowing,
            Err(illegal) => {
                let detail = match self.setup.edition {
                    Edition::First => format!("{}: {pit}: {illegal}", illegal.code()),
                    Edition::Second => format!("{}: {illegal}{}", illegal.code(), self.meant(&mv.mv)),
                };
                return self.fault(side, Reason::IllegalMove, &detail, bytes, out);
            }
        };
        let made = Made { side, pit, wall_us, lag_us, cpu, thought };
        match sowing.go_on(LAPS) {
            Some(play) => self.moved(made, &play, out),
            None => self.phase = Phase::Sowing(Box::new((made, sowing))),
        }
    }

    /// Asks whether a legal move was meant by a text that is none, where one is near.
    fn meant(&self, text: &str) -> String {
        match (self.setup.edition, instead::meant(text, &self.legal)) {
            (Edition::Second, Some(pit)) => format!("; did you mean {pit}?"),
            (Edition::Second, None) | (Edition::First, _) => String::new(),
        }
    }

    /// Writes down a move and makes it, now that it is known what came of it.
    fn moved(&mut self, made: Made, play: &Play<Position>, out: &mut impl Out) {
        let Made { side, pit, wall_us, lag_us, cpu, thought } = made;
        self.plies += 1;
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        write!(self.moves, "{pit}").expect("a String takes every write");
        out.ply(&MoveRow {
            game: self.setup.game,
            ply: self.plies,
            side: side.into(),
            mv: Cow::Borrowed(pit.name()),
            used_us: wall_us,
            clock_us: self.clocks[side as usize].left_us(),
            lag_us,
            legal_count: self.legal.len() as u64,
            laps: play.laps,
            captured: play.captured.into(),
            depth: thought.depth,
            score: thought.score,
            nodes: thought.nodes,
            ponder_cpu_us: cpu.opponent_us,
            cpu_us: cpu.mover_us,
        });
        self.last = Some(pit);
        if let Some(after) = play.after {
            self.position = after;
        }
        match play.over {
            Some(outcome) => self.end(Verdict::by_rules(outcome), out),
            None => {
                self.next_turn(out);
                self.adjudicate(side, thought.score, out);
            }
        }
    }

    /// Ends a game that goes on by the rules, if an organiser's rule says so.
    fn adjudicate(&mut self, side: Side, score: Option<i64>, out: &mut impl Out) {
        if let (Some(rules), Phase::Due(_)) = (&self.setup.adjudication, &self.phase)
            && let Some(verdict) = self.scores.moved(rules, side, score, self.plies)
        {
            self.end(verdict, out);
        }
    }

    /// Ends the game where the position or the length says so, or makes the side to move due.
    fn next_turn(&mut self, out: &mut impl Out) {
        if self.plies == 0 {
            if let Some(outcome) = self.position.over() {
                return self.end(Verdict::by_rules(outcome), out);
            }
        } else if self.history.push(&self.position) {
            return self.end(Verdict::by_rules(self.position.stopped(Ending::Repetition)), out);
        }
        if self.plies >= self.setup.max_plies {
            return self.end(Verdict::by_rules(self.position.stopped(Ending::MaxPlies)), out);
        }
        self.legal = self.position.legal_moves();
        self.phase = Phase::Due(self.position.side());
    }

    fn lost(&mut self, side: Side, loss: &Loss, out: &mut impl Out) {
        let mut detail = Cow::Borrowed(&loss.detail);
        if self.setup.edition == Edition::Second
            && let Some(noise) = &self.bots[side as usize].noise
        {
            // A program that is about to fail often says so, in the wrong place.
            detail.to_mut().push_str("; the last that came: ");
            detail.to_mut().push_str(noise);
        }
        self.fault(side, loss.reason, &detail, loss.line.as_bytes(), out);
    }

    fn tick(&mut self, now_us: u64, out: &mut impl Out) {
        let late = [Side::South, Side::North]
            .map(|side| self.awaited(side).is_some_and(|deadline_us| now_us >= deadline_us));
        let side = match late {
            [false, false] => return,
            [true, true] => {
                let why = "neither bot answered in time before the game began";
                return self.end(Verdict::void(VoidCause::Silent, why), out);
            }
            [true, false] => Side::South,
            [false, true] => Side::North,
        };
        match &self.phase {
            Phase::Thinking(turn) => {
                let used_us = now_us - turn.asked_us;
                self.bots[side as usize].used_us += used_us;
                let budget_us = self.clocks[side as usize].budget_us();
                self.out_of_time(side, used_us, budget_us, out);
            }
            Phase::Preparing(sides) => {
                let (reason, what, budget_us) = match sides[side as usize] {
                    Preparing::Greeting { .. } => (Reason::Handshake, "hello", self.setup.handshake_us),
                    Preparing::Readying { .. }
                    | Preparing::Stranger
                    | Preparing::Greeted
                    | Preparing::Ready => (Reason::Stall, "new_game", self.setup.ready_us),
                };
                let detail = format!("no answer to {what} within {} ms", budget_us / 1000);
                self.silent(side, reason, detail, out);
            }
            Phase::Due(_) | Phase::Sowing(_) | Phase::Over(_) => {}
        }
    }

    fn out_of_time(&mut self, side: Side, used_us: u64, budget_us: u64, out: &mut impl Out) {
        let detail = format!(
            "{} ms used, {} ms allowed and {} ms grace",
            used_us / 1000,
            budget_us / 1000,
            self.setup.grace_us / 1000
        );
        self.silent(side, Reason::Time, detail, out);
    }

    /// Ends the game for want of an answer, with a hint at the usual causes.
    fn silent(&mut self, side: Side, reason: Reason, mut detail: String, out: &mut impl Out) {
        const MUTE: &str = "nothing was ever received from the bot: does it flush its output?";
        let bot = &self.bots[side as usize];
        let mute = bot.flood.is_silent() && self.setup.seats[side as usize].greeted.is_none();
        let mute = mute.then_some(MUTE);
        match self.setup.edition {
            Edition::First => {
                if let Some(cause) = bot.astray.as_deref().or(mute) {
                    detail = format!("{detail}; {cause}");
                }
            }
            Edition::Second => {
                if let Some(cause) = bot.astray.as_deref().or(bot.noise.as_deref()).or(mute) {
                    detail = format!("{cause}; {detail}");
                }
            }
        }
        self.fault(side, reason, &detail, b"", out);
    }

    fn bad_message(&mut self, side: Side, bad: &BadLine, bytes: &[u8], out: &mut impl Out) {
        self.fault(side, Reason::BadMessage, &bad.to_string(), bytes, out);
    }

    /// Ends the game by a side's misconduct.
    fn fault(&mut self, side: Side, reason: Reason, detail: &str, line: &[u8], out: &mut impl Out) {
        // The evidence is what was written, but for its length; the first edition altered what is hard to quote.
        let quote = match self.setup.edition {
            Edition::First => printable,
            Edition::Second => excerpt,
        };
        let detail = quote(detail, 600);
        let id = match &self.phase {
            Phase::Thinking(turn) if turn.side == side => turn.id,
            Phase::Preparing(_) | Phase::Due(_) | Phase::Thinking(_) | Phase::Sowing(_) | Phase::Over(_) => 0,
        };
        let on_turn = id != 0;
        if on_turn {
            describe(&self.position, &self.legal, self.last, &mut self.text);
        }
        let most = match self.setup.edition {
            Edition::First => 400,
            Edition::Second => 1000,
        };
        let shown = quote(&String::from_utf8_lossy(&line[..line.len().min(most)]), 200);
        let message = ToBot::Fault(to_bot::Fault {
            id,
            code: reason,
            detail: Cow::Borrowed(&detail),
            line: Cow::Borrowed(&shown),
            legal: Cow::Borrowed(if on_turn { &self.text.legal } else { "" }),
        });
        send(&mut self.text.line, side, &message, out);
        let line = (!shown.is_empty()).then_some(shown);
        self.end(Verdict { line, ..Verdict::lost(side, reason, detail) }, out);
    }

    fn end(&mut self, mut verdict: Verdict, out: &mut impl Out) {
        if self.setup.edition == Edition::First {
            verdict.void = None;
        }
        for side in [Side::South, Side::North] {
            let you = match verdict.winner {
                _ if verdict.reason == Reason::Void => YourResult::Void,
                None => YourResult::Draw,
                Some(winner) if winner == side => YourResult::Win,
                Some(_) => YourResult::Loss,
            };
            let message = ToBot::GameOver(to_bot::GameOver {
                game_id: Cow::Borrowed(&self.text.game_id),
                result: Cow::Borrowed(verdict.result()),
                winner: verdict.winner.map(Seat::from),
                reason: verdict.reason,
                you,
                score: [Side::South, Side::North].map(|side| self.position.score(side).into()),
            });
            send(&mut self.text.line, side, &message, out);
        }
        self.phase = Phase::Over(verdict);
    }

    fn say(&mut self, side: Side, message: &ToBot<'_>, out: &mut impl Out) {
        send(&mut self.text.line, side, message, out);
    }

    fn note(&mut self, side: Side, note: &Note<'_>, out: &mut impl Out) {
        let bot = &mut self.bots[side as usize];
        bot.notes += 1;
        if bot.notes <= NOTES {
            out.note(side, note);
        } else if bot.notes == NOTES + 1 {
            out.note(side, &Note::LeftOut);
        }
    }
}

impl Bot {
    fn take_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}

/// The referee's first message.
pub(crate) fn hello(handshake_us: u64) -> ToBot<'static> {
    ToBot::Hello(to_bot::Hello {
        protocol: vec![bao_protocol::VERSION],
        referee: Cow::Borrowed(crate::NAME),
        limits: to_bot::Limits {
            line_bytes: bao_protocol::LINE_BYTES as u64,
            handshake_ms: handshake_us / 1000,
        },
    })
}

fn set_option<'a>(id: u64, name: &'a str, value: &'a str) -> ToBot<'a> {
    ToBot::SetOption(to_bot::SetOption { id, name: Cow::Borrowed(name), value: Cow::Borrowed(value) })
}

fn send(buffer: &mut Vec<u8>, side: Side, message: &ToBot<'_>, out: &mut impl Out) {
    buffer.clear();
    message.write_line(buffer);
    out.send(side, buffer);
}

/// Writes the parts of a request that are text.
fn describe(position: &Position, legal: &Moves, last: Option<Pit>, text: &mut Texts) {
    text.position.clear();
    write!(text.position, "{position}").expect("a String takes every write");
    list(&mut text.legal, legal.iter());
    let pits = [Side::South, Side::North].into_iter().flat_map(|side| position.pits(side));
    list(&mut text.reserved, pits.filter(|pit| position.reserved(*pit).is_some()));
    list(&mut text.last, last.into_iter());
}

fn list(text: &mut String, pits: impl Iterator<Item = Pit>) {
    text.clear();
    for pit in pits {
        if !text.is_empty() {
            text.push(' ');
        }
        write!(text, "{pit}").expect("a String takes every write");
    }
}

/// The seeds of one side's pits in sowing order; zeros behind them.
fn row(position: &Position, side: Side) -> [u8; 24] {
    let mut seeds = [0; 24];
    for (slot, pit) in seeds.iter_mut().zip(position.pits(side)) {
        *slot = position.seeds(pit);
    }
    seeds
}
