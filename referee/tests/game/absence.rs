//! The referee's own absence: suspended, or starved of the processor, when a time ran out.

use bao_referee::game::verdict::Verdict;

use crate::script::{Play, check};

#[test]
fn a_deadline_that_is_noticed_late_by_more_than_a_tenth_of_a_second_is_an_absence() {
    check(
        "clock=1s",
        &[
            ("silence late=100ms", "N wins, time: 1150 ms used, 1000 ms allowed and 50 ms grace"),
            (
                "silence late=100001us",
                "void, absent: the referee was absent: a time that ran out was noticed 100 ms late",
            ),
            (
                "silence late=1h",
                "void, absent: the referee was absent: a time that ran out was noticed 3600000 ms late",
            ),
        ],
    );
}

#[test]
fn a_longer_grace_is_the_measure_of_absence() {
    check(
        "clock=1s grace=2s",
        &[
            ("silence late=2s", "N wins, time: 5000 ms used, 1000 ms allowed and 2000 ms grace"),
            (
                "silence late=3s",
                "void, absent: the referee was absent: a time that ran out was noticed 3000 ms late",
            ),
        ],
    );
}

#[test]
fn an_answer_that_lay_in_the_pipe_counts_as_written_at_the_last_moment() {
    let play = Play::of("clock=1s", "S +1h finds move; N +20ms move");
    assert_eq!(play.game.verdict(), None::<&Verdict>);
    assert_eq!(play.heard.rows[0].split_once("used").unwrap().1, " 1050000 lag 0");
    assert_eq!(play.outcome(), "S to move in 1 ms, 1 : 980");
}

#[test]
fn an_answer_that_came_a_little_late_is_late_all_the_same() {
    check(
        "clock=1s",
        &[("S +1060ms finds move", "N wins, time: 1060 ms used, 1000 ms allowed and 50 ms grace")],
    );
}

#[test]
fn before_the_game_a_late_deadline_is_an_absence_too() {
    check(
        "fresh",
        &[(
            "silence late=5s",
            "void, absent: the referee was absent: a time that ran out was noticed 5000 ms late",
        )],
    );
    check(
        "greeted",
        &[(
            "S ready; silence late=5s",
            "void, absent: the referee was absent: a time that ran out was noticed 5000 ms late",
        )],
    );
}

#[test]
fn the_first_edition_knew_no_absence() {
    check(
        "clock=1s edition=1",
        &[("silence late=1h", "N wins, time: 3601050 ms used, 1000 ms allowed and 50 ms grace")],
    );
}
