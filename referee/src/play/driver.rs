//! The only file in which a game meets its parties and the real clock.
//!
//! A [`Table`] gives a [`Game`] the input of its two parties, with stamps, and carries out what the game
//! wants. It reads a bot only while it waits for it: a bot that writes while not on turn fills its pipe and blocks.

use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bao_protocol::record::{self, MoveRow};
use bao_protocol::{Reason, VoidCause};
use bao_rules::{BySide, Side};
use tokio_util::sync::CancellationToken;

use super::link::{Happening, Link, TAKEN, now, quote};
use super::settle::{last_words, settle};
use super::witness::Witness;
use crate::game::clock::TimeControl;
use crate::game::setup::Measure;
use crate::game::verdict::{Loss, Verdict};
use crate::game::{Cpu, Game, Heard, Input, Note, Out};
use crate::process::lag::{self, absent_us, lag_us};

/// How much of a half line is reported, in bytes.
const HALF_LINE: usize = 400;
/// How much processor time a bot may use after it was stopped, in microseconds: the end of a system call.
const WHILE_STOPPED_US: u64 = 1000;

/// One side of a game as the driver sees it: a bot at the end of a link, or a side that is answered here.
pub trait Party {
    /// Returns the link to the bot; `None` for a side that is answered here, which is never waited for.
    fn link(&mut self) -> Option<&mut Link>;
    /// Takes a line of the game to this side, newline included.
    fn say(&mut self, line: &[u8]);
    /// Puts the next line that was read into `line`, like [`Link::line`].
    fn line(&mut self, line: &mut Vec<u8>) -> Option<Result<(), Loss>>;
}

impl Party for &mut Link {
    fn link(&mut self) -> Option<&mut Link> {
        Some(self)
    }

    fn say(&mut self, line: &[u8]) {
        Link::say(self, line);
    }

    fn line(&mut self, line: &mut Vec<u8>) -> Option<Result<(), Loss>> {
        Link::line(self, line)
    }
}

/// Plays a game to its verdict, and hears the bots out that play on. The stamps count from the moment of the call;
/// returns that of the end.
pub async fn drive(
    game: &mut Game,
    [south, north]: [&mut Link; 2],
    witness: &mut impl Witness,
    stop: &CancellationToken,
) -> u64 {
    let mut driver = Driver::start();
    let parties = BySide { south: &mut *south, north: &mut *north };
    let mut table = Table { driver: &mut driver, game: &mut *game, parties, witness };
    tokio::select! {
        biased;
        () = stop.cancelled() => table.stop(VoidCause::Operator, "stopped by the operator"),
        () = table.play() => {}
    }
    table.half_lines();
    table.stamp();
    let end_us = driver.now_us;
    let (mut plays_on, mut listens) = (BySide::<bool>::default(), BySide::<bool>::default());
    for (side, link) in Side::BOTH.into_iter().zip([&mut *south, &mut *north]) {
        link.bot.gauge.resume();
        link.bot.known.next_id = game.next_id(side);
        let failed = game.verdict().is_none_or(|verdict| verdict.failed(side) || verdict.void.is_some());
        listens[side] = game.verdict().is_some_and(|verdict| may_have_last_words(verdict, side));
        plays_on[side] = !failed && (link.bot.known.greeted.is_some() || game.hello(side).is_some());
    }
    tokio::select! {
        () = settle(BySide { south: &mut *south, north: &mut *north }, plays_on, end_us, witness) => {}
        () = stop.cancelled() => {}
    }
    for (_, link) in Side::BOTH.into_iter().zip([south, north]).filter(|(side, _)| listens[*side]) {
        tokio::select! {
            () = last_words(link) => {}
            () = stop.cancelled() => {}
        }
    }
    end_us
}

/// Returns whether a bot that has failed may still read why and say something about it. One that takes too much
/// gets no time for more.
fn may_have_last_words(verdict: &Verdict, side: Side) -> bool {
    verdict.failed(side)
        && verdict.void.is_none()
        && !matches!(verdict.reason, Reason::MemoryLimit | Reason::OutputFlood | Reason::LineTooLong)
}

/// A game, its two parties, and its witness.
#[derive(Debug)]
pub struct Table<'a, P, W> {
    /// What is remembered between two steps.
    pub driver: &'a mut Driver,
    /// The game.
    pub game: &'a mut Game,
    /// South and North.
    pub parties: BySide<P>,
    /// The recorder of the game.
    pub witness: &'a mut W,
}

/// A game's time, and what is remembered of its parties from step to step.
#[derive(Debug)]
pub struct Driver {
    epoch: Instant,
    now_us: u64,
    // The processor time of both bots when the bot on turn was asked, in microseconds.
    asked_cpu_us: [Option<u64>; 2],
    // What both had used at the answer that makes the next request due, where no clock counts it: read once for both, so
    // that nothing of it falls between two plies.
    read_cpu_us: Option<[Option<u64>; 2]>,
    // How many bytes of a half line were reported last.
    half_lines_told: BySide<usize>,
    line: Vec<u8>,
}

impl Driver {
    /// Starts a game's time.
    pub fn start() -> Self {
        Self {
            epoch: now(),
            now_us: 0,
            asked_cpu_us: [None; 2],
            read_cpu_us: None,
            half_lines_told: BySide::default(),
            line: Vec::new(),
        }
    }
}

impl<P: Party, W: Witness> Table<'_, P, W> {
    async fn play(&mut self) {
        while self.game.verdict().is_none() {
            self.step().await;
        }
    }

    /// Takes one step in the game: sows, or sends the requests that are due, or waits for the next event.
    pub async fn step(&mut self) {
        if self.game.sowing() {
            // The clocks of other games run on.
            tokio::task::yield_now().await;
            self.driver.read_cpu_us = None;
            let (game, mut desk) = self.desk();
            return game.sow(&mut desk);
        }
        if self.ask() {
            return;
        }
        self.driver.read_cpu_us = None;
        let (side, event) = poll_fn(|cx| self.poll(cx)).await;
        self.happened(side, event);
        self.freeze_idle();
    }

    /// Ends the game; it does not count.
    pub fn stop(&mut self, cause: VoidCause, why: &str) {
        self.stamp();
        self.end(cause, why);
    }

    fn end(&mut self, cause: VoidCause, why: &str) {
        self.event(&record::Event::Stop { why: why.to_owned(), cause });
        self.give(Input::Stop { cause, why });
    }

    /// Gives the game a line of a side that is answered here.
    pub fn reply(&mut self, side: Side, bytes: &[u8]) {
        self.stamp();
        self.give(Input::Line(Heard { side, bytes, lag_us: 0, cpu: Cpu::default() }));
    }

    /// Reads what the bots have written too early, then sends the requests that are due; returns whether any were.
    fn ask(&mut self) -> bool {
        let due = BySide::from_fn(|side| self.game.due(side));
        for side in Side::BOTH.into_iter().filter(|side| due[*side]) {
            self.hear_out(side);
        }
        if due == BySide::default() || self.game.verdict().is_some() {
            return due != BySide::default();
        }
        for side in Side::BOTH.into_iter().filter(|side| due[*side]) {
            self.resume(side);
        }
        self.driver.asked_cpu_us = match self.driver.read_cpu_us.take() {
            Some(read_us) => read_us,
            None => self.cpu_us(),
        };
        self.stamp();
        self.give(Input::Ask);
        true
    }

    /// Gives the game what a bot wrote before its request, to the last byte: it can be no answer to it. A bot that
    /// does not stop writing reaches the limits of its turn.
    fn hear_out(&mut self, side: Side) {
        loop {
            self.stamp();
            self.lines(side, self.lag_us(), Cpu::default(), |game| game.verdict().is_none());
            if self.game.verdict().is_some() || !self.link(side).is_some_and(Link::read) {
                return;
            }
        }
    }

    /// Is ready when something happens to a side that must answer; a deadline is reported only if nothing else has
    /// happened.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<(Side, Happening)> {
        let mut silent = None;
        for side in Side::BOTH {
            let Some(deadline_us) = self.game.awaited(side) else { continue };
            let deadline = self.driver.epoch + Duration::from_micros(deadline_us);
            match self.link(side).map(|link| link.poll(cx, deadline)) {
                Some(Poll::Ready(Happening::Silent)) => silent = silent.or(Some(side)),
                Some(Poll::Ready(event)) => return Poll::Ready((side, event)),
                Some(Poll::Pending) | None => {}
            }
        }
        silent.map_or(Poll::Pending, |side| Poll::Ready((side, Happening::Silent)))
    }

    fn happened(&mut self, side: Side, event: Happening) {
        let before_us = self.driver.now_us;
        self.stamp();
        match event {
            Happening::Heard => self.heard(side, before_us),
            Happening::Silent => {
                // A referee that only waited for a processor was not absent: subtract the time that it waited.
                let deadline_us = self.game.awaited(side).unwrap_or(0);
                let late_us = self.driver.now_us.saturating_sub(deadline_us);
                self.driver.now_us = (self.driver.now_us - late_us + absent_us(late_us)).max(before_us);
                self.half_lines();
                self.event(&record::Event::Tick {});
                self.give(Input::Tick);
            }
            Happening::Lost(loss) => self.lost(side, &loss),
            Happening::Taken => self.end(VoidCause::Machine, TAKEN),
        }
    }

    /// Takes what has been read. What the referee was late to read may have lain there in time: the bot has the
    /// benefit of the doubt, and the last stamp in time. How long it took is not known then, so that it is not an
    /// answer by a clock that runs down if the referee was absent.
    fn heard(&mut self, side: Side, before_us: u64) {
        let (read_us, mut lag_us) = (self.driver.now_us, self.lag_us());
        let deadline_us = self.game.awaited(side).filter(|deadline_us| read_us >= *deadline_us);
        if let Some(last_us) = deadline_us.map(|deadline_us| deadline_us - 1)
            && last_us >= before_us
        {
            let absent = self.game.stamp_of(side, read_us) == last_us;
            if absent && self.runs_down(side) {
                let away_ms = (read_us - last_us) / 1000;
                let why = format!("the referee was absent: an answer was read {away_ms} ms after it was due");
                return self.end(VoidCause::Absent, &why);
            }
            if absent || read_us - last_us <= lag_us {
                self.driver.now_us = last_us;
                lag_us = lag_us.max(read_us - last_us);
            }
            if absent {
                self.event(&record::Event::Away { us: read_us - last_us });
            }
        }
        let cpu = self.used_cpu(side);
        self.lines(side, lag_us, cpu, |game| game.awaited(side).is_some());
    }

    /// Returns whether a side's clock runs, and is of a kind that runs down.
    fn runs_down(&self, side: Side) -> bool {
        let clock = self.game.setup().seats[side as usize].clock;
        self.game.thinking(side) && !matches!(clock, TimeControl::None { .. } | TimeControl::MoveTime { .. })
    }

    fn lag_us(&self) -> u64 {
        lag_us(self.driver.epoch + Duration::from_micros(self.driver.now_us))
    }

    /// Gives the game the whole lines that have arrived, as long as it wants more.
    fn lines(&mut self, side: Side, lag_us: u64, cpu: Cpu, wanted: impl Fn(&Game) -> bool) {
        let mut line = std::mem::take(&mut self.driver.line);
        while wanted(self.game) {
            match self.parties[side].line(&mut line) {
                Some(Ok(())) => {
                    let counted = cpu.mover_us.filter(|_| self.game.setup().measure == Measure::Cpu);
                    self.witness.said(self.driver.now_us, side, &line, counted);
                    self.give(Input::Line(Heard { side, bytes: &line, lag_us, cpu }));
                }
                Some(Err(loss)) => self.lost(side, &loss),
                None => break,
            }
        }
        self.driver.line = line;
    }

    fn lost(&mut self, side: Side, loss: &Loss) {
        self.event(&record::Event::Lost { side: side.into(), loss: loss.clone() });
        self.give(Input::Lost { side, loss });
    }

    /// Reports lines that were begun and not ended to the game, or at its end only to the record.
    fn half_lines(&mut self) {
        for side in Side::BOTH {
            let told = self.driver.half_lines_told[side];
            let half = self.link(side).and_then(|link| link.half_line());
            let Some(half) = half.filter(|half| half.len() != told) else { continue };
            let (bytes, text) = (half.len() as u64, quote(half, HALF_LINE));
            self.driver.half_lines_told[side] = half.len();
            self.event(&record::Event::HalfLine { side: side.into(), bytes, text: text.clone() });
            self.give(Input::HalfLine { side, bytes, text: &text });
        }
    }

    /// Measures what the bots have used since one of them was asked.
    fn used_cpu(&mut self, side: Side) -> Cpu {
        if !self.game.thinking(side) {
            return Cpu::default();
        }
        let (used_us, asked_us) = (self.cpu_us(), self.driver.asked_cpu_us);
        self.driver.read_cpu_us = Some(used_us).filter(|_| self.game.setup().measure == Measure::Wall);
        let since = |at: usize| Some(used_us[at]?.saturating_sub(asked_us[at]?));
        Cpu { mover_us: since(side as usize), opponent_us: since(side.other() as usize) }
    }

    /// Reads both bots' processor time, that of all they started where a clock counts it.
    fn cpu_us(&mut self) -> [Option<u64>; 2] {
        let measure = self.game.setup().measure;
        Side::BOTH.map(|side| {
            let gauge = &mut self.link(side)?.bot.gauge;
            Some(match measure {
                Measure::Wall => gauge.cpu_us(),
                Measure::Cpu => gauge.whole_cpu_us(),
            })
        })
    }

    /// Stops the bots that are not on turn, if the settings ask for it.
    fn freeze_idle(&mut self) {
        for side in Side::BOTH {
            let game = &self.game;
            let idle = game.began() && game.awaited(side).is_none() && game.verdict().is_none();
            if let Some(link) = self.link(side).filter(|_| idle) {
                link.bot.gauge.stop();
            }
        }
    }

    /// Resumes a bot that is about to be asked, and has its clock pay for what it used although it was stopped.
    fn resume(&mut self, side: Side) {
        let us = self.link(side).map_or(0, |link| link.bot.gauge.resume());
        if us > WHILE_STOPPED_US {
            self.stamp();
            self.event(&record::Event::Ran { side: side.into(), us });
            self.give(Input::Ran { side, us });
        }
    }

    fn link(&mut self, side: Side) -> Option<&mut Link> {
        self.parties[side].link()
    }

    fn event(&mut self, event: &record::Event) {
        self.witness.event(self.driver.now_us, event);
    }

    fn give(&mut self, input: Input<'_>) {
        let now_us = self.driver.now_us;
        let (game, mut desk) = self.desk();
        game.step_briefly(now_us, input, &mut desk);
    }

    fn desk(&mut self) -> (&mut Game, Desk<'_, P, W>) {
        let now_us = self.driver.now_us;
        (self.game, Desk { parties: &mut self.parties, witness: self.witness, now_us })
    }

    fn stamp(&mut self) {
        self.driver.now_us = now().duration_since(self.driver.epoch).as_micros() as u64;
    }
}

/// Carries out the output of a game.
struct Desk<'a, P, W> {
    parties: &'a mut BySide<P>,
    witness: &'a mut W,
    now_us: u64,
}

impl<P: Party, W: Witness> Out for Desk<'_, P, W> {
    fn send(&mut self, side: Side, line: &[u8]) {
        tracing::debug!(%side, line = %String::from_utf8_lossy(line.trim_ascii_end()), "ask");
        self.parties[side].say(line);
        self.witness.sent(self.now_us, side, line);
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.witness.ply(row);
    }

    fn note(&mut self, side: Side, note: &Note<'_>) {
        self.witness.note(self.now_us, side, note);
    }
}

/// Makes the runtime of a run: one thread, which must live as long as the bots.
///
/// # Errors
/// The system's error if there are no timers or no polling.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    lag::start();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_park(lag::note_sleep)
        .on_thread_unpark(lag::note_wake_up)
        .build()
}
