//! Answers that answer something else.

use bao_protocol::Reason;
use bao_protocol::record::Channel;
use bao_tests::Ended;

use crate::case::fault;

#[test]
fn an_answer_before_the_request_is_ignored() {
    let ended = fault("early_answer").goes_on();
    assert_noted(&ended, "answers a request that was not made yet");
}

#[test]
fn a_guessed_answer_before_the_first_request_is_ignored() {
    let ended = fault("guessed_answer").goes_on();
    assert_noted(&ended, "answers a request that was not made yet");
}

#[test]
fn the_first_of_two_answers_counts() {
    let ended = fault("double_answer").goes_on();
    assert_noted(&ended, "answers a request that is not open");
    assert_eq!(ended.verdict(2).plies, 40);
}

#[test]
fn an_answer_with_an_old_number_is_ignored() {
    let ended = fault("stale_answer").goes_on();
    assert_noted(&ended, "answers a request that is not open");
}

#[test]
fn a_bot_that_only_gives_old_answers_forfeits_on_time_and_is_told_why() {
    fault("only_stale").clock("1s/move").loses(Reason::Time, "repeat the request's id");
}

#[test]
fn the_largest_number_is_a_number_like_any_other() {
    fault("huge_id")
        .clock("1s/move")
        .loses(Reason::Time, "the move that came has the id 18446744073709551615");
}

fn assert_noted(ended: &Ended, text: &str) {
    let notes = ended.said(2, Channel::Note);
    assert!(notes.iter().any(|note| note.contains(text)), "{notes:?}");
}
