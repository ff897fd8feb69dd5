//! Moves that the rules forbid: each loses with the code of the rule that it broke.

use bao_protocol::Reason;
use bao_protocol::record::Channel;
use bao_rules::{Pit, Position, Side, Variant};

use crate::case::{Case, fault, fault_in};

fn breaks(case: Case, code: &str) {
    let ended = case.loses(Reason::IllegalMove, "");
    let detail = ended.verdict(2).detail.unwrap_or_default();
    assert!(detail.starts_with(&format!("{code}: ")), "expected the code {code}: {detail}");
}

#[test]
fn a_pit_of_the_other_side() {
    breaks(fault("illegal --kind not_your_pit"), "not_your_pit");
    breaks(fault("wrong_case"), "not_your_pit");
    breaks(fault_in("bao-kingulu", "illegal --kind not_your_pit"), "not_your_pit");
}

#[test]
fn an_empty_pit() {
    breaks(fault("illegal --kind empty_pit"), "empty_pit");
    breaks(fault_in("bao-kingulu", "illegal --kind empty_pit"), "empty_pit");
}

#[test]
fn a_pit_that_does_not_exist() {
    breaks(fault("unknown_pit"), "unknown_pit");
    breaks(fault("empty_name"), "unknown_pit");
}

#[test]
fn a_single_seed_while_there_are_larger_pits() {
    breaks(fault("illegal --kind single_seed"), "single_seed");
}

#[test]
fn a_single_seed_whose_next_pit_is_occupied() {
    let singles = "0,0,0,0,0,0,0,0,0,0,1,1/0,0,0,0,0,0,0,0,0,0,0,0/\
                   0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 N 0 0";
    breaks(fault("illegal --kind single_seed_blocked").with(&["--opening", singles]), "single_seed_blocked");
}

#[test]
fn a_first_lap_that_ends_in_the_own_row() {
    breaks(fault_in("bao-kingulu", "illegal --kind first_lap_own_row"), "first_lap_own_row");
}

#[test]
fn a_reserved_pit() {
    let reserved = "4,4*,4,4,4,4/4,4,4,4,4,4 N 0 0";
    breaks(
        fault_in("bao-kingulu", "illegal --kind reserved_pit").with(&["--opening", reserved]),
        "reserved_pit",
    );
}

#[test]
fn a_sowing_that_would_never_end() {
    let positions = include_str!("../../../protocol/rules/tests/data/bao-kingulu.jsonl").lines();
    let mut endless = positions.filter_map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).ok()?;
        let position = Position::parse(Variant::Kingulu, row["position"].as_str()?).ok()?;
        let never_ends = |pit| position.check(pit).is_err_and(|illegal| illegal.code() == "endless");
        let there = position.over().is_none() && Pit::all(Variant::Kingulu).any(never_ends);
        (there && position.side() == Side::North).then(|| position.to_string())
    });
    let position = endless.next_back().expect("the vectors hold an endless sowing of North's");
    breaks(fault_in("bao-kingulu", "illegal --kind endless").with(&["--opening", &position]), "endless");
}

#[test]
fn the_bot_is_told_what_was_wrong_and_how_the_game_ended() {
    let ended = fault("unknown_pit").loses(Reason::IllegalMove, "unknown_pit");
    let told = |channel: Channel| -> Vec<serde_json::Value> {
        let lines = ended.said(2, channel).into_iter();
        lines.map(|line| serde_json::from_str(&line).expect("the referee writes JSON")).collect()
    };
    let north = told(Channel::ToNorth);
    let [.., asked, fault, over] = &*north else { panic!("North is told three things at least") };
    assert_eq!((&fault["type"], &fault["code"]), (&"fault".into(), &"illegal_move".into()));
    assert_eq!((&fault["id"], &fault["legal"]), (&asked["id"], &asked["legal"]));
    assert_eq!((&over["type"], &over["you"]), (&"game_over".into(), &"loss".into()));
    let south = told(Channel::ToSouth);
    let [.., over, ping] = &*south else { panic!("South is told two things at least") };
    assert_eq!((&over["type"], &over["you"]), (&"game_over".into(), &"win".into()));
    assert_eq!(ping["type"], "ping", "it plays on");
}
