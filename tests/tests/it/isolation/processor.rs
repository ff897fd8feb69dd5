//! Bots that use more processor time than they may.

use bao_protocol::Reason;
use bao_tests::Referee;
use bao_tests::bots::hostile;

use super::play;

/// Plays a bot that crashes under a limit; returns what the referee says of it.
fn crash(bot: &str, limit: &str) -> String {
    let row = play(&hostile(bot), &["--first-sandbox", limit]).verdict(1);
    let detail = row.detail.unwrap_or_default();
    assert_eq!(row.reason, Reason::Crash, "{detail}");
    detail
}

#[test]
fn a_bot_that_has_used_up_its_processor_time_is_told_so() {
    let detail = crash("spinner", "cpu-seconds=1");
    assert!(detail.contains("ms of processor time, and cpu-seconds=1 is its limit"), "{detail}");
}

#[test]
fn a_bot_that_dies_early_is_not_said_to_have_used_up_anything() {
    let detail = crash("abort", "cpu-seconds=100");
    assert!(detail.contains("SIGABRT") && !detail.contains("processor time"), "{detail}");
}

#[test]
fn a_clock_that_children_escape_is_refused() {
    let ended = Referee::plays("bao-kingulu", "random-bot", "greedy-bot")
        .with(["--games", "1", "--clock-measure", "cpu", "--isolation", "off"])
        .unverified()
        .run()
        .exits(2);
    assert!(ended.stderr.contains("--sandbox single-process=yes"), "{}", ended.stderr);
}
