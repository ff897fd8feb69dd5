//! A game played from a script, in virtual time.
//!
//! Terms are words: `clock=1s` (spaces as `_`), `clock_n=2s`, `grace=50ms`, `cpu`, `plies=10`, `edition=1`,
//! `start=...` (slashes and commas as in a position, spaces as `_`), `kigogo`, `draw=2:10` and `decided=2:500`
//! (adjudication), `option` (an option is set), `history`, `fresh` (both have still to say hello) and `greeted`
//! (both have still to be ready).
//!
//! A script is steps with semicolons between: who (`S`, `N`), how much later than the step before (`+5ms`), what.
//! Whatever is due is asked at once, as the driver does.

use std::fmt::Write as _;

use bao_protocol::record::{Adjudication, DrawRule, Edition, MoveRow, ResignRule};
use bao_protocol::{Reason, VoidCause};
use bao_referee::game::setup::{Greeted, Measure, SeatSetup, Setup};
use bao_referee::game::verdict::{Loss, Verdict};
use bao_referee::game::{Cpu, Game, Heard, Input, Note, Out};
use bao_rules::{Position, Side, Variant};
use serde_json::Value;

/// Plays a script; returns the verdict, or what the side to move was asked with.
pub(crate) fn outcome(terms: &str, script: &str) -> String {
    Play::of(terms, script).outcome()
}

/// Plays scripts under the same terms, each to its outcome.
pub(crate) fn check(terms: &str, table: &[(&str, &str)]) {
    for (script, expected) in table {
        assert_eq!(outcome(terms, script), *expected, "under `{terms}`: {script}");
    }
}

/// A game and all that it has said.
pub(crate) struct Play {
    pub(crate) game: Game,
    pub(crate) heard: Transcript,
    now_us: u64,
}

/// What a game says, in its order.
#[derive(Default)]
pub(crate) struct Transcript {
    pub(crate) said: Vec<(Side, String)>,
    pub(crate) notes: Vec<String>,
    pub(crate) rows: Vec<String>,
}

impl Out for Transcript {
    fn send(&mut self, side: Side, line: &[u8]) {
        let line = std::str::from_utf8(line).unwrap();
        self.said.push((side, line.strip_suffix('\n').unwrap().to_owned()));
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.rows.push(format!("{} {} used {} lag {}", row.ply, row.mv, row.used_us, row.lag_us));
    }

    fn note(&mut self, side: Side, note: &Note<'_>) {
        self.notes.push(format!("{side}: {note}"));
    }
}

impl Play {
    pub(crate) fn of(terms: &str, script: &str) -> Self {
        let mut play = Self { game: Game::new(setup(terms)), heard: Transcript::default(), now_us: 0 };
        play.ask();
        if !terms.split(' ').any(|word| word == "fresh" || word == "greeted") {
            play.run("S ready; N ready");
        }
        play.run(script);
        play
    }

    /// Continues a script.
    pub(crate) fn run(&mut self, script: &str) {
        for step in script.split(';').map(str::trim).filter(|step| !step.is_empty()) {
            let words: Vec<&str> = step.split(' ').collect();
            let (side, words) = match words.split_first().unwrap() {
                (&"S", rest) => (Side::South, rest),
                (&"N", rest) => (Side::North, rest),
                _ => (Side::South, &words[..]),
            };
            let (later, words) = match words[0].strip_prefix('+') {
                Some(time) => (us(time), &words[1..]),
                None => (0, words),
            };
            self.now_us += later;
            self.act(side, words);
            self.ask();
        }
    }

    pub(crate) fn outcome(&self) -> String {
        if let Some(verdict) = self.game.verdict() {
            return told(verdict);
        }
        let asked = self.heard.said.iter().rev().find(|(_, line)| line.starts_with(r#"{"type":"go""#));
        match asked {
            Some((side, line)) => {
                let go: Value = serde_json::from_str(line).unwrap();
                format!(
                    "{side} to move in {} ms, {} : {}",
                    go["deadline_ms"], go["you_ms"], go["opponent_ms"]
                )
            }
            None => "not begun".to_owned(),
        }
    }

    /// Returns when the last step happened.
    pub(crate) fn asked_us(&self) -> u64 {
        self.now_us
    }

    fn act(&mut self, side: Side, words: &[&str]) {
        let asked = |kind: &str| {
            let line = self.heard.said.iter().rev().find(|(to, line)| *to == side && line.contains(kind));
            let message: Value =
                line.map(|(_, line)| serde_json::from_str(line).unwrap()).unwrap_or_default();
            message["id"].as_u64().unwrap_or(0)
        };
        let (go, new_game) = (asked(r#""type":"go""#), asked(r#""type":"new_game""#));
        let option = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
        match words[0] {
            "hello" => {
                let games = option("games=").unwrap_or("bao-kingulu");
                let protocol = option("protocol=").unwrap_or("1");
                self.says(
                    side,
                    &format!(r#"{{"type":"hello","protocol":{protocol},"name":"x","games":["{games}"]}}"#),
                );
            }
            "ready" => self.says(side, &format!(r#"{{"type":"ready","id":{new_game}}}"#)),
            "move" => {
                let pit = option("pit=").map_or_else(|| self.first_move(), str::to_owned);
                let id = option("id=").map_or(go, |id| id.parse().unwrap());
                let info = option("score=")
                    .map(|score| format!(r#","info":{{"score":{score}}}"#))
                    .unwrap_or_default();
                let line = format!(r#"{{"type":"move","id":{id},"move":"{pit}"{info}}}"#);
                let cpu = Cpu { mover_us: option("cpu=").map(us), opponent_us: None };
                let lag_us = option("lag=").map_or(0, us);
                self.take(Input::Line(Heard { side, bytes: line.as_bytes(), lag_us, cpu }));
            }
            "resign" => self.says(side, &format!(r#"{{"type":"resign","id":{go}}}"#)),
            "info" => self.says(side, &format!(r#"{{"type":"info","id":{go},"depth":3,"score":7}}"#)),
            "noise" => self.repeat(side, &option("bytes=").map_or_else(|| "hm".to_owned(), filler), words),
            "log" => {
                let text = option("bytes=").map_or_else(String::new, filler);
                self.repeat(side, &format!(r#"{{"type":"log","text":"{text}"}}"#), words);
            }
            "line" => self.says(side, &words[1..].join(" ")),
            "half" => {
                let text = words[1..].join(" ");
                self.take(Input::HalfLine { side, bytes: text.len() as u64, text: &text });
            }
            "crashes" => {
                let loss = Loss { reason: Reason::Crash, detail: "code 3".to_owned(), line: String::new() };
                self.take(Input::Lost { side, loss: &loss });
            }
            // At the first deadline, or so much later.
            "silence" => {
                let first = Side::BOTH.into_iter().filter_map(|side| self.game.awaited(side)).min();
                let late_us = option("late=").map_or(0, us);
                self.now_us = first.expect("nobody is awaited") + late_us;
                self.take(Input::Tick);
            }
            // A referee that was away finds this at its return.
            "finds" => {
                let now_us = self.now_us;
                self.now_us = self.game.stamp_of(side, now_us);
                self.act(side, &words[1..]);
                self.now_us = now_us;
            }
            "ran" => self.take(Input::Ran { side, us: us(words[1]) }),
            "tick" => self.take(Input::Tick),
            "stop" => self.take(Input::Stop { cause: VoidCause::Operator, why: "stopped" }),
            other => panic!("there is no step `{other}`"),
        }
    }

    fn repeat(&mut self, side: Side, line: &str, words: &[&str]) {
        let times =
            words.iter().find_map(|word| word.strip_prefix('x')).map_or(1, |times| times.parse().unwrap());
        for _ in 0..times {
            self.says(side, line);
        }
    }

    fn first_move(&self) -> String {
        self.game.position().legal_moves().iter().next().map_or_else(String::new, |pit| pit.name().to_owned())
    }

    fn says(&mut self, side: Side, line: &str) {
        let heard = Heard { side, bytes: line.as_bytes(), lag_us: 0, cpu: Cpu::default() };
        self.take(Input::Line(heard));
    }

    fn take(&mut self, input: Input<'_>) {
        self.game.step(self.now_us, input, &mut self.heard);
    }

    fn ask(&mut self) {
        while Side::BOTH.into_iter().any(|side| self.game.due(side)) {
            self.take(Input::Ask);
        }
    }
}

/// A verdict as these tests write it.
pub(crate) fn told(verdict: &Verdict) -> String {
    let mut told = match (verdict.void, verdict.winner) {
        (Some(cause), _) => format!("void, {cause}"),
        (None, Some(winner)) => format!("{winner} wins, {}", verdict.reason),
        (None, None) => format!("draw, {}", verdict.reason),
    };
    if let Some(detail) = &verdict.detail {
        write!(told, ": {detail}").unwrap();
    }
    told
}

fn filler(bytes: &str) -> String {
    "x".repeat(bytes.parse().unwrap())
}

fn us(text: &str) -> u64 {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = match &text[digits.len()..] {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "h" => 3_600_000_000,
        other => panic!("{other} is not a unit"),
    };
    digits.parse::<u64>().unwrap() * unit
}

fn setup(terms: &str) -> Setup {
    let words: Vec<&str> = terms.split(' ').collect();
    let value = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
    let has = |word: &str| words.contains(&word);
    let variant = if has("kigogo") { Variant::Kigogo } else { Variant::Kingulu };
    let position = value("start=").map_or_else(
        || Position::start(variant),
        |text| Position::parse(variant, &text.replace('_', " ")).unwrap(),
    );
    let clock = value("clock=").unwrap_or("1s").replace('_', " ");
    let seat = |name: &str, clock: &str| SeatSetup {
        name: name.to_owned(),
        clock: clock.parse().unwrap(),
        options: if has("option") { vec![("style".to_owned(), "calm".to_owned())] } else { Vec::new() },
        greeted: (!has("fresh")).then_some(Greeted {
            history: has("history"),
            seed: has("seed"),
            ..Greeted::default()
        }),
        next_id: 1,
    };
    let pair = |text: &str| {
        let (moves, score) = text.split_once(':').unwrap();
        (moves.parse().unwrap(), score.parse().unwrap())
    };
    let draw = value("draw=").map(pair).map(|(moves, score)| DrawRule { moves, score, from_ply: 0 });
    let resign = value("decided=").map(pair).map(|(moves, score)| ResignRule { moves, score });
    Setup {
        game: 7,
        position,
        seats: [seat("south", &clock), seat("north", value("clock_n=").unwrap_or(&clock))],
        grace_us: value("grace=").map_or(50_000, us),
        measure: if has("cpu") { Measure::Cpu } else { Measure::Wall },
        max_plies: value("plies=").map_or(1000, |plies| plies.parse().unwrap()),
        seed: 1,
        handshake_us: 3_000_000,
        ready_us: 2_000_000,
        adjudication: (draw.is_some() || resign.is_some()).then_some(Adjudication { draw, resign }),
        edition: if has("edition=1") { Edition::First } else { Edition::LATEST },
        plan_sha256: None,
    }
}
