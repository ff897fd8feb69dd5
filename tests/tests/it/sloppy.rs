//! Harmless sloppiness: the game continues, and the record has a note on it.

use bao_protocol::record::Channel;
use bao_tests::Ended;

use crate::case::fault;

fn check(what: &str, note: &str) -> Ended {
    let ended = fault(what).goes_on();
    let notes = [1, 2].map(|game| ended.said(game, Channel::Note)).concat();
    assert!(notes.iter().any(|line| line.contains(note)), "{what}: {notes:?}");
    ended
}

#[test]
fn carriage_returns_and_blank_lines_are_nothing_at_all() {
    for what in ["crlf", "blank_lines"] {
        let ended = fault(what).goes_on();
        assert_eq!(ended.verdict(2).plies, 40, "{what}");
    }
}

#[test]
fn a_banner_is_noted() {
    check("banner", "a line that is no message was ignored");
}

#[test]
fn unknown_fields_and_types_are_noted_by_name() {
    check("extra_fields", "unknown field `mood` is ignored");
    check("unknown_type", "unknown type \"heartbeat\"".replace('"', "'").as_str());
}

#[test]
fn whole_numbers_with_a_fraction_are_read_and_noted() {
    let ended = check("float_integers", "written with a fraction");
    assert!(ended.moves().iter().any(|row| row["game"] == 2 && row["side"] == "N" && row["depth"] == 3));
}

#[test]
fn a_second_hello_is_noted() {
    check("two_hellos", "a second hello was ignored");
}

#[test]
fn what_a_bot_thinks_is_in_the_record() {
    let ended = fault("chatty").goes_on();
    let rows = ended.moves();
    let thought = rows.iter().find(|row| row["game"] == 2 && row["side"] == "N").expect("North has moved");
    assert_eq!(
        (&thought["depth"], &thought["score"], &thought["nodes"]),
        (&4.into(), &(-12).into(), &99.into())
    );
}

#[test]
fn a_bot_may_take_its_time_before_it_speaks() {
    fault("slow_start --ms 2000").clock("1s/move").goes_on();
}
