//! A wire file replayed through the machine that played the game.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use bao_protocol::ToBot;
use bao_protocol::record::{Channel, Event, MoveRow, Start, WireLine};
use bao_rules::Side;
use sha2::{Digest, Sha256};

use super::compare::{self, excerpts};
use super::context::{Context, io_error};
use super::finding::{Finding, Findings};
use super::job::{Evidence, Job};
use super::plies::Plies;
use crate::game::setup::{Known, Setup};
use crate::game::spec::GameSpec;
use crate::game::{Cpu, Game, Heard, Input, Note, Out};
use crate::plan::MOST_PLIES;
use crate::record::read::{ReadError, Rows};
use crate::record::{hex, noted};

/// No time in a record is longer: about 400 days in microseconds. It keeps sums of hostile numbers from overflowing.
const LONGEST_US: u64 = 1 << 45;
/// No id in a record is greater: what JavaScript holds exactly.
const GREATEST_ID: u64 = 1 << 53;

/// What came of a replay.
pub(super) struct Replayed {
    /// The game at its end; `None` where the evidence could not be followed so far.
    pub(super) game: Option<Game>,
    /// The stamp of the verdict.
    pub(super) end_us: u64,
    /// What South and North wrote to their standard errors, as far as it was kept.
    pub(super) stderr: [Option<String>; 2],
    /// Whether its start names the plan of the run.
    pub(super) bound: bool,
    /// The file's SHA-256; `None` where the chain of its lines is broken or it is torn, which has been told.
    pub(super) sha256: Option<String>,
}

/// Replays the wire file of a game; `None` where there is none, which is told.
///
/// # Errors
/// [`ReadError::Io`] where the file is there and cannot be read.
pub(super) fn replay(
    context: &Context,
    job: &Job,
    evidence: Evidence,
    plies: &mut Plies<'_>,
    findings: &mut Findings,
) -> Result<Option<Replayed>, ReadError> {
    let game = job.row.game;
    let name = evidence.name(&context.files, game);
    let Some(mut lines) = open(context, game, evidence)? else {
        findings.push(Finding::differs(&name, "the file is missing").of_game(game));
        return Ok(None);
    };
    let mut chain = Chain::new();
    let script = Script { context, plies, findings, now_us: 0, bytes: Vec::new(), said: VecDeque::new() };
    let mut follow = Follow {
        name: &name,
        number: game,
        spec: job.spec.as_ref(),
        script,
        line: 0,
        state: State::Start,
        last_us: 0,
        verdict: false,
        bound: false,
        stderr: [None, None],
    };
    loop {
        follow.line += 1;
        match lines.next_bytes() {
            Ok(Some(bytes)) => {
                let line: Result<WireLine<'_>, _> = serde_json::from_slice(bytes);
                if !chain.add(bytes, line.as_ref().ok().map(|line| &*line.prev)) {
                    follow.tell("the chain is broken: `prev` is not the SHA-256 of the line before");
                }
                match line {
                    Ok(line) => follow.line(&line),
                    Err(error) => follow.lose(&format!("this is no line of a wire file: {error}")),
                }
            }
            Ok(None) => break,
            Err(ReadError::Line { problem, .. }) => {
                chain.whole = false;
                follow.lose(&problem);
            }
            Err(error) => return Err(error),
        }
    }
    if lines.torn() > 0 {
        chain.whole = false;
        follow.lose("the file ends in the middle of a line");
    }
    follow.end();
    let (end_us, stderr, bound) = (follow.last_us, std::mem::take(&mut follow.stderr), follow.bound);
    let game = match follow.state {
        State::Going(game) => Some(*game),
        State::Start | State::Lost => None,
    };
    Ok(Some(Replayed { game, end_us, stderr, bound, sha256: chain.finish() }))
}

/// Reads a wire file for its SHA-256 alone, where its lines are chained as they should be as far as they go; also
/// tells whether it is torn.
///
/// # Errors
/// [`ReadError::Io`] where the file cannot be read.
pub(super) fn digest(
    context: &Context,
    game: u64,
    evidence: Evidence,
) -> Result<Option<(String, bool)>, ReadError> {
    let Some(mut lines) = open(context, game, evidence)? else { return Ok(None) };
    let mut chain = Chain::new();
    loop {
        match lines.next_bytes() {
            Ok(Some(bytes)) => {
                let line: Option<WireLine<'_>> = serde_json::from_slice(bytes).ok();
                chain.add(bytes, line.as_ref().map(|line| &*line.prev));
            }
            Ok(None) => break,
            Err(ReadError::Line { .. }) => chain.whole = false,
            Err(error) => return Err(error),
        }
    }
    let torn = lines.torn() > 0;
    Ok(chain.finish().map(|sha256| (sha256, torn)))
}

fn open(context: &Context, game: u64, evidence: Evidence) -> Result<Option<Rows>, ReadError> {
    match Rows::open(&evidence.path(&context.files, game)) {
        Ok(rows) => Ok(Some(rows)),
        Err(ReadError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(ReadError::Io { path, source }) => Err(io_error(&path, source)),
        Err(error) => Err(error),
    }
}

/// The chain of a wire file's lines, each of which bears the SHA-256 of the one before.
struct Chain {
    last: String,
    all: Sha256,
    whole: bool,
}

impl Chain {
    fn new() -> Self {
        Self { last: "0".repeat(64), all: Sha256::new(), whole: true }
    }

    /// Adds a line, newline included; tells whether it fits.
    fn add(&mut self, bytes: &[u8], prev: Option<&str>) -> bool {
        let fits = prev.is_none_or(|prev| prev == self.last);
        self.whole &= fits && prev.is_some();
        self.last = hex(&Sha256::digest(bytes));
        self.all.update(bytes);
        fits
    }

    fn finish(self) -> Option<String> {
        self.whole.then(|| hex(&self.all.finalize()))
    }
}

/// A game as far as its wire file has been followed.
struct Follow<'a, 'p, 'm> {
    name: &'a str,
    number: u64,
    spec: Option<&'a GameSpec>,
    script: Script<'a, 'p, 'm>,
    line: u64,
    state: State,
    last_us: u64,
    verdict: bool,
    bound: bool,
    stderr: [Option<String>; 2],
}

enum State {
    Start,
    Going(Box<Game>),
    // The evidence has left the course of the game: nothing more can be told of it.
    Lost,
}

impl Follow<'_, '_, '_> {
    fn tell(&mut self, what: &str) {
        self.script.findings.push(self.about(what));
    }

    fn about(&self, what: &str) -> Finding {
        Finding::differs(self.name, what).at_line(self.line).of_game(self.number)
    }

    /// Tells of something after which the game cannot be followed.
    fn lose(&mut self, what: &str) {
        if !matches!(self.state, State::Lost) {
            self.tell(&format!("{what}; from here on the game cannot be followed"));
        }
        self.state = State::Lost;
    }

    fn line(&mut self, line: &WireLine<'_>) {
        if matches!(self.state, State::Lost) {
            return;
        }
        if self.verdict {
            return self.lose("a line behind the verdict");
        }
        if line.at_us < self.last_us || line.at_us > LONGEST_US || line.cpu_us > Some(LONGEST_US) {
            return self.lose(&format!("a stamp of {} us behind one of {} us", line.at_us, self.last_us));
        }
        self.last_us = line.at_us;
        let Some(bytes) = said(line) else {
            return self.lose("the line has neither `text` nor bytes in `hex`, or both");
        };
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Start => self.start(line.channel, &bytes),
            State::Going(mut game) => match self.next(&mut game, line, &bytes) {
                Ok(()) => self.state = State::Going(game),
                Err(what) => {
                    self.state = State::Going(game);
                    self.lose(&what);
                }
            },
            State::Lost => {}
        }
    }

    /// Takes the first line.
    fn start(&mut self, channel: Channel, bytes: &[u8]) {
        self.state = State::Start;
        if channel != Channel::Start {
            return self.lose("the first line is not the start of a game");
        }
        let start = serde_json::from_slice::<Start>(bytes).map_err(|error| error.to_string());
        let setup = start.and_then(|start| Setup::try_from(start).map_err(|error| error.to_string()));
        let setup = match setup {
            Ok(setup) => setup,
            Err(problem) => return self.lose(&format!("this is no start of a game: {problem}")),
        };
        if !within_bounds(&setup) {
            return self.lose("a number of the start is beyond all bounds");
        }
        if let Some(spec) = self.spec {
            // What only earlier games know (ids, hellos) is taken from the start itself.
            let known =
                setup.seats.each_ref().map(|seat| Known { greeted: seat.greeted, next_id: seat.next_id });
            let planned = self.script.context.plan.setup(spec, known);
            // A record goes on under a later referee: each game is judged by the edition that it names.
            let planned = Start::from(Setup { edition: setup.edition, ..planned });
            // The first releases did not bind it to the plan.
            let plan_sha256 = setup.plan_sha256.as_ref().map(|_| self.script.context.plan_sha256.clone());
            let planned = Start { plan_sha256, ..planned };
            for wrong in compare::keys(bytes, &planned) {
                let finding = self.about(&format!("{} is not what was planned", wrong.key));
                self.script.findings.push(finding.showing(&wrong.is, &wrong.should));
            }
        }
        self.bound = setup.plan_sha256.is_some();
        self.state = State::Going(Box::new(Game::new(setup)));
    }

    /// Takes a line of a game that goes on.
    fn next(&mut self, game: &mut Game, line: &WireLine<'_>, bytes: &[u8]) -> Result<(), String> {
        let channel = line.channel;
        if !self.script.said.is_empty() {
            return self.expect(line, bytes);
        }
        self.script.now_us = line.at_us;
        let over = game.verdict().is_some();
        match channel {
            // Behind the end a bot is heard out, until it answers a ping.
            Channel::ToSouth | Channel::ToNorth if over => match ToBot::read(bytes) {
                Ok(Some(ToBot::Ping(_))) => Ok(()),
                Ok(_) | Err(_) => Err("the referee had nothing to say here".to_owned()),
            },
            Channel::FromSouth | Channel::FromNorth if over => Ok(()),
            Channel::ToSouth | Channel::ToNorth => {
                if !game.due(Side::South) && !game.due(Side::North) {
                    return Err("the referee had nothing to say here".to_owned());
                }
                game.step(line.at_us, Input::Ask, &mut self.script);
                self.expect(line, bytes)
            }
            Channel::FromSouth | Channel::FromNorth => {
                let side = if channel == Channel::FromSouth { Side::South } else { Side::North };
                let cpu = Cpu { mover_us: line.cpu_us, opponent_us: None };
                let input = Input::Line(Heard { side, bytes, lag_us: 0, cpu });
                game.step(line.at_us, input, &mut self.script);
                Ok(())
            }
            Channel::SouthStderr | Channel::NorthStderr if over => {
                let side = usize::from(channel == Channel::NorthStderr);
                self.stderr[side] = Some(String::from_utf8_lossy(bytes).into_owned());
                Ok(())
            }
            Channel::Event => self.event(game, line.at_us, bytes),
            Channel::Verdict => self.verdict(game, bytes),
            Channel::Note => Err("the referee had nothing to note here".to_owned()),
            Channel::Start => Err("a second start".to_owned()),
            Channel::SouthStderr | Channel::NorthStderr => {
                Err("the standard error of a bot stands before the end of the game".to_owned())
            }
        }
    }

    /// Compares a line with the next thing that the machine has said.
    fn expect(&mut self, line: &WireLine<'_>, bytes: &[u8]) -> Result<(), String> {
        let Some((channel, range)) = self.script.said.pop_front() else {
            return Err("the referee had nothing to say here".to_owned());
        };
        let should = &self.script.bytes[range];
        if (line.channel, line.at_us) != (channel, self.script.now_us) {
            let (should, _) = excerpts(should, bytes);
            let at_us = self.script.now_us;
            return Err(format!("here should stand, at_us {at_us}, {channel:?}: {should}"));
        }
        if bytes != should {
            let (is, should) = excerpts(bytes, should);
            let verb = if channel == Channel::Note { "noted" } else { "said" };
            let finding = self.about(&format!("what the referee {verb}")).showing(&is, &should);
            self.script.findings.push(finding);
        }
        if self.script.said.is_empty() {
            self.script.bytes.clear();
        }
        Ok(())
    }

    fn event(&mut self, game: &mut Game, at_us: u64, bytes: &[u8]) -> Result<(), String> {
        let event: Event =
            serde_json::from_slice(bytes).map_err(|error| format!("this is no event: {error}"))?;
        match (&event, game.verdict().is_some()) {
            (Event::Lost { side, loss }, false) => {
                game.step(at_us, Input::Lost { side: (*side).into(), loss }, &mut self.script);
            }
            (Event::Tick {}, false) => game.step(at_us, Input::Tick, &mut self.script),
            (Event::Stop { why, cause }, false) => {
                game.step(at_us, Input::Stop { cause: *cause, why }, &mut self.script);
            }
            (Event::HalfLine { .. }, true) | (Event::Away { .. }, false) => {}
            (Event::HalfLine { side, bytes, text }, false) => {
                let (side, bytes) = ((*side).into(), *bytes);
                game.step(at_us, Input::HalfLine { side, bytes, text }, &mut self.script);
            }
            (Event::Lost { .. } | Event::Tick {} | Event::Stop { .. } | Event::Away { .. }, true) => {
                return Err("an event behind the end of the game".to_owned());
            }
        }
        Ok(())
    }

    fn verdict(&mut self, game: &Game, bytes: &[u8]) -> Result<(), String> {
        let Some(verdict) = game.verdict() else {
            return Err("a verdict, though the game is not over".to_owned());
        };
        self.verdict = true;
        let should = verdict.to_wire(game.plies(), game.position().to_string());
        for wrong in compare::keys(bytes, &should) {
            let finding = self.about(&format!("the verdict's {}", wrong.key));
            self.script.findings.push(finding.showing(&wrong.is, &wrong.should));
        }
        Ok(())
    }

    /// Takes the end of the file.
    fn end(&mut self) {
        if !self.verdict {
            self.lose("the file ends before the verdict");
        }
    }
}

/// What the machine says and notes, until it has been found in the wire file.
struct Script<'a, 'p, 'm> {
    context: &'a Context,
    plies: &'a mut Plies<'p>,
    findings: &'m mut Findings,
    now_us: u64,
    bytes: Vec<u8>,
    said: VecDeque<(Channel, Range<usize>)>,
}

impl Script<'_, '_, '_> {
    fn push(&mut self, channel: Channel, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        self.said.push_back((channel, start..self.bytes.len()));
    }
}

impl Out for Script<'_, '_, '_> {
    fn send(&mut self, side: Side, line: &[u8]) {
        let channel = [Channel::ToSouth, Channel::ToNorth][side as usize];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let referee = &self.context.run.referee;
        if referee != crate::NAME && line.starts_with(br#"{"type":"hello""#) {
            // Another version of the referee made this record, and said so.
            let line = String::from_utf8_lossy(line).replacen(crate::NAME, referee, 1);
            return self.push(channel, line.as_bytes());
        }
        self.push(channel, line);
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.plies.played(row, self.findings);
    }

    fn note(&mut self, side: Side, note: &Note<'_>) {
        self.push(Channel::Note, noted(side, note).as_bytes());
    }
}

/// What was said in a line; `None` where the line does not tell it.
fn said<'l>(line: &'l WireLine<'_>) -> Option<Cow<'l, [u8]>> {
    match (&line.text, &line.hex) {
        (Some(text), None) => Some(Cow::Borrowed(text.as_bytes())),
        (None, Some(hex)) => {
            let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
            let pairs = hex.as_bytes().chunks(2);
            let byte = |pair: &[u8]| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            };
            pairs.map(byte).collect::<Option<Vec<u8>>>().map(Cow::Owned)
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

fn within_bounds(setup: &Setup) -> bool {
    let times = [setup.grace_us, setup.handshake_us, setup.ready_us];
    times.iter().all(|time| *time <= LONGEST_US)
        && setup.seats.iter().all(|seat| seat.next_id <= GREATEST_ID)
        && setup.max_plies <= MOST_PLIES
}
