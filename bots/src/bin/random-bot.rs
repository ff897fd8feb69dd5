//! A bot that plays any legal move.
//!
//! `random-bot [--seed N]`; with the same seed (or the option `seed`) a game comes out the same again.

use std::process::ExitCode;

use bao_protocol::to_bot::NewGame;
use bot::{Answer, Bot, Identity, Random, Turn};

struct RandomBot {
    seed: u64,
    random: Random,
}

impl Bot for RandomBot {
    fn choose(&mut self, turn: &Turn<'_>) -> Answer {
        turn.legal[self.random.below(turn.legal.len())].into()
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

fn main() -> ExitCode {
    let identity = Identity {
        name: "random-bot",
        version: env!("CARGO_PKG_VERSION"),
        author: "Bao Referee",
        options: vec![bot::seed_option()],
        ..Identity::default()
    };
    bot::main(&identity, |seed| RandomBot { seed, random: Random::new(seed, "") })
}
