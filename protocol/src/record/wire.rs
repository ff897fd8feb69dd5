//! The lines of a game's evidence: packed in `wire/<segment>.jsonl.gz`, in version 1 in `wire/<game>.jsonl`.
//!
//! A line's `text` is what was said. On some channels it is a JSON object of the referee's own: a [`Start`], an
//! [`Event`], a [`WireVerdict`] and, in version 2, a [`WireStderr`].

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use std::fmt;

use super::{Adjudication, Edition, Measure, TimeControl};
use crate::{Reason, Seat, VoidCause};

/// Where a line of evidence comes from.
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
    /// What South wrote to its standard error; in version 2 a JSON object with its SHA-256.
    SouthStderr,
    /// What North wrote to its standard error, in the same way.
    NorthStderr,
    /// What the referee noticed about a line: a warning, a stale answer.
    Note,
    /// What happened apart from lines: time that ran out, an exit, half a line. `text` is a JSON object.
    Event,
    /// The last line: the verdict. `text` is a JSON object.
    Verdict,
}

impl fmt::Display for Channel {
    /// Writes its name in a record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::ToSouth => "to_south",
            Self::ToNorth => "to_north",
            Self::FromSouth => "from_south",
            Self::FromNorth => "from_north",
            Self::SouthStderr => "south_stderr",
            Self::NorthStderr => "north_stderr",
            Self::Note => "note",
            Self::Event => "event",
            Self::Verdict => "verdict",
        })
    }
}

/// A line of a game's evidence: something that was said, as it was.
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
    /// Version 1: the SHA-256, in hexadecimal, of the line before this one, newline included; 64 zeros in the first
    /// line. Left out in version 2.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<Cow<'a, str>>,
}

/// What version 2 has in `text` on the channels of standard error; the text itself is in `stderr.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireStderr {
    /// The SHA-256 of the text, in hexadecimal.
    pub sha256: String,
    /// How long the text is, in bytes.
    pub bytes: u64,
}

/// The first line of a wire file: all that the game's course depends on, apart from what the bots do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// The game's number in the schedule, from 1.
    pub game: u64,
    /// The position from which it starts.
    pub position: StartPosition,
    /// South and North.
    pub seats: [StartSeat; 2],
    /// How far a clock may be overstepped before the flag falls, in microseconds.
    pub grace_us: u64,
    /// What a clock measures.
    pub measure: Measure,
    /// The ply after which the game is ended.
    pub max_plies: u64,
    /// The run's seed; what each bot is given follows from it, the game and the side.
    pub seed: u64,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// When the game is ended by what the bots say of it; left out where there is no such rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The edition of the rules of conduct; left out where it is the first.
    #[serde(default, skip_serializing_if = "Edition::is_first")]
    pub edition: Edition,
    /// The SHA-256, in hexadecimal, of the plan in `run.json`, written as JSON without spaces and with sorted keys. Left
    /// out by the first releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_sha256: Option<String>,
}

/// A position as the start of a wire file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartPosition {
    /// Which game it is of.
    pub variant: String,
    /// The position's text.
    pub text: String,
}

/// One side before the game begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartSeat {
    /// The bot's name in this run.
    pub name: String,
    /// Its clock.
    pub clock: TimeControl,
    /// The options to set, in order; used only where the bot has not been greeted yet.
    pub options: Vec<(String, String)>,
    /// What is known of a bot that has been greeted in an earlier game; null for a fresh process.
    pub greeted: Option<Greeted>,
    /// The id of the next request to this process.
    pub next_id: u64,
}

/// What is kept of a bot's hello from game to game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Greeted {
    /// Whether it wants every move with each request.
    pub history: bool,
    /// Whether it has an option `seed`, which is then set before every game.
    pub seed: bool,
    /// The least value of that option, where its hello says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_min: Option<i64>,
    /// The greatest value of that option, where its hello says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_max: Option<i64>,
}

/// What happens in a game apart from lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A bot could no longer play.
    Lost {
        /// Which one.
        side: Seat,
        /// What happened to it.
        loss: Loss,
    },
    /// A deadline went by.
    Tick {},
    /// The game was ended and does not count.
    Stop {
        /// Why, in a sentence.
        why: String,
        /// Why; left out where the operator ended it.
        #[serde(default = "operator", skip_serializing_if = "is_operator")]
        cause: VoidCause,
    },
    /// The referee itself was stopped when a deadline went by, and found a line when it came back: the lines that follow
    /// bear the last stamp in time, which is the latest at which they can have been an answer.
    Away {
        /// For how long at least, in microseconds.
        us: u64,
    },
    /// Bytes without a newline were left when the game ended.
    HalfLine {
        /// Who wrote them.
        side: Seat,
        /// How many they were.
        bytes: u64,
        /// Their beginning, printable.
        text: String,
    },
}

fn operator() -> VoidCause {
    VoidCause::Operator
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_operator(cause: &VoidCause) -> bool {
    *cause == VoidCause::Operator
}

/// Why a bot could no longer play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loss {
    /// The reason code.
    pub reason: Reason,
    /// What was seen: the exit code, the signal, the limit.
    pub detail: String,
    /// The line or half line at fault, or empty.
    pub line: String,
}

/// The last line of a wire file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireVerdict {
    /// `"S"`, `"N"` or null.
    pub winner: Option<Seat>,
    /// Why the game ended.
    pub reason: Reason,
    /// The side whose conduct decided the game, or null.
    pub fault: Option<Seat>,
    /// More about the reason.
    pub detail: Option<String>,
    /// The beginning of the line at fault.
    pub line: Option<String>,
    /// How many moves were made.
    pub plies: u64,
    /// The position at the end.
    pub position: String,
    /// Why the game does not count; left out where it does, and in games of the first edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidCause>,
}
