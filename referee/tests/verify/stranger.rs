//! The verifier of a third party, which knows bao-protocol and bao-rules alone, on records of the referee.

use std::fs;

use bao_referee::game::setup::Known;
use bao_referee::game::spec::GameSpec;
use bao_referee::plan::{Plan, setup};
use bao_rules::{Position, Side, Variant};

use crate::kit::{Deed, plan, record_apart as record};

#[path = "../../../protocol/examples/verify_record.rs"]
#[expect(dead_code, unreachable_pub, reason = "it is an example, with a `main`")]
mod verify_record;

fn made(variant: Variant) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let games = [
        (1, vec![(3, Deed::IsStopped)]),
        (1, Vec::new()),
        (2, vec![(4, Deed::Resigns)]),
        (3, vec![(5, Deed::Sleeps)]),
        (4, vec![(2, Deed::Crashes)]),
        (5, vec![(2, Deed::SaysAndMoves(b"hello".to_vec())), (4, Deed::Thinks(300_000))]),
        (6, vec![(3, Deed::Says(b"{\"type\":\"move\"}".to_vec()))]),
    ];
    record(dir.path(), &plan(variant, 6), &games);
    dir
}

#[test]
fn a_record_of_the_referee_verifies() {
    for variant in [Variant::Kigogo, Variant::Kingulu] {
        assert_eq!(verify_record::verify(made(variant).path()).unwrap(), 6);
    }
}

#[test]
fn a_record_that_was_tampered_with_does_not() {
    for (file, old, new, told) in [
        ("run.json", "\"games\": 6", "\"games\": 7", "prev_sha256"),
        ("games.jsonl", "\"reason\":\"resign\"", "\"reason\":\"time\"", "reason"),
        ("games.jsonl", "\"score_south\":1.0", "\"score_south\":0.0", "score_south"),
        ("games.jsonl", "\"game\":3", "\"game\":9", "No such file"),
        ("moves.jsonl", "\"laps\":1", "\"laps\":2", "laps"),
        ("moves.jsonl", "\"used_us\":11", "\"used_us\":12", "used_us"),
        ("wire/1.jsonl", "\"at_us\":7", "\"at_us\":8", "wire_sha256"),
        ("wire/2.jsonl", "resign", "design", "wire_sha256"),
    ] {
        let dir = made(Variant::Kingulu);
        let path = dir.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{old} in {file}");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        let problem = verify_record::verify(dir.path()).unwrap_err().to_string();
        assert!(problem.contains(told), "{file}, {old}: {problem}");
    }
}

/// The numbers are from another implementation of what docs/RECORDS.md says.
#[test]
fn seeds_of_bots_follow_from_the_runs_seed_by_a_hash() {
    for (seed, game, side, expected) in [
        (7, 1, Side::South, 4_499_060_267_397_764),
        (7, 1, Side::North, 6_754_838_179_024_141),
        (u64::MAX, 400, Side::North, 8_567_401_911_155_259),
    ] {
        let plan = Plan { seed, ..plan(Variant::Kingulu, 400) };
        let position = Position::start(Variant::Kingulu);
        let spec = GameSpec { game, pair: 1, round: None, opening: None, position, seats: [0, 1] };
        assert_eq!(setup(&plan, &spec, [Known::NOTHING; 2]).seed_of(side), expected);
    }
}

#[test]
fn a_row_that_was_deleted_is_found() {
    let dir = made(Variant::Kigogo);
    let path = dir.path().join("games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let kept: String = text.split_inclusive('\n').skip(1).collect();
    fs::write(&path, kept).unwrap();
    let problem = verify_record::verify(dir.path()).unwrap_err().to_string();
    assert!(problem.contains("prev_sha256"), "{problem}");
}
