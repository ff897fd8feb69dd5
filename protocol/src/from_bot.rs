//! What a bot says to the referee.
//!
//! Integers may be written as floats without a fraction (`3.0`): some languages know no other number.

use serde::{Deserialize, Deserializer, Serialize, de};

/// Any message from a bot to the referee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromBot {
    /// Answers the referee's hello.
    Hello(Hello),
    /// Answers `new_game`.
    Ready(Ready),
    /// Answers `go`.
    Move(Move),
    /// Answers `go`: the bot gives the game up.
    Resign(Resign),
    /// Answers `ping`.
    Pong(Pong),
    /// Says what the bot is thinking; never needed.
    Info(Info),
    /// A line for the record; never needed.
    Log(Log),
    /// Answers `verify`.
    Solution(Solution),
}

impl FromBot {
    /// Appends the message as one line, newline included, to `out`.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self)
            .expect("a message of plain integers and strings always serialises");
        out.push(b'\n');
    }
}

/// Answers the referee's hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello {
    /// The major version of the protocol that the bot speaks: 1.
    #[serde(deserialize_with = "integer")]
    pub protocol: u64,
    /// The bot's name.
    pub name: String,
    /// The bot's version.
    #[serde(default)]
    pub version: String,
    /// Who wrote it.
    #[serde(default)]
    pub author: String,
    /// The games that it plays, by their names.
    pub games: Vec<String>,
    /// What it can do beyond the least: `history`, `verify`.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// The options that `set_option` may set.
    #[serde(default)]
    pub options: Vec<OptionSpec>,
}

/// An option that a bot offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionSpec {
    /// Its name.
    pub name: String,
    /// Which values it takes; `string` by default.
    #[serde(default)]
    pub kind: OptionKind,
    /// The value that it has until it is set, as a string.
    #[serde(default)]
    pub default: String,
    /// The least value of an `integer`.
    #[serde(default, deserialize_with = "signed_or_null", skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The greatest value of an `integer`.
    #[serde(default, deserialize_with = "signed_or_null", skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// The values of a `choice`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

impl OptionSpec {
    /// Returns whether the option takes a value.
    pub fn takes(&self, value: &str) -> bool {
        match self.kind {
            OptionKind::String => true,
            OptionKind::Integer => value.parse::<i64>().is_ok_and(|number| {
                (self.min.unwrap_or(i64::MIN)..=self.max.unwrap_or(i64::MAX)).contains(&number)
            }),
            OptionKind::Boolean => matches!(value, "true" | "false"),
            OptionKind::Choice => self.choices.iter().any(|choice| choice == value),
        }
    }

    /// Returns what the option takes, in words: `a whole number from 1 to 9`.
    pub fn values(&self) -> String {
        match (self.kind, self.min, self.max) {
            (OptionKind::String, ..) => "any text".to_owned(),
            (OptionKind::Integer, None, None) => "a whole number".to_owned(),
            (OptionKind::Integer, Some(min), None) => format!("a whole number from {min} up"),
            (OptionKind::Integer, None, Some(max)) => format!("a whole number up to {max}"),
            (OptionKind::Integer, Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
            (OptionKind::Boolean, ..) => "true or false".to_owned(),
            (OptionKind::Choice, ..) => format!("one of {}", self.choices.join(", ")),
        }
    }
}

/// What may be written into an option.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// Any text.
    #[default]
    String,
    /// A whole number between `min` and `max`.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// One of `choices`.
    Choice,
}

/// Answers `new_game`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ready {
    /// The id of the `new_game`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
}

/// Answers `go`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Move {
    /// The id of the `go`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
    /// The pit to lift, as in `legal`.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the bot thought; never needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Thought>,
}

/// What a bot thought about its move.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thought {
    /// How many plies ahead it looked.
    #[serde(default, deserialize_with = "integer_or_null", skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// What it expects, in hundredths of a seed, good for itself above zero.
    #[serde(default, deserialize_with = "signed_or_null", skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// How many positions it looked at.
    #[serde(default, deserialize_with = "integer_or_null", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves that it expects, its own first, with single spaces between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Answers `go`: the bot gives the game up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resign {
    /// The id of the `go`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
}

/// Answers `ping`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pong {
    /// The id of the `ping`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
}

/// Says what the bot is thinking, before its answer; never needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// The id of the `go`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
    /// How many plies ahead it has looked.
    #[serde(default, deserialize_with = "integer_or_null", skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// What it expects, in hundredths of a seed, good for itself above zero.
    #[serde(default, deserialize_with = "signed_or_null", skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// How many positions it has looked at.
    #[serde(default, deserialize_with = "integer_or_null", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves that it expects, its own first, with single spaces between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
    /// Anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A line for the record; never needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Log {
    /// `error`, `warn`, `info` or `debug`; other words are kept as they are.
    #[serde(default)]
    pub level: String,
    /// The text.
    pub text: String,
}

/// Answers `verify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Solution {
    /// The id of the `verify`.
    #[serde(deserialize_with = "integer")]
    pub id: u64,
    /// The legal moves, with single spaces between, where no move was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<String>,
    /// The position after the move, or null where the sowing never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Whether the game is over there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<bool>,
}

/// 2^53: up to here every integer has a float of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

struct Whole;

impl de::Visitor<'_> for Whole {
    type Value = i128;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<i128, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<i128, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<i128, E> {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            Ok(value as i128)
        } else {
            Err(E::invalid_value(de::Unexpected::Float(value), &self))
        }
    }
}

fn integer<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let whole = from.deserialize_any(Whole)?;
    u64::try_from(whole).map_err(|_| de::Error::custom(format_args!("{whole} is not a number from 0 up")))
}

fn signed<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    let whole = from.deserialize_any(Whole)?;
    i64::try_from(whole).map_err(|_| de::Error::custom(format_args!("{whole} is too large")))
}

fn integer_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    #[derive(Deserialize)]
    struct Of(#[serde(deserialize_with = "integer")] u64);
    Ok(Option::<Of>::deserialize(from)?.map(|of| of.0))
}

fn signed_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    #[derive(Deserialize)]
    struct Of(#[serde(deserialize_with = "signed")] i64);
    Ok(Option::<Of>::deserialize(from)?.map(|of| of.0))
}
