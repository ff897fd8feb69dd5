//! What a killed referee leaves behind is reported as unfinished, not as a difference.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use bao_rules::Variant;

use crate::kit::{Deed, Script, plan, record_apart as record, unrecorded};
use crate::{told, verified};

fn played(games: &[(u64, Script)], planned: u64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(Variant::Kingulu, planned), games);
    dir
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn cut(path: &Path, to: f64) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..(bytes.len() as f64 * to) as usize]).unwrap();
}

fn void() -> Script {
    vec![(4, Deed::IsStopped)]
}

#[test]
fn a_run_with_games_to_go_is_unfinished() {
    let dir = played(&[(1, Vec::new()), (2, Vec::new())], 5);
    assert_eq!(told(dir.path()), ["unfinished: games.jsonl: 2 of 5 games are finished"]);
}

#[test]
fn a_run_that_was_never_begun_is_unfinished() {
    let dir = played(&[], 2);
    for file in ["games.jsonl", "moves.jsonl"] {
        fs::remove_file(dir.path().join(file)).unwrap();
    }
    fs::remove_dir(dir.path().join("wire")).unwrap();
    assert_eq!(told(dir.path()), ["unfinished: games.jsonl: 0 of 2 games are finished"]);
}

#[test]
fn torn_rows_and_rows_of_a_game_that_was_not_finished_are_unfinished() {
    let dir = played(&[(1, Vec::new())], 2);
    unrecorded(dir.path(), &plan(Variant::Kingulu, 2), 2, &Vec::new());
    cut(&dir.path().join("wire/2.jsonl"), 0.7);
    append(&dir.path().join("games.jsonl"), br#"{"game":2,"pair":1,"rou"#);
    append(&dir.path().join("moves.jsonl"), b"{\"game\":2,\"ply\":1}\n{\"game\":2,\"p");
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((summary.games, summary.differences, summary.unfinished), (1, 0, 4), "{findings:#?}");
}

#[test]
fn a_game_that_did_not_count_and_was_played_again_verifies() {
    let dir = played(&[(2, void()), (1, Vec::new()), (2, void()), (2, Vec::new())], 2);
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!(findings, []);
    assert_eq!((summary.games, summary.void), (2, 2));
}

#[test]
fn every_attempt_keeps_its_evidence() {
    let dir = played(&[(1, void())], 1);
    let to_go = "unfinished: games.jsonl: 0 of 1 games are finished";
    assert_eq!(told(dir.path()), [to_go]);
    unrecorded(dir.path(), &plan(Variant::Kingulu, 1), 1, &vec![(2, Deed::Thinks(5))]);
    cut(&dir.path().join("wire/1.jsonl"), 0.5);
    let rowless = |file: &str| format!("unfinished: {file}: this game has no row in games.jsonl");
    assert_eq!(told(dir.path()), [to_go.to_owned(), rowless("wire/1.jsonl")]);
    unrecorded(dir.path(), &plan(Variant::Kingulu, 1), 1, &void());
    assert_eq!(told(dir.path()), [to_go.to_owned(), rowless("wire/1.void-2.jsonl")]);
    let (summary, _) = verified(dir.path()).unwrap();
    assert_eq!((summary.void, summary.cut), (1, 1));
}

#[test]
fn evidence_without_a_row_is_no_matter_once_the_run_is_complete() {
    let dir = played(&[(1, Vec::new())], 1);
    unrecorded(dir.path(), &plan(Variant::Kingulu, 2), 2, &Vec::new());
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((findings, summary.cut, summary.unfinished), (Vec::new(), 1, 0));
}

#[test]
fn evidence_of_a_game_that_did_not_count_may_have_no_row_yet() {
    let dir = played(&[(1, Vec::new())], 2);
    unrecorded(dir.path(), &plan(Variant::Kingulu, 2), 2, &void());
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((summary.differences, summary.unfinished), (0, 2), "{findings:#?}");
}
