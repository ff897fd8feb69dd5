//! A finished game as a row.

use bao_protocol::record::GameRow;
use bao_rules::Side;

use crate::game::Game;
use crate::game::setup::Edition;
use crate::game::spec::GameSpec;
use crate::game::verdict::Verdict;

/// Makes a game's row of `games.jsonl`; the ledger fills in the fields that depend on where it is written.
pub fn game_row(
    spec: &GameSpec,
    game: &Game,
    verdict: &Verdict,
    started: String,
    duration_us: u64,
) -> GameRow {
    let (setup, position) = (game.setup(), game.position());
    GameRow {
        game: spec.game,
        pair: spec.pair,
        round: spec.round,
        opening: spec.opening,
        variant: position.variant().name().to_owned(),
        position: setup.position.to_string(),
        south: setup.seats[0].name.clone(),
        north: setup.seats[1].name.clone(),
        winner: verdict.winner.map(Into::into),
        score_south: verdict.score_south(),
        reason: verdict.reason,
        fault: verdict.fault.map(Into::into),
        detail: verdict.detail.clone(),
        line: verdict.line.clone(),
        stderr: None,
        plies: game.plies(),
        moves: game.moves().to_owned(),
        final_position: position.to_string(),
        seeds_south: position.score(Side::South).into(),
        seeds_north: position.score(Side::North).into(),
        used_south_us: game.used_us(Side::South),
        used_north_us: game.used_us(Side::North),
        max_lag_us: game.max_lag_us(),
        started,
        duration_us,
        wire_sha256: String::new(),
        moves_end: 0,
        packed: None,
        void: verdict.void,
        prev_sha256: None,
    }
}

/// How much of the end of a loser's standard error is in its game's row, in bytes.
const STDERR_END: usize = 1000;
/// How much of its beginning, if there is more.
const STDERR_START: usize = 500;

/// Cuts a bot's standard error to what a row shows: its end, and, from the second edition on, its
/// beginning, which in many languages names the cause.
pub(crate) fn stderr_shown(text: &str, edition: Edition) -> String {
    let from = text.len().saturating_sub(STDERR_END);
    let start = (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let head = match edition {
        Edition::First => "",
        Edition::Second | Edition::Third => {
            let most = STDERR_START.min(start);
            &text[..(0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)]
        }
    };
    let left_out = start - head.len();
    match (head, left_out) {
        ("", _) => text[start..].to_owned(),
        (_, 0) => text.to_owned(),
        (_, _) => format!("{head}\n[{left_out} bytes left out]\n{}", &text[start..]),
    }
}
