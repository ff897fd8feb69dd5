//! Bots that use more processor time than they may.

use bao_protocol::Reason;
use bao_tests::bots::hostile;

use super::play;

#[test]
fn a_bot_that_has_used_up_its_processor_time_is_told_so() {
    let ended = play(&hostile("spinner"), &["--first-sandbox", "cpu-seconds=1"]);
    let row = ended.verdict(1);
    let detail = row.detail.unwrap_or_default();
    assert_eq!(row.reason, Reason::Crash, "{detail}");
    assert!(detail.contains("ms of processor time, and cpu-seconds=1 is its limit"), "{detail}");
}

#[test]
fn a_bot_that_dies_early_is_not_said_to_have_used_up_anything() {
    let ended = play(&hostile("abort"), &["--first-sandbox", "cpu-seconds=100"]);
    let row = ended.verdict(1);
    let detail = row.detail.unwrap_or_default();
    assert_eq!(row.reason, Reason::Crash, "{detail}");
    assert!(detail.contains("SIGABRT") && !detail.contains("processor time"), "{detail}");
}
