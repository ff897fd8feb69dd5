//! All that a bot for the Bao referee needs, except its ideas.
//!
//! A bot is a type with one method, [`Bot::choose`]; [`run`] does the rest: handshake, options, pings, clocks, `verify`,
//! the end. The libraries in Python, JavaScript and C offer the same (`docs/BOTS.md` compares them); `PROTOCOL.md` says
//! what goes over the pipes.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use bot::{Answer, Bot, Identity, Turn};
//!
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
//!         turn.random.of(turn.legal.as_slice()).into()
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     bot::run(&mut MyBot, &Identity { name: "my-bot", ..Identity::default() })
//! }
//! ```
//!
//! From the command line, besides being started by the referee: `my-bot --seed 7` sets an option as the referee would,
//! and `my-bot perft bao-kigogo 5` counts the sequences of five moves.
//!
//! [`search`] is a whole search to build on.

mod answer;
mod budget;
mod command_line;
mod conversation;
mod options;
mod random;
pub mod search;
mod turn;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use answer::{Answer, Bot, Identity};
pub use bao_protocol as protocol;
pub use bao_protocol::from_bot::Thought;
pub use bao_rules as rules;
pub use budget::budget;
pub use command_line::run;
pub use conversation::converse;
pub use options::{BotOption, Settings};
pub use random::Random;
pub use turn::{Start, Turn};
