//! Clocks, to the microsecond.

use crate::script::{Play, check};

#[test]
fn a_move_in_the_last_microsecond_of_the_grace_counts_and_one_later_is_too_late() {
    check(
        "clock=100ms/move",
        &[
            ("S +100ms move", "N to move in 100 ms, 100 : 100"),
            ("S +150ms move", "N to move in 100 ms, 100 : 50"),
            ("S +149999us move; N move", "S to move in 50 ms, 50 : 100"),
            ("S +150001us move", "N wins, time: 150 ms used, 100 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn an_hour_of_silence_forfeits() {
    check(
        "clock=1h grace=0ms",
        &[
            ("S +3599999999us tick", "S to move in 3600000 ms, 3600000 : 3600000"),
            ("S +1h tick; +1us tick", "N wins, time: 3600000 ms used, 3600000 ms allowed and 0 ms grace"),
            ("S +1h move; N silence", "S wins, time: 3600000 ms used, 3600000 ms allowed and 0 ms grace"),
        ],
    );
}

#[test]
fn what_is_overstepped_is_paid_by_the_next_move() {
    check(
        "clock=100ms/move",
        &[
            ("S +141ms move; N move; S +59ms move; N move", "S to move in 100 ms, 100 : 100"),
            ("S +141ms move; N move; S +109ms move; N move", "S to move in 50 ms, 50 : 100"),
            (
                "S +141ms move; N move; S +109001us move",
                "N wins, time: 109 ms used, 59 ms allowed and 50 ms grace",
            ),
            ("S +141ms move; N move; silence", "N wins, time: 109 ms used, 59 ms allowed and 50 ms grace"),
            (
                "S +141ms move; N +141ms move; S move; N +110ms move",
                "S wins, time: 110 ms used, 59 ms allowed and 50 ms grace",
            ),
        ],
    );
}

#[test]
fn what_a_stopped_bot_used_all_the_same_is_paid_by_its_clock() {
    check(
        "clock=100ms/move",
        &[
            ("S move; S ran 30ms; N move", "S to move in 70 ms, 70 : 100"),
            ("S move; S ran 30ms; N move; S +70ms move; N move", "S to move in 100 ms, 100 : 100"),
            ("S move; S ran 130ms; N move; S move; N move", "S to move in 70 ms, 70 : 100"),
            ("S move; S ran 151ms; N move; S move", "N wins, time: 0 ms used, 0 ms allowed and 0 ms grace"),
        ],
    );
    check("clock=1s", &[("S move; S ran 300ms; N move", "S to move in 700 ms, 700 : 1000")]);
    let play = Play::of("clock=1s", "S move; S ran 30001us; N move");
    assert_eq!(
        play.heard.notes,
        [
            "S: the bot used 30001 us of processor time on its opponent's turn although it was stopped; its clock pays \
             for them"
        ]
    );
}

#[test]
fn the_first_edition_gave_the_grace_away_at_every_move() {
    check(
        "clock=100ms/move edition=1",
        &[(
            "S +141ms move; N move; S +141ms move; N move; S +150ms move; N move",
            "S to move in 100 ms, 100 : 100",
        )],
    );
}

#[test]
fn sudden_death_has_one_grace_for_the_game() {
    check(
        "clock=1s",
        &[
            ("S +400ms move; N +1ms move", "S to move in 600 ms, 600 : 999"),
            ("S +1s move; N move; S +20ms move; N move; S +30ms move; N move", "S to move in 1 ms, 1 : 1000"),
            (
                "S +1s move; N move; S +20ms move; N move; S +30001us move",
                "N wins, time: 30 ms used, 0 ms allowed and 30 ms grace",
            ),
            ("S +1050001us move", "N wins, time: 1050 ms used, 1000 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn fischer_adds_to_the_clock_and_takes_back_what_was_overstepped() {
    check(
        "clock=1s+200ms",
        &[
            ("S +400ms move; N move", "S to move in 800 ms, 800 : 1200"),
            ("S +1s move; N move", "S to move in 200 ms, 200 : 1200"),
            ("S +1020ms move; N move", "S to move in 180 ms, 180 : 1200"),
            ("S +1020ms move; N move; silence", "N wins, time: 230 ms used, 180 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn moves_to_go_fill_the_clock_again() {
    check(
        "clock=2/1s",
        &[
            ("S +400ms move; N move", "S to move in 600 ms, 600 : 1000"),
            ("S +400ms move; N move; S +500ms move; N move", "S to move in 1100 ms, 1100 : 2000"),
            ("S +400ms move; N move; S +640ms move; N move", "S to move in 960 ms, 960 : 2000"),
            ("S +1s move; N move; silence", "N wins, time: 50 ms used, 0 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn byoyomi_loses_a_period_only_by_a_longer_move() {
    check(
        "clock=1s_byoyomi_2x100ms",
        &[
            ("S +1s move; N move", "S to move in 200 ms, 1 : 1000"),
            ("S +1100ms move; N move", "S to move in 200 ms, 1 : 1000"),
            ("S +1100001us move; N move", "S to move in 100 ms, 1 : 1000"),
            ("S +1200ms move; N move; S +140ms move; N move", "S to move in 60 ms, 1 : 1000"),
            (
                "S +1200ms move; N move; S +140ms move; N move; silence",
                "N wins, time: 110 ms used, 60 ms allowed and 50 ms grace",
            ),
        ],
    );
}

#[test]
fn a_delay_is_free_at_every_move() {
    check(
        "clock=1s_delay_200ms",
        &[
            ("S +200ms move; N move", "S to move in 1200 ms, 1000 : 1000"),
            ("S +300ms move; N move", "S to move in 1100 ms, 900 : 1000"),
            ("S +1230ms move; N move", "S to move in 170 ms, 1 : 1000"),
            ("S +1200ms move; N move; silence", "N wins, time: 250 ms used, 200 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn without_a_clock_only_the_cap_ends_a_move() {
    check(
        "clock=none_cap_2s",
        &[
            ("S +2050ms move; N move", "S to move in 1950 ms, 1950 : 2000"),
            ("silence", "N wins, time: 2050 ms used, 2000 ms allowed and 50 ms grace"),
        ],
    );
    check("clock=none", &[("silence", "N wins, time: 600050 ms used, 600000 ms allowed and 50 ms grace")]);
}

#[test]
fn a_clock_of_processor_time_counts_that_and_caps_the_wall() {
    check(
        "clock=1s cpu",
        &[
            ("S +3s move cpu=400ms; N move cpu=1ms", "S to move in 600 ms, 600 : 999"),
            ("S +2s move cpu=1050ms; N move cpu=0us", "S to move in 1 ms, 1 : 1000"),
            ("S +2s move cpu=1050001us", "N wins, time: 1050 ms used, 1000 ms allowed and 50 ms grace"),
            ("S +5050ms move cpu=1ms; N move", "S to move in 999 ms, 999 : 1000"),
            ("silence", "N wins, time: 5050 ms used, 1000 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn the_two_sides_may_have_different_clocks() {
    check(
        "clock=1s clock_n=100ms/move",
        &[
            ("S +1ms move", "N to move in 100 ms, 100 : 999"),
            ("S +1ms move; silence", "S wins, time: 150 ms used, 100 ms allowed and 50 ms grace"),
        ],
    );
}

#[test]
fn a_row_has_the_time_on_the_wall_and_the_lag_never_exceeds_it() {
    let play = Play::of("clock=1s", "S +7ms move lag=2ms; N +3us move lag=9ms");
    let times: Vec<&str> = play.heard.rows.iter().map(|row| row.split_once("used").unwrap().1).collect();
    assert_eq!(times, [" 7000 lag 2000", " 3 lag 3"]);
    assert_eq!(play.game.max_lag_us(), 2000);
}

#[test]
fn all_moves_together_never_take_more_than_all_budgets_and_one_grace() {
    for (clock, budgets_ms) in [("clock=100ms/move", 2000), ("clock=1s", 1000), ("clock=1s+50ms", 2000)] {
        // A side that always takes the very last microsecond that it is given.
        let (mut play, mut used_us) = (Play::of(&format!("{clock} kigogo"), ""), 0);
        for _ in 0..20 {
            let left_us = play.game.awaited(bao_rules::Side::South).unwrap();
            let asked_us = left_us - 1 - play.asked_us();
            if asked_us == 0 {
                break;
            }
            used_us += asked_us;
            play.run(&format!("S +{asked_us}us move; N move"));
            if play.game.verdict().is_some() {
                break;
            }
        }
        assert!(used_us <= budgets_ms * 1000 + 50_000, "{clock}: {used_us} us used");
        assert!(used_us >= 1_000_000, "{clock}: {used_us} us used");
    }
}
