//! What is agreed before a game begins: all that its course depends on, apart from what the bots do.

use bao_rules::{Position, Side};
use serde::{Deserialize, Serialize};

use crate::game::adjudication::Adjudication;
use crate::game::clock::TimeControl;

/// A game before it begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The game's number in the schedule, from 1.
    pub game: u64,
    /// The position from which it starts.
    #[serde(with = "position_text")]
    pub position: Position,
    /// South and North.
    pub seats: [SeatSetup; 2],
    /// How far a clock may be overstepped before the flag falls, in microseconds.
    pub grace_us: u64,
    /// What a clock measures.
    pub measure: Measure,
    /// The ply after which the game is ended.
    pub max_plies: u64,
    /// The run's seed; what each bot is told follows from it, the game and the side.
    pub seed: u64,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// When the game is ended by what the bots say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
}

/// What a clock measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Time as it goes by.
    #[default]
    Wall,
    /// The bot's own processor time, with a cap on the time that goes by.
    Cpu,
}

impl std::str::FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "wall" => Ok(Self::Wall),
            "cpu" => Ok(Self::Cpu),
            other => Err(format!("\"{other}\" is neither wall nor cpu")),
        }
    }
}

/// What is known of a bot's process from its earlier games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// What is kept of its hello; `None` for a fresh process.
    pub greeted: Option<Greeted>,
    /// The id of the next request to it.
    pub next_id: u64,
}

impl Known {
    /// Nothing: the process is fresh.
    pub const NOTHING: Self = Self { greeted: None, next_id: 1 };
}

/// One side before the game begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSetup {
    /// The bot's name in this run.
    pub name: String,
    /// Its clock.
    pub clock: TimeControl,
    /// The options to set, in order; used only where the bot has not been greeted yet.
    pub options: Vec<(String, String)>,
    /// What is known of a bot that has been greeted in an earlier game; `None` for a fresh process.
    pub greeted: Option<Greeted>,
    /// The id of the next request to this process.
    pub next_id: u64,
}

/// What is kept of a bot's hello from game to game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeted {
    /// Whether it wants every move with each request.
    pub history: bool,
    /// Whether it has an option `seed`, which is then set before every game.
    pub seed: bool,
}

impl Setup {
    /// Returns the seed that a side's bot is told in this game: below 2^53, so that every language can hold it.
    ///
    /// The numbers are those of SplitMix64 (Steele, Lea, Flood 2014) at a place that the game and the side give, so
    /// that a game comes out the same whenever and wherever in the run it is played.
    pub fn seed_of(&self, side: Side) -> u64 {
        let place = self.game.wrapping_mul(2).wrapping_add(side as u64);
        let mut z = self.seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) >> 11
    }

    /// Returns how long a move with this budget may go on by the clock on the wall, in microseconds.
    ///
    /// A clock of processor time cannot run out while the bot sleeps: it gets four times its budget, and a second.
    pub fn deadline_us(&self, budget_us: u64) -> u64 {
        match self.measure {
            Measure::Wall => budget_us + self.grace_us,
            Measure::Cpu => budget_us * 4 + 1_000_000 + self.grace_us,
        }
    }
}

mod position_text {
    use bao_rules::{Position, Variant};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Text {
        variant: String,
        text: String,
    }

    pub(super) fn serialize<S: Serializer>(position: &Position, to: S) -> Result<S::Ok, S::Error> {
        let text = Text { variant: position.variant().name().to_owned(), text: position.to_string() };
        text.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Position, D::Error> {
        let text = Text::deserialize(from)?;
        let variant: Variant = text.variant.parse().map_err(D::Error::custom)?;
        Position::parse(variant, &text.text).map_err(D::Error::custom)
    }
}
