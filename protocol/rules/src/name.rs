//! Names from closed lists.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// A name that is not in the closed list to which it should belong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    what: &'static str,
    text: String,
    known: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(what: &'static str, text: &str, known: &'static [&'static str]) -> Self {
        Self { what, text: excerpt(text), known }
    }

    /// Returns the names of the list.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} {:?}: known are {}", self.what, self.text, self.known.join(", "))
    }
}

impl core::error::Error for UnknownName {}

/// Cuts a text of unknown length so that it fits into an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 32;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
