//! A bot's line, read or diagnosed.
//!
//! A line that begins with `{` is a message and must be readable. Any other line is noise (a banner, a debugging
//! print) and harms nobody while there is little of it; only a line that is plainly a message gone wrong (a byte
//! order mark or UTF-16 before the `{`, a JSON array) is diagnosed like one.
//!
//! A line is read twice: once for its `type` alone, then into that type's struct. That costs well under a
//! microsecond for a move, names the field at fault, and never lets a bot choose how deep we recurse.

mod bad_line;
mod diagnose;

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_ignored::Path;

pub use self::bad_line::BadLine;
use self::diagnose::printable;
use crate::FromBot;

/// The longest name of a type or a field that is repeated in a finding, in characters.
const NAME: usize = 64;

/// How many unknown fields are named one by one.
const NAMED: usize = 8;

/// What a line of a bot turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// A message, with what was sloppy about it (unknown fields), one sentence each.
    Message(FromBot, Vec<String>),
    /// A message of a type that this version does not know: ignored. The type's name, bounded and printable.
    Unknown(String),
    /// Nothing but white space.
    Blank,
    /// A line that does not begin with `{`.
    Noise,
    /// A line that begins with `{` and cannot be read.
    Bad(BadLine),
}

/// Reads a line of a bot; never fails and never panics, whatever the bytes are.
pub fn decode(line: &[u8]) -> Decoded {
    let line = line.trim_ascii();
    match line.first() {
        None => Decoded::Blank,
        Some(b'{') => message(line).unwrap_or_else(Decoded::Bad),
        Some(_) => diagnose::message_gone_wrong(line).map_or(Decoded::Noise, Decoded::Bad),
    }
}

/// All that is read at first; the rest of the line is checked for being JSON and dropped.
#[derive(Deserialize)]
pub(crate) struct Kind<'a> {
    #[serde(rename = "type", borrow)]
    pub(crate) name: Cow<'a, str>,
}

fn message(line: &[u8]) -> Result<Decoded, BadLine> {
    // serde_json does not look at the text of what it skips: bad UTF-8 would pass there.
    let text = std::str::from_utf8(line).map_err(|error| diagnose::not_utf8(line, error))?;
    let kind: Kind<'_> = serde_json::from_str(text).map_err(|error| diagnose::not_an_object(text, &error))?;
    match &*kind.name {
        "move" => read(text, FromBot::Move),
        "info" => read(text, FromBot::Info),
        "pong" => read(text, FromBot::Pong),
        "log" => read(text, FromBot::Log),
        "ready" => read(text, FromBot::Ready),
        "resign" => read(text, FromBot::Resign),
        "solution" => read(text, FromBot::Solution),
        "hello" => read(text, FromBot::Hello),
        name => {
            diagnose::depth(text)?;
            diagnose::not_a_bots_type(name)?;
            Ok(Decoded::Unknown(printable(name.as_bytes(), NAME)))
        }
    }
}

fn read<T: DeserializeOwned>(text: &str, wrap: fn(T) -> FromBot) -> Result<Decoded, BadLine> {
    let mut ignored = Ignored::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let body = serde_ignored::deserialize(&mut json, |path| ignored.take_note(&path))
        .map_err(|error| diagnose::not_this_type::<T>(text, &error))?;
    if !ignored.is_empty() {
        diagnose::depth(text)?;
    }
    let mut warnings = ignored.into_warnings();
    if let Some(number) = diagnose::whole_number_with_a_fraction(text) {
        warnings.push(format!("a whole number is written with a fraction: {number}"));
    }
    Ok(Decoded::Message(wrap(body), warnings))
}

/// The fields that were skipped, `type` aside.
#[derive(Default)]
struct Ignored {
    names: Vec<String>,
    more: usize,
}

impl Ignored {
    fn take_note(&mut self, path: &Path<'_>) {
        if let Path::Map { parent: Path::Root, key } = path
            && key == "type"
        {
            return;
        }
        if self.names.len() == NAMED {
            self.more += 1;
            return;
        }
        self.names.push(printable(spell(path).as_bytes(), NAME));
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn into_warnings(self) -> Vec<String> {
        let mut warnings: Vec<String> =
            self.names.into_iter().map(|name| format!("unknown field `{name}` is ignored")).collect();
        if self.more > 0 {
            warnings.push(format!("{} more unknown fields are ignored", self.more));
        }
        warnings
    }
}

/// Spells a path as `options[0].max`.
fn spell(path: &Path<'_>) -> String {
    match path {
        Path::Root => String::new(),
        Path::Map { parent: Path::Root, key } => key.clone(),
        Path::Map { parent, key } => spell(parent) + "." + key,
        Path::Seq { parent, index } => format!("{}[{index}]", spell(parent)),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            spell(parent)
        }
    }
}

#[cfg(test)]
mod tests;
