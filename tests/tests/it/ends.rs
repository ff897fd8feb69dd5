//! Bots that end, or close what they are spoken to through.

use bao_protocol::Reason;
use bao_protocol::record::Channel;

use crate::case::fault;

#[test]
fn an_exit_on_its_move_is_a_crash_at_once() {
    let ended = fault("exit_mid_game --at 3 --code 7").loses(Reason::Crash, "exited with code 7");
    // Its clock had 30 s.
    assert!(ended.verdict(2).duration_us < 10_000_000);
}

#[test]
fn an_exit_with_code_0_is_a_crash_too() {
    fault("exit_mid_game").loses(Reason::Crash, "exited with code 0");
}

#[test]
fn a_signal_is_a_crash_that_names_it() {
    fault("segv").loses(Reason::Crash, "SIGSEGV");
    fault("abort").loses(Reason::Crash, "SIGABRT");
}

#[test]
fn last_words_on_standard_error_are_in_the_record() {
    let ended = fault("panic").loses(Reason::Crash, "exited with code 101");
    let stderr = ended.said(2, Channel::NorthStderr).concat();
    assert!(stderr.contains("last words on standard error"), "{stderr}");
}

#[test]
fn a_move_that_was_made_before_the_exit_counts() {
    let ended = fault("last_words --at 2").loses(Reason::Crash, "exited with code 0");
    // North's second move is the fourth; the game ends when North is asked again.
    assert_eq!(ended.verdict(2).plies, 5);
}

#[test]
fn a_closed_standard_input_is_a_crash_at_once() {
    let ended = fault("closes_stdin").clock("5s/move").loses(Reason::Crash, "closed its standard input");
    assert!(ended.verdict(2).duration_us < 4_000_000, "at once, not at the flag");
}

#[test]
fn a_closed_standard_output_ends_the_game_at_once() {
    let ended = fault("closes_stdout").loses(Reason::ClosedStdout, "closed its standard output");
    assert!(ended.verdict(2).duration_us < 10_000_000);
}
