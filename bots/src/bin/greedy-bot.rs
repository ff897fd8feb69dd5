//! A bot that takes as many seeds as it can at once and does not think further.
//!
//! `greedy-bot [--seed N]`; chance decides between moves that take as many. With the same seed (or the option `seed`)
//! a game comes out the same again.

use std::process::ExitCode;

use bao_rules::{Pit, Position};
use bot::{Answer, Bot, Identity, Turn};

struct GreedyBot;

impl Bot for GreedyBot {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        let gains: Vec<(Pit, i64)> = turn.legal.iter().map(|pit| (pit, gain(&turn.position, pit))).collect();
        let most = gains.iter().map(|(_, gain)| *gain).max();
        let best: Vec<Pit> =
            gains.into_iter().filter(|(_, gain)| Some(*gain) == most).map(|(pit, _)| pit).collect();
        turn.random.of(&best).into()
    }
}

/// Counts the seeds by which a move improves the mover's score against the other's.
///
/// In Kigogo those are the seeds captured; in Kingulu also those in a pit that the move reserves.
fn gain(before: &Position, pit: Pit) -> i64 {
    let lead = |position: &Position| {
        i64::from(position.score(before.side())) - i64::from(position.score(before.side().other()))
    };
    // A sowing that never ends leaves no position and takes nothing.
    match before.play(pit).ok().and_then(|play| play.after) {
        Some(after) => lead(&after) - lead(before),
        None => 0,
    }
}

fn main() -> ExitCode {
    let identity = Identity {
        name: "greedy-bot",
        version: env!("CARGO_PKG_VERSION"),
        author: "Bao Referee",
        ..Identity::default()
    };
    bot::run(&mut GreedyBot, &identity)
}
