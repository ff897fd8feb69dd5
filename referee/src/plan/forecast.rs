//! Estimates the length of games before any is played, from the rules, the clocks and random games.

use bao_rules::{Position, Variant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::game::clock::TimeControl;

/// How many games of random moves to play.
const SAMPLE: u64 = 50;
/// The share of its remaining time that a careful bot uses for a move.
const SHARE: f64 = 1.0 / 40.0;

/// Returns the usual number of moves of a game: the mean of games of random moves, which end at `max_plies` at the
/// latest.
pub fn usual_plies(variant: Variant, max_plies: u64) -> u64 {
    let mut chance = ChaCha8Rng::seed_from_u64(variant as u64);
    let plies: u64 = (0..SAMPLE).map(|_| random_game(variant, max_plies, &mut chance)).sum();
    (plies / SAMPLE).max(1)
}

fn random_game(variant: Variant, max_plies: u64, chance: &mut ChaCha8Rng) -> u64 {
    let mut position = Position::start(variant);
    for ply in 0..max_plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return ply;
        }
        let pick = (u64::from(chance.next_u32()) * moves.len() as u64) >> 32;
        match position.play(moves[pick as usize]) {
            Ok(play) if play.over.is_none() => match play.after {
                Some(after) => position = after,
                None => return ply + 1,
            },
            Ok(_) | Err(_) => return ply + 1,
        }
    }
    max_plies
}

/// Returns the most that a side can use by this clock for this many moves, in microseconds, without the grace.
pub fn most_us(clock: TimeControl, moves: u64) -> u64 {
    let each = |us: u64| us.saturating_mul(moves);
    match clock {
        TimeControl::None { cap_us } => each(cap_us),
        TimeControl::MoveTime { move_us } => each(move_us),
        TimeControl::Fischer { base_us, increment_us } => base_us.saturating_add(each(increment_us)),
        TimeControl::Classical { moves: budget, base_us, increment_us } => {
            let budgets = moves.div_ceil(u64::from(budget)).max(1);
            base_us.saturating_mul(budgets).saturating_add(each(increment_us))
        }
        TimeControl::Byoyomi { base_us, periods, period_us } => base_us
            .saturating_add(period_us.saturating_mul(u64::from(periods)))
            .saturating_add(each(period_us)),
        TimeControl::Delay { base_us, delay_us } => base_us.saturating_add(each(delay_us)),
    }
}

/// Returns the time that a careful bot uses by this clock for this many moves, in microseconds: a fortieth of what
/// is left and what the move adds. Without a clock, the bot is assumed to answer immediately.
pub fn likely_us(clock: TimeControl, moves: u64) -> u64 {
    let spent = |base_us: u64, moves: u64| {
        (base_us as f64 * (1.0 - (1.0 - SHARE).powi(i32::try_from(moves).unwrap_or(i32::MAX)))) as u64
    };
    let each = |us: u64| us.saturating_mul(moves);
    match clock {
        TimeControl::None { .. } => 0,
        TimeControl::MoveTime { move_us } => each(move_us),
        TimeControl::Fischer { base_us, increment_us } => {
            spent(base_us, moves).saturating_add(each(increment_us))
        }
        TimeControl::Classical { moves: budget, base_us, increment_us } => {
            (base_us / u64::from(budget).max(1)).saturating_add(increment_us).saturating_mul(moves)
        }
        TimeControl::Byoyomi { base_us, .. } => spent(base_us, moves),
        TimeControl::Delay { base_us, delay_us } => spent(base_us, moves).saturating_add(each(delay_us)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_likely_is_never_more_than_what_is_possible() {
        for text in [
            "none",
            "100ms/move",
            "60s",
            "60s+500ms",
            "40/60s",
            "40/60s+1s",
            "30s byoyomi 5x3s",
            "60s delay 2s",
        ] {
            let clock: TimeControl = text.parse().unwrap();
            for moves in [1, 2, 39, 40, 41, 500, 5000] {
                assert!(likely_us(clock, moves) <= most_us(clock, moves), "{text}, {moves} moves");
                assert!(most_us(clock, moves) <= most_us(clock, moves + 1), "{text}, {moves} moves");
            }
        }
        assert_eq!(most_us("60s+500ms".parse().unwrap(), 10), 65_000_000);
        assert_eq!(most_us("40/60s".parse().unwrap(), 41), 120_000_000);
    }

    #[test]
    fn games_of_every_kind_have_a_usual_length_within_the_limit() {
        for variant in Variant::ALL {
            let usual = usual_plies(variant, 1000);
            assert!((5..1000).contains(&usual), "{variant}: {usual}");
            assert!(usual_plies(variant, 10) <= 10);
        }
    }
}
