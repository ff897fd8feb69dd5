//! Bots that are more than one process, or do not want to go. That nobody survives is checked after every run.

use bao_protocol::Reason;
use bao_tests::Referee;
use bao_tests::bots::{CLEAN, hostile};

use crate::case::fault;

#[test]
fn a_bomb_of_120_processes_does_not_outlive_its_bot() {
    fault("fork_bomb --count 120").goes_on();
}

#[test]
fn a_bomb_of_120_processes_does_not_outlive_a_crash() {
    fault("fork_bomb_exits --count 120").loses(Reason::Crash, "exited with code 0");
}

#[test]
fn a_daemon_in_a_session_of_its_own_does_not_outlive_its_bot() {
    fault("setsid_daemon").goes_on();
}

#[test]
fn a_daemon_in_a_session_of_its_own_does_not_outlive_a_crash() {
    fault("setsid_daemon_exits").loses(Reason::Crash, "exited with code 0");
}

#[test]
fn nobody_waits_for_an_orphan_that_holds_the_pipe() {
    let ended = fault("orphan_holds_stdout").loses(Reason::Crash, "exited with code 0");
    assert!(ended.verdict(2).duration_us < 10_000_000);
}

#[test]
fn a_bot_that_ignores_the_end_and_sigterm_is_killed() {
    let deaf = format!("sh -c \"trap '' TERM; exec {}\"", hostile("ignores_the_end"));
    let readable = format!("read={}", bao_tests::program("hostile").display());
    let ended = Referee::plays("bao-kingulu", &deaf, CLEAN)
        .with(["--games", "1", "--first-sandbox", &readable])
        .run()
        .exits(0);
    let row = ended.verdict(1);
    assert!(!row.reason.is_fault(), "{:?}", row.detail);
}

#[test]
fn no_file_stays_open_after_a_crash() {
    let ended = Referee::plays("bao-kingulu", &hostile("exit_mid_game"), CLEAN)
        .with(["--games", "200"])
        .run()
        .exits(0);
    // Up to 64 finished games wait for the disk, each with its file.
    assert!(ended.most_files < 120, "{} files were open", ended.most_files);
}

#[test]
fn referees_side_by_side_do_not_disturb_each_other() {
    let games = |fault: &str| {
        let referee = Referee::plays("bao-kigogo", &hostile(fault), CLEAN);
        referee.with(["--games", "12", "--max-plies", "40"]).start()
    };
    // Those that crash have their bots swept away all the time, while the others play.
    let crashing = [games("exit_mid_game --at 2"), games("fork_bomb_exits --count 10 --at 2")];
    let playing = [games("nothing"), games("fork_bomb --count 10")];
    for ended in playing.map(|running| running.finish().exits(0)) {
        assert!(ended.games().iter().all(|row| row.reason == Reason::MaxPlies), "{:?}", ended.games());
    }
    for ended in crashing.map(|running| running.finish().exits(0)) {
        assert!(ended.games().iter().all(|row| row.reason == Reason::Crash), "{:?}", ended.games());
    }
}
