//! The lines of a game's evidence: packed in `wire/<segment>.jsonl.gz`, in version 1 in `wire/<game>.jsonl`.
//!
//! A line's `text` is the line that was exchanged. On some channels it is a JSON object of the referee's own: a
//! [`Start`], an [`Event`], a [`WireVerdict`] and, in version 2, a [`WireStderr`].

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

use bao_rules::Side;
use serde::{Deserialize, Serialize};

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

impl Channel {
    /// Returns the channel of what the referee writes to a side.
    pub const fn to(side: Side) -> Self {
        match side {
            Side::South => Self::ToSouth,
            Side::North => Self::ToNorth,
        }
    }

    /// Returns the channel of what a side writes.
    pub const fn from(side: Side) -> Self {
        match side {
            Side::South => Self::FromSouth,
            Side::North => Self::FromNorth,
        }
    }

    /// Returns the channel of what a side writes to its standard error.
    pub const fn stderr(side: Side) -> Self {
        match side {
            Side::South => Self::SouthStderr,
            Side::North => Self::NorthStderr,
        }
    }

    /// Returns its name in a record.
    const fn name(self) -> &'static str {
        match self {
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
        }
    }
}

impl fmt::Display for Channel {
    /// Writes its name in a record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A line of a game's evidence, as it was exchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireLine<'a> {
    /// Microseconds since the game was started.
    pub at_us: u64,
    /// Who said it to whom.
    pub channel: Channel,
    /// The line, without its newline; null if it is not UTF-8.
    #[serde(borrow)]
    pub text: Option<Cow<'a, str>>,
    /// The bytes in hexadecimal, where they are not UTF-8.
    #[serde(borrow)]
    pub hex: Option<Cow<'a, str>>,
    /// The processor time that the bot had used since it was asked, in microseconds; only under a clock that counts
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// Version 1: the SHA-256, in hexadecimal, of the line before this one, newline included; 64 zeros in the first
    /// line. Left out in version 2.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<Cow<'a, str>>,
}

impl WireLine<'_> {
    /// Appends the line, newline included, to `out`: the very bytes that serde_json writes, in a quarter of its time.
    ///
    /// A referee writes two of these lines a move, most of it a message whose every quotation mark is escaped.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"at_us\":");
        number(self.at_us, out);
        out.extend_from_slice(b",\"channel\":\"");
        out.extend_from_slice(self.channel.name().as_bytes());
        out.extend_from_slice(b"\",\"text\":");
        string(self.text.as_deref(), out);
        out.extend_from_slice(b",\"hex\":");
        string(self.hex.as_deref(), out);
        if let Some(cpu_us) = self.cpu_us {
            out.extend_from_slice(b",\"cpu_us\":");
            number(cpu_us, out);
        }
        if self.prev.is_some() {
            out.extend_from_slice(b",\"prev\":");
            string(self.prev.as_deref(), out);
        }
        out.extend_from_slice(b"}\n");
    }
}

fn number(number: u64, out: &mut Vec<u8>) {
    write!(out, "{number}").expect("a vector takes every write");
}

/// Writes a JSON string, or `null`.
fn string(text: Option<&str>, out: &mut Vec<u8>) {
    let Some(text) = text else { return out.extend_from_slice(b"null") };
    if text.bytes().any(|byte| byte < b' ') {
        return serde_json::to_writer(out, text).expect("a string always serialises");
    }
    let start = out.len();
    out.resize(start + 2 * text.len() + 2, 0);
    let room = &mut out[start..];
    room[0] = b'"';
    let mut end = 1;
    let (blocks, rest) = text.as_bytes().as_chunks::<16>();
    for block in blocks {
        if block.iter().fold(false, |found, byte| found | is_escaped(*byte)) {
            end = escape(block, room, end);
        } else {
            room[end..end + block.len()].copy_from_slice(block);
            end += block.len();
        }
    }
    end = escape(rest, room, end);
    room[end] = b'"';
    out.truncate(start + end + 1);
}

/// Escapes the bytes that need it; returns where they end.
fn escape(bytes: &[u8], room: &mut [u8], mut end: usize) -> usize {
    for byte in bytes {
        // To write a backslash that the next byte may cover costs less than to ask whether one is needed.
        room[end] = b'\\';
        end += usize::from(is_escaped(*byte));
        room[end] = *byte;
        end += 1;
    }
    end
}

const fn is_escaped(byte: u8) -> bool {
    byte == b'"' || byte == b'\\'
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
    /// The SHA-256, in hexadecimal, of the plan in `run.json`, written as JSON without spaces and with sorted keys.
    /// Left out by the first releases.
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
    /// The referee itself was stopped when a deadline went by, and found a line when it came back: the lines that
    /// follow bear the last stamp in time, which is the latest at which they can have been an answer.
    Away {
        /// For how long at least, in microseconds.
        us: u64,
    },
    /// A bot that was stopped while it was not on turn used processor time all the same: its clock pays for it.
    Ran {
        /// Which one.
        side: Seat,
        /// How much, in microseconds.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn channel() -> impl Strategy<Value = Channel> {
        use Channel::{
            Event, FromNorth, FromSouth, NorthStderr, Note, SouthStderr, Start, ToNorth, ToSouth, Verdict,
        };
        prop::sample::select(vec![
            Start,
            ToSouth,
            ToNorth,
            FromSouth,
            FromNorth,
            SouthStderr,
            NorthStderr,
            Note,
            Event,
            Verdict,
        ])
    }

    proptest! {
        #[test]
        fn a_line_is_written_as_serde_writes_it(
            at_us in prop_oneof![Just(0), any::<u64>()],
            channel in channel(),
            text in prop::option::of("(\\PC|[\\x00-\\x20\"\\\\\x7f])*"),
            hex in prop::option::of("[0-9a-f]*"),
            cpu_us in any::<Option<u64>>(),
            prev in prop::option::of("[0-9a-f]*"),
        ) {
            let (text, hex, prev) = (text.map(Cow::Owned), hex.map(Cow::Owned), prev.map(Cow::Owned));
            let line = WireLine { at_us, channel, text, hex, cpu_us, prev };
            let mut written = Vec::new();
            line.write_line(&mut written);
            let mut should = serde_json::to_vec(&line).expect("plain structs serialise");
            should.push(b'\n');
            prop_assert_eq!(String::from_utf8(written), String::from_utf8(should));
        }
    }
}
