//! Two referees and one directory; runs that come to nothing.

use bao_tests::Referee;
use bao_tests::bots::{CLEAN, hostile};

#[test]
fn a_run_in_which_no_game_counted_is_no_success() {
    let silent = hostile("no_handshake");
    let ended =
        Referee::plays("bao-kingulu", &silent, &silent).with(["--games", "1", "--handshake", "200ms"]).run();
    assert_eq!(ended.code(), 3, "{}", ended.stderr);
    assert!(ended.stderr.contains("neither bot was ready"), "{}", ended.stderr);
}

#[test]
fn a_handshake_of_no_time_is_refused() {
    let ended = Referee::plays("bao-kingulu", CLEAN, CLEAN).with(["--handshake", "0s"]).run();
    assert_eq!(ended.code(), 2, "{}", ended.stderr);
}
