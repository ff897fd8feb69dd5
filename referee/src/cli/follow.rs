//! Reports a run to people and programs: JSON lines on standard output, progress on standard error.

use std::collections::BTreeSet;
use std::thread::JoinHandle;
use std::time::Instant;

use bao_protocol::from_bot::Hello;
use bao_protocol::record::GameRow;
use bao_protocol::{Reason, Seat};
use serde::Serialize;
use serde_json::json;

use super::screen::Caption;
use super::tables;
use crate::game::spec::GameSpec;
use crate::record::Finished;
use crate::record::events::Events;
use crate::results::standings::Standings;
use crate::schedule::{Schedule, Total};
use crate::text::count::plural;
use crate::text::loss::{advice_after, stderr_lines};
use crate::text::shown::shown;
use bao_jail::Promise;

/// How many games must be finished before the time of the others is estimated.
const FORETOLD_FROM: u64 = 4;

/// How a run is reported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// What is played: `match` or `tournament`.
    pub(super) what: &'static str,
    /// Whether programs follow it on standard output.
    pub(super) json: bool,
    /// Whether single games are not reported on standard error.
    pub(super) quiet: bool,
    /// The standings are reported after every this many pairs; never if 0.
    pub(super) every: u64,
}

/// Reports what happens during a run.
#[derive(Debug)]
pub(super) struct Reporter {
    events: Option<Events>,
    manner: Manner,
    /// Writes to standard error.
    pub(super) screen: Caption,
    pace: Pace,
    // The bots and reasons for which advice was printed.
    advised: BTreeSet<(String, Reason)>,
    // The thread that computes the last standings.
    clerk: Option<JoinHandle<()>>,
    /// The first hello of each bot, by its place in the plan.
    pub(super) hellos: Vec<Option<Hello>>,
    /// The first promises about each bot, by its place in the plan.
    pub(super) promises: Vec<Option<Vec<Promise>>>,
}

impl Reporter {
    /// Makes a reporter for a run with `done` finished games.
    pub(super) fn new(
        events: Option<Events>,
        screen: Caption,
        manner: Manner,
        done: u64,
        bots: usize,
    ) -> Self {
        Self {
            events,
            manner,
            screen,
            pace: Pace { started: now(), before: done },
            advised: BTreeSet::new(),
            clerk: None,
            hellos: vec![None; bots],
            promises: vec![None; bots],
        }
    }

    /// Sends an event to the followers of the run.
    pub(super) fn event(&self, name: &str, value: &impl Serialize) {
        if let Some(events) = &self.events {
            events.send(name, value);
        }
    }

    /// Reports that a game has been started.
    pub(super) fn started(&self, spec: &GameSpec, south: &str, north: &str) {
        let event = json!({
            "game": spec.game, "pair": spec.pair, "round": spec.round, "opening": spec.opening,
            "variant": spec.position.variant().name(), "position": spec.position.to_string(),
            "south": south, "north": north,
        });
        self.event("game", &event);
    }

    /// Reports that a game is over.
    pub(super) fn finished(&mut self, finished: &Finished, schedule: &Schedule) {
        let row = &finished.row;
        let stderr = finished.stderr_of_fault();
        self.event("verdict", &GameRow { stderr: Some(stderr.clone()), ..row.clone() });
        if self.manner.quiet {
            return;
        }
        let remark = self.pace.foretell(schedule).map_or(String::new(), |left| format!(", {left}"));
        self.screen.progress(schedule.done(), games(schedule.total()), remark);
        if !self.screen.bar || row.reason.is_fault() || row.reason == Reason::Void {
            let text = one_line(row, schedule) + "\n" + &self.explained(row, stderr.as_deref());
            self.screen.text(text);
        }
    }

    /// Reports that a bot was withdrawn, because it failed in this game and in those before it.
    pub(super) fn withdrawn(&mut self, bot: &str, game: u64, after: Option<u64>) {
        self.event("withdrawal", &json!({ "bot": bot, "game": game, "failures": after }));
        if !self.manner.quiet {
            let row = match after {
                Some(1) | None => "it failed in a game".to_owned(),
                Some(games) => format!("it failed in {games} games in a row"),
            };
            self.screen.text(format!("bot {bot} is withdrawn after game {game}: {row}\n"));
        }
    }

    /// Explains a loss by conduct: what to change, once for each bot and reason, and what the bot wrote to its
    /// standard error.
    fn explained(&mut self, row: &GameRow, stderr: Option<&str>) -> String {
        let mut text = String::new();
        let stderr = stderr.unwrap_or_default();
        if let Some((fault, advice)) = row.fault.zip(advice_after(row.reason, stderr)) {
            let bot = match fault {
                Seat::South => &row.south,
                Seat::North => &row.north,
            };
            if self.advised.insert((bot.clone(), row.reason)) {
                text.push_str(&format!("  to do: {advice}\n"));
            }
        }
        let lines = stderr_lines(stderr);
        if !lines.is_empty() {
            text.push_str("  on its standard error:\n");
            text.extend(lines.iter().map(|line| format!("    {line}\n")));
        }
        text
    }

    /// Reports the standings after a pair, if it is time to.
    ///
    /// Another thread computes them, because the clocks of the run must not wait; if the last ones are not ready,
    /// these are skipped.
    pub(super) fn pair(&mut self, standings: &Standings, schedule: &Schedule) {
        let pairs = standings.pairs();
        let due = self.manner.every > 0 && pairs.is_multiple_of(self.manner.every);
        if !due || self.clerk.as_ref().is_some_and(|clerk| !clerk.is_finished()) {
            return;
        }
        let (snapshot, notes, test) =
            (standings.snapshot(schedule), standings.notes(schedule), schedule.test());
        let (done, total) = (schedule.done(), schedule.total());
        let (left_s, left) = (self.pace.left_s(schedule), self.pace.foretell(schedule));
        let (events, screen, quiet) = (self.events.clone(), self.screen.clone(), self.manner.quiet);
        self.clerk = Some(std::thread::spawn(move || {
            let rows = snapshot.rows();
            if let Some(events) = &events {
                let exact = matches!(total, Total::Exactly(_));
                let event = json!({
                    "games": done, "total": games(total), "total_is_exact": exact, "left_s": left_s,
                    "pairs": notes.pairs, "repeated_pairs": notes.repeated_pairs, "rows": rows, "test": test,
                });
                events.send("standings", &event);
            }
            if quiet {
                return;
            }
            let left = left.map_or(String::new(), |left| format!(", {left}"));
            let mut text =
                format!("after {done} of {} games{left}:\n{}", of(total), tables::standings(&rows));
            text.extend(test.map(|test| tables::test(&test)));
            screen.text(text);
        }));
    }

    /// Removes the bar, and waits until everything is written.
    pub(super) fn close(&mut self) {
        if let Some(clerk) = self.clerk.take() {
            let _panicked = clerk.join();
        }
        self.screen.over();
    }
}

/// How fast games are finished, in this session.
#[derive(Debug, Clone, Copy)]
struct Pace {
    started: Instant,
    before: u64,
}

impl Pace {
    /// Estimates how many seconds the games that are left will take, from the games finished since the start.
    fn left_s(self, schedule: &Schedule) -> Option<u64> {
        let done = schedule.done().saturating_sub(self.before);
        let left = games(schedule.total()).saturating_sub(schedule.done());
        let elapsed = now().duration_since(self.started).as_secs_f64();
        (done >= FORETOLD_FROM).then(|| (elapsed * left as f64 / done as f64).ceil() as u64)
    }

    fn foretell(self, schedule: &Schedule) -> Option<String> {
        let seconds = self.left_s(schedule)?;
        let text = match seconds {
            0..=90 => format!("{seconds} s"),
            91..=5400 => format!("{} min", seconds.div_ceil(60)),
            _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        };
        Some(match schedule.total() {
            Total::Exactly(_) => format!("about {text} left"),
            Total::AtMost(_) => format!("at most {text} left"),
        })
    }
}

/// Returns the number of games, or the most that it can be.
pub(super) fn games(total: Total) -> u64 {
    let (Total::Exactly(games) | Total::AtMost(games)) = total;
    games
}

fn of(total: Total) -> String {
    match total {
        Total::Exactly(games) => games.to_string(),
        Total::AtMost(games) => format!("at most {games}"),
    }
}

fn one_line(row: &GameRow, schedule: &Schedule) -> String {
    let result = match (row.score_south, row.winner) {
        (None, _) => "does not count".to_owned(),
        (_, None) => "draw".to_owned(),
        (_, Some(bao_protocol::Seat::South)) => format!("{} wins as South", row.south),
        (_, Some(bao_protocol::Seat::North)) => format!("{} wins as North", row.north),
    };
    let far = match schedule.total() {
        Total::Exactly(games) => format!("{} of {games}", schedule.done()),
        Total::AtMost(_) => schedule.done().to_string(),
    };
    let detail = row.detail.as_ref().map(|detail| format!(" ({})", shown(detail, 600))).unwrap_or_default();
    format!(
        "[{far}] game {}: {} - {}: {result}, {}{detail}, {}",
        row.game,
        row.south,
        row.north,
        row.reason,
        plural(row.plies, "ply", "plies")
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a run will take is foretold from how long it took so far"
)]
fn now() -> Instant {
    Instant::now()
}
