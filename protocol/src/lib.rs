//! What the referee and its bots share: messages, framing, the diagnosis of bad lines, and the formats of the records.
//!
//! Both directions are newline-delimited JSON: one object a line, whose `type` says what it is. `PROTOCOL.md` at the
//! top of the repository is the contract; the types here are the same contract for Rust. No clock, no pipe and no
//! rules live here: a message is data.
//!
//! - [`to_bot`]: what the referee says.
//! - [`from_bot`]: what a bot says.
//! - [`mod@decode`]: a line of a bot, read or diagnosed.
//! - [`framing`]: bytes into lines, bounded.
//! - [`reason`]: the closed list of how a game ends.
//! - [`void`]: the closed list of why a game does not count.
//! - [`record`]: the rows that a run leaves on disk.
//! - [`schema`]: all of it as JSON Schemas.

pub mod decode;
pub mod framing;
pub mod from_bot;
pub mod reason;
pub mod record;
pub mod schema;
pub mod to_bot;
pub mod void;

pub use decode::{BadLine, Decoded, decode};
pub use framing::{Frame, LineBuffer};
pub use from_bot::FromBot;
pub use reason::Reason;
pub use to_bot::ToBot;
pub use void::VoidCause;

use bao_rules::Side;
use serde::{Deserialize, Serialize};

/// The protocol's major version: the only one that this crate speaks.
pub const VERSION: u32 = 1;

/// The longest line, in bytes without its newline, that either side may send.
pub const LINE_BYTES: usize = 65_536;

/// Names a side on the wire and in the records: `"S"` or `"N"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Seat {
    /// South, who moves first from the start position.
    #[serde(rename = "S")]
    South,
    /// North, the other side.
    #[serde(rename = "N")]
    North,
}

impl From<Side> for Seat {
    fn from(side: Side) -> Self {
        match side {
            Side::South => Self::South,
            Side::North => Self::North,
        }
    }
}

impl From<Seat> for Side {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::South => Self::South,
            Seat::North => Self::North,
        }
    }
}

/// Says how a finished game went for the one who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum YourResult {
    /// The reader won.
    Win,
    /// The reader lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The game does not count.
    Void,
}

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
