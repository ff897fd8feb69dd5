//! A record that someone has changed with care, hashes included, still does not verify.

use std::fs;
use std::path::Path;

use bao_protocol::record::{Channel, GameRow};
use bao_protocol::{Reason, VoidCause};
use bao_rules::Variant;

use crate::kit::{Deed, Script, chain_anew, chain_rows, plan, record_apart as record};
use crate::{told, verified};

fn played(script: Script) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(Variant::Kingulu, 2), &[(1, script), (2, Vec::new())]);
    dir
}

fn replace(dir: &Path, file: &str, old: &str, new: &str) {
    let text = fs::read_to_string(dir.join(file)).unwrap();
    assert!(text.contains(old), "{old} in {text}");
    fs::write(dir.join(file), text.replacen(old, new, 1)).unwrap();
}

/// Asserts that there is a finding with each of these texts, and that there are not more findings than the limit.
fn assert_told(dir: &Path, most: usize, texts: &[&str]) {
    let told = told(dir);
    for text in texts {
        assert!(told.iter().any(|line| line.contains(text)), "{text} in {told:#?}");
    }
    assert!(told.len() <= most, "{told:#?}");
}

#[test]
fn chaining_a_file_anew_by_itself_changes_nothing() {
    let dir = played(Vec::new());
    chain_anew(dir.path(), 1, |_| {});
    assert_eq!(told(dir.path()), [""; 0]);
}

#[test]
fn another_move_in_the_evidence_does_not_fit_what_the_referee_said_next() {
    let dir = played(Vec::new());
    let mv = "\"id\":4,\"move\":\"A4\"";
    chain_anew(dir.path(), 1, |line| {
        if let Some(text) = line.text.as_mut().filter(|text| text.contains(mv)) {
            *text = text.replace(mv, "\"id\":4,\"move\":\"A3\"").into();
        }
    });
    assert_told(
        dir.path(),
        21,
        &[
            "what the referee said: is ...",
            "moves.jsonl, line 1: ply 1 of game 1: move: is \"A4\", should be \"A3\"",
        ],
    );
}

#[test]
fn more_time_on_the_clock_shows() {
    let dir = played(vec![(3, Deed::Thinks(400_000))]);
    chain_anew(dir.path(), 1, |line| {
        if line.at_us > 300_000 {
            line.at_us -= 300_000;
        }
    });
    assert_told(
        dir.path(),
        21,
        &[
            "moves.jsonl, line 3: ply 3 of game 1: used_us: is 400",
            "\"opponent_ms\":1699",
            "\"opponent_ms\":1999",
        ],
    );
}

#[test]
fn another_verdict_shows_in_the_evidence_and_in_the_row() {
    let dir = played(vec![(4, Deed::Resigns)]);
    replace(
        dir.path(),
        "games.jsonl",
        "\"winner\":\"S\",\"score_south\":1.0",
        "\"winner\":\"N\",\"score_south\":0.0",
    );
    assert_told(
        dir.path(),
        3,
        &[
            "games.jsonl, line 2: game 2: it does not follow the row before it",
            "games.jsonl, line 1: game 1: winner: is N, should be S",
            "games.jsonl, line 1: game 1: score_south: is 0, should be 1",
        ],
    );
    chain_anew(dir.path(), 1, |line| {
        if line.channel == Channel::Verdict {
            line.text = line.text.as_ref().map(|text| text.replace("\"S\"", "\"N\"").into());
        }
    });
    assert_told(dir.path(), 3, &["the verdict's winner: is \"N\", should be \"S\""]);
}

#[test]
fn another_setup_is_not_what_was_planned() {
    let dir = played(Vec::new());
    chain_anew(dir.path(), 2, |line| {
        if line.channel == Channel::Start {
            line.text = line
                .text
                .as_ref()
                .map(|text| text.replace("\"grace_us\":50000", "\"grace_us\":90000").into());
        }
    });
    assert_told(
        dir.path(),
        1,
        &["wire/2.jsonl, line 1: grace_us is not what was planned: is 90000, should be 50000"],
    );
}

#[test]
fn a_row_that_is_written_differently_is_told_even_where_its_values_are_right() {
    let dir = played(Vec::new());
    replace(dir.path(), "moves.jsonl", "\"ply\":2,", "\"ply\": 2,");
    let told = told(dir.path());
    assert!(
        told[0].starts_with("moves.jsonl, line 2: ply 2 of game 1: the row (its values are right"),
        "{told:#?}"
    );
}

#[test]
fn a_row_that_is_gone_is_told_once_and_the_next_game_verifies() {
    let dir = played(Vec::new());
    let text = fs::read_to_string(dir.path().join("moves.jsonl")).unwrap();
    let rows: Vec<&str> =
        text.split_inclusive('\n').enumerate().filter(|(row, _)| *row != 4).map(|(_, row)| row).collect();
    fs::write(dir.path().join("moves.jsonl"), rows.concat()).unwrap();
    let (_, findings) = verified(dir.path()).unwrap();
    assert!(findings.iter().all(|finding| finding.game == Some(1)), "{findings:#?}");
    assert_told(
        dir.path(),
        1,
        &[
            "moves.jsonl, line 5: the row of ply 5 of game 1 is missing: it was deleted, or moved: is ply 6 of game 1",
        ],
    );
}

#[test]
fn a_wrong_end_of_a_games_moves_is_told_once_and_the_next_game_verifies() {
    let dir = played(Vec::new());
    let row: serde_json::Value = serde_json::from_str(
        fs::read_to_string(dir.path().join("games.jsonl")).unwrap().lines().next().unwrap(),
    )
    .unwrap();
    let end = row["moves_end"].as_u64().unwrap();
    replace(
        dir.path(),
        "games.jsonl",
        &format!("\"moves_end\":{end}"),
        &format!("\"moves_end\":{}", end + 3),
    );
    chain_rows(dir.path());
    assert_eq!(
        told(dir.path()),
        [format!("games.jsonl, line 1: game 1: moves_end: is {}, should be {end}", end + 3)]
    );
}

#[test]
fn a_row_of_a_game_that_counted_before_is_told() {
    let dir = played(Vec::new());
    let text = fs::read_to_string(dir.path().join("games.jsonl")).unwrap();
    fs::write(
        dir.path().join("games.jsonl"),
        format!("{text}{}", text.lines().next().unwrap().to_owned() + "\n"),
    )
    .unwrap();
    let told = told(dir.path());
    let twice =
        "games.jsonl, line 3: game 1: game: is 1, should be one that the schedule has (game 1 occurs twice)";
    assert!(told.iter().any(|line| line == twice), "{told:#?}");
}

#[test]
fn another_plan_is_not_what_was_played() {
    let dir = played(Vec::new());
    replace(dir.path(), "run.json", "\"clock\": \"2s+50ms\"", "\"clock\": \"3s+50ms\"");
    assert_told(
        dir.path(),
        5,
        &[
            "wire/1.jsonl, line 1: seats is not what was planned",
            "wire/1.jsonl, line 1: plan_sha256 is not what was planned",
            "wire/2.jsonl, line 1: plan_sha256 is not what was planned",
            "games.jsonl, line 1: game 1: it does not follow the plan",
        ],
    );
}

#[test]
fn a_missing_wire_file_is_told() {
    let dir = played(Vec::new());
    fs::remove_file(dir.path().join("wire/2.jsonl")).unwrap();
    assert_told(dir.path(), 1, &["wire/2.jsonl: the file is missing"]);
}

/// A record in which a game did not count twice.
fn replayed() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let void = |ply| vec![(ply, Deed::IsStopped)];
    record(
        dir.path(),
        &plan(Variant::Kingulu, 2),
        &[(1, void(3)), (1, void(5)), (1, Vec::new()), (2, Vec::new())],
    );
    assert_eq!(told(dir.path()), [""; 0]);
    dir
}

#[test]
fn every_key_of_the_plan_is_bound_by_the_evidence() {
    for (old, new) in [
        ("\"withdraw_after\": null", "\"withdraw_after\": 3"),
        ("\"games\": 2", "\"games\": 1"),
        ("\"event\": null", "\"event\": \"Cup\""),
        ("\"restart\": false", "\"restart\": true"),
        ("\"freeze\": false", "\"freeze\": true"),
        ("\"adjudication\": null", "\"adjudication\": { \"draw\": null, \"resign\": null }"),
    ] {
        let dir = played(Vec::new());
        replace(dir.path(), "run.json", old, new);
        let told = told(dir.path());
        assert!(told.iter().any(|line| line.contains("plan_sha256 is not what was planned")), "{told:#?}");
    }
}

#[test]
fn a_row_that_was_deleted_or_moved_breaks_the_chain_of_rows() {
    for (rows, most) in [(vec![1, 2, 3], 2), (vec![0, 2, 3], 2), (vec![1, 0, 2, 3], 3), (vec![0, 1, 3], 3)] {
        let dir = replayed();
        let text = fs::read_to_string(dir.path().join("games.jsonl")).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let forged: String = rows.iter().map(|row| lines[*row]).collect();
        fs::write(dir.path().join("games.jsonl"), forged).unwrap();
        let told = told(dir.path());
        let chained = told.iter().filter(|line| line.contains("it does not follow the")).count();
        assert!(chained >= 1 && chained <= most, "{rows:?}: {told:#?}");
    }
}

#[test]
fn rows_cannot_be_unchained() {
    let dir = replayed();
    let text = fs::read_to_string(dir.path().join("games.jsonl")).unwrap();
    let unchained = |line: &str| {
        let at = line.find(",\"prev_sha256\"").unwrap();
        format!("{}}}\n", &line[..at])
    };
    fs::write(dir.path().join("games.jsonl"), text.lines().map(unchained).collect::<String>()).unwrap();
    let told = told(dir.path());
    assert!(
        told.iter().any(|line| line.contains("game 2: it does not follow the row before it")),
        "{told:#?}"
    );
}

#[test]
fn the_evidence_of_an_attempt_that_did_not_count_is_kept_and_checked() {
    let dir = replayed();
    let (one, two) = (dir.path().join("wire/1.void.jsonl"), dir.path().join("wire/1.void-2.jsonl"));
    let text = fs::read_to_string(&two).unwrap();
    fs::write(&two, text.replacen("hm", "hn", 1)).unwrap();
    assert_told(dir.path(), 3, &["wire/1.void-2.jsonl, line", "the chain is broken"]);
    fs::remove_file(two).unwrap();
    assert_told(
        dir.path(),
        1,
        &["wire/1.void.jsonl: the evidence of an attempt that did not count is missing"],
    );
    fs::remove_file(one).unwrap();
    assert_told(
        dir.path(),
        2,
        &["wire/1.void.jsonl: the evidence of an attempt that did not count is missing"],
    );
}

#[test]
fn converted_line_ends_are_named_once() {
    for file in ["run.json", "games.jsonl", "moves.jsonl"] {
        let dir = played(Vec::new());
        let text = fs::read_to_string(dir.path().join(file)).unwrap();
        fs::write(dir.path().join(file), text.replace('\n', "\r\n")).unwrap();
        let what = "its lines end with CR LF: a program has converted it; restore the file as it was";
        assert_eq!(told(dir.path()), [format!("{file}: {what}")]);
    }
}

#[test]
fn a_strange_file_among_the_evidence_is_told() {
    for name in ["1.jsonl.bak", "one.jsonl", "1.void-x.jsonl"] {
        let dir = played(Vec::new());
        fs::write(dir.path().join("wire").join(name), "").unwrap();
        assert_eq!(told(dir.path()), [format!("wire/{name}: this is not a file of a record")]);
    }
}

#[test]
fn a_game_that_was_played_cannot_be_made_one_that_was_not() {
    let dir = played(vec![(4, Deed::Resigns)]);
    let text = fs::read_to_string(dir.path().join("games.jsonl")).unwrap();
    let mut row: GameRow = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    (row.reason, row.winner, row.fault, row.score_south) = (Reason::Void, None, None, None);
    (row.plies, row.used_south_us, row.used_north_us, row.duration_us) = (0, 0, 0, 0);
    (row.moves, row.wire_sha256, row.moves_end) = (String::new(), String::new(), 0);
    (row.final_position, row.void) = (row.position.clone(), Some(VoidCause::Operator));
    let forged: String = (0..4).map(|_| serde_json::to_string(&row).unwrap() + "\n").collect();
    fs::write(dir.path().join("games.jsonl"), forged).unwrap();
    fs::write(dir.path().join("moves.jsonl"), "").unwrap();
    fs::remove_file(dir.path().join("wire/2.jsonl")).unwrap();
    chain_rows(dir.path());
    let told = told(dir.path());
    assert!(told.iter().any(|line| line.contains("game 1: void: is operator")), "{told:#?}");
}
