//! A game followed through its evidence, line by line.

use bao_protocol::ToBot;
use bao_protocol::record::{Channel, Event, Start, WireLine, WireStderr};
use bao_rules::{BySide, Side};

use super::compare::{self, excerpts};
use super::finding::Finding;
use super::job::Job;
use super::script::Script;
use crate::game::setup::{BadStart, Known, Setup};
use crate::game::spec::GameSpec;
use crate::game::{Cpu, Game, Heard, Input};
use crate::plan::{self, MOST_PLIES};
use crate::record::Layout;
use crate::record::read::BadLine;

/// The longest time in a record: about 400 days in microseconds. The limit keeps sums of hostile numbers from
/// overflowing.
const LONGEST_US: u64 = 1 << 45;
/// The greatest id in a record: the greatest integer that JavaScript holds exactly.
const GREATEST_ID: u64 = 1 << 53;

/// The result of a replay.
pub(super) struct Replayed {
    /// The game at its end; `None` where the evidence could not be followed so far.
    pub(super) game: Option<Game>,
    /// The stamp of the verdict.
    pub(super) end_us: u64,
    /// What South and North wrote to their standard errors, as far as it was kept.
    pub(super) stderr: BySide<Option<String>>,
    /// Whether its start names the plan of the run.
    pub(super) bound: bool,
    /// The file's SHA-256; `None` where the chain of its lines is broken or it is torn, which has been reported.
    pub(super) sha256: Option<String>,
}

impl Replayed {
    /// Returns the digests of standard errors in the evidence of version 2.
    pub(super) fn stderr_digests(&self) -> BySide<Option<WireStderr>> {
        self.stderr.as_ref().map(|text| serde_json::from_str(text.as_deref()?).ok())
    }
}

/// Returns whether this text is the digest of a standard error.
fn is_digest(text: &str) -> bool {
    let digest = serde_json::from_str::<WireStderr>(text);
    digest.is_ok_and(|digest| serde_json::to_string(&digest).is_ok_and(|written| written == text))
}

/// Why the game cannot be followed beyond a line.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    #[error("{0}")]
    Unreadable(BadLine),
    #[error("not a line of a wire file: {0}")]
    BadLine(serde_json::Error),
    #[error("the file ends in the middle of a line")]
    Torn,
    #[error("the file ends before the verdict")]
    NoVerdict,
    #[error("a line after the verdict")]
    BehindVerdict,
    #[error("the stamp {at_us} us is earlier than the previous stamp, {last_us} us")]
    Stamp { at_us: u64, last_us: u64 },
    #[error("the line has neither `text` nor bytes in `hex`, or both")]
    NoBytes,
    #[error("the first line is not the start of a game")]
    NoStart,
    #[error("not the start of a game: {0}")]
    BadStart(serde_json::Error),
    #[error("not the start of a game: {0}")]
    BadSetup(BadStart),
    #[error("a number in the start line is out of bounds")]
    Unbounded,
    #[error("a second start line")]
    SecondStart,
    #[error("the referee sends no line here")]
    NothingToSay,
    #[error("the referee makes no note here")]
    NothingToNote,
    #[error("expected here, at_us {at_us}, {channel}: {should}")]
    Unsaid { at_us: u64, channel: Channel, should: String },
    #[error("the standard error of a bot comes before the end of the game")]
    EarlyStderr,
    #[error("not a digest of what a bot wrote to its standard error, or a second one")]
    NoDigest,
    #[error("not an event: {0}")]
    BadEvent(serde_json::Error),
    #[error("an event after the end of the game")]
    LateEvent,
    #[error("a verdict, but the game is not over")]
    EarlyVerdict,
}

/// A game as far as its wire file has been followed.
pub(super) struct Follow<'a, 'p, 'm> {
    name: &'a str,
    number: u64,
    spec: Option<&'a GameSpec>,
    script: Script<'a, 'p, 'm>,
    // The number of the current line, from 1.
    line: u64,
    state: State,
    last_us: u64,
    verdict: bool,
    bound: bool,
    stderr: BySide<Option<String>>,
    // A line as it should be.
    written: Vec<u8>,
}

enum State {
    Start,
    Going(Box<Game>),
    // The evidence has left the course of the game and cannot be followed any more.
    Lost,
}

impl<'a, 'p, 'm> Follow<'a, 'p, 'm> {
    /// Begins with the evidence of a game, which is in the file of that name.
    pub(super) fn new(name: &'a str, job: &'a Job, script: Script<'a, 'p, 'm>) -> Self {
        Self {
            name,
            number: job.row.game,
            spec: job.spec.as_ref(),
            script,
            line: 0,
            state: State::Start,
            last_us: 0,
            verdict: false,
            bound: false,
            stderr: BySide::default(),
            written: Vec::new(),
        }
    }

    /// Continues with the next line of the file.
    pub(super) fn next_line(&mut self) {
        self.line += 1;
    }

    /// Reports what is wrong with the current line.
    pub(super) fn tell(&mut self, what: &str) {
        self.script.findings.push(self.about(what));
    }

    fn about(&self, what: &str) -> Finding {
        Finding::differs(self.name, what).at_line(self.line).of_game(self.number)
    }

    /// Reports something after which the game cannot be followed.
    pub(super) fn lose(&mut self, why: &Lost) {
        if !matches!(self.state, State::Lost) {
            self.tell(&format!("{why}; from here on the game cannot be followed"));
        }
        self.state = State::Lost;
    }

    /// Takes the current line, newline included, if it is the next output of the machine to the byte; returns whether it is.
    ///
    /// This is true for most lines, and saves the time to parse them. Any other line must be given to [`take`](Self::take).
    pub(super) fn take_as_said(&mut self, line: &[u8], prev: Option<&str>) -> bool {
        let State::Going(game) = &mut self.state else { return false };
        if self.verdict {
            return false;
        }
        if self.script.is_empty() {
            let due = game.due(Side::South) || game.due(Side::North);
            let Some(at_us) = stamp_of_request(line).filter(|_| due) else { return false };
            if at_us < self.last_us || at_us > LONGEST_US {
                return false;
            }
            self.script.now_us = at_us;
            game.step(at_us, Input::Ask, &mut self.script);
        }
        self.written.clear();
        if !self.script.write_next(prev, &mut self.written) || self.written != line {
            return false;
        }
        self.script.drop_next();
        self.last_us = self.script.now_us;
        true
    }

    /// Takes the current line, which has these bytes.
    pub(super) fn take(&mut self, line: &WireLine<'_>, bytes: Option<&[u8]>) {
        if matches!(self.state, State::Lost) {
            return;
        }
        if let Err(why) = self.try_take(line, bytes) {
            self.lose(&why);
        }
    }

    fn try_take(&mut self, line: &WireLine<'_>, bytes: Option<&[u8]>) -> Result<(), Lost> {
        if self.verdict {
            return Err(Lost::BehindVerdict);
        }
        if line.at_us < self.last_us || line.at_us > LONGEST_US || line.cpu_us > Some(LONGEST_US) {
            return Err(Lost::Stamp { at_us: line.at_us, last_us: self.last_us });
        }
        self.last_us = line.at_us;
        let bytes = bytes.ok_or(Lost::NoBytes)?;
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Start => {
                self.state = State::Start;
                let game = self.start(line.channel, bytes)?;
                self.state = State::Going(Box::new(game));
                Ok(())
            }
            State::Going(mut game) => {
                let followed = self.go_on(&mut game, line, bytes);
                self.state = State::Going(game);
                followed
            }
            State::Lost => Ok(()),
        }
    }

    /// Takes the first line.
    fn start(&mut self, channel: Channel, bytes: &[u8]) -> Result<Game, Lost> {
        if channel != Channel::Start {
            return Err(Lost::NoStart);
        }
        let start = serde_json::from_slice::<Start>(bytes).map_err(Lost::BadStart)?;
        let setup = Setup::try_from(start).map_err(Lost::BadSetup)?;
        if !within_bounds(&setup) {
            return Err(Lost::Unbounded);
        }
        if let Some(spec) = self.spec {
            // Facts that only earlier games show (ids, hellos) are taken from the start line.
            let known =
                setup.seats.each_ref().map(|seat| Known { greeted: seat.greeted, next_id: seat.next_id });
            let planned = plan::setup(&self.script.context.plan, spec, known);
            // A later referee may continue a record: each game is judged by the edition that it names.
            let planned = Start::from(Setup { edition: setup.edition, ..planned });
            // The first releases did not name the plan here.
            let plan_sha256 = setup.plan_sha256.as_ref().map(|_| self.script.context.plan_sha256.clone());
            let planned = Start { plan_sha256, ..planned };
            for wrong in compare::keys(bytes, &planned) {
                let finding = self.about(&format!("{} is not what was planned", wrong.key));
                self.script.findings.push(finding.showing(&wrong.is, &wrong.should));
            }
        }
        self.bound = setup.plan_sha256.is_some();
        Ok(Game::new(setup))
    }

    /// Takes a line of a game that is not over.
    fn go_on(&mut self, game: &mut Game, line: &WireLine<'_>, bytes: &[u8]) -> Result<(), Lost> {
        let channel = line.channel;
        if !self.script.is_empty() {
            return self.expect(line, bytes);
        }
        self.script.now_us = line.at_us;
        let over = game.verdict().is_some();
        match channel {
            // After the end of the game, a bot is read until it answers a ping.
            Channel::ToSouth | Channel::ToNorth if over => match ToBot::read(bytes) {
                Ok(Some(ToBot::Ping(_))) => Ok(()),
                Ok(_) | Err(_) => Err(Lost::NothingToSay),
            },
            Channel::FromSouth | Channel::FromNorth if over => Ok(()),
            Channel::ToSouth | Channel::ToNorth => {
                if !game.due(Side::South) && !game.due(Side::North) {
                    return Err(Lost::NothingToSay);
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
                let side = if channel == Channel::SouthStderr { Side::South } else { Side::North };
                let text = String::from_utf8_lossy(bytes).into_owned();
                if self.script.context.layout == Layout::Packed
                    && (!is_digest(&text) || self.stderr[side].is_some())
                {
                    return Err(Lost::NoDigest);
                }
                self.stderr[side] = Some(text);
                Ok(())
            }
            Channel::Event => self.event(game, line.at_us, bytes),
            Channel::Verdict => self.verdict(game, bytes),
            Channel::Note => Err(Lost::NothingToNote),
            Channel::Start => Err(Lost::SecondStart),
            Channel::SouthStderr | Channel::NorthStderr => Err(Lost::EarlyStderr),
        }
    }

    /// Compares a line with the next output of the machine.
    fn expect(&mut self, line: &WireLine<'_>, bytes: &[u8]) -> Result<(), Lost> {
        let (channel, should) = self.script.next().ok_or(Lost::NothingToSay)?;
        let at_us = self.script.now_us;
        if (line.channel, line.at_us) != (channel, at_us) {
            let (should, _) = excerpts(&should, bytes);
            return Err(Lost::Unsaid { at_us, channel, should });
        }
        if bytes != should {
            let (is, should) = excerpts(bytes, &should);
            let verb = if channel == Channel::Note { "noted" } else { "said" };
            let finding = self.about(&format!("what the referee {verb}")).showing(&is, &should);
            self.script.findings.push(finding);
        }
        Ok(())
    }

    fn event(&mut self, game: &mut Game, at_us: u64, bytes: &[u8]) -> Result<(), Lost> {
        let event: Event = serde_json::from_slice(bytes).map_err(Lost::BadEvent)?;
        match (&event, game.verdict().is_some()) {
            (Event::Lost { side, loss }, false) => {
                game.step(at_us, Input::Lost { side: (*side).into(), loss }, &mut self.script);
            }
            (Event::Ran { side, us }, false) => {
                let (side, us) = ((*side).into(), *us);
                game.step(at_us, Input::Ran { side, us }, &mut self.script);
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
            (
                Event::Lost { .. }
                | Event::Tick {}
                | Event::Stop { .. }
                | Event::Away { .. }
                | Event::Ran { .. },
                true,
            ) => return Err(Lost::LateEvent),
        }
        Ok(())
    }

    fn verdict(&mut self, game: &Game, bytes: &[u8]) -> Result<(), Lost> {
        let verdict = game.verdict().ok_or(Lost::EarlyVerdict)?;
        self.verdict = true;
        let should = verdict.to_wire(game.plies(), game.position().to_string());
        for wrong in compare::keys(bytes, &should) {
            let finding = self.about(&format!("the verdict's {}", wrong.key));
            self.script.findings.push(finding.showing(&wrong.is, &wrong.should));
        }
        Ok(())
    }

    /// Takes the end of the file.
    pub(super) fn finish(mut self, sha256: Option<String>) -> Replayed {
        if !self.verdict {
            self.lose(&Lost::NoVerdict);
        }
        let game = match self.state {
            State::Going(game) => Some(*game),
            State::Start | State::Lost => None,
        };
        Replayed { game, end_us: self.last_us, stderr: self.stderr, bound: self.bound, sha256 }
    }
}

fn within_bounds(setup: &Setup) -> bool {
    let times = [setup.grace_us, setup.handshake_us, setup.ready_us];
    times.iter().all(|time| *time <= LONGEST_US)
        && setup.seats.iter().all(|seat| seat.next_id <= GREATEST_ID)
        && setup.max_plies <= MOST_PLIES
}

/// Reads the stamp of a line to a bot, if the line begins as the referee writes such lines.
fn stamp_of_request(line: &[u8]) -> Option<u64> {
    let line = line.strip_prefix(br#"{"at_us":"#)?;
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (stamp, rest) = line.split_at(digits);
    let to_bot = rest.starts_with(br#","channel":"to_"#);
    std::str::from_utf8(stamp).ok().filter(|_| to_bot)?.parse().ok()
}
