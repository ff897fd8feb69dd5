//! A bot's process as a game sees it.
//!
//! A [`BotProcess`] has four parts, so that a game may use them at the same time: an [`Ear`] (its standard output, in
//! lines), a [`Mouth`] (its standard input), a [`Body`] (the process) and its standard error, drained by a separate
//! task. The [`Keeper`] starts and ends it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::process::ChildStdin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bao_protocol::to_bot::{self, ToBot};
use bao_protocol::{LINE_BYTES, LineBuffer, Reason};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{PidfdFlags, Signal, WaitId, WaitIdOptions};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, Interest, ReadBuf};
use tokio::net::unix::pipe;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::game::setup::Known;
use crate::process::fate::Fate;
use crate::process::hold::Hold;
use crate::process::keeper::{Birth, Excess, Keeper, Reaper, Remains, Watch};
use bao_jail::measure::Meter;

/// How long a bot may take to exit after `bye` and the end of its input.
const EXIT: Duration = Duration::from_secs(2);
/// How long a bot may take to exit after SIGTERM.
const TERM: Duration = Duration::from_millis(500);
/// How long the referee waits for the effect of SIGKILL.
const KILL: Duration = Duration::from_secs(2);
/// How much of the beginning and of the end of a bot's standard error is kept per game, in bytes.
const STDERR_KEPT: usize = 4096;
/// How much of a bot's standard error is read before the task pauses, so that a flood costs the referee little.
const STDERR_BURST: usize = 64 << 10;
/// The pause after a burst: at most 6.4 MB per second are read.
const STDERR_REST: Duration = Duration::from_millis(10);

/// A running bot.
#[derive(Debug)]
pub struct BotProcess {
    /// Its standard output.
    pub ear: Ear,
    /// Its standard input.
    pub mouth: Mouth,
    /// Its measurements.
    pub gauge: Gauge,
    /// The process itself.
    pub body: Body,
    /// What it wrote to its standard error in this game.
    pub stderr: Stderr,
    /// What is known of it from earlier games.
    pub known: Known,
}

impl BotProcess {
    /// Takes over a bot that has just been started.
    ///
    /// # Errors
    /// The system's error if the process cannot be watched; nothing of the bot is left then.
    pub fn new(birth: Birth, freeze: bool) -> io::Result<Self> {
        let Birth { remains, pipes: (stdin, stdout, stderr), meter, watch: watched, hold, promises: _ } =
            birth;
        let pidfd = rustix::process::pidfd_open(remains.group(), PidfdFlags::NONBLOCK)?;
        Ok(Self {
            ear: Ear {
                pipe: pipe::Receiver::from_owned_fd(stdout.into())?,
                lines: LineBuffer::new(LINE_BYTES),
            },
            mouth: Mouth::new(stdin)?,
            gauge: Gauge { meter, read_us: 0, freeze, hold, stopped_us: None },
            body: Body { pidfd: watch(pidfd, Interest::READABLE)?, watch: watched, remains },
            stderr: Stderr::new(pipe::Receiver::from_owned_fd(stderr.into())?),
            known: Known::NOTHING,
        })
    }

    /// Ends the process in order: sends `bye` and closes its input; a bot that does not exit gets SIGTERM, then is
    /// killed with its group.
    pub async fn retire(mut self, keeper: &Keeper) {
        self.gauge.resume();
        let mut line = Vec::new();
        ToBot::Bye(to_bot::Bye {}).write_line(&mut line);
        self.mouth.say(&line);
        self.mouth.close();
        if timeout(EXIT, self.body.exited()).await.is_err() {
            self.body.signal(Signal::CONT);
            self.body.signal(Signal::TERM);
            let _too_late = timeout(TERM, self.body.exited()).await;
        }
        self.kill(keeper).await;
    }

    /// Kills the process and everything that it started, waits until it has ended, and removes what it left.
    pub async fn kill(self, keeper: &Keeper) {
        self.body.remains.kill();
        let _stuck_in_the_kernel = timeout(KILL, self.body.exited()).await;
        keeper.bury(self.body.remains);
    }
}

/// Measures a bot's processor time, and stops it while it is not on turn.
#[derive(Debug)]
pub struct Gauge {
    meter: Meter,
    read_us: u64,
    freeze: bool,
    hold: Arc<Hold>,
    // What the bot had used when it was stopped, while it is.
    stopped_us: Option<u64>,
}

impl Gauge {
    /// Returns the processor time that the bot's first process has used, in microseconds.
    pub fn cpu_us(&mut self) -> u64 {
        // After the process has ended, its last reading counts.
        self.read_us = self.meter.leader_cpu_us().unwrap_or(self.read_us);
        self.read_us
    }

    /// Returns the processor time of the bot and everything that it started, in microseconds; this is slower.
    pub fn whole_cpu_us(&mut self) -> u64 {
        self.meter.cpu_us()
    }

    /// Returns the memory that the bot uses, in bytes; each page counts once.
    pub fn memory_bytes(&mut self) -> u64 {
        self.meter.memory_bytes()
    }

    /// Stops the bot, if it must be stopped while it is not on turn.
    pub fn stop(&mut self) {
        if self.freeze && self.stopped_us.is_none() {
            self.meter.stop();
            // A process that has just been started may be seen only by a second look.
            self.meter.cpu_us();
            self.stopped_us = Some(self.meter.cpu_us());
            self.hold.turn();
        }
    }

    /// Resumes the bot, if it was stopped; returns the processor time that it and everything that it started used
    /// meanwhile, in microseconds.
    pub fn resume(&mut self) -> u64 {
        let Some(stopped_us) = self.stopped_us.take() else { return 0 };
        let used_us = self.meter.cpu_us().saturating_sub(stopped_us);
        self.hold.turn();
        self.meter.resume();
        used_us
    }
}

/// A bot's standard output.
#[derive(Debug)]
pub struct Ear {
    pipe: pipe::Receiver,
    /// The bytes that were read and not used yet.
    pub lines: LineBuffer,
}

impl Ear {
    /// Returns the beginning of a line without its newline yet, if anything was read.
    pub fn half_line(&self) -> Option<&[u8]> {
        Some(self.lines.partial()).filter(|half| !half.is_empty() && !half.contains(&b'\n'))
    }

    /// Waits for output and reads once into the line buffer; 0 is the end of the output.
    pub fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut room = ReadBuf::new(self.lines.room());
        ready!(Pin::new(&mut self.pipe).poll_read(cx, &mut room))?;
        let count = room.filled().len();
        self.lines.filled(count);
        Poll::Ready(Ok(count))
    }

    /// Reads without waiting, up to the line buffer's room; `None` if there is nothing, 0 at the end.
    pub fn read_now(&mut self) -> Option<usize> {
        match rustix::io::read(self.pipe.as_fd(), self.lines.room()) {
            Ok(count) => {
                self.lines.filled(count);
                Some(count)
            }
            Err(_) => None,
        }
    }
}

/// A bot's standard input, and the bytes that the pipe has not taken yet.
#[derive(Debug)]
pub struct Mouth {
    pipe: Option<AsyncFd<OwnedFd>>,
    pending: VecDeque<u8>,
}

impl Mouth {
    fn new(stdin: ChildStdin) -> io::Result<Self> {
        let pipe = OwnedFd::from(stdin);
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Self { pipe: Some(watch(pipe, Interest::WRITABLE)?), pending: VecDeque::new() })
    }

    /// Writes a line as far as the pipe takes it; keeps the rest for later.
    pub fn say(&mut self, line: &[u8]) {
        let Some(pipe) = &self.pipe else { return };
        let written = if self.pending.is_empty() { rustix::io::write(pipe, line) } else { Ok(0) };
        match written {
            Ok(written) => self.pending.extend(&line[written..]),
            Err(Errno::AGAIN | Errno::INTR) => self.pending.extend(line),
            Err(_closed) => self.close(),
        }
    }

    /// Writes pending bytes as far as the pipe takes them; ready only when the bot's end is closed.
    pub fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(pipe) = &self.pipe {
            // Nothing is left to write: the next event of this pipe can only be that the other end is closed.
            let Poll::Ready(ready) = pipe.poll_write_ready(cx) else { return Poll::Pending };
            let result = if self.pending.is_empty() {
                Err(if is_hung_up(pipe.get_ref()) { Errno::PIPE } else { Errno::AGAIN })
            } else {
                rustix::io::write(pipe, self.pending.as_slices().0)
            };
            match (result, ready) {
                (Ok(written), _) => drop(self.pending.drain(..written)),
                (Err(Errno::AGAIN), Ok(mut ready)) => ready.clear_ready(),
                (Err(Errno::INTR), _) => {}
                (Err(_closed), _) => self.close(),
            }
        }
        Poll::Ready(())
    }

    /// Closes the bot's standard input, unless the bot has not read all lines yet.
    pub fn close_when_written(&mut self) {
        if self.pending.is_empty() {
            self.close();
        }
    }

    /// Closes the bot's standard input; pending bytes are lost.
    pub fn close(&mut self) {
        self.pipe = None;
        self.pending = VecDeque::new();
    }
}

fn is_hung_up(pipe: &OwnedFd) -> bool {
    let mut look = [PollFd::new(pipe, PollFlags::OUT)];
    let looked = rustix::event::poll(&mut look, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    looked.is_ok() && look[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// A bot's process; dropping it kills the process and everything that it started.
#[derive(Debug)]
pub struct Body {
    pidfd: AsyncFd<OwnedFd>,
    watch: Watch,
    remains: Remains,
}

impl Body {
    /// Sends a signal to the whole group. The leader is not reaped before the end, so no other process gets the number.
    pub fn signal(&self, signal: Signal) {
        let _nobody_left = rustix::process::kill_process_group(self.remains.group(), signal);
    }

    /// Is ready once the process has exited; it is not reaped.
    pub fn poll_exited(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.pidfd.poll_read_ready(cx).map(drop)
    }

    /// Waits until the process has exited; it is not reaped.
    pub async fn exited(&self) {
        let _readable_for_ever = self.pidfd.readable().await;
    }

    /// Returns how the process ended, once it has.
    pub fn fate(&self) -> Option<Fate> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = rustix::process::waitid(WaitId::Pid(self.remains.group()), options).ok()??;
        if let Some(code) = status.exit_status() {
            return Some(Fate::Exited(code));
        }
        let Some(signal) = status.terminating_signal() else { return Some(Fate::Unknown) };
        let by_the_limit = [Signal::KILL, Signal::XCPU].map(Signal::as_raw).contains(&signal);
        match self.remains.processor_time_used_up().filter(|_| by_the_limit) {
            Some((used_us, limit)) => Some(Fate::UsedUp { signal, used_ms: used_us / 1000, limit }),
            None => Some(Fate::Signalled(signal)),
        }
    }

    /// Returns why a bot whose pipe is closed or whose process has exited cannot play, and a sentence about it.
    ///
    /// If it is still running, the reason is `still_running`, and `closed` names what it closed.
    pub fn obituary(&self, still_running: Reason, closed: &str) -> Obituary {
        let memory =
            |limit| Obituary::Lost(Reason::MemoryLimit, format!("more than {} MiB of memory", limit >> 20));
        match (self.watch.excess(), self.fate()) {
            (Some(Excess::Memory(limit)), _) => memory(limit),
            (Some(Excess::Threads(limit)), _) => Obituary::Lost(
                Reason::Crash,
                format!("killed for more than {limit} processes and threads (processes={limit})"),
            ),
            (None, Some(fate)) => match fate {
                Fate::Signalled(signal) if signal == Signal::KILL.as_raw() => {
                    match self.watch.reaper(&self.remains) {
                        Reaper::Limit(limit) => memory(limit),
                        Reaper::Machine => Obituary::Taken,
                        Reaper::Unknown => Obituary::Lost(Reason::Crash, fate.to_string()),
                    }
                }
                Fate::Exited(_) | Fate::Signalled(_) | Fate::UsedUp { .. } | Fate::Unknown => {
                    Obituary::Lost(Reason::Crash, fate.to_string())
                }
            },
            (None, None) => Obituary::Lost(still_running, format!("the program closed {closed} and ran on")),
        }
    }
}

/// Why a bot can no longer play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obituary {
    /// Its own fault: the reason, and a sentence about it.
    Lost(Reason, String),
    /// The kernel killed it because the machine's memory ran out.
    Taken,
}

#[expect(
    deprecated,
    reason = "its successor is unsafe because a type may hand out another descriptor later; an OwnedFd never does"
)]
fn watch(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(fd, interest)
}

/// A bot's standard error: it is always drained; its beginning and its end are kept for each game.
#[derive(Debug)]
pub struct Stderr {
    kept: Rc<RefCell<Kept>>,
    pipe: Rc<pipe::Receiver>,
    _drain: JoinSet<()>,
}

/// What is kept of a bot's standard error.
#[derive(Debug, Default)]
pub struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Stderr {
    fn new(pipe: pipe::Receiver) -> Self {
        let (kept, pipe) = (Rc::new(RefCell::new(Kept::default())), Rc::new(pipe));
        let mut drain = JoinSet::new();
        drain.spawn_local(drain_stderr(Rc::clone(&pipe), Rc::clone(&kept)));
        Self { kept, pipe, _drain: drain }
    }

    /// Takes what was written since the last call: the text, shortened in the middle, and the total number of bytes.
    pub fn take(&self) -> (String, u64) {
        let mut block = [0; 8192];
        let mut kept = self.kept.borrow_mut();
        for _ in 0..STDERR_BURST / block.len() {
            match rustix::io::read(self.pipe.as_fd(), &mut block) {
                Ok(count) if count > 0 => kept.add(&block[..count]),
                Ok(_) | Err(_) => break,
            }
        }
        let taken = std::mem::take(&mut *kept);
        (taken.text(), taken.total)
    }
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(STDERR_KEPT - self.head.len()));
        self.head.extend(head);
        self.tail.extend(&rest[rest.len().saturating_sub(STDERR_KEPT)..]);
        let surplus = self.tail.len().saturating_sub(STDERR_KEPT);
        self.tail.drain(..surplus);
    }

    fn text(&self) -> String {
        let kept = self.head.len() + self.tail.len();
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        let left_out = self.total - kept as u64;
        if left_out > 0 {
            writeln!(text, "\n[... {left_out} bytes left out ...]").expect("a String takes every write");
        }
        text.push_str(&String::from_utf8_lossy(&tail));
        text
    }
}

async fn drain_stderr(pipe: Rc<pipe::Receiver>, kept: Rc<RefCell<Kept>>) {
    let mut block = [0; 8192];
    let mut burst = 0;
    while pipe.readable().await.is_ok() {
        match pipe.try_read(&mut block) {
            Ok(0) => return,
            Ok(count) => {
                kept.borrow_mut().add(&block[..count]);
                burst += count;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => burst = 0,
            Err(_) => return,
        }
        if burst >= STDERR_BURST {
            burst = 0;
            sleep(STDERR_REST).await;
        }
    }
}
