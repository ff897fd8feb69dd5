//! What the arbiter decided about a run after its games: a line of `acts.jsonl` each.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Seat;

/// A line of `acts.jsonl`: a decision of the arbiter. Lines are only added; a decision is taken back by another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Act {
    /// Its number, from 1.
    pub act: u64,
    /// When it was written, in RFC 3339.
    pub at: String,
    /// How many rows `games.jsonl` had.
    pub rows: u64,
    /// The SHA-256 of the last of them, newline included, in hexadecimal; of the plan where there was none.
    pub last_sha256: String,
    /// The SHA-256 of the line before, newline included, in hexadecimal; of the plan for the first.
    pub prev_sha256: String,
    /// What was decided.
    #[serde(flatten)]
    pub deed: Deed,
    /// Why, in the arbiter's words.
    pub reason: String,
}

/// What an arbiter decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Deed {
    /// A game no longer counts and is played again.
    Rerun {
        /// The game.
        game: u64,
        /// Its row, counted from 1.
        row: u64,
    },
    /// A game gets another result. Its row stays as it was played.
    Correct {
        /// The game.
        game: u64,
        /// Its row, counted from 1.
        row: u64,
        /// `"S"`, `"N"`, or null for a draw.
        winner: Option<Seat>,
    },
    /// A bot is withdrawn.
    Disqualify {
        /// Its name.
        bot: String,
    },
    /// The event gets more cycles or rounds, more bots at the end of its list, or another title.
    Extend {
        /// The whole plan as it is from now on.
        plan: Value,
    },
    /// An earlier act is taken back, as if it had never been written.
    Undo {
        /// The number of that act.
        undoes: u64,
    },
}
