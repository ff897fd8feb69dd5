//! Conduct: what a bot may write, what loses, how games end.

use bao_protocol::VoidCause;
use bao_referee::game::{Cpu, Heard, Input};
use bao_rules::Side;

use crate::script::{Play, check};

#[test]
fn stale_and_early_answers_are_ignored_and_named_where_no_other_comes() {
    check(
        "clock=100ms/move",
        &[
            ("S move id=1; S +9ms move", "N to move in 100 ms, 100 : 100"),
            ("S move id=9; S move", "N to move in 100 ms, 100 : 100"),
            ("N move id=2; S move", "N to move in 100 ms, 100 : 100"),
            (
                "S move id=1; silence",
                "N wins, time: the request has the id 2, the move that came has the id 1: repeat the request's id; 150 ms used, 100 ms allowed and 50 ms grace",
            ),
            (
                "S move id=3; silence",
                "N wins, time: the request has the id 2, the move that came has the id 3: repeat the request's id; 150 ms used, 100 ms allowed and 50 ms grace",
            ),
        ],
    );
}

#[test]
fn an_answer_before_its_request_is_not_taken_when_the_request_comes() {
    let play = Play::of("clock=1s", "N move id=2 pit=a1; S move");
    assert_eq!(play.outcome(), "N to move in 1000 ms, 1000 : 1000");
    assert_eq!(
        play.heard.notes,
        ["N: a move with id 2 was ignored: it answers a request that was not made yet"]
    );
}

#[test]
fn half_a_line_is_named_where_it_costs_the_game() {
    check(
        "clock=100ms/move",
        &[(
            "S half {\"type\":\"move\"; silence",
            "N wins, time: 14 bytes came without a newline at their end: {\"type\":\"move\"; 150 ms used, 100 ms allowed and 50 ms grace",
        )],
    );
}

#[test]
fn floods_end_a_game_at_their_bounds() {
    check(
        "clock=1s",
        &[
            ("S noise x100; S move", "N to move in 1000 ms, 1000 : 1000"),
            ("S noise x101", "N wins, output_flood: more than 100 lines that are no messages"),
            ("S noise x65 bytes=1023", "N wins, output_flood: more than 65536 bytes that are no messages"),
            ("S noise x64 bytes=1023; S move", "N to move in 1000 ms, 1000 : 1000"),
            ("S log x16384; S move", "N wins, output_flood: more than 1048576 bytes in one turn"),
            ("S log x16383; S move", "N to move in 1000 ms, 1000 : 1000"),
            ("N noise x101", "S wins, output_flood: more than 100 lines that are no messages"),
        ],
    );
}

#[test]
fn a_whole_game_has_a_bound_as_well() {
    let turn = "S log x16 bytes=65000; S move; N move; ";
    check(
        "clock=1s kigogo",
        &[
            (&turn.repeat(16), "S to move in 1000 ms, 1000 : 1000"),
            (&turn.repeat(17), "N wins, output_flood: more than 16777216 bytes in one game"),
        ],
    );
}

#[test]
fn notes_have_a_bound_and_say_so() {
    let play = Play::of("clock=1s", &"S line {\"type\":\"weather\"};".repeat(300));
    assert_eq!(play.heard.notes.len(), 201);
    assert_eq!(play.heard.notes[0], "S: a message of the unknown type \"weather\" was ignored");
    assert_eq!(play.heard.notes[200], "S: further notes about this bot are left out");
}

#[test]
fn lines_that_cannot_be_read_and_moves_that_are_not_legal_lose() {
    check(
        "clock=1s",
        &[
            ("S line {\"type\":\"move\",\"id\":2}", "N wins, bad_message: field `move`: it is missing"),
            (
                "S move pit=Z9",
                "N wins, illegal_move: unknown_pit: \"Z9\" is not a pit of bao-kingulu: A1..A6 are South's, a1..a6 North's; there is no back row",
            ),
            ("S crashes", "N wins, crash: code 3"),
            ("S move; N crashes", "S wins, crash: code 3"),
            ("S resign", "N wins, resign"),
            ("S +9ms move; N resign", "S wins, resign"),
            ("stop", "void, operator: stopped"),
            ("S line ; S line  ; S move", "N to move in 1000 ms, 1000 : 1000"),
        ],
    );
}

#[test]
fn a_verdict_is_final() {
    check("clock=1s", &[("S resign; N resign; stop; S crashes", "N wins, resign")]);
}

#[test]
fn the_agreed_length_ends_a_game() {
    check("clock=1s kigogo plies=2", &[("S move; N move", "draw, max_plies")]);
    check("clock=1s kigogo plies=3", &[("S move; N move", "S to move in 1000 ms, 1000 : 1000")]);
}

#[test]
fn games_that_both_call_even_or_decided_are_ended() {
    check(
        "clock=1s draw=2:10 decided=2:500",
        &[
            (
                "S move score=3; N move score=-9; S move score=0; N move score=1",
                "draw, adjudicated: both bots called it even on 2 moves running",
            ),
            (
                "S move score=600; N move score=-700; S move score=600; N move score=-500",
                "S wins, adjudicated: both bots called it decided on 2 moves running",
            ),
            (
                "S move score=-600; N move score=700; S move score=-600; N move score=500",
                "N wins, adjudicated: both bots called it decided on 2 moves running",
            ),
            ("S move score=0; N move; S move score=0; N move score=0", "S to move in 1000 ms, 1000 : 1000"),
        ],
    );
}

/// B3 comes back to where it began after 11,809,800 laps.
const ENDLESS: &str = "start=0,0,2,1,1,0,1,0,0,3,0,2/2,1,2,0,2,0,3,1,2,0,3,1/3,0,1,0,5,0,3,2,1,0,3,2/0,5,2,0,1,0,2,3,0,1,2,1_S_19_9";

#[test]
fn a_sowing_of_millions_of_laps_comes_to_its_end() {
    let play = Play::of(&format!("clock=1s kigogo {ENDLESS}"), "S +5ms move pit=B3");
    assert_eq!(play.outcome(), "draw, endless_sowing");
    assert_eq!(play.heard.rows, ["1 B3 used 5000 lag 0"]);
}

#[test]
fn a_long_sowing_is_sown_in_parts_while_nobody_s_clock_runs() {
    let mut play = Play::of(&format!("clock=1s kigogo {ENDLESS}"), "");
    let answer = br#"{"type":"move","id":2,"move":"B3"}"#;
    let heard = Heard { side: Side::South, bytes: answer, lag_us: 0, cpu: Cpu::default() };
    play.game.step_briefly(5_000, Input::Line(heard), &mut play.heard);
    assert!(play.game.sowing());
    for side in Side::BOTH {
        assert_eq!((play.game.awaited(side), play.game.due(side)), (None, false));
    }
    play.game.step_briefly(9_000_000_000, Input::Tick, &mut play.heard);
    assert!(play.game.sowing() && play.game.verdict().is_none());
    let stop = Input::Stop { cause: VoidCause::Operator, why: "stopped" };
    play.game.step_briefly(9_000_000_000, stop, &mut play.heard);
    assert_eq!(play.outcome(), "void, operator: stopped");
}

#[test]
fn a_line_that_could_not_be_used_is_quoted_as_it_was_written() {
    let quoted =
        |script: &str| Play::of("clock=100ms", script).game.verdict().expect("it is over").line.clone();
    let half = format!("{{\"type\":\"move\",\"id\":2,\"move\":\"A3\",{}", "x".repeat(150));
    for (script, line) in [
        ("S line A3 \"x\"; silence", Some("A3 \"x\"")),
        ("S line {\"type\":\"zzz\"}; silence", Some("{\"type\":\"zzz\"}")),
        (
            "S line {\"type\":\"move\",\"id\":9,\"move\":\"A3\"}; silence",
            Some("{\"type\":\"move\",\"id\":9,\"move\":\"A3\"}"),
        ),
        ("S line one; S line two; crashes", Some("two")),
        ("S half {\"type\"; silence", Some("{\"type\"")),
        (&format!("S half {half}; silence"), Some(half.as_str())),
        ("S line A3; S move; N silence", None),
        ("silence", None),
    ] {
        assert_eq!(quoted(script).as_deref(), line, "{script}");
    }
    assert_eq!(Play::of("edition=1", "S line A3; silence").game.verdict().expect("it is over").line, None);
}
