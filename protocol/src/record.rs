//! The formats of what a run leaves on disk: `run.json`, `games.jsonl`, `moves.jsonl` and `wire/<game>.jsonl`.
//!
//! A row always has the same keys (null where there is nothing), so that jq, DuckDB and pandas read the files as they
//! are. A game's row and its plies' rows can be recomputed from its wire file, which is the evidence.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Reason, Seat};

/// The version of the record's formats.
pub const VERSION: u32 = 1;

/// `run.json`: what was played, with what, where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of the record's formats: 1.
    pub record: u32,
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the rulebook.
    pub rules: u32,
    /// The referee's name and version.
    pub referee: String,
    /// When the run was started, in RFC 3339.
    pub started: String,
    /// The seed from which everything random follows.
    pub seed: u64,
    /// The resolved configuration: everything that decides what is played. A run resumes only under the same.
    pub plan: Value,
    /// The bots, in the order of the configuration.
    pub bots: Vec<RunBot>,
    /// The machine.
    pub host: Host,
    /// What isolation was reached, promise by promise.
    pub isolation: Value,
}

/// A bot of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunBot {
    /// The name in this run's rows.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The SHA-256 of the program's file, in hexadecimal.
    pub program_sha256: Option<String>,
    /// The same of the files that the command names beside the program, such as a script, by their paths; left
    /// out where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files_sha256: BTreeMap<String, String>,
    /// What the bot said in its hello, once it has said it.
    pub hello: Option<Value>,
}

/// The machine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// The operating system and its release.
    pub system: String,
    /// The processor's architecture.
    pub architecture: String,
    /// How many processors the referee may use.
    pub cpus: u64,
    /// The machine's memory, in bytes.
    pub memory_bytes: Option<u64>,
}

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
    /// Which game was played: `bao-kigogo` or `bao-kingulu`.
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
    /// The end of what the side at fault wrote to its standard error in this game, where it wrote anything.
    pub stderr: Option<String>,
    /// How many moves were made.
    pub plies: u64,
    /// The moves, from the position above, with single spaces between.
    pub moves: String,
    /// The position at the end (that before the last move, where its sowing never ends).
    pub final_position: String,
    /// South's seeds: captured (Kigogo), or counted by the scoring rule (Kingulu).
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
    /// The SHA-256 of the game's wire file, in hexadecimal.
    pub wire_sha256: String,
    /// The length of `moves.jsonl`, in bytes, once it holds this game's rows.
    pub moves_end: u64,
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
    /// The bot's search depth, if it told it.
    pub depth: Option<u64>,
    /// The bot's score in hundredths of a seed, if it told it.
    pub score: Option<i64>,
    /// The bot's node count, if it told it.
    pub nodes: Option<u64>,
    /// Processor time that the opponent's program used during this move, in microseconds, where it is measured; under a
    /// clock of processor time, that of all that it started.
    pub ponder_cpu_us: Option<u64>,
    /// Processor time that the mover's program used, in the same way.
    pub cpu_us: Option<u64>,
}

/// Where a line of a wire file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The first line: which game this is. `text` is a JSON object.
    Start,
    /// The referee wrote it to South.
    ToSouth,
    /// The referee wrote it to North.
    ToNorth,
    /// South wrote it.
    FromSouth,
    /// North wrote it.
    FromNorth,
    /// What South wrote to its standard error.
    SouthStderr,
    /// What North wrote to its standard error.
    NorthStderr,
    /// What the referee noticed about a line: a warning, a stale answer.
    Note,
    /// What happened apart from lines: time that ran out, an exit, half a line. `text` is a JSON object.
    Event,
    /// The last line: the verdict. `text` is a JSON object.
    Verdict,
}

/// A line of `wire/<game>.jsonl`: something that was said, as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireLine<'a> {
    /// Microseconds since the game was started.
    pub at_us: u64,
    /// Who said it to whom.
    pub channel: Channel,
    /// What was said, without the newline; null where it is not UTF-8.
    #[serde(borrow)]
    pub text: Option<Cow<'a, str>>,
    /// The bytes in hexadecimal, where they are not UTF-8.
    #[serde(borrow)]
    pub hex: Option<Cow<'a, str>>,
    /// The processor time that the bot had used since it was asked, in microseconds; only under a clock that counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The SHA-256, in hexadecimal, of the line before this one, newline included; 64 zeros in the first line.
    #[serde(borrow)]
    pub prev: Cow<'a, str>,
}
