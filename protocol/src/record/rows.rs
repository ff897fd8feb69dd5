//! The rows of `games.jsonl` and `moves.jsonl`.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Reason, Seat, VoidCause};

/// A row of `games.jsonl`: one finished game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRow {
    /// The game's number in the schedule, from 1.
    pub game: u64,
    /// The pair that it belongs to, from 1: the same opening, seats swapped.
    pub pair: u64,
    /// The round (Swiss, knockout), from 1.
    pub round: Option<u64>,
    /// The opening's number, from 1; null where the game starts as the rules say.
    pub opening: Option<u64>,
    /// Which game was played, by its name.
    pub variant: String,
    /// The position from which the bots played.
    pub position: String,
    /// The bot that played South.
    pub south: String,
    /// The bot that played North.
    pub north: String,
    /// `"S"`, `"N"`, or null for a draw and for a game that does not count.
    pub winner: Option<Seat>,
    /// 1, 0.5 or 0 for South; null for a game that does not count.
    pub score_south: Option<f64>,
    /// Why the game ended.
    pub reason: Reason,
    /// The side whose conduct decided the game, or null.
    pub fault: Option<Seat>,
    /// More about the reason, in a sentence: the rule broken, the exit code, the field at fault.
    pub detail: Option<String>,
    /// The beginning of the line at fault, printable, where a line was.
    pub line: Option<String>,
    /// Version 1: the end of what the side at fault wrote to its standard error in this game, or null. Version 2 has
    /// no such key: the text is in `stderr.jsonl`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "if_there")]
    pub stderr: Option<Option<String>>,
    /// How many moves were made.
    pub plies: u64,
    /// The moves, from the position above, with single spaces between.
    pub moves: String,
    /// The position at the end (that before the last move, where its sowing never ends).
    pub final_position: String,
    /// South's seeds: captured, or counted by the scoring rule of the game.
    pub seeds_south: u64,
    /// North's seeds, alike.
    pub seeds_north: u64,
    /// South's thinking time in all, in microseconds.
    pub used_south_us: u64,
    /// North's thinking time in all, in microseconds.
    pub used_north_us: u64,
    /// The worst wake-up lag of the referee in this game, in microseconds.
    pub max_lag_us: u64,
    /// When the game was started, in RFC 3339.
    pub started: String,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// The SHA-256 of the game's evidence, in hexadecimal: of its lines as text. Empty where there is none.
    pub wire_sha256: String,
    /// The length of `moves.jsonl`, in bytes, once it holds this game's rows.
    pub moves_end: u64,
    /// What version 2 has beside the keys of version 1.
    #[serde(flatten)]
    pub packed: Option<Packed>,
    /// Why the game does not count; left out where it does, and where the game is of the first edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidCause>,
    /// The SHA-256, in hexadecimal, of the row before this one, newline included; in the first row that of the plan, as
    /// in [`Start`](super::Start). Left out by the first releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prev_sha256: Option<String>,
}

/// What a row of version 2 says of where it was played and where its evidence is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Packed {
    /// Which attempt at the game this was, from 1.
    pub attempt: u64,
    /// The place of its machine in `hosts` of `run.json`, from 0.
    pub host: u64,
    /// The evidence is in `wire/N.jsonl.gz`, where N is this number; 0 where there is none.
    pub wire_segment: u64,
    /// Where its gzip member begins in that file, in bytes.
    pub wire_start: u64,
    /// How long the member is, in bytes.
    pub wire_length: u64,
    /// The length of `stderr.jsonl`, in bytes, once it holds this game's rows.
    pub stderr_end: u64,
}

/// Reads a value of a key that is there, be it null.
fn if_there<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A row of `stderr.jsonl`: what a bot wrote to its standard error in one attempt at a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StderrRow<'a> {
    /// The game's number.
    pub game: u64,
    /// Which attempt at the game it was, from 1.
    pub attempt: u64,
    /// Which side.
    pub side: Seat,
    /// The text; what is too long lacks its middle.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// A row of `moves.jsonl`: one ply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveRow<'a> {
    /// The game's number.
    pub game: u64,
    /// The move's number in the game, from 1.
    pub ply: u64,
    /// Who moved.
    pub side: Seat,
    /// The pit that was lifted.
    #[serde(rename = "move", borrow)]
    pub mv: Cow<'a, str>,
    /// The time from just before the request was written until the answer's newline was read, in microseconds.
    pub used_us: u64,
    /// The mover's clock after the move, in microseconds; null where there is no clock.
    pub clock_us: Option<u64>,
    /// How late the referee itself was to read the answer, in microseconds; it is part of `used_us`.
    pub lag_us: u64,
    /// How many legal moves there were.
    pub legal_count: u64,
    /// How many laps the move had; null for a sowing that never ends.
    pub laps: Option<u64>,
    /// The seeds captured or banked by the mover.
    pub captured: u64,
    /// The bot's search depth, if it said so.
    pub depth: Option<u64>,
    /// The bot's score in hundredths of a seed, if it said so.
    pub score: Option<i64>,
    /// The bot's node count, if it said so.
    pub nodes: Option<u64>,
    /// Processor time that the opponent's program used during this move, in microseconds, where it is measured: under a
    /// wall clock from the answer before to this one; under a clock of processor time from the request on, with that of all
    /// that it started.
    pub ponder_cpu_us: Option<u64>,
    /// Processor time that the mover's program used, in the same way.
    pub cpu_us: Option<u64>,
}
