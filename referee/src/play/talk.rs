//! A conversation with one bot, apart from the games of a run.
//!
//! [`Talk`] is what `referee check` and `referee play` have instead of a table: one [`Link`] to a bot, spoken to
//! and heard with a deadline, with a memory of the last lines and a tally of its [`Manners`]. Nothing that a bot
//! does makes it wait beyond its deadline.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bao_protocol::from_bot::Hello;
use bao_protocol::{Decoded, FromBot, Reason, ToBot, decode, to_bot};

use crate::game::flood::Flood;
use crate::game::setup::{self, Edition, Greeted};
use crate::game::verdict::Loss;
use crate::game::{hello, unended};
use crate::play::driver::Party;
use crate::play::link::{Happening, Link, TAKEN, now, quote};
use crate::play::manners::{Manners, quoted};
use crate::process::fate::Fate;
use crate::process::keeper::Keeper;
use crate::text::loss;
use bao_jail::{Promise, Sandbox, SetupError};
use serde::Serialize;

/// How many of the last lines of a bot are remembered.
const REMEMBERED: usize = 3;
/// How much of a line is remembered, in characters.
const QUOTE: usize = 2000;
/// A message that no bot can know.
const WEATHER: &[u8] = b"{\"type\":\"weather\",\"sky\":\"clear\",\"wind\":[1,2]}\n";

/// Fields that no bot can know.
#[derive(Serialize)]
struct Unknown {
    unknown: &'static str,
    unknown_list: [u8; 2],
}

/// A conversation with one bot.
#[derive(Debug)]
pub struct Talk {
    link: Link,
    /// The promises about the process.
    pub promises: Vec<Promise>,
    /// What its output was like so far.
    pub manners: Manners,
    /// Whether to send, before every message, a message of an unknown type, and after it, fields that no bot can
    /// know.
    pub strange: bool,
    asked: String,
    heard: VecDeque<String>,
}

/// What was heard.
#[derive(Debug)]
pub enum Heard {
    /// A line.
    Line(Vec<u8>),
    /// Nothing until the deadline.
    Nothing,
    /// The bot can no longer play.
    Lost(Loss),
}

impl Talk {
    /// Starts a bot.
    ///
    /// # Errors
    /// [`SetupError`] where it cannot be started.
    pub async fn start(keeper: &Keeper, command: &[String], sandbox: &Sandbox) -> Result<Self, SetupError> {
        let birth = keeper.start(command, sandbox).await?;
        let promises = birth.promises.clone();
        let link = Link::new(birth, sandbox.freeze)
            .map_err(|error| SetupError::Prepare("the pipes of the bot".to_owned(), error))?;
        let (asked, heard) = (String::new(), VecDeque::new());
        Ok(Self { link, promises, manners: Manners::default(), strange: false, asked, heard })
    }

    /// Sends hello, waits for the bot's and sets its options; from then on it counts as greeted.
    ///
    /// # Errors
    /// The bot did not answer with a hello that this referee understands.
    pub async fn greet(&mut self, handshake_us: u64, options: &[(String, String)]) -> Result<Hello, Loss> {
        self.tell(&hello(handshake_us));
        let budget = Duration::from_micros(handshake_us);
        let hello = self.answer(budget, Reason::Handshake, |message| {
            if let FromBot::Hello(hello) = message { Some(hello.clone()) } else { None }
        });
        let hello = hello.await?;
        if hello.protocol != u64::from(bao_protocol::VERSION) {
            let detail = format!(
                "the bot speaks version {} of the protocol, this referee version {}",
                hello.protocol,
                bao_protocol::VERSION
            );
            return Err(Loss { reason: Reason::Handshake, detail, line: String::new() });
        }
        self.link.bot.known.greeted = Some(setup::greeted(&hello, options, Edition::LATEST));
        for (name, value) in options {
            let id = self.take_id();
            let (name, value) = (name.as_str().into(), value.as_str().into());
            self.tell(&ToBot::SetOption(to_bot::SetOption { id, name, value }));
        }
        Ok(hello)
    }

    /// Sends a message.
    pub fn tell(&mut self, message: &ToBot<'_>) {
        let mut line = Vec::new();
        message.write_line(&mut line);
        self.say(&line);
    }

    /// Closes the bot's standard input.
    pub fn close(&mut self) {
        self.link.hang_up();
    }

    /// Returns a number for the next request.
    pub fn take_id(&mut self) -> u64 {
        self.link.take_id()
    }

    /// Makes the next request have this number; it must be greater than every one before.
    pub fn set_next_id(&mut self, id: u64) {
        self.link.bot.known.next_id = id;
    }

    /// Returns the number of the next request.
    pub fn next_id(&self) -> u64 {
        self.link.bot.known.next_id
    }

    /// Returns what is kept of the bot's hello; `None` until it has been greeted.
    pub fn greeted(&self) -> Option<Greeted> {
        self.link.bot.known.greeted
    }

    /// Waits for the next line until the deadline.
    pub async fn hear(&mut self, deadline: Instant) -> Heard {
        let mut line = Vec::new();
        loop {
            match self.line(&mut line) {
                Some(Ok(())) => return Heard::Line(line),
                Some(Err(loss)) => return Heard::Lost(loss),
                None => {}
            }
            match self.link.event(deadline).await {
                Happening::Heard => {}
                Happening::Silent => return Heard::Nothing,
                Happening::Lost(loss) => return Heard::Lost(loss),
                Happening::Taken => {
                    let detail = TAKEN.to_owned();
                    return Heard::Lost(Loss { reason: Reason::Crash, detail, line: String::new() });
                }
            }
        }
    }

    /// Waits for an answer that `fits`, past whatever else the bot says; no longer than the budget.
    ///
    /// # Errors
    /// `silent` is the reason where no answer came in time.
    pub async fn answer<T>(
        &mut self,
        budget: Duration,
        silent: Reason,
        mut fits: impl FnMut(&FromBot) -> Option<T>,
    ) -> Result<T, Loss> {
        let deadline = now() + budget;
        let loss = |reason, detail: String, line: &[u8]| Err(Loss { reason, detail, line: quote(line, 200) });
        let mut flood = Flood::default();
        loop {
            let line = match self.hear(deadline).await {
                Heard::Line(line) if now() < deadline => line,
                Heard::Line(_) | Heard::Nothing => {
                    let half = self.half_line();
                    let half =
                        half.map_or(String::new(), |(bytes, text)| format!("; {}", unended(bytes, &text)));
                    return loss(silent, format!("no answer within {} ms{half}", budget.as_millis()), b"");
                }
                Heard::Lost(loss) => return Err(loss),
            };
            if let Some(detail) = flood.line(&line) {
                return loss(Reason::OutputFlood, detail, &line);
            }
            match decode(&line) {
                Decoded::Message(message, _) => match fits(&message) {
                    Some(answer) => return Ok(answer),
                    None => self.manners.stray(&message),
                },
                Decoded::Bad(bad) => return loss(Reason::BadMessage, bad.to_string(), &line),
                Decoded::Noise => {
                    if let Some(detail) = flood.noise(&line) {
                        return loss(Reason::OutputFlood, detail, &line);
                    }
                }
                Decoded::Blank | Decoded::Unknown(_) => {}
            }
        }
    }

    /// Waits until the process has exited, past whatever it still says; returns how it ended, in a sentence.
    ///
    /// `None` where it runs on at the deadline.
    pub async fn exit(&mut self, deadline: Instant) -> Option<Fate> {
        loop {
            match self.hear(deadline).await {
                Heard::Line(_) if now() < deadline => {}
                Heard::Line(_) | Heard::Nothing => return None,
                Heard::Lost(_) => {
                    let rest = deadline.saturating_duration_since(now());
                    let _runs_on = tokio::time::timeout(rest, self.link.bot.body.exited()).await;
                    return self.link.bot.body.fate();
                }
            }
        }
    }

    /// Returns the last request as it was written, unless it is very long.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// Returns the last lines that were heard since the last request, oldest first, the last perhaps not whole: as
    /// they are, but shortened and with hidden characters escaped.
    pub fn heard(&self) -> impl Iterator<Item = &str> {
        self.heard.iter().map(String::as_str)
    }

    /// Returns how many bytes of a line have come whose newline has not, and how it begins.
    pub fn half_line(&self) -> Option<(u64, String)> {
        self.link.half_line().map(|half| (half.len() as u64, quoted(half, 200)))
    }

    /// Returns what to change after a loss of this bot, which has written this to its standard error.
    pub fn advice(&self, loss: &Loss, stderr: &str) -> Cow<'static, str> {
        let waited = matches!(loss.reason, Reason::Handshake | Reason::Stall | Reason::Time);
        match (self.half_line(), self.manners.lines) {
            (Some(_), _) if waited => loss::UNENDED.into(),
            (None, 0) if waited => loss::MUTE.into(),
            (Some(_) | None, _) => {
                loss::advice_after(loss.reason, stderr).unwrap_or("Compare the bot with PROTOCOL.md.".into())
            }
        }
    }

    /// Takes the end of what the bot has written to its standard error since this was last taken.
    pub fn stderr(&self) -> Option<String> {
        let (text, _) = self.link.bot.stderr.take();
        let text = text.trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the memory that the bot takes, in bytes, and the processor time that it has used, in microseconds.
    pub fn cost(&mut self) -> (u64, u64) {
        (self.link.bot.gauge.memory_bytes(), self.link.bot.gauge.whole_cpu_us())
    }

    /// Sends `bye` and ends the process in order.
    pub async fn part(self, keeper: &Keeper) {
        self.link.bot.retire(keeper).await;
    }

    /// Kills the process and everything that it started.
    pub async fn kill(self, keeper: &Keeper) {
        self.link.bot.kill(keeper).await;
    }

    fn remember(&mut self, line: String) {
        if self.heard.len() == REMEMBERED {
            self.heard.pop_front();
        }
        self.heard.push_back(line);
    }
}

impl Party for Talk {
    fn link(&mut self) -> Option<&mut Link> {
        Some(&mut self.link)
    }

    fn say(&mut self, line: &[u8]) {
        let message = ToBot::read(line).ok().flatten();
        // What needs no answer does not explain why one is missing.
        if !matches!(message, Some(ToBot::Fault(_) | ToBot::GameOver(_) | ToBot::Bye(_))) {
            let lines = line.trim_ascii_end().iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte });
            self.asked = quoted(&lines.collect::<Vec<u8>>(), QUOTE);
            self.heard.clear();
        }
        match message.filter(|_| self.strange) {
            Some(message) => {
                let mut lines = WEATHER.to_vec();
                message.write_line_with(&Unknown { unknown: "text", unknown_list: [1, 2] }, &mut lines);
                self.link.say(&lines);
            }
            None => self.link.say(line),
        }
    }

    fn line(&mut self, line: &mut Vec<u8>) -> Option<Result<(), Loss>> {
        let waiting = self.link.bot.ear.lines.partial();
        let newline = waiting.iter().position(|byte| *byte == b'\n');
        let crlf = newline.is_some_and(|at| waiting[..at].ends_with(b"\r"));
        let read = self.link.line(line)?;
        match &read {
            Ok(()) => {
                self.manners.take_note(line, crlf);
                self.remember(quoted(line, QUOTE));
            }
            Err(loss) => self.remember(loss.line.clone()),
        }
        Some(read)
    }
}
