//! A third game, which the referee was not written for: one module and one line in the rules are enough for all of
//! it.
//!
//! ```text
//! cargo test -p bao-referee --features kalah --test third_game
//! ```

#![expect(clippy::unwrap_used, reason = "a failed test may panic anywhere")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bao_protocol::record::GameRow;
use bao_rules::{Pit, Position, Variant};
use tempfile::TempDir;

/// The sample bot, which picks one of the legal moves that it is sent, and so plays any game.
const BOT: &str = include_str!("../../bots/bash/random_bot.sh");
const ITS_GAMES: &str = r#""games":["bao-kigogo","bao-kingulu"]"#;

/// A directory with a bot that announces Kalah.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    assert!(BOT.contains(ITS_GAMES));
    std::fs::write(place.path().join("bot.sh"), BOT.replace(ITS_GAMES, r#""games":["kalah"]"#)).unwrap();
    place
}

/// Runs the referee in a directory with lines on its standard input; returns its standard output.
fn referee(place: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(arguments)
        .current_dir(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{arguments:?}: {}\n{out}\n{err}", output.status);
    out
}

const MATCH: [&str; 9] =
    ["match", "kalah", "bash bot.sh", "bash bot.sh", "--games", "6", "--out", "record", "--seed=3"];

#[test]
fn it_is_in_this_build_beside_the_others() {
    assert_eq!(Variant::NAMES, ["bao-kigogo", "bao-kingulu", "kalah"]);
}

#[test]
fn a_match_is_played_verified_shown_and_reported() {
    let place = place();
    let result = referee(place.path(), &MATCH, "");
    assert!(result.contains("6 games"), "{result}");

    let verified = referee(place.path(), &["verify", "record"], "");
    assert!(verified.contains("6 games"), "{verified}");

    let shown = referee(place.path(), &["show", "record", "--game", "1"], "");
    assert!(shown.contains("South: 0 in the bank, 12 if it ended here"), "{shown}");
    assert!(shown.contains(", banks "), "{shown}");
    let ply = referee(place.path(), &["show", "record", "--game", "1", "--ply", "1"], "");
    assert!(ply.contains("  lap 1: lifts A"), "{ply}");

    let markdown = referee(place.path(), &["report", "record"], "");
    assert!(markdown.contains("no_moves"), "{markdown}");
    referee(place.path(), &["report", "record", "--html", "report.html"], "");
    let page = std::fs::read_to_string(place.path().join("report.html")).unwrap();
    assert_eq!(page.matches(r#"data-game="kalah""#).count(), 6);
    assert!(!page.contains("cannot be replayed"));
    let board = r#""kalah":{"title":"Kalah","start":"3,3,3,3/3,3,3,3 S 0 0","rows":[["a4","a3","a2","a1"],["A1","A2","A3","A4"]],"tracks":{"N":["a1","a2","a3","a4",null,"A1","A2","A3","A4"],"S":["A1","A2","A3","A4",null,"a1","a2","a3","a4"]},"gained":"in the bank"}"#;
    assert!(page.contains(board), "the page has no board of Kalah");
}

/// Plays the games of a page with the page's own script, except the half of it that draws, and prints the positions
/// in which they end.
const REPLAY: &str = r#"
const page = require("fs").readFileSync("report.html", "utf8");
const boards = /<script[^>]*id="boards"[^>]*>(.*?)<\/script>/s.exec(page)[1];
const script = /<script>(.*?)<\/script>/s.exec(page)[1];
const half = script.slice(0, script.indexOf("const SVG ="));
const make = new Function("document", half + "return { GAMES, parse, play, written, readMove };");
const parts = { boards, texts: "{}" };
const { GAMES, parse, play, written, readMove } = make({ getElementById: (id) => ({ textContent: parts[id] }) });
for (const [, name, moves] of page.matchAll(/<tr id="game-\d+" data-game="(\w+)".*?<code>(.*?)<\/code>/gs)) {
  let state = parse(GAMES[name], GAMES[name].start);
  for (const move of moves.split(" ")) state = play(GAMES[name], state, readMove(move)).state;
  console.log(written(GAMES[name], state));
}
"#;

#[test]
fn the_page_steps_through_its_games() {
    let place = place();
    referee(place.path(), &MATCH, "");
    referee(place.path(), &["report", "record", "--html", "report.html"], "");
    let output = Command::new("node").args(["-e", REPLAY]).current_dir(place.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).unwrap();
    let games = std::fs::read_to_string(place.path().join("record/games.jsonl")).unwrap();
    let played: Vec<String> = games.lines().map(last_position).collect();
    assert_eq!(shown.lines().collect::<Vec<_>>(), played);
}

/// Plays a row of `games.jsonl` by the rules.
fn last_position(row: &str) -> String {
    let row: GameRow = serde_json::from_str(row).unwrap();
    let mut position = Position::start(Variant::Kalah);
    for name in row.moves.split_whitespace() {
        let pit = Pit::parse(Variant::Kalah, name).unwrap();
        position = position.play(pit).unwrap().after.unwrap();
    }
    position.to_string()
}

#[test]
fn a_match_is_interrupted_by_its_bound_and_counted() {
    let place = place();
    let arguments = [&MATCH[..], &["--max-plies", "4"]].concat();
    referee(place.path(), &arguments, "");
    referee(place.path(), &["verify", "record"], "");
    let games = std::fs::read_to_string(place.path().join("record/games.jsonl")).unwrap();
    assert_eq!(games.matches(r#""reason":"max_plies""#).count(), 6);
}

#[test]
fn a_bot_is_checked() {
    let place = place();
    let checked = referee(place.path(), &["check", "bash bot.sh"], "");
    assert!(checked.contains("kalah"), "{checked}");
}

#[test]
fn a_person_plays() {
    let place = place();
    let lines = "moves\nlaps\nboard\nA2\nlaps\nposition\nquit\n";
    let told = referee(place.path(), &["play", "kalah", "bash bot.sh", "--plain", "--side", "S"], lines);
    assert!(told.contains("Kalah"), "{told}");
    assert!(told.contains("A2: 1 lap to the bank, banks 1"), "{told}");
    assert!(told.contains("South's row, A1 to A4: 3, 3, 3, 3."), "{told}");
    assert!(told.contains("A2 lifts 3 to the bank; 1 into South's bank on the way"), "{told}");
}

#[test]
fn scripts_get_its_rules() {
    let place = place();
    let moves = referee(place.path(), &["moves", "kalah", "3,3,3,3/3,3,3,3 S 0 0"], "");
    assert!(["A1", "A2", "A3", "A4"].iter().all(|pit| moves.contains(&format!("\"{pit}\""))), "{moves}");
    let perft = referee(place.path(), &["perft", "kalah", "3"], "");
    let last: Vec<&str> = perft.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[..2], ["3", "51"], "{perft}");
}
