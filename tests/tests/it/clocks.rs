//! Clocks on the command line.

use bao_protocol::Reason;
use bao_protocol::record::Channel;
use bao_tests::Referee;
use bao_tests::bots::{CLEAN, hostile};
use serde_json::Value;

#[test]
fn every_kind_of_clock_plays() {
    for (clock, kind, counts) in [
        ("none", "none", false),
        ("10s/move", "move_time", false),
        ("60s", "sudden_death", true),
        ("60s+500ms", "fischer", true),
        ("5/60s", "classical", true),
        ("30s byoyomi 5x3s", "byoyomi", true),
        ("60s delay 2s", "delay", true),
    ] {
        let ended =
            Referee::plays("bao-kingulu", CLEAN, "greedy-bot").with(["--clock", clock]).run().exits(0);
        assert!(ended.games().iter().all(|row| !row.reason.is_fault()), "{clock}");
        assert!(ended.moves().iter().all(|row| row["clock_us"].is_u64() == counts), "{clock}");
        assert_eq!(told_clock(&ended.said(1, Channel::ToSouth))["kind"], kind, "{clock}");
    }
}

#[test]
fn the_bots_may_have_different_clocks() {
    let ended = Referee::plays("bao-kingulu", CLEAN, "greedy-bot")
        .with(["--first-clock", "60s", "--second-clock", "7s/move"])
        .run()
        .exits(0);
    for (game, first) in [(1, Channel::ToSouth), (2, Channel::ToNorth)] {
        let second = if first == Channel::ToSouth { Channel::ToNorth } else { Channel::ToSouth };
        assert_eq!(told_clock(&ended.said(game, first))["base_ms"], 60_000);
        assert_eq!(told_clock(&ended.said(game, second))["move_ms"], 7_000);
    }
}

#[test]
fn an_overstepped_clock_is_forgiven_within_the_grace_only() {
    let play = |grace: &str| {
        Referee::plays("bao-kingulu", &hostile("slow --ms 400"), CLEAN)
            .with(["--games", "1", "--first-clock", "300ms/move", "--grace", grace, "--max-plies", "4"])
            .run()
            .exits(0)
            .verdict(1)
    };
    let row = play("20ms");
    assert_eq!(row.reason, Reason::Time);
    assert!(row.detail.is_some_and(|detail| detail.contains("300 ms allowed and 20 ms grace")));
    assert!(!play("20s").reason.is_fault());
}

#[test]
fn a_bot_that_sleeps_uses_no_processor_time() {
    let ended = Referee::plays("bao-kingulu", &hostile("slow --ms 400"), CLEAN)
        .with(["--games", "1", "--first-clock", "300ms/move", "--clock-measure", "cpu", "--max-plies", "4"])
        .run()
        .exits(0);
    let row = ended.verdict(1);
    assert!(!row.reason.is_fault(), "{:?}", row.detail);
}

#[test]
fn a_bot_that_spins_uses_processor_time() {
    let ended = Referee::plays("bao-kingulu", &hostile("spinner"), CLEAN)
        .with(["--games", "1", "--first-clock", "300ms/move", "--clock-measure", "cpu"])
        .run()
        .exits(0);
    assert_eq!(ended.verdict(1).reason, Reason::Time);
}

/// Finds what a bot was told of its clock.
fn told_clock(lines: &[String]) -> Value {
    let messages =
        lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("the referee writes JSON"));
    let games: Vec<Value> = messages.filter(|message| message["type"] == "new_game").collect();
    games.first().expect("a game is announced")["clock"].clone()
}
