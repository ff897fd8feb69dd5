//! A conversation with one bot, apart from the games of a run.
//!
//! [`Talk`] is what `referee check` and `referee play` have instead of a table: one process, spoken to and heard with
//! a deadline, with a memory of what was said last and a tally of its [`Manners`]. Nothing that a bot does makes it
//! wait beyond its deadline.

use std::collections::{BTreeMap, VecDeque};
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::{Duration, Instant};

use bao_protocol::from_bot::Hello;
use bao_protocol::{Decoded, Frame, FromBot, LINE_BYTES, Reason, ToBot, decode};
use tokio::time::sleep_until;

use crate::game::setup::Greeted;
use crate::game::verdict::{Loss, printable};
use crate::game::{LINE_COST, NOISE_LINES, TURN_BYTES, hello, unended};
use crate::process::bot::BotProcess;
use crate::process::keeper::Keeper;
use crate::text::shown::shown;
use bao_jail::{Promise, Sandbox, SetupError};

/// How many of the last lines of a bot are remembered.
const REMEMBERED: usize = 3;
/// How much of a line is remembered, in characters.
const QUOTE: usize = 2000;
/// How much of the end of a bot's standard error is quoted, in characters.
const STDERR_QUOTE: usize = 600;
/// How many different remarks about a bot's output are kept.
const REMARKS: usize = 20;

/// A bot, spoken to alone.
#[derive(Debug)]
pub struct Talk {
    bot: BotProcess,
    /// What is promised about the process.
    pub promises: Vec<Promise>,
    /// What its output was like so far.
    pub manners: Manners,
    /// Whether everything that is said is preceded by a message and followed by fields that no bot can know.
    pub strange: bool,
    // Whether its standard input was closed from this end.
    hung_up: bool,
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

/// What a bot's output is like, apart from what it says.
#[derive(Debug, Clone, Default)]
pub struct Manners {
    /// How many lines it wrote.
    pub lines: u64,
    /// How many of them were hellos.
    pub hellos: u64,
    /// How many of them ended with a carriage return and a newline.
    pub crlf: u64,
    /// How many were empty.
    pub blank: u64,
    /// How many were no messages.
    pub noise: u64,
    /// The first of those.
    pub first_noise: Option<String>,
    // The first of its kind and how many there were, by the text without its numbers.
    remarks: BTreeMap<String, (String, u64)>,
}

impl Talk {
    /// Starts a bot.
    ///
    /// # Errors
    /// [`SetupError`] where it cannot be started.
    pub async fn start(keeper: &Keeper, command: &[String], sandbox: &Sandbox) -> Result<Self, SetupError> {
        let birth = keeper.start(command, sandbox).await?;
        let promises = birth.promises.clone();
        let bot = BotProcess::new(birth, sandbox.freeze)
            .map_err(|error| SetupError::Prepare("the pipes of the bot".to_owned(), error))?;
        let (asked, heard) = (String::new(), VecDeque::new());
        let manners = Manners::default();
        Ok(Self { bot, promises, manners, strange: false, hung_up: false, asked, heard })
    }

    /// Says hello and waits for the bot's; from then on it counts as greeted.
    ///
    /// # Errors
    /// The bot did not answer with a hello that this referee understands.
    pub async fn greet(&mut self, handshake_us: u64) -> Result<Hello, Loss> {
        self.say(&hello(handshake_us));
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
        self.bot.known.greeted = Some(Greeted {
            history: hello.capabilities.iter().any(|capability| capability == "history"),
            seed: hello.options.iter().any(|spec| spec.name == "seed"),
        });
        Ok(hello)
    }

    /// Says something.
    pub fn say(&mut self, message: &ToBot<'_>) {
        let mut line = Vec::new();
        message.write_line(&mut line);
        self.say_line(&line);
    }

    /// Says a line, its newline included.
    pub fn say_line(&mut self, line: &[u8]) {
        let comment = [&b"{\"type\":\"fault\""[..], b"{\"type\":\"game_over\"", b"{\"type\":\"bye\""];
        if !comment.iter().any(|start| line.starts_with(start)) {
            let lines = line.trim_ascii_end().iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte });
            self.asked = quoted(&lines.collect::<Vec<u8>>(), QUOTE);
            self.heard.clear();
        }
        if self.strange {
            let unknown = b"{\"type\":\"weather\",\"sky\":\"clear\",\"wind\":[1,2]}\n";
            self.bot.mouth.say(unknown);
            let body = line.strip_suffix(b"}\n").unwrap_or(line);
            let more = if body.ends_with(b"{") { "" } else { "," };
            let more = format!("{more}\"unknown\":\"text\",\"unknown_list\":[1,2]}}\n");
            self.bot.mouth.say(&[body, more.as_bytes()].concat());
        } else {
            self.bot.mouth.say(line);
        }
    }

    /// Closes the bot's standard input.
    pub fn close(&mut self) {
        self.hung_up = true;
        self.bot.mouth.close();
    }

    /// Gives the next request its number.
    pub fn take_id(&mut self) -> u64 {
        let id = self.bot.known.next_id;
        self.bot.known.next_id += 1;
        id
    }

    /// Makes the next request have this number; it must be greater than every one before.
    pub fn set_next_id(&mut self, id: u64) {
        self.bot.known.next_id = id;
    }

    /// Returns the number of the next request.
    pub fn next_id(&self) -> u64 {
        self.bot.known.next_id
    }

    /// Returns what is kept of the bot's hello; `None` until it has been greeted.
    pub fn greeted(&self) -> Option<Greeted> {
        self.bot.known.greeted
    }

    /// Waits for the next line until the deadline.
    pub async fn hear(&mut self, deadline: Instant) -> Heard {
        let sleep = sleep_until(deadline.into());
        tokio::pin!(sleep);
        loop {
            if let Some(heard) = self.frame() {
                return heard;
            }
            let news = poll_fn(|cx| {
                match self.bot.ear.poll_read(cx) {
                    Poll::Ready(Ok(1..)) => return Poll::Ready(News::More),
                    Poll::Ready(Ok(0) | Err(_)) => return Poll::Ready(News::Silenced),
                    Poll::Pending => {}
                }
                if self.bot.body.poll_exited(cx).is_ready() {
                    return Poll::Ready(News::Exited);
                }
                if !self.hung_up && self.bot.mouth.poll_closed(cx).is_ready() {
                    return Poll::Ready(News::Deafened);
                }
                sleep.as_mut().poll(cx).map(|()| News::TimePassed)
            });
            match news.await {
                News::More => {}
                News::TimePassed => return Heard::Nothing,
                News::Silenced => return self.lost(Reason::ClosedStdout, "its standard output").await,
                News::Deafened => return self.lost(Reason::Crash, "its standard input").await,
                // What it wrote before it exited is heard first; whoever else holds its pipe is not waited for.
                News::Exited => match self.bot.ear.read_now() {
                    Some(1..) => {}
                    Some(0) | None => return self.lost(Reason::Crash, "").await,
                },
            }
        }
    }

    /// Returns the next line of what the bot has said already, without waiting.
    pub fn overheard(&mut self) -> Option<Heard> {
        self.frame().or_else(|| {
            self.bot.ear.read_now()?;
            self.frame()
        })
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
        let loss = |reason, detail: String, line: &[u8]| {
            let line = printable(&String::from_utf8_lossy(&line[..line.len().min(QUOTE)]), 200);
            Err(Loss { reason, detail, line })
        };
        let (mut bytes, mut noise) = (0, 0);
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
            bytes += (line.len() as u64 + 1).max(LINE_COST);
            if bytes > TURN_BYTES {
                let detail = format!("more than {TURN_BYTES} bytes instead of an answer");
                return loss(Reason::OutputFlood, detail, &line);
            }
            match decode(&line) {
                Decoded::Message(message, _) => match fits(&message) {
                    Some(answer) => return Ok(answer),
                    None => self.manners.stray(&message),
                },
                Decoded::Bad(bad) => return loss(Reason::BadMessage, bad.to_string(), &line),
                Decoded::Noise => {
                    noise += 1;
                    if noise > NOISE_LINES {
                        let detail = format!("more than {NOISE_LINES} lines that are no messages");
                        return loss(Reason::OutputFlood, detail, &line);
                    }
                }
                Decoded::Blank | Decoded::Unknown(_) => {}
            }
        }
    }

    /// Waits until the process has exited, past whatever it still says; tells how it ended, in a sentence.
    ///
    /// `None` where it runs on at the deadline.
    pub async fn exit(&mut self, deadline: Instant) -> Option<String> {
        loop {
            match self.hear(deadline).await {
                Heard::Line(_) if now() < deadline => {}
                Heard::Line(_) | Heard::Nothing => return None,
                Heard::Lost(_) => {
                    let rest = deadline.saturating_duration_since(now());
                    let _runs_on = tokio::time::timeout(rest, self.bot.body.exited()).await;
                    return self.bot.body.fate();
                }
            }
        }
    }

    /// Returns the last request as it was written, unless it is very long.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// Returns the last lines that were heard since the last request, oldest first, the last perhaps not whole: as they
    /// are, but shortened and with hidden characters escaped.
    pub fn heard(&self) -> impl Iterator<Item = &str> {
        self.heard.iter().map(String::as_str)
    }

    /// Takes the end of what the bot has written to its standard error since this was last taken.
    pub fn stderr(&self) -> Option<String> {
        let (text, _) = self.bot.stderr.take();
        let text = text.trim_end();
        let skipped = text.chars().count().saturating_sub(STDERR_QUOTE);
        let tail: String = text.chars().skip(skipped).collect();
        (!tail.is_empty()).then_some(tail)
    }

    /// Returns the memory that the bot takes, in bytes, and the processor time that it has used, in microseconds.
    pub fn cost(&mut self) -> (u64, u64) {
        (self.bot.gauge.memory_bytes(), self.bot.gauge.whole_cpu_us())
    }

    /// Says goodbye and ends the process in good order.
    pub async fn part(mut self, keeper: &Keeper) {
        self.bot.bye();
        self.bot.retire(keeper).await;
    }

    /// Kills the process with all that it started.
    pub async fn kill(self, keeper: &Keeper) {
        self.bot.kill(keeper).await;
    }

    /// Takes the next line out of what was read, and takes note of it.
    fn frame(&mut self) -> Option<Heard> {
        let lines = &mut self.bot.ear.lines;
        let waiting = lines.partial();
        let crlf =
            waiting.iter().position(|byte| *byte == b'\n').is_some_and(|at| waiting[..at].ends_with(b"\r"));
        match lines.next_frame()? {
            Frame::Line(line) => {
                let line = line.to_vec();
                self.manners.take_note(&line, crlf);
                self.remember(quoted(&line, QUOTE));
                Some(Heard::Line(line))
            }
            Frame::TooLong(start) => {
                let line = printable(&String::from_utf8_lossy(&start[..200]), 200);
                let start = quoted(start, 200);
                self.remember(start);
                let detail = format!("more than {LINE_BYTES} bytes without a newline");
                Some(Heard::Lost(Loss { reason: Reason::LineTooLong, detail, line }))
            }
        }
    }

    /// Returns how many bytes of a line have come whose newline has not, and how it begins.
    pub fn half_line(&self) -> Option<(u64, String)> {
        self.bot.ear.half_line().map(|half| (half.len() as u64, quoted(half, 200)))
    }

    fn remember(&mut self, line: String) {
        if self.heard.len() == REMEMBERED {
            self.heard.pop_front();
        }
        self.heard.push_back(line);
    }

    async fn lost(&mut self, still_running: Reason, closed: &str) -> Heard {
        let (reason, detail) = self.bot.body.obituary(still_running, closed).await;
        let half = self.bot.ear.lines.partial();
        let begun = quoted(half, 200);
        let line = printable(&String::from_utf8_lossy(&half[..half.len().min(200)]), 200);
        if !begun.is_empty() {
            self.remember(begun);
        }
        Heard::Lost(Loss { reason, detail, line })
    }
}

fn quoted(line: &[u8], most: usize) -> String {
    shown(&String::from_utf8_lossy(line), most)
}

/// What [`Talk::hear`] waits for.
#[derive(Debug, Clone, Copy)]
enum News {
    More,
    Silenced,
    Deafened,
    Exited,
    TimePassed,
}

impl Manners {
    /// Notes something that is sloppy, in a sentence; what differs in its numbers only counts as the same.
    pub fn remark(&mut self, text: &str) {
        let kind: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if self.remarks.len() < REMARKS || self.remarks.contains_key(&kind) {
            self.remarks.entry(kind).or_insert_with(|| (text.to_owned(), 0)).1 += 1;
        }
    }

    /// Returns what was remarked: the first of each kind, and how many there were.
    pub fn remarks(&self) -> impl Iterator<Item = (&str, u64)> {
        self.remarks.values().map(|(text, count)| (text.as_str(), *count))
    }

    /// Adds what was found of another process.
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.hellos += other.hellos;
        self.crlf += other.crlf;
        self.blank += other.blank;
        self.noise += other.noise;
        self.first_noise = self.first_noise.take().or(other.first_noise);
        for (kind, (text, count)) in other.remarks {
            if self.remarks.len() < REMARKS || self.remarks.contains_key(&kind) {
                self.remarks.entry(kind).or_insert((text, 0)).1 += count;
            }
        }
    }

    /// Notes a message that answers nothing.
    fn stray(&mut self, message: &FromBot) {
        let kind = match message {
            // Said at any time, for the record.
            FromBot::Info(_) | FromBot::Log(_) => return,
            FromBot::Hello(_) => "hello",
            FromBot::Ready(_) => "ready",
            FromBot::Move(_) => "move",
            FromBot::Resign(_) => "resign",
            FromBot::Pong(_) => "pong",
            FromBot::Solution(_) => "solution",
        };
        self.remark(&format!("a {kind} that answers no open request was ignored"));
    }

    fn take_note(&mut self, line: &[u8], crlf: bool) {
        self.lines += 1;
        self.crlf += u64::from(crlf);
        match decode(line) {
            Decoded::Blank => self.blank += 1,
            Decoded::Noise => {
                self.noise += 1;
                self.first_noise.get_or_insert_with(|| quoted(line, 100));
            }
            Decoded::Unknown(kind) => {
                self.remark(&format!("a message of the unknown type \"{kind}\" was ignored"));
            }
            Decoded::Message(message, warnings) => {
                self.hellos += u64::from(matches!(message, FromBot::Hello(_)));
                for warning in warnings {
                    self.remark(&warning);
                }
            }
            Decoded::Bad(_) => {}
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a conversation outside of a run has a clock of its own")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
