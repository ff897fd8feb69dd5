//! In which order a report has the bots: in that of the run itself.

use bao_protocol::record::GameRow;
use bao_protocol::{Reason, Seat};
use bao_referee::export::{Kind, export};
use bao_referee::plan::Plan;
use bao_referee::record::public::Audience;
use bao_referee::report::Replays;
use bao_referee::results::pool::Pool;
use bao_referee::results::sources;
use bao_referee::results::standings::{Standings, StandingsRow};
use bao_referee::schedule::{GameResult, Next, Schedule};
use bao_stats::RatingOptions;
use bao_tests::Chance;
use serde_json::{Value, json};

use super::kit::{Bot, Record, markdown};
use super::numbers::table;

/// A plan of this format.
fn plan(format: &Value, bots: &[Bot]) -> Value {
    let sandbox = json!({
        "level": "off", "env": {}, "readable": [], "writable": [], "directory": null, "network": false,
        "memory_bytes": null, "processes": 256, "open_files": 512, "file_bytes": 268_435_456, "cpu_seconds": null,
        "control_group": "for-limits", "single_process": false, "freeze": false,
    });
    json!({
        "event": null, "format": format, "grace_us": 0, "measure": "wall", "max_plies": 1000, "restart": false,
        "handshake_us": 1, "ready_us": 1, "withdraw_after": null, "adjudication": null, "seed": 7,
        "games": [{ "variant": "bao-kingulu", "openings": { "kind": "generated", "plies": 2, "count": null } }],
        "bots": bots.iter().map(|bot| json!({
            "name": bot.name, "command": ["true"], "clock": "1s", "options": [], "sandbox": sandbox,
        })).collect::<Vec<_>>(),
    })
}

/// Plays a whole run of this format as its schedule has it; returns the record and the final standings.
pub(crate) fn played(name: &str, format: &Value, bots: usize) -> (Record, Vec<StandingsRow>) {
    let bots: Vec<Bot> = (0..bots).map(|bot| Bot::new(&format!("bot-{bot}"), bot as u64 * 15)).collect();
    let plan = plan(format, &bots);
    let mut record = Record::new(name, plan.clone(), bots);
    let plan: Plan = serde_json::from_value(plan).unwrap();
    let (mut schedule, mut standings) = (Schedule::new(&plan).unwrap(), Standings::new(&plan));
    while let Next::Game(spec) = schedule.next_game() {
        let mut row: GameRow = record.play(spec.position, spec.seats);
        (row.game, row.pair, row.round, row.opening) = (spec.game, spec.pair, spec.round, spec.opening);
        let result = GameResult::of(&(&row).into(), &plan).unwrap();
        schedule.finished(&result).unwrap();
        standings.add(&(&row).into(), &result);
        record.add(row);
    }
    schedule.settle();
    (record, standings.snapshot(&schedule).rows())
}

#[test]
fn the_standings_of_every_format_are_those_of_the_run() {
    for (name, format) in [
        ("swiss", json!({ "kind": "swiss", "rounds": 3, "pairs": 1 })),
        ("knockout", json!({ "kind": "knockout", "best_of": 2, "extra": 1 })),
        ("robin", json!({ "kind": "round_robin", "cycles": 2 })),
        ("gauntlet", json!({ "kind": "gauntlet", "challengers": 1, "cycles": 3 })),
    ] {
        let (record, rows) = played(name, &format, 7);
        let text = markdown(&record.report(Replays::Fitting));
        let shown = table(&text, "Standings");
        assert_eq!(shown.len(), rows.len(), "{name}");
        for (shown, row) in shown.iter().zip(&rows) {
            assert_eq!(shown[0], format!("{}. {}", row.rank, row.name), "{name}");
            let points = shown[1].replace('½', ".5");
            assert!((points.parse::<f64>().unwrap() - row.points).abs() < 1e-9, "{name}");
            let rest = &shown[shown.len() - 6..];
            let elo = rest[0].parse::<f64>().unwrap();
            assert!((elo - row.elo.unwrap()).abs() < 0.06, "{name}: {elo} {:?}", row.elo);
            let near = |shown: &str, end: Option<f64>| {
                let off = (shown.parse::<f64>().unwrap() - end.unwrap()).abs();
                assert!(off < 0.06, "{name}: {shown} {end:?}");
            };
            if let Some((low, high)) = rest[1].split_once(" to ") {
                near(low, row.elo_low);
                near(high, row.elo_high);
            } else if let Some(low) = rest[1].strip_suffix(" and more") {
                near(low, row.elo_low);
                assert_eq!((row.elo_high, row.losses + row.draws), (None, 0), "{name}");
            } else {
                near(rest[1].strip_suffix(" and less").unwrap(), row.elo_high);
                assert_eq!((row.elo_low, row.wins + row.draws), (None, 0), "{name}");
            }
            assert_eq!(rest[3], format!("{}–{}–{}", row.wins, row.draws, row.losses), "{name}");
        }
        assert_eq!(text.contains("Buchholz"), name == "swiss");
        assert_eq!(text.contains("reached round"), name == "knockout");
    }
}

/// Plays any results by a plan, without moves: games that do not count, bots that die and are withdrawn, and games that
/// are still being played when a test is decided, finished in any order.
fn anything(name: &str, format: &Value, seed: u64) -> (Record, Standings, Schedule) {
    let mut chance = Chance::new(seed);
    let bots: Vec<Bot> = (0..if format["kind"] == "sprt" { 2 } else { 5 })
        .map(|bot| Bot::new(&format!("bot {bot}"), 50))
        .collect();
    let mut plan = plan(format, &bots);
    plan["withdraw_after"] = json!(2);
    let mut record = Record::new(name, plan.clone(), bots);
    let plan: Plan = serde_json::from_value(plan).unwrap();
    let (mut schedule, mut standings) = (Schedule::new(&plan).unwrap(), Standings::new(&plan));
    let weak = chance.below(plan.bots.len() as u64) as usize;
    let dies = chance.below(3) == 0;
    let mut tables = Vec::new();
    loop {
        while tables.len() < 5 {
            let Next::Game(spec) = schedule.next_game() else { break };
            tables.push(spec);
        }
        if tables.is_empty() {
            break;
        }
        let spec = tables.swap_remove(chance.below(tables.len() as u64) as usize);
        let mut row: GameRow = record.blank(spec.position, spec.seats);
        (row.game, row.pair, row.round, row.opening) = (spec.game, spec.pair, spec.round, spec.opening);
        // Moves that never were, so that some games repeat others.
        (row.plies, row.moves) = (1, format!("A{}", 1 + chance.below(3)));
        let faulty = spec.seats.iter().position(|bot| *bot == weak).filter(|_| dies && chance.below(2) == 0);
        (row.reason, row.winner, row.score_south) = match (chance.below(8), faulty) {
            (_, Some(0)) => (Reason::Crash, Some(Seat::North), Some(0.0)),
            (_, Some(_)) => (Reason::Crash, Some(Seat::South), Some(1.0)),
            (0, None) => (Reason::Void, None, None),
            (1 | 2, None) => (Reason::Repetition, None, Some(0.5)),
            (3, None) => (Reason::NoMoves, Some(Seat::North), Some(0.0)),
            (_, None) => (Reason::NoMoves, Some(Seat::South), Some(1.0)),
        };
        row.fault = faulty.map(|seat| [Seat::South, Seat::North][seat]);
        let result = GameResult::of(&(&row).into(), &plan).unwrap();
        schedule.finished(&result).unwrap();
        standings.add(&(&row).into(), &result);
        record.add(row);
    }
    schedule.settle();
    (record, standings, schedule)
}

#[test]
fn one_thing_has_one_number_wherever_it_is_told() {
    for seed in 0..30 {
        for (kind, format) in [
            ("swiss", json!({ "kind": "swiss", "rounds": 3, "pairs": 1 })),
            ("knockout", json!({ "kind": "knockout", "best_of": 2, "extra": 1 })),
            ("robin", json!({ "kind": "round_robin", "cycles": 2 })),
            ("gauntlet", json!({ "kind": "gauntlet", "challengers": 1, "cycles": 3 })),
            (
                "sprt",
                json!({
                    "kind": "sprt", "elo0": 0.0, "elo1": 150.0, "alpha": 0.1, "beta": 0.1, "model": "normalized",
                    "max_pairs": 60,
                }),
            ),
        ] {
            let (record, standings, schedule) = anything(&format!("anything-{kind}"), &format, seed);
            let what = format!("{kind} {seed}");
            let rows = standings.snapshot(&schedule).rows();
            let report = markdown(&record.report(Replays::Fitting));
            let mut pool = Pool::default();
            sources::add(&mut pool, &record.dir).unwrap();
            let rated = pool.rate(&RatingOptions { seed: 7, ..Default::default() });
            for row in &rows {
                let found = rated.iter().find(|bot| bot.name == row.name);
                let elo = found.and_then(|bot| bot.elo);
                assert_eq!(elo.is_some(), row.elo.is_some(), "{what}: {row:?} {found:?}");
                if let (Some(bot), Some(elo)) = (found, row.elo) {
                    assert!((elo - bot.elo.unwrap()).abs() < 1e-6, "{what}: {row:?} {bot:?}");
                    assert_eq!(
                        (row.elo_low.is_some(), row.elo_high.is_some()),
                        (bot.elo_low.is_some(), bot.elo_high.is_some()),
                        "{what}: {row:?} {bot:?}"
                    );
                }
            }
            if kind == "sprt" {
                let contest = standings.contest(&schedule);
                let test = schedule.test().unwrap();
                assert_eq!(contest.pairs, test.counts, "{what}");
                assert_eq!(contest.statistics.elo, test.summary.elo, "{what}");
                let half = |elo: Option<f64>| elo.map(|elo| elo / 2.0);
                let first = rows.iter().find(|row| row.name == "bot 0").unwrap();
                if test.summary.elo.is_some() {
                    assert_eq!(
                        (first.elo, first.elo_low),
                        (half(test.summary.elo), half(test.summary.elo_low)),
                        "{what}"
                    );
                }
            } else {
                let shown = table(&report, "Standings");
                for (shown, row) in shown.iter().zip(&rows) {
                    assert!(shown[0].ends_with(&row.name), "{what}: {shown:?} {row:?}");
                    let points: f64 = shown[1].replace('½', ".5").parse().unwrap();
                    assert!((points - row.points).abs() < 1e-9, "{what}: {shown:?} {row:?}");
                    let results = format!("{}–{}–{}", row.wins, row.draws, row.losses);
                    assert!(shown.contains(&results), "{what}: {shown:?} {row:?}");
                    let elo = row.elo.map_or("–".to_owned(), |elo| {
                        let rounded = (elo * 10.0).round() / 10.0;
                        if rounded == 0.0 { "0.0".to_owned() } else { format!("{rounded:+.1}") }
                    });
                    assert!(shown.contains(&elo), "{what}: {shown:?} {row:?}");
                }
            }
            assert!(!report.contains("-0.0"), "{what}");
            // The games that the CSV says count are those of the standings and of pairs that are not complete yet.
            let mut csv = Vec::new();
            export(&record.files(), Kind::Csv, Audience::Organiser, &mut csv).unwrap();
            let csv = String::from_utf8(csv).unwrap();
            let counted = csv.lines().filter(|line| line.ends_with(",true,false")).count() as u64;
            let given_up = schedule.given_up();
            assert_eq!(counted, schedule.done() - given_up, "{what}");
        }
    }
}

#[test]
fn a_sequential_test_stands_where_the_run_left_it() {
    let format = json!({
        "kind": "sprt", "elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "model": "normalized",
        "max_pairs": 300,
    });
    let (mut record, _) = played("sprt-official", &format, 2);
    let before = markdown(&record.report(Replays::Fitting));
    assert!(before.contains(" is accepted: "), "{before}");
    // A pair that was running when the test decided is in the record and counts for nothing.
    let mut late = record.rows[..2].to_vec();
    for (row, game) in late.iter_mut().zip(record.rows.len() as u64 + 1..) {
        (row.game, row.pair) = (game, game.div_ceil(2));
    }
    record.rows.extend(late);
    let after = markdown(&record.report(Replays::Fitting));
    let section = |text: &str| {
        text.split_once("## Sequential test").unwrap().1.split("\n## ").next().unwrap().to_owned()
    };
    assert_eq!(section(&after), section(&before));
}

#[test]
fn a_record_that_does_not_follow_its_plan_is_told() {
    let (mut record, _) = played("stray", &json!({ "kind": "round_robin", "cycles": 1 }), 4);
    record.rows[3].game = 1000;
    let text = markdown(&record.report(Replays::Fitting));
    assert!(
        text.contains("The record does not follow its own plan: the schedule has no game 1000"),
        "{text}"
    );
}
