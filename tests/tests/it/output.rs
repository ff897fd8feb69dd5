//! Bots that write without end.

use bao_protocol::Reason;
use bao_protocol::record::Channel;
use bao_rules::Side;

use crate::case::fault;

#[test]
fn a_line_without_an_end_loses_and_costs_the_referee_no_memory() {
    let tame = fault("nothing").goes_on();
    let ended = fault("endless_line").loses(Reason::LineTooLong, "more than 65536 bytes without a newline");
    let more = ended.peak_kib.saturating_sub(tame.peak_kib);
    assert!(more < 2 << 10, "the referee took {more} KiB more than without");
}

#[test]
fn a_flood_of_noise_loses() {
    fault("line_flood --kind noise").loses(Reason::OutputFlood, "more than 100 lines that are no messages");
}

#[test]
fn a_flood_of_thoughts_loses() {
    fault("line_flood --kind info").loses(Reason::OutputFlood, "bytes in one turn");
}

#[test]
fn a_flood_of_blank_lines_loses() {
    fault("line_flood --kind blank").loses(Reason::OutputFlood, "bytes in one turn");
}

#[test]
fn a_flood_of_stale_answers_loses() {
    fault("line_flood --kind stale").loses(Reason::OutputFlood, "bytes in one turn");
}

#[test]
fn of_a_flood_of_answers_only_the_first_counts() {
    let ended = fault("line_flood --kind move --at 2").loses(Reason::OutputFlood, "bytes in one turn");
    // North's second move is the fourth; South answers; then the flood stands in the way of North's third.
    assert_eq!(ended.verdict(2).plies, 5);
}

#[test]
fn a_flood_on_standard_error_hurts_nobody_and_is_kept_at_both_ends() {
    let ended = fault("stderr_flood").goes_on();
    let told = ended.said(2, Channel::NorthStderr).concat();
    assert!(told.len() < 20_000, "{} bytes are in the record", told.len());
    assert!(told.contains("no end of trouble") && told.contains("bytes left out"), "{told}");
    let opponent = ended.moves().into_iter().filter(|row| row["game"] == 2 && row["side"] == "S");
    let slowest = opponent.filter_map(|row| row["used_us"].as_u64()).max();
    // Wide: a reader that is stuck with the flood would use up the 30 s.
    assert!(slowest.is_some_and(|us| us < 5_000_000), "{slowest:?} us");
    assert_eq!(ended.verdict(2).fault.map(Side::from), None);
}

#[test]
fn a_flood_leaves_a_small_record() {
    for kind in ["noise", "info", "stale", "blank"] {
        let ended = fault(&format!("line_flood --kind {kind}")).loses(Reason::OutputFlood, "");
        let wire = ended.evidence(2);
        assert!(wire.len() < 16 << 20, "a flood of {kind} left {} bytes", wire.len());
    }
}
