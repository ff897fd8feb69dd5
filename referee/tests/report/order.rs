//! In which order a report has the bots: in that of the run itself.

use bao_protocol::record::GameRow;
use bao_referee::plan::Plan;
use bao_referee::report::Replays;
use bao_referee::results::standings::{Standings, StandingsRow};
use bao_referee::schedule::{GameResult, Next, Schedule};
use serde_json::{Value, json};

use super::kit::{Bot, Record, markdown};
use super::numbers::table;

/// Plays a whole run of this format as its schedule has it; returns the record and the final standings.
pub(crate) fn played(name: &str, format: &Value, bots: usize) -> (Record, Vec<StandingsRow>) {
    let bots: Vec<Bot> = (0..bots).map(|bot| Bot::new(&format!("bot-{bot}"), bot as u64 * 15)).collect();
    let sandbox = json!({
        "level": "off", "env": {}, "readable": [], "writable": [], "directory": null, "network": false,
        "memory_bytes": null, "processes": 256, "open_files": 512, "file_bytes": 268_435_456, "cpu_seconds": null,
        "control_group": "for-limits", "single_process": false, "freeze": false,
    });
    let plan = json!({
        "event": null, "format": format, "grace_us": 0, "measure": "wall", "max_plies": 1000, "restart": false,
        "handshake_us": 1, "ready_us": 1, "withdraw_after": null, "adjudication": null, "seed": 7,
        "games": [{ "variant": "bao-kingulu", "openings": { "kind": "generated", "plies": 2, "count": null } }],
        "bots": bots.iter().map(|bot| json!({
            "name": bot.name, "command": ["true"], "clock": "1s", "options": [], "sandbox": sandbox,
        })).collect::<Vec<_>>(),
    });
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
    (record, standings.snapshot(schedule.ranking()).rows())
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
        text.contains("The record does not follow its own plan: this schedule has no game 1000"),
        "{text}"
    );
}
