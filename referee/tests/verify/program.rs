//! The commands `verify` and `show` as a person or a script meets them.

use std::fs;
use std::path::Path;
use std::process::Command;

use bao_rules::Variant;

use crate::kit::{Deed, plan, record};

/// Runs the referee; gives back its exit code, standard output and standard error.
fn referee(dir: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg(arguments[0])
        .arg(".")
        .args(&arguments[1..])
        .current_dir(dir)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("exit code {}\n{}{}", output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn made() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let bad = vec![
        (4, Deed::SaysAndMoves(b"hello there".to_vec())),
        (5, Deed::Says(b"{\"type\":\"move\"}".to_vec())),
    ];
    let games = [(1, Vec::new()), (2, bad), (3, vec![(2, Deed::IsStopped)]), (3, vec![(3, Deed::Resigns)])];
    record(dir.path(), &plan(Variant::Kingulu, 3), &games);
    dir
}

#[test]
fn verify_says_that_all_is_well() {
    let dir = made();
    insta::assert_snapshot!(referee(dir.path(), &["verify"]));
    insta::assert_snapshot!(referee(dir.path(), &["verify", "--json"]));
}

#[test]
fn verify_says_what_differs_with_exit_code_4() {
    let dir = made();
    let path = dir.path().join("moves.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"laps\":2", "\"laps\":9", 1)).unwrap();
    insta::assert_snapshot!(referee(dir.path(), &["verify"]));
    insta::assert_snapshot!(referee(dir.path(), &["verify", "--json"]));
}

#[test]
fn verify_of_no_record_is_exit_code_6() {
    let dir = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(referee(dir.path(), &["verify"]));
    fs::write(dir.path().join("run.json"), "{\"record\":1}").unwrap();
    insta::assert_snapshot!(referee(dir.path(), &["verify"]));
}

#[test]
fn show_lists_the_games() {
    let dir = made();
    insta::assert_snapshot!(referee(dir.path(), &["show"]));
    insta::assert_snapshot!(referee(dir.path(), &["show", "--skip", "1", "--limit", "2"]));
}

#[test]
fn show_draws_a_game_move_by_move_with_its_end() {
    let dir = made();
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "2"]));
}

#[test]
fn show_draws_one_position_and_the_move_made_in_it() {
    let dir = made();
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "1", "--ply", "9"]));
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "3", "--ply", "3"]));
}

#[test]
fn show_says_what_there_is_where_it_is_asked_for_what_is_not() {
    let dir = made();
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "7"]));
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "2", "--ply", "9"]));
}

#[test]
fn show_draws_bao_kigogo_with_its_names_as_in_the_rulebook() {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(Variant::Kigogo, 1), &[(1, vec![(2, Deed::Resigns)])]);
    insta::assert_snapshot!(referee(dir.path(), &["show", "--game", "1"]));
}

#[test]
fn show_of_a_spoilt_record_says_what_is_wrong() {
    for file in ["games.jsonl", "moves.jsonl", "stderr.jsonl", "wire/1.jsonl.gz"] {
        for cut in [0, 100, 1001] {
            let dir = made();
            let mut bytes = fs::read(dir.path().join(file)).unwrap();
            bytes.truncate(cut);
            bytes.extend(b"\xff\n{\"game\":1,\"moves_end\":99999999999999999999}\n");
            fs::write(dir.path().join(file), bytes).unwrap();
            for arguments in [&["show"][..], &["show", "--game", "1"], &["show", "--game", "1", "--ply", "2"]]
            {
                let told = referee(dir.path(), arguments);
                assert!(told.starts_with("exit code 0") || told.starts_with("exit code 6"), "{told}");
            }
        }
    }
}
