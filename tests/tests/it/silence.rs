//! Bots that do not answer.

use bao_protocol::Reason;

use crate::case::fault;

#[test]
fn a_silent_bot_forfeits_on_time() {
    let ended =
        fault("silent --at 3").clock("1s/move").loses(Reason::Time, "1000 ms allowed and 50 ms grace");
    // The bound is wide: what matters is that the flag ended the game, and not a timeout of something else.
    let row = ended.verdict(2);
    assert!((1_000_000..5_000_000).contains(&row.duration_us), "{} us", row.duration_us);
    assert_eq!(row.plies, 5);
}

#[test]
fn a_bot_that_spins_forfeits_on_time() {
    fault("spinner").clock("1s/move").loses(Reason::Time, "1000 ms allowed");
}

#[test]
fn a_bot_that_stops_itself_forfeits_on_time_and_is_killed() {
    fault("stops_itself").clock("1s/move").loses(Reason::Time, "1000 ms allowed");
}

#[test]
fn a_bot_that_says_something_every_20_ms_for_ever_forfeits_on_time() {
    let ended = fault("drip").clock("1s/move").loses(Reason::Time, "1000 ms allowed");
    assert!(ended.verdict(2).duration_us < 5_000_000);
}

#[test]
fn half_a_line_and_then_nothing_forfeits_on_time_and_is_in_the_record() {
    let ended = fault("half_line_sleeps").clock("1s/move").loses(Reason::Time, "1000 ms allowed");
    let detail = ended.verdict(2).detail.unwrap_or_default();
    assert!(detail.contains("bytes came without a newline at their end: {\"type\":\"mo"), "{detail}");
    assert_half_line(&ended);
}

#[test]
fn half_a_line_and_then_an_exit_is_a_crash_and_is_in_the_record() {
    let ended = fault("half_line_exits").loses(Reason::Crash, "exited with code 0");
    assert_half_line(&ended);
}

fn assert_half_line(ended: &bao_tests::Ended) {
    let events = ended.said(2, bao_protocol::record::Channel::Event);
    let half = events.iter().find(|event| event.contains("half_line"));
    assert!(half.is_some_and(|event| event.contains(r#"\"mo"#) && event.contains("\"N\"")), "{events:?}");
}
