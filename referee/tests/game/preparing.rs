//! Before the first move: hellos, options, readiness, and who has failed.

use crate::script::{Play, check, outcome};

const FLUSH: &str = "nothing was ever received from the bot: does it flush its output?";

#[test]
fn a_game_begins_when_both_have_said_hello_and_are_ready() {
    check(
        "fresh",
        &[
            ("S +2999999us hello; N hello; S ready; N ready", "S to move in 1000 ms, 1000 : 1000"),
            ("S hello; S ready; N +2s hello; N +1999999us ready", "S to move in 1000 ms, 1000 : 1000"),
            ("N hello; N ready; S hello", "not begun"),
        ],
    );
}

#[test]
fn the_other_wins_once_it_is_ready() {
    check(
        "fresh",
        &[
            (
                "N hello; N ready; silence",
                &format!("N wins, handshake: {FLUSH}; no answer to hello within 3000 ms"),
            ),
            ("S hello; N hello; N ready; silence", "N wins, stall: no answer to new_game within 2000 ms"),
            ("S crashes; N hello; N ready", "N wins, crash: code 3"),
            ("S crashes", "not begun"),
            ("S crashes; N hello", "not begun"),
            (
                "S hello games=chess; N hello; N ready",
                "N wins, handshake: the bot does not play bao-kingulu; its hello lists: chess",
            ),
            ("N hello; N ready; S crashes", "N wins, crash: code 3"),
            (
                "S line {}; N hello; N ready",
                "N wins, bad_message: field `type`: it is missing (every message says what it is in the field type: move, ready, pong and so on)",
            ),
        ],
    );
}

#[test]
fn two_that_fail_before_the_game_are_judged_together() {
    check(
        "fresh",
        &[
            (
                "S crashes; N +1s crashes",
                "void, silent: neither bot was ready; South: crash (code 3); North: crash (code 3)",
            ),
            (
                "N crashes; S hello; S crashes",
                "void, silent: neither bot was ready; South: crash (code 3); North: crash (code 3)",
            ),
        ],
    );
    check(
        "greeted",
        &[
            (
                "silence",
                "void, silent: neither bot was ready; South: stall (no answer to new_game within 2000 ms); North: stall (no answer to new_game within 2000 ms)",
            ),
            (
                "S crashes; silence",
                "void, silent: neither bot was ready; South: crash (code 3); North: stall (no answer to new_game within 2000 ms)",
            ),
        ],
    );
    let both = outcome("fresh", "silence");
    assert_eq!(both.matches(FLUSH).count(), 2, "{both}");
}

#[test]
fn both_count_as_failed_then_and_neither_is_at_fault() {
    let play = Play::of("greeted", "silence");
    let verdict = play.game.verdict().unwrap();
    let failed = bao_rules::Side::BOTH.map(|side| verdict.failed(side));
    assert_eq!((verdict.winner, verdict.fault, failed), (None, None, [true; 2]));
}

#[test]
fn in_the_first_edition_the_first_failure_decided() {
    check(
        "fresh edition=1",
        &[
            ("S crashes", "N wins, crash: code 3"),
            ("silence", "draw, void: neither bot answered in time before the game began"),
        ],
    );
}

#[test]
fn another_version_of_the_protocol_is_no_loss() {
    check(
        "fresh",
        &[
            (
                "S hello protocol=2; N hello; N ready",
                "void, program: south speaks version 2 of the protocol, the referee version 1",
            ),
            (
                "S hello protocol=2; N crashes",
                "void, silent: neither bot was ready; South: void (south speaks version 2 of the protocol, the referee version 1); North: crash (code 3)",
            ),
        ],
    );
}

#[test]
fn what_is_not_asked_for_is_noted() {
    let play = Play::of("fresh option", "S hello; S hello; S ready; N hello; N ready; N ready; S info");
    assert_eq!(
        play.heard.notes,
        [
            "S: the option \"style\" is set though the bot's hello does not list it",
            "S: a second hello was ignored",
            "N: the option \"style\" is set though the bot's hello does not list it",
            "N: a ready with id 2 was ignored: it answers a request that is not open",
        ]
    );
}
