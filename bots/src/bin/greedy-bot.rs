//! A bot that takes as many seeds as it can at once and does not think further.
//!
//! `greedy-bot [--seed N]`; chance decides between moves that take as many. With the same seed (or the option `seed`)
//! a game comes out the same again.

use std::process::ExitCode;

use bao_protocol::to_bot::NewGame;
use bao_rules::{Pit, Position};
use bot::{Answer, Bot, Identity, Random, Turn};

struct GreedyBot {
    seed: u64,
    random: Random,
}

impl Bot for GreedyBot {
    fn choose(&mut self, turn: &Turn<'_>) -> Answer {
        let gains: Vec<i64> = turn.legal.iter().map(|pit| gain(&turn.position, pit)).collect();
        let best = gains.iter().max();
        let ties: Vec<Pit> = turn
            .legal
            .iter()
            .zip(&gains)
            .filter(|(_, gain)| Some(*gain) == best)
            .map(|(pit, _)| pit)
            .collect();
        ties[self.random.below(ties.len())].into()
    }

    fn new_game(&mut self, game: &NewGame<'_>) {
        self.random = Random::new(self.seed, &game.game_id);
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if let ("seed", Ok(seed)) = (name, value.parse()) {
            self.seed = seed;
        }
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
        options: vec![bot::seed_option()],
        ..Identity::default()
    };
    bot::main(&identity, |seed| GreedyBot { seed, random: Random::new(seed, "") })
}
