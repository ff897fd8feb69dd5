//! The form of a bot's output, apart from its content.

use std::collections::BTreeMap;

use bao_protocol::{Decoded, FromBot, decode};

use crate::text::shown::shown;

/// How many different remarks about a bot's output are kept.
const REMARKS: usize = 20;

/// A tally of the form of a bot's output.
#[derive(Debug, Clone, Default)]
pub struct Manners {
    /// How many lines it wrote.
    pub lines: u64,
    /// How many of them were hellos.
    pub hellos: u64,
    /// How many of them ended with a carriage return and a newline.
    pub crlf: u64,
    /// How many were empty.
    pub blank: u64,
    /// How many were not messages.
    pub noise: u64,
    /// The first of those.
    pub first_noise: Option<String>,
    // The first of its kind and how many there were, by the text without its numbers.
    remarks: BTreeMap<String, (String, u64)>,
}

impl Manners {
    /// Adds a remark, in a sentence; remarks that differ only in numbers count as the same.
    pub fn remark(&mut self, text: &str) {
        let kind: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        if self.remarks.len() < REMARKS || self.remarks.contains_key(&kind) {
            self.remarks.entry(kind).or_insert_with(|| (text.to_owned(), 0)).1 += 1;
        }
    }

    /// Returns the remarks: the first of each kind, and how many there were.
    pub fn remarks(&self) -> impl Iterator<Item = (&str, u64)> {
        self.remarks.values().map(|(text, count)| (text.as_str(), *count))
    }

    /// Adds the tally of another process.
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.hellos += other.hellos;
        self.crlf += other.crlf;
        self.blank += other.blank;
        self.noise += other.noise;
        self.first_noise = self.first_noise.take().or(other.first_noise);
        for (kind, (text, count)) in other.remarks {
            if self.remarks.len() < REMARKS || self.remarks.contains_key(&kind) {
                self.remarks.entry(kind).or_insert((text, 0)).1 += count;
            }
        }
    }

    /// Counts a message that answers no request.
    pub(super) fn stray(&mut self, message: &FromBot) {
        let kind = match message {
            // Said at any time, for the record.
            FromBot::Info(_) | FromBot::Log(_) => return,
            FromBot::Hello(_) => "hello",
            FromBot::Ready(_) => "ready",
            FromBot::Move(_) => "move",
            FromBot::Resign(_) => "resign",
            FromBot::Pong(_) => "pong",
            FromBot::Solution(_) => "solution",
        };
        self.remark(&format!("a {kind} that answers no open request was ignored"));
    }

    /// Counts a line, which ended with a carriage return and a newline or only with a newline.
    pub(super) fn take_note(&mut self, line: &[u8], crlf: bool) {
        self.lines += 1;
        self.crlf += u64::from(crlf);
        match decode(line) {
            Decoded::Blank => self.blank += 1,
            Decoded::Noise => {
                self.noise += 1;
                self.first_noise.get_or_insert_with(|| quoted(line, 100));
            }
            Decoded::Unknown(kind) => {
                self.remark(&format!("a message of the unknown type \"{kind}\" was ignored"));
            }
            Decoded::Message(message, warnings) => {
                self.hellos += u64::from(matches!(message, FromBot::Hello(_)));
                for warning in warnings {
                    self.remark(&warning);
                }
            }
            Decoded::Bad(_) => {}
        }
    }
}

/// Quotes a line as it is, but shortened and with hidden characters escaped.
pub(super) fn quoted(line: &[u8], most: usize) -> String {
    shown(&String::from_utf8_lossy(line), most)
}
