//! The referee is stopped in the middle of games: Ctrl-Z, a debugger, a paused container.

use std::time::Duration;

use bao_protocol::{Reason, VoidCause};
use bao_tests::bots::hostile;
use bao_tests::{Ended, Referee, Running};
use rustix::process::Signal;

/// Longer than any move may take here.
const ABSENCE: Duration = Duration::from_millis(1500);

/// Plays at three tables against bots that need 50 ms a move, is away once, and continues.
fn away(clock: &str, stop: impl Fn(&Running, Signal)) -> Ended {
    let bot = hostile("slow --ms 50");
    let mut running = Referee::plays("bao-kingulu", &bot, &bot)
        .with(["--clock", clock, "--games", "6", "--concurrency", "3", "--max-plies", "12"])
        .start();
    let mut moves = 0;
    running.until(|event| {
        moves += u32::from(event["event"] == "move");
        moves == 6
    });
    stop(&running, Signal::STOP);
    std::thread::sleep(ABSENCE);
    stop(&running, Signal::CONT);
    let ended = running.finish().exits(0);
    for row in ended.games() {
        let excused = row.reason == Reason::Void && row.void == Some(VoidCause::Absent);
        assert!(excused || !row.reason.is_fault() && row.reason != Reason::Void, "{row:?}");
    }
    ended
}

/// Returns whether the record names the absence: in a row, or in the evidence of a game that continued.
fn is_noted(ended: &Ended) -> bool {
    let void = ended.games().iter().any(|row| row.void == Some(VoidCause::Absent));
    let played = ended.games().into_iter().filter(|row| row.reason != Reason::Void);
    void || played
        .into_iter()
        .any(|row| ended.wire(row.game).iter().any(|line| line.text.starts_with("{\"event\":\"away\"")))
}

#[test]
fn nobody_loses_on_time_while_the_referee_is_stopped() {
    let ended = away("300ms/move", Running::signal);
    assert!(is_noted(&ended), "the record tells nothing of it: {:?}", ended.games());
}

#[test]
fn nobody_loses_on_time_while_everything_is_stopped() {
    let ended = away("300ms/move", Running::signal_all);
    assert!(is_noted(&ended), "the record tells nothing of it: {:?}", ended.games());
}

#[test]
fn a_clock_that_runs_down_is_not_charged_for_an_absence() {
    let ended = away("1s+60ms", Running::signal);
    assert!(is_noted(&ended), "the record tells nothing of it: {:?}", ended.games());
}

#[test]
fn a_long_absence_shows_in_the_lag_where_no_deadline_went_by() {
    let ended = away("20s/move", Running::signal);
    let worst = ended.games().iter().map(|row| row.max_lag_us).max();
    assert!(worst > Some(1_000_000), "{worst:?}");
}
