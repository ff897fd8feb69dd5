//! A link to one bot: all lines to it and from it go through here.
//!
//! Everything that plays with a bot (a match's [`driver`](super::driver), `referee check`, a person) does so by one
//! [`Link`], so that reading, deadlines, half lines and last words are the same for all of them.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bao_protocol::{Frame, LINE_BYTES, Reason};
use tokio::time::{Sleep, sleep_until};

use crate::game::verdict::{Loss, excerpt};
use crate::process::bot::{BotProcess, Obituary};
use crate::process::keeper::Birth;

/// How long to wait for a bot's exit after it has closed its output or input.
const OBITUARY: Duration = Duration::from_millis(50);
/// How much of a line is quoted in a loss, in bytes.
const QUOTE: usize = 200;

/// The detail of a game that ends with [`Happening::Taken`].
pub(super) const TAKEN: &str = "the machine's memory ran out, and its kernel killed a bot that was within its limit (see the kernel's log)";

/// A connection to one bot.
#[derive(Debug)]
pub struct Link {
    /// The process and what is known of it.
    pub bot: BotProcess,
    /// It answers pings, as far as is known.
    pub pongs: bool,
    /// It wrote too much after a game: it must not play on.
    pub spent: bool,
    timer: Pin<Box<Sleep>>,
    /// A pipe of the bot is closed, and its exit is waited for.
    ending: Option<Ending>,
    /// Its standard input was closed from this end.
    hung_up: bool,
}

/// What a link reports.
#[derive(Debug)]
pub enum Happening {
    /// More was read; [`Link::line`] returns it as soon as the line is complete.
    Heard,
    /// The deadline passed, and there is nothing unread.
    Silent,
    /// The bot can no longer play, by its own fault.
    Lost(Loss),
    /// The machine has taken the bot away: its memory ran out, and the kernel killed the bot.
    Taken,
}

/// The pipe that a bot has closed: the reason if it runs on, and the pipe's name.
#[derive(Debug, Clone, Copy)]
struct Ending(Reason, &'static str);

impl Link {
    /// Takes over a bot that has just been started.
    ///
    /// # Errors
    /// The system's error if the process cannot be watched; nothing of the bot is left then.
    pub fn new(birth: Birth, freeze: bool) -> io::Result<Self> {
        let bot = BotProcess::new(birth, freeze)?;
        let timer = Box::pin(sleep_until(now().into()));
        Ok(Self { bot, pongs: true, spent: false, timer, ending: None, hung_up: false })
    }

    /// Sends a line, newline included; bytes that the pipe does not take at once are sent later.
    pub fn say(&mut self, line: &[u8]) {
        self.bot.mouth.say(line);
    }

    /// Takes the number of the next request.
    pub fn take_id(&mut self) -> u64 {
        let id = self.bot.known.next_id;
        self.bot.known.next_id += 1;
        id
    }

    /// Closes the bot's standard input.
    pub fn hang_up(&mut self) {
        self.hung_up = true;
        self.bot.mouth.close();
    }

    /// Puts the next line that was read into `line`, without its newline; `None` where there is none.
    ///
    /// The error is a line that is too long.
    pub fn line(&mut self, line: &mut Vec<u8>) -> Option<Result<(), Loss>> {
        line.clear();
        match self.bot.ear.lines.next_frame()? {
            Frame::Line(bytes) => {
                line.extend_from_slice(bytes);
                Some(Ok(()))
            }
            Frame::TooLong(start) => {
                let detail = format!("more than {LINE_BYTES} bytes without a newline");
                Some(Err(Loss { reason: Reason::LineTooLong, detail, line: quote(start, QUOTE) }))
            }
        }
    }

    /// Reads what is there right now, without waiting, as far as there is room for; returns whether there was
    /// anything.
    pub fn read(&mut self) -> bool {
        matches!(self.bot.ear.read_now(), Some(1..))
    }

    /// Returns the beginning of a line without its newline yet, if anything was read.
    pub fn half_line(&self) -> Option<&[u8]> {
        self.bot.ear.half_line()
    }

    /// Waits for the bot until the deadline.
    pub async fn event(&mut self, deadline: Instant) -> Happening {
        poll_fn(|cx| self.poll(cx, deadline)).await
    }

    /// Is ready as soon as there is something to report about the bot, and at the deadline in any case.
    pub fn poll(&mut self, cx: &mut Context<'_>, deadline: Instant) -> Poll<Happening> {
        if let Some(ending) = self.ending {
            return self.poll_end(cx, ending);
        }
        match self.bot.ear.poll_read(cx) {
            Poll::Ready(Ok(1..)) => return Poll::Ready(Happening::Heard),
            Poll::Ready(Ok(0) | Err(_)) => {
                return self.closed(cx, Reason::ClosedStdout, "its standard output");
            }
            Poll::Pending => {}
        }
        if self.bot.body.poll_exited(cx).is_ready() {
            // Output from before its exit is read first; the link does not wait for other processes that hold its pipe.
            return Poll::Ready(if self.read() {
                Happening::Heard
            } else {
                self.lost(Ending(Reason::Crash, ""))
            });
        }
        if !self.hung_up && self.bot.mouth.poll_closed(cx).is_ready() {
            return self.closed(cx, Reason::Crash, "its standard input");
        }
        if self.timer.deadline() != deadline.into() {
            self.timer.as_mut().reset(deadline.into());
        }
        // The runtime may wake for the deadline alone although there is something to read.
        self.timer.as_mut().poll(cx).map(|()| if self.read() { Happening::Heard } else { Happening::Silent })
    }

    /// Waits a little for the exit of a bot that has closed a pipe.
    fn closed(&mut self, cx: &mut Context<'_>, reason: Reason, pipe: &'static str) -> Poll<Happening> {
        let ending = Ending(reason, pipe);
        self.ending = Some(ending);
        self.timer.as_mut().reset((now() + OBITUARY).into());
        self.poll_end(cx, ending)
    }

    fn poll_end(&mut self, cx: &mut Context<'_>, ending: Ending) -> Poll<Happening> {
        let over = self.bot.body.poll_exited(cx).is_ready() || self.timer.as_mut().poll(cx).is_ready();
        if over { Poll::Ready(self.lost(ending)) } else { Poll::Pending }
    }

    fn lost(&self, Ending(still_running, pipe): Ending) -> Happening {
        match self.bot.body.obituary(still_running, pipe) {
            Obituary::Lost(reason, detail) => {
                Happening::Lost(Loss { reason, detail, line: quote(self.bot.ear.lines.partial(), QUOTE) })
            }
            Obituary::Taken => Happening::Taken,
        }
    }
}

/// Quotes the beginning of a line.
pub(super) fn quote(bytes: &[u8], most: usize) -> String {
    excerpt(&String::from_utf8_lossy(&bytes[..bytes.len().min(4 * most)]), most)
}

#[expect(clippy::disallowed_methods, reason = "the one place where the time of play is read")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
