//! What the numbers of a report are.

use std::collections::BTreeMap;

use bao_protocol::Seat;
use bao_referee::report::{Replays, Report};
use bao_rules::{Position, Side, Variant};
use bao_tests::Chance;
use serde_json::json;

use super::kit::{Bot, Record, markdown, sequential, tournament};

/// Returns the cells of the rows of the table with this caption.
pub(crate) fn table(markdown: &str, caption: &str) -> Vec<Vec<String>> {
    let after = markdown.split_once(&format!("\n{caption}:\n")).unwrap_or_else(|| panic!("no {caption}")).1;
    let rows =
        after.lines().skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('|')).skip(2);
    let cells = |row: &str| {
        let row = row.trim_matches('|').replace("\\|", "\u{0}");
        row.split('|').map(|cell| cell.trim().replace('\u{0}', "\\|")).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn the_standings_are_those_of_the_games() {
    let record = tournament("standings");
    let mut wanted: BTreeMap<usize, [u64; 3]> = BTreeMap::new();
    for row in record.rows.iter().filter(|row| row.score_south.is_some()) {
        for (name, won, lost) in
            [(&row.south, Seat::South, Seat::North), (&row.north, Seat::North, Seat::South)]
        {
            let bot = record.bots.iter().position(|bot| bot.name == *name).unwrap();
            let place = match row.winner {
                Some(winner) if winner == won => 0,
                Some(winner) => {
                    assert_eq!(winner, lost);
                    2
                }
                None => 1,
            };
            wanted.entry(bot).or_default()[place] += 1;
        }
    }
    let mut wanted: Vec<String> =
        wanted.values().map(|[won, drawn, lost]| format!("{won}–{drawn}–{lost}")).collect();
    let rows = table(&markdown(&record.report(Replays::Fitting)), "Standings");
    let mut found: Vec<String> = rows.iter().map(|row| row[5].clone()).collect();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
    let ratings: Vec<f64> = rows.iter().map(|row| row[2].parse().unwrap()).collect();
    assert!(ratings.is_sorted_by(|one, other| one >= other), "{ratings:?}");
    assert!(ratings.iter().sum::<f64>().abs() < 1.0, "{ratings:?}");
}

#[test]
fn the_same_record_gives_the_same_report() {
    let record = tournament("twice");
    let [one, two] = [record.report(Replays::Fitting), record.report(Replays::Fitting)];
    assert_eq!(markdown(&one), markdown(&two));
    assert_eq!(super::kit::html(&one), super::kit::html(&two));
}

#[test]
fn the_order_of_finishing_changes_no_number() {
    let mut record = sequential("order", 40);
    let before = markdown(&record.report(Replays::Fitting));
    let mut chance = Chance::new(3);
    for place in (1..record.rows.len()).rev() {
        record.rows.swap(place, chance.below(place as u64 + 1) as usize);
    }
    // Where a game's moves stand goes with the order; what they took is another matter.
    let numbers = |text: &str| {
        let sections = text
            .split("\n## ")
            .filter(|section| ["Bot by bot", "Use of time"].iter().all(|title| !section.starts_with(title)));
        sections.collect::<Vec<_>>().join("\n## ")
    };
    assert_eq!(numbers(&markdown(&record.report(Replays::Fitting))), numbers(&before));
}

#[test]
fn pairs_that_bots_without_chance_play_again_count_once() {
    let mut record = Record::new("again", json!(null), vec![Bot::new("one", 100), Bot::new("two", 100)]);
    for _ in 0..5 {
        record.pair(Variant::Kigogo, 0, 1, 0);
    }
    let text = markdown(&record.report(Replays::Fitting));
    let pairs: u64 = table(&text, &caption(&text)).iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    assert_eq!(pairs, 1);
    assert!(text.contains("8 games have the same moves as an earlier game"), "{text}");
    assert!(text.contains("4 repeated pairs are not counted"), "{text}");
    assert_eq!(table(&text, "Repeated games"), [["1", "5"], ["2", "5"]]);
    assert!(text.contains("So far, all pairs that count have the same result."), "{text}");
}

fn caption(text: &str) -> String {
    text.lines().find(|line| line.starts_with("Pairs by")).unwrap().trim_end_matches(':').to_owned()
}

#[test]
fn a_sequential_test_says_what_it_decided() {
    let record = sequential("sprt", 400);
    let text = markdown(&record.report(Replays::Fitting));
    let rows = table(&text, "The sequential test");
    let ratio: f64 = rows[0][1].parse().unwrap();
    let upper: f64 = rows[2][1].parse().unwrap();
    assert_eq!(text.contains("H1 is accepted: the first bot is better."), ratio >= upper, "{ratio} {upper}");
    assert!((upper - 19f64.ln()).abs() < 1e-3);
    assert!(text.contains("Is candidate better than baseline? H0: 0 normalized Elo, H1: 30 normalized Elo;"));
}

#[test]
fn a_fault_is_shown_with_its_line_and_all_of_a_short_standard_error() {
    let text = markdown(&tournament("faults").report(Replays::Fitting));
    let faults = text.split_once("## Faults and their evidence").unwrap().1;
    assert!(faults.contains("3 games were lost by a fault."));
    assert!(faults.contains("\n    {\"type\":\"move\",\"move\":\"<img src=x onerror=window.hacked=6>\"}\n"));
    assert!(faults.contains("What it wrote to standard error:"));
    assert!(faults.contains("Traceback 20") && faults.contains("Traceback 1 "));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "no text may move a cursor");
}

#[test]
fn a_game_that_did_not_count_scores_nothing() {
    let text = markdown(&tournament("void").report(Replays::Fitting));
    assert!(text.contains("- games: 171\n") && text.contains("- did not count: 1\n"), "{text}");
    assert_eq!(table(&text, "What happened"), [["172", "the disk is full"]]);
}

#[test]
fn a_run_without_a_finished_game_has_a_report() {
    let record = Record::new("empty", json!(null), vec![Bot::new("one", 1), Bot::new("two", 1)]);
    let report = Report::read(&record.files(), Replays::Fitting).unwrap();
    assert!(markdown(&report).contains("No game is finished yet."));
    assert!(super::kit::html(&report).contains("All 0 games of this run."));
}

#[test]
fn a_row_cut_short_is_left_out_and_a_damaged_one_is_named() {
    let mut record = Record::new("torn", json!(null), vec![Bot::new("one", 1), Bot::new("two", 1)]);
    record.pair(Variant::Kingulu, 0, 1, 0);
    record.write();
    let games = std::fs::read_to_string(record.files().games()).unwrap();
    std::fs::write(record.files().games(), format!("{games}{{\"game\":3,")).unwrap();
    let report = Report::read(&record.files(), Replays::Fitting).unwrap();
    assert!(markdown(&report).contains("- games: 2\n"));

    for (damaged, problem) in [
        (games.replace("\"one\"", "\"nobody\""), "names no bot \"nobody\""),
        (games.replace("bao-kingulu", "chess"), "unknown game"),
        ("{}\n".to_owned(), "missing field"),
    ] {
        std::fs::write(record.files().games(), damaged).unwrap();
        let error = Report::read(&record.files(), Replays::Fitting).unwrap_err().to_string();
        assert!(error.contains("games.jsonl, line 1: ") && error.contains(problem), "{error}");
    }
}

#[test]
fn a_game_that_breaks_the_rules_is_told_and_not_shown() {
    let mut record = Record::new("broken", json!(null), vec![Bot::new("one", 1), Bot::new("two", 1)]);
    let mut row = record.play(Position::start(Variant::Kigogo), [0, 1]);
    row.moves = format!("A2 {}", row.moves).replacen("A2", "a2", 1);
    record.add(row);
    let html = super::kit::html(&record.report(Replays::Fitting));
    assert!(html.contains("cannot be replayed: move 1, a2: "), "{}", Side::South);
}
