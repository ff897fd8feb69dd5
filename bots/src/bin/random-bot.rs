//! A bot that plays any legal move.
//!
//! `random-bot [--seed N]`; with the same seed (or the option `seed`) a game comes out the same again.

use std::process::ExitCode;

use bot::{Answer, Bot, Identity, Turn};

struct RandomBot;

impl Bot for RandomBot {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        turn.random.of(turn.legal.as_slice()).into()
    }
}

fn main() -> ExitCode {
    let identity = Identity {
        name: "random-bot",
        version: env!("CARGO_PKG_VERSION"),
        author: "Bao Referee",
        ..Identity::default()
    };
    bot::run(&mut RandomBot, &identity)
}
