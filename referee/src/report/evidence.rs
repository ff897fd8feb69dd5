//! What the evidence of a game says about a fault.

use std::borrow::Cow;

use bao_protocol::record::{Channel, WireLine, WireVerdict};
use bao_rules::Side;

use super::words::clean;
use crate::game::verdict::{excerpt, printable};
use crate::record::read::{ReadError, Rows};

/// How much of a line is shown, in characters.
const LINE_LENGTH: usize = 300;

/// The evidence of a fault.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// The line at fault, or its beginning.
    pub(super) line: Option<String>,
    /// What the bot wrote to its standard error.
    pub(super) stderr: String,
}

impl Evidence {
    /// Reads the evidence against a side, as far as it can be read; `apart` is what the side wrote to its standard
    /// error, where the record does not have it among the lines.
    pub(super) fn read(lines: Option<Rows>, apart: Option<&str>, side: Side) -> Self {
        let mut reading = Reading::default();
        if let Some(lines) = lines {
            let _damaged = reading.read(lines, apart.is_none(), side);
        }
        if let Some(text) = apart {
            reading.evidence.stderr.push_str(text);
        }
        reading.end()
    }
}

/// The evidence while it is read.
#[derive(Debug, Default)]
struct Reading {
    evidence: Evidence,
    /// The last line that the bot wrote to the referee.
    said: String,
    /// The line at fault as the verdict has it: cut, and without what quotes would confuse.
    at_fault: String,
}

impl Reading {
    fn read(&mut self, mut rows: Rows, together: bool, side: Side) -> Result<(), ReadError> {
        let (said, stderr) = (Channel::from(side), Channel::stderr(side));
        while let Some(text) = rows.next_line()? {
            let Ok(line) = serde_json::from_str::<WireLine<'_>>(text) else { continue };
            if line.channel == stderr && together {
                self.evidence.stderr.push_str(&shown(line));
            } else if line.channel == said {
                self.said = shown(line).into_owned();
            } else if line.channel == Channel::Verdict {
                let verdict = line.text.and_then(|text| serde_json::from_str::<WireVerdict>(&text).ok());
                self.at_fault = verdict.and_then(|verdict| verdict.line).unwrap_or_default();
            }
        }
        Ok(())
    }

    fn end(mut self) -> Evidence {
        // The wire has the line itself.
        let beginning = self.said.as_bytes();
        let [first, second] =
            [400, 1000].map(|most| String::from_utf8_lossy(&beginning[..beginning.len().min(most)]));
        // As either edition quotes it.
        let is_it = printable(&first, 200) == self.at_fault || excerpt(&second, 200) == self.at_fault;
        let line = if is_it { &self.said } else { &self.at_fault };
        self.evidence.line = (!self.at_fault.is_empty()).then(|| clean(line, LINE_LENGTH));
        self.evidence
    }
}

fn shown(line: WireLine<'_>) -> Cow<'_, str> {
    match (line.text, line.hex) {
        (Some(text), _) => text,
        (None, Some(hex)) => format!("(not UTF-8, in hexadecimal) {hex}").into(),
        (None, None) => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;

    #[test]
    fn the_line_at_fault_is_the_one_that_the_bot_wrote() {
        let said = "{\"move\":\"Z9\"}";
        let mut reading =
            Reading { said: said.to_owned(), at_fault: "{'move':'Z9'}".to_owned(), ..Reading::default() };
        assert_eq!(std::mem::take(&mut reading).end().line.as_deref(), Some(said));
        let other = Reading { said: said.to_owned(), at_fault: "half a li".to_owned(), ..Reading::default() };
        assert_eq!(other.end().line.as_deref(), Some("half a li"));
    }
}
