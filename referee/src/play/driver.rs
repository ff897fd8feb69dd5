//! The one file where a game meets pipes, timers and the clock on the wall.
//!
//! [`drive`] feeds a [`Game`] with what its two bots do, stamped as it is read, and carries out what the game wants.
//! A bot is read only while it is awaited: when it is not on turn, its pipe is the brake on what it says.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bao_protocol::record::{self, Channel, MoveRow};
use bao_protocol::{Frame, Reason};
use bao_rules::Side;
use tokio::time::{Sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::game::setup::Measure;
use crate::game::verdict::{Loss, printable};
use crate::game::{Cpu, Game, Input, Out};
use crate::process::bot::{Body, BotProcess, Ear, Gauge, Mouth};
use crate::process::lag::lag_us;
use crate::record::Scribe;

/// The most that is read of what a bot said before it was asked, at each request, in bytes.
const EARLY_BYTES: usize = 64 << 10;

/// Plays a game to its verdict. The stamps count from the moment of the call.
pub async fn drive(
    game: &mut Game,
    bots: [&mut BotProcess; 2],
    scribe: &mut Scribe,
    stop: &CancellationToken,
) {
    let [south, north] = bots;
    let epoch = now();
    let mut table = Table {
        epoch,
        ears: [&mut south.ear, &mut north.ear],
        bodies: [&south.body, &north.body],
        gauges: [&mut south.gauge, &mut north.gauge],
        asked_cpu_us: [0; 2],
        half_lines_told: [0; 2],
        desk: Desk { mouths: [&mut south.mouth, &mut north.mouth], scribe, now_us: 0 },
    };
    let stopped = stop.cancelled();
    let sleep = sleep_until(epoch.into());
    tokio::pin!(stopped, sleep);
    while game.verdict().is_none() {
        if game.sowing() {
            // The clocks of other games run on.
            game.sow(&mut table.desk);
            tokio::task::yield_now().await;
            continue;
        }
        if table.ask(game) {
            continue;
        }
        let event = poll_fn(|cx| {
            if stopped.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Event::Stopped);
            }
            table.poll(game, sleep.as_mut(), cx)
        });
        let event = event.await;
        table.happened(game, event).await;
        table.freeze_idle(game);
    }
    table.tell_half_lines(game);
    south.known.next_id = game.next_id(Side::South);
    north.known.next_id = game.next_id(Side::North);
}

/// What the driver waits for.
#[derive(Debug, Clone, Copy)]
enum Event {
    Heard(Side),
    Silenced(Side),
    Deafened(Side),
    Exited(Side),
    TimePassed,
    Stopped,
}

/// The two bots of a game, and the desk where it is written down.
struct Table<'a> {
    epoch: Instant,
    ears: [&'a mut Ear; 2],
    bodies: [&'a Body; 2],
    gauges: [&'a mut Gauge; 2],
    // What both bots had used when the one on turn was asked, in microseconds of processor time.
    asked_cpu_us: [u64; 2],
    // How many bytes of a half line were told last.
    half_lines_told: [usize; 2],
    desk: Desk<'a>,
}

/// Where a game's wishes are carried out.
struct Desk<'a> {
    mouths: [&'a mut Mouth; 2],
    scribe: &'a mut Scribe,
    now_us: u64,
}

impl Out for Desk<'_> {
    fn send(&mut self, side: Side, line: &[u8]) {
        let channel = [Channel::ToSouth, Channel::ToNorth][side as usize];
        self.mouths[side as usize].say(line);
        self.scribe.wire(self.now_us, channel, line.strip_suffix(b"\n").unwrap_or(line));
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.scribe.ply(row);
    }

    fn note(&mut self, side: Side, text: &str) {
        self.scribe.note(self.now_us, side, text);
    }
}

impl Table<'_> {
    fn stamp(&mut self) -> Instant {
        let now = now();
        self.desk.now_us = now.duration_since(self.epoch).as_micros() as u64;
        now
    }

    /// Hears what the bots have said unasked, then lets the requests go out that are due; tells whether any were.
    fn ask(&mut self, game: &mut Game) -> bool {
        let due = [Side::South, Side::North].map(|side| game.due(side));
        for side in [Side::South, Side::North] {
            if due[side as usize] {
                self.hear_early(game, side);
            }
        }
        if due == [false, false] || game.verdict().is_some() {
            return due != [false, false];
        }
        for side in [Side::South, Side::North] {
            if due[side as usize] {
                self.gauges[side as usize].freeze(false);
            }
        }
        self.asked_cpu_us = self.cpu_us(game);
        self.stamp();
        game.step(self.desk.now_us, Input::Ask, &mut self.desk);
        true
    }

    /// Reads both bots' processor time, that of all they started where a clock counts it.
    fn cpu_us(&mut self, game: &Game) -> [u64; 2] {
        [Side::South, Side::North].map(|side| {
            let gauge = &mut *self.gauges[side as usize];
            match game.setup().measure {
                Measure::Wall => gauge.cpu_us(),
                Measure::Cpu => gauge.whole_cpu_us(),
            }
        })
    }

    /// Stops the bots that are not on turn, where that was asked for; at the end both may go on.
    fn freeze_idle(&mut self, game: &Game) {
        for side in [Side::South, Side::North] {
            let idle = game.began() && game.awaited(side).is_none() && game.verdict().is_none();
            self.gauges[side as usize].freeze(idle);
        }
    }

    /// Gives the game what a bot wrote before its request: it can be no answer to it.
    fn hear_early(&mut self, game: &mut Game, side: Side) {
        let mut heard = 0;
        loop {
            self.stamp();
            self.lines(game, side, 0, Cpu::default(), |game| game.verdict().is_none());
            match self.ears[side as usize].read_now() {
                Some(count) if count > 0 && heard < EARLY_BYTES => heard += count,
                Some(_) | None => break,
            }
        }
        self.lines(game, side, 0, Cpu::default(), |game| game.verdict().is_none());
    }

    /// Gives the game the whole lines that are there, for as long as it goes on wanting them.
    fn lines(&mut self, game: &mut Game, side: Side, lag_us: u64, cpu: Cpu, wanted: impl Fn(&Game) -> bool) {
        let from = [Channel::FromSouth, Channel::FromNorth][side as usize];
        while wanted(game) {
            let Some(frame) = self.ears[side as usize].lines.next_frame() else { return };
            let now_us = self.desk.now_us;
            match frame {
                Frame::Line(bytes) => {
                    let counted = cpu.mover_us.filter(|_| game.setup().measure == Measure::Cpu);
                    self.desk.scribe.said(now_us, from, bytes, counted);
                    game.step_briefly(now_us, Input::Line { side, bytes, lag_us, cpu }, &mut self.desk);
                }
                Frame::TooLong(start) => {
                    let loss = Loss {
                        reason: Reason::LineTooLong,
                        detail: format!("more than {} bytes without a newline", bao_protocol::LINE_BYTES),
                        line: printable(&String::from_utf8_lossy(&start[..200]), 200),
                    };
                    self.lost(game, side, &loss);
                }
            }
        }
    }

    fn lost(&mut self, game: &mut Game, side: Side, loss: &Loss) {
        let event = record::Event::Lost { side: side.into(), loss: loss.clone() };
        self.desk.scribe.event(self.desk.now_us, &event);
        game.step(self.desk.now_us, Input::Lost { side, loss }, &mut self.desk);
    }

    fn poll(&mut self, game: &Game, mut sleep: Pin<&mut Sleep>, cx: &mut Context<'_>) -> Poll<Event> {
        let mut first = u64::MAX;
        for side in [Side::South, Side::North] {
            let Some(deadline_us) = game.awaited(side) else { continue };
            first = first.min(deadline_us);
            match self.ears[side as usize].poll_read(cx) {
                Poll::Ready(Ok(1..)) => return Poll::Ready(Event::Heard(side)),
                Poll::Ready(Ok(0) | Err(_)) => return Poll::Ready(Event::Silenced(side)),
                Poll::Pending => {}
            }
            if self.bodies[side as usize].poll_exited(cx).is_ready() {
                return Poll::Ready(Event::Exited(side));
            }
            if self.desk.mouths[side as usize].poll_closed(cx).is_ready() {
                return Poll::Ready(Event::Deafened(side));
            }
        }
        let deadline = tokio::time::Instant::from(self.epoch + Duration::from_micros(first));
        if sleep.deadline() != deadline {
            sleep.as_mut().reset(deadline);
        }
        sleep.poll(cx).map(|()| Event::TimePassed)
    }

    async fn happened(&mut self, game: &mut Game, event: Event) {
        let now = self.stamp();
        let lag_us = lag_us(now);
        match event {
            Event::Heard(side) => {
                let cpu = self.used_cpu(game, side);
                self.lines(game, side, lag_us, cpu, |game| game.awaited(side).is_some());
            }
            Event::Silenced(side) => self.died(game, side, Reason::ClosedStdout, "its standard output").await,
            Event::Deafened(side) => self.died(game, side, Reason::Crash, "its standard input").await,
            Event::Exited(side) => {
                self.last_words(game, side);
                self.died(game, side, Reason::Crash, "").await;
            }
            Event::TimePassed => {
                self.tell_half_lines(game);
                self.desk.scribe.event(self.desk.now_us, &record::Event::Tick {});
                game.step(self.desk.now_us, Input::Tick, &mut self.desk);
            }
            Event::Stopped => {
                let why = crate::game::verdict::STOPPED;
                self.desk.scribe.event(self.desk.now_us, &record::Event::Stop { why: why.to_owned() });
                game.step(self.desk.now_us, Input::Stop { why }, &mut self.desk);
            }
        }
    }

    /// Gives the game what a bot wrote before it exited, without waiting for whoever else holds its pipe.
    fn last_words(&mut self, game: &mut Game, side: Side) {
        while game.awaited(side).is_some() && matches!(self.ears[side as usize].read_now(), Some(1..)) {
            self.stamp();
            let cpu = self.used_cpu(game, side);
            self.lines(game, side, 0, cpu, |game| game.awaited(side).is_some());
        }
    }

    /// Measures what the bots have used since one of them was asked.
    fn used_cpu(&mut self, game: &Game, side: Side) -> Cpu {
        if !game.thinking(side) {
            return Cpu::default();
        }
        let used_us = self.cpu_us(game);
        let since =
            |side: Side| Some(used_us[side as usize].saturating_sub(self.asked_cpu_us[side as usize]));
        Cpu { mover_us: since(side), opponent_us: since(side.other()) }
    }

    /// Settles what became of a bot whose pipe is closed or whose process has exited.
    async fn died(&mut self, game: &mut Game, side: Side, still_running: Reason, closed: &str) {
        if game.awaited(side).is_none() {
            return;
        }
        let (reason, detail) = self.bodies[side as usize].obituary(still_running, closed).await;
        self.stamp();
        let partial = self.ears[side as usize].lines.partial();
        let line = printable(&String::from_utf8_lossy(&partial[..partial.len().min(200)]), 200);
        self.lost(game, side, &Loss { reason, detail, line });
    }

    /// Tells the game, or at its end only the record, what was begun and not ended.
    fn tell_half_lines(&mut self, game: &mut Game) {
        for side in [Side::South, Side::North] {
            let Some(half) = self.ears[side as usize].half_line() else { continue };
            let told = &mut self.half_lines_told[side as usize];
            if *told == half.len() {
                continue;
            }
            *told = half.len();
            let bytes = half.len() as u64;
            let text = printable(&String::from_utf8_lossy(&half[..half.len().min(400)]), 400);
            let event = record::Event::HalfLine { side: side.into(), bytes, text: text.clone() };
            self.desk.scribe.event(self.desk.now_us, &event);
            game.step(self.desk.now_us, Input::HalfLine { side, bytes, text: &text }, &mut self.desk);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where a game's time is read")]
fn now() -> Instant {
    Instant::now()
}

/// Makes the runtime on which a run is played: one thread, which must be one that lives as long as the bots.
///
/// # Errors
/// What the system says against timers and polling.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_unpark(crate::process::lag::note_wake_up)
        .build()
}
