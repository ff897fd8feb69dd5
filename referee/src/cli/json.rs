//! Writes results for programs.

use std::io::{self, Write};

/// Writes a value as one line of JSON.
pub(super) fn json_line(out: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
