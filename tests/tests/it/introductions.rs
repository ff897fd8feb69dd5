//! Bots that do not get as far as a game.

use bao_protocol::record::GameRow;
use bao_protocol::{Reason, Seat};
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Ended, Referee};

fn first_game(fault: &str, arguments: &[&str]) -> (GameRow, Ended) {
    let ended = Referee::plays("bao-kigogo", &hostile(fault), CLEAN)
        .with(["--games", "1", "--max-plies", "20", "--handshake", "500ms"])
        .with(arguments.iter().copied())
        .run();
    (ended.verdict(1), ended)
}

/// Checks that the bot loses its only game before a move was made.
fn check(fault: &str, reason: Reason, detail: &str) {
    let (row, ended) = first_game(fault, &[]);
    let told = row.detail.unwrap_or_default();
    assert_eq!((row.reason, row.plies), (reason, 0), "{fault}: {told}");
    assert!(told.contains(detail), "{fault}: expected \"{detail}\" in the detail: {told}");
    assert_eq!(ended.code(), 0, "{fault}");
}

#[test]
fn a_bot_that_never_says_hello_loses_and_is_asked_whether_it_flushes() {
    check(
        "mute",
        Reason::Handshake,
        "nothing was ever received from the bot: does it flush its output?; no answer to hello within 500 ms",
    );
}

#[test]
fn a_bot_that_plays_another_game_loses_and_is_told_which_was_asked() {
    check("wrong_game", Reason::Handshake, "the bot does not play bao-kigogo; its hello lists: chess");
}

#[test]
fn a_hello_without_games_is_a_bad_message() {
    check("no_games", Reason::BadMessage, "field `games`: it is missing");
}

#[test]
fn an_exit_before_the_hello_is_a_crash() {
    check("exit_at_start --code 3", Reason::Crash, "exited with code 3");
}

#[test]
fn a_bot_that_is_never_ready_stalls() {
    check("never_ready", Reason::Stall, "no answer to new_game within 10000 ms");
}

#[test]
fn a_bot_that_never_reads_stalls_and_the_referee_does_not() {
    let long = format!("weight={}", "x".repeat(40_000));
    let option = ["--first-option", &*long];
    let (row, ended) = first_game("never_reads", &[option, option, option].concat());
    assert_eq!(row.reason, Reason::Stall, "{:?}", row.detail);
    assert_eq!(ended.code(), 0);
}

#[test]
fn a_bot_of_another_version_loses_nothing_but_cannot_play() {
    let (row, ended) = first_game("wrong_protocol_version", &[]);
    assert_eq!(row.reason, Reason::Void);
    assert_eq!((row.winner, row.fault, row.score_south), (None, Some(Seat::South), None));
    let told = row.detail.unwrap_or_default();
    assert!(told.contains("speaks version 2 of the protocol, the referee version 1"), "{told}");
    // A run that came to nothing is not a success.
    assert_eq!(ended.code(), 3, "{}", ended.stderr);
}

#[test]
fn a_bot_that_fails_to_start_three_times_running_ends_the_match() {
    let ended = Referee::plays("bao-kigogo", &hostile("exit_at_start --code 9"), CLEAN)
        .with(["--games", "10"])
        .run()
        .exits(3);
    assert_eq!(ended.games().len(), 3);
    let told = "bot hostile failed to start a game 3 times in a row; the last failure: crash (the program exited with \
                code 9)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
}

#[test]
fn a_failed_start_between_games_that_were_played_does_not_end_the_match() {
    // Game 2 fails in the handshake of the new process only if the bot has exited in game 1.
    let ended =
        Referee::plays("bao-kigogo", &hostile("exit_mid_game"), CLEAN).with(["--games", "5"]).run().exits(0);
    assert_eq!(ended.games().len(), 5);
    assert!(ended.games().iter().all(|row| row.reason == Reason::Crash));
}
