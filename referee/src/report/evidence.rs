//! What a game's wire file says about a fault.

use std::collections::VecDeque;
use std::path::Path;

use bao_protocol::record::{Channel, WireLine};
use bao_rules::Side;

use super::words::clean;
use crate::record::WireVerdict;
use crate::record::read::{ReadError, Rows};

/// How many lines of standard error are shown, from the end.
const LAST_LINES: usize = 12;
/// How much of a line is shown, in characters.
const LINE_LENGTH: usize = 300;

/// The evidence of a fault.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// The line at fault, or its beginning.
    pub(super) line: Option<String>,
    /// The end of what the bot wrote to its standard error.
    pub(super) stderr: VecDeque<String>,
    /// How many lines stood before that end.
    pub(super) stderr_before: u64,
}

impl Evidence {
    /// Reads the evidence against a side; none where the wire file is missing or cannot be read to its end.
    pub(super) fn read(path: &Path, side: Side) -> Self {
        let mut evidence = Self::default();
        // What is wrong with a wire file, `referee verify` says; a report shows what there is.
        let _damaged = evidence.read_lines(path, side);
        evidence
    }

    fn read_lines(&mut self, path: &Path, side: Side) -> Result<(), ReadError> {
        let theirs = match side {
            Side::South => Channel::SouthStderr,
            Side::North => Channel::NorthStderr,
        };
        let mut rows = Rows::open(path)?;
        while let Some(text) = rows.next_line()? {
            let Ok(line) = serde_json::from_str::<WireLine<'_>>(text) else { continue };
            if line.channel == theirs {
                if self.stderr.len() == LAST_LINES {
                    self.stderr.pop_front();
                    self.stderr_before += 1;
                }
                self.stderr.push_back(shown(&line));
            } else if line.channel == Channel::Verdict {
                let verdict = line.text.and_then(|text| serde_json::from_str::<WireVerdict>(&text).ok());
                let at_fault = verdict.and_then(|verdict| verdict.line);
                self.line = at_fault.filter(|line| !line.is_empty()).map(|line| clean(&line, LINE_LENGTH));
            }
        }
        Ok(())
    }
}

fn shown(line: &WireLine<'_>) -> String {
    match (&line.text, &line.hex) {
        (Some(text), _) => clean(text, LINE_LENGTH),
        (None, Some(hex)) => clean(&format!("(not UTF-8, in hexadecimal) {hex}"), LINE_LENGTH),
        (None, None) => String::new(),
    }
}
