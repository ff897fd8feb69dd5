//! Records to report on: real games by bots of known strength, played here and now.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bao_protocol::record::{
    Channel, GameRow, Machine, MoveRow, OnlyHost, Promise, Run, RunBot, WireLine, WireVerdict,
};
use bao_protocol::{Reason, Seat};
use bao_referee::record::Files;
use bao_referee::report::{Replays, Report};
use bao_rules::{History, Pit, Position, Side, Variant};
use bao_tests::Chance;
use serde_json::{Value, json};

/// A bot: in this percentage of its moves it takes what it can get, else it plays anything.
#[derive(Debug, Clone)]
pub(crate) struct Bot {
    pub(crate) name: String,
    pub(crate) greed: u64,
}

impl Bot {
    pub(crate) fn new(name: &str, greed: u64) -> Self {
        Self { name: name.to_owned(), greed }
    }

    fn choose(&self, position: &Position, chance: &mut Chance) -> Pit {
        let legal = position.legal_moves();
        if chance.below(100) >= self.greed {
            return chance.of(legal.as_slice());
        }
        let gain = |pit: &Pit| position.play(*pit).map_or(0, |play| play.captured);
        legal.iter().max_by_key(gain).expect("a game that goes on has a move")
    }
}

/// A record that grows game by game.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) dir: PathBuf,
    pub(crate) bots: Vec<Bot>,
    pub(crate) rows: Vec<GameRow>,
    moves: String,
    chance: Chance,
}

impl Record {
    /// Begins a record in a directory of this name.
    pub(crate) fn new(name: &str, plan: Value, bots: Vec<Bot>) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
        let _was_not_there = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("wire")).unwrap();
        let run = Run {
            record: 1,
            protocol: 1,
            rules: 1,
            referee: "bao-referee 0.1.0".to_owned(),
            started: "2026-03-01T09:00:00Z".to_owned(),
            seed: 7,
            plan,
            bots: bots
                .iter()
                .map(|bot| RunBot {
                    name: bot.name.clone(),
                    command: vec!["/home/someone/bots/bot".to_owned(), format!("--greed={}", bot.greed)],
                    program_sha256: Some("0123456789abcdef".repeat(4)),
                    files_sha256: BTreeMap::new(),
                    hello: Some(json!({ "name": bot.name, "version": "1.0", "author": "A. N. Other" })),
                })
                .collect(),
            only: Some(OnlyHost {
                host: Machine {
                    system: "Linux 6.1".to_owned(),
                    architecture: "x86_64".to_owned(),
                    cpus: 8,
                    memory_bytes: Some(16 << 30),
                },
                isolation: Some(BTreeMap::from([(
                    "greedy".to_owned(),
                    vec![Promise {
                        name: "network".to_owned(),
                        kept_by: Some("Landlock 4".to_owned()),
                        gap: None,
                    }],
                )])),
            }),
            hosts: Vec::new(),
            end: None,
        };
        fs::write(dir.join("run.json"), serde_json::to_vec_pretty(&run).unwrap()).unwrap();
        Self { dir, bots, rows: Vec::new(), moves: String::new(), chance: Chance::new(42) }
    }

    pub(crate) fn files(&self) -> Files {
        Files::new(&self.dir)
    }

    /// Plays a pair: both games from one opening, after a number of random moves.
    pub(crate) fn pair(&mut self, variant: Variant, a: usize, b: usize, opening_plies: usize) {
        let mut position = Position::start(variant);
        for _ in 0..opening_plies {
            let legal = position.legal_moves();
            let after = position.play(self.chance.of(legal.as_slice())).unwrap().after;
            position = after.filter(|after| after.over().is_none()).unwrap_or(position);
        }
        let pair = self.rows.last().map_or(1, |row| row.pair + 1);
        for seats in [[a, b], [b, a]] {
            let mut row = self.play(position, seats);
            row.pair = pair;
            row.opening = (opening_plies > 0).then_some(pair);
            self.add(row);
        }
    }

    /// Plays a game to its end by the rules; it is not in the record yet, but its moves are.
    pub(crate) fn play(&mut self, start: Position, seats: [usize; 2]) -> GameRow {
        let mut row = self.blank(start, seats);
        let (mut position, mut history) = (start, History::new(&start));
        let outcome = loop {
            if let Some(outcome) = position.over() {
                break outcome;
            }
            let side = position.side();
            let bot = self.bots[seats[side as usize]].clone();
            let pit = bot.choose(&position, &mut self.chance);
            let play = position.play(pit).unwrap();
            row.plies += 1;
            row.moves += if row.moves.is_empty() { "" } else { " " };
            row.moves += pit.name();
            let used_us = 50 + bot.greed * 8 + self.chance.below(400);
            *(if side == Side::South { &mut row.used_south_us } else { &mut row.used_north_us }) += used_us;
            self.note_move(row.game, row.plies, side, pit, used_us);
            match (play.after, play.over) {
                (None, over) => break over.expect("a sowing without end is a draw"),
                (Some(after), _) if history.push(&after) => {
                    position = after;
                    break after.stopped(bao_rules::Ending::Repetition);
                }
                (Some(after), _) => position = after,
            }
        };
        row.winner = outcome.winner.map(Into::into);
        row.reason = outcome.reason.into();
        row.score_south = Some(match outcome.winner {
            Some(Side::South) => 1.0,
            None => 0.5,
            Some(Side::North) => 0.0,
        });
        row.final_position = position.to_string();
        [row.seeds_south, row.seeds_north] = Side::BOTH.map(|side| position.score(side).into());
        row
    }

    /// Adds a game that South or North lost by a fault, with the evidence.
    pub(crate) fn fault(
        &mut self,
        seats: [usize; 2],
        side: Side,
        reason: Reason,
        line: &str,
        stderr: &[&str],
    ) {
        let mut row = self.play(Position::start(Variant::Kigogo), seats);
        let kept: Vec<String> = row.moves.split(' ').take(6).map(str::to_owned).collect();
        row.moves = kept.join(" ");
        row.plies = kept.len() as u64;
        row.final_position = after(&row).to_string();
        row.pair = self.rows.last().map_or(1, |row| row.pair + 1);
        row.winner = Some(side.other().into());
        row.score_south = Some(if side == Side::South { 0.0 } else { 1.0 });
        (row.reason, row.fault) = (reason, Some(side.into()));
        row.detail = Some(format!("{reason}: move \"Z9\" is not a pit <b>of this game</b>"));
        let channel = if side == Side::South { Channel::SouthStderr } else { Channel::NorthStderr };
        let verdict = serde_json::to_string(&WireVerdict {
            winner: row.winner,
            reason,
            fault: row.fault,
            detail: row.detail.clone(),
            line: Some(line.to_owned()),
            plies: row.plies,
            position: row.position.clone(),
            void: row.void,
        })
        .unwrap();
        let lines = stderr.iter().map(|text| (channel, *text)).chain([(Channel::Verdict, verdict.as_str())]);
        let mut wire = String::new();
        for (channel, text) in lines {
            let text = if channel == Channel::Verdict { text.to_owned() } else { format!("{text}\n") };
            let line = WireLine {
                at_us: 1,
                channel,
                text: Some(Cow::Owned(text)),
                hex: None,
                cpu_us: None,
                prev: Some(Cow::Borrowed("")),
            };
            writeln!(wire, "{}", serde_json::to_string(&line).unwrap()).unwrap();
        }
        fs::write(self.files().wire(row.game), wire).unwrap();
        self.add(row);
    }

    pub(crate) fn add(&mut self, mut row: GameRow) {
        row.moves_end = self.moves.len() as u64;
        self.rows.push(row);
    }

    /// Writes the rows down and reads the report on them.
    pub(crate) fn report(&self, replays: Replays) -> Report {
        self.write();
        Report::read(&self.files(), replays).unwrap()
    }

    pub(crate) fn write(&self) {
        let lines = self.rows.iter().map(|row| serde_json::to_string(row).unwrap() + "\n");
        fs::write(self.files().games(), lines.collect::<String>()).unwrap();
        fs::write(self.files().moves(), &self.moves).unwrap();
    }

    pub(crate) fn blank(&self, start: Position, seats: [usize; 2]) -> GameRow {
        let game = self.rows.len() as u64 + 1;
        GameRow {
            game,
            pair: game.div_ceil(2),
            round: None,
            opening: None,
            variant: start.variant().name().to_owned(),
            position: start.to_string(),
            south: self.bots[seats[0]].name.clone(),
            north: self.bots[seats[1]].name.clone(),
            winner: None,
            score_south: None,
            reason: Reason::Void,
            fault: None,
            detail: None,
            line: None,
            stderr: Some(None),
            plies: 0,
            moves: String::new(),
            final_position: start.to_string(),
            seeds_south: 0,
            seeds_north: 0,
            used_south_us: 0,
            used_north_us: 0,
            max_lag_us: 321,
            started: format!("2026-03-01T09:00:{:02}Z", game % 60),
            duration_us: 1000,
            wire_sha256: String::new(),
            moves_end: 0,
            packed: None,
            void: None,
            prev_sha256: None,
        }
    }

    fn note_move(&mut self, game: u64, ply: u64, side: Side, pit: Pit, used_us: u64) {
        let row = MoveRow {
            game,
            ply,
            side: Seat::from(side),
            mv: Cow::Borrowed(pit.name()),
            used_us,
            clock_us: Some(10_000_000 - used_us),
            lag_us: 3,
            legal_count: 4,
            laps: Some(1),
            captured: 0,
            depth: None,
            score: None,
            nodes: None,
            ponder_cpu_us: None,
            cpu_us: None,
        };
        writeln!(self.moves, "{}", serde_json::to_string(&row).unwrap()).unwrap();
    }
}

/// Returns the position after a game's moves.
fn after(row: &GameRow) -> Position {
    let start = Position::parse(row.variant.parse().unwrap(), &row.position).unwrap();
    row.moves.split(' ').fold(start, |position, name| {
        position.play(Pit::parse(position.variant(), name).unwrap()).unwrap().after.unwrap()
    })
}

pub(crate) fn markdown(report: &Report) -> String {
    let mut text = Vec::new();
    report.write_markdown(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

pub(crate) fn html(report: &Report) -> String {
    let mut text = Vec::new();
    report.write_html(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Names that would be trouble on a page that did not escape them.
pub(crate) const HOSTILE: [&str; 7] = [
    "<script>window.hacked=1</script>",
    "</td></tr></table><img src=x onerror=\"window.hacked=2\">",
    "\" onmouseover=\"window.hacked=3",
    "</style></script><!--",
    "a|b*c_d`e` [x](javascript:window.hacked=4)",
    "right\u{202e}to\u{1b}[31mleft\nsecond line",
    "a-name-that-is-far-longer-than-anything-that-a-table-on-a-phone-has-room-for-and-then-some-more",
];

/// A tournament of seven bots with hostile names in both games, with faults, openings and a void game.
pub(crate) fn tournament(name: &str) -> Record {
    let bots = HOSTILE.iter().zip([0, 20, 40, 55, 70, 85, 100]).map(|(name, greed)| Bot::new(name, greed));
    let plan = json!({
        "event": "Spring Open <i>2026</i>",
        "format": { "kind": "round_robin", "cycles": 2 },
        "bots": [{ "clock": "10s+100ms" }],
    });
    let mut record = Record::new(name, plan, bots.collect());
    for cycle in 0..2 {
        for a in 0..7 {
            for b in a + 1..7 {
                record.pair(Variant::Kigogo, a, b, 4 + cycle);
                record.pair(Variant::Kingulu, a, b, 2 + cycle);
            }
        }
    }
    let stderr: Vec<String> =
        (1..=20).map(|n| format!("\u{1b}[31mTraceback {n} <script>window.hacked=5</script>")).collect();
    let stderr: Vec<&str> = stderr.iter().map(String::as_str).collect();
    let line = "{\"type\":\"move\",\"move\":\"<img src=x onerror=window.hacked=6>\"}";
    record.fault([0, 6], Side::South, Reason::IllegalMove, line, &stderr);
    record.fault([3, 1], Side::North, Reason::Crash, "", &stderr[..2]);
    record.fault([2, 1], Side::North, Reason::Time, "", &[]);
    let mut void = record.play(Position::start(Variant::Kigogo), [0, 1]);
    (void.winner, void.score_south, void.reason) = (None, None, Reason::Void);
    void.detail = Some("the disk is full".to_owned());
    record.add(void);
    record
}

/// A match of two bots with a sequential test.
pub(crate) fn sequential(name: &str, pairs: usize) -> Record {
    let plan = json!({ "format": {
        "kind": "sprt", "elo0": 0, "elo1": 30, "alpha": 0.05, "beta": 0.05, "model": "normalized",
    } });
    let bots = vec![Bot::new("candidate", 90), Bot::new("baseline", 60)];
    let mut record = Record::new(name, plan, bots);
    for _ in 0..pairs {
        record.pair(Variant::Kingulu, 0, 1, 3);
    }
    record
}
