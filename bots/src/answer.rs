//! What a bot is, and what it answers.

use bao_protocol::from_bot::Thought;
use bao_protocol::to_bot::GameOver;
use bao_rules::{Pit, Variant};

use crate::{BotOption, Start, Turn};

/// A bot; only [`choose`](Self::choose) is needed.
pub trait Bot {
    /// Chooses a move; the bot's clock runs.
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer;

    /// Prepares for a game; no clock runs, but 10 s are all that there is.
    fn new_game(&mut self, _start: &Start<'_>) {}

    /// Learns how a game ended.
    fn game_over(&mut self, _end: &GameOver<'_>) {}
}

/// What a bot says of itself in its `hello`.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its author.
    pub author: &'static str,
    /// The games that it plays; both by default.
    pub games: Vec<Variant>,
    /// The options that an organiser may set. Besides these, every bot has the option `seed`.
    pub options: Vec<BotOption>,
    /// Whether each [`Go`](bao_protocol::to_bot::Go) brings the game's moves so far.
    pub history: bool,
}

impl Default for Identity {
    fn default() -> Self {
        Self {
            name: "nameless",
            version: "0.1",
            author: "",
            games: Variant::ALL.to_vec(),
            options: Vec::new(),
            history: false,
        }
    }
}

/// What a bot answers when it is to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The pit to lift.
    Move(Pit),
    /// The pit to lift, and what the bot thought of it.
    Thoughtful(Pit, Thought),
    /// The bot gives the game up.
    Resign,
}

impl From<Pit> for Answer {
    fn from(pit: Pit) -> Self {
        Self::Move(pit)
    }
}
