//! How a game ended, and which side caused it.

pub use bao_protocol::record::Loss;

use bao_protocol::record::WireVerdict;
use bao_protocol::{Reason, VoidCause};
use bao_rules::{Outcome, Side};

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` for a draw and for a game that does not count.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// The side whose conduct decided the game, if any.
    pub fault: Option<Side>,
    /// More about the reason, in a printable sentence.
    pub detail: Option<String>,
    /// The beginning of the line at fault, printable.
    pub line: Option<String>,
    /// Why the game does not count; `None` where it does, and in a game of the first edition, whose record cannot name
    /// it.
    pub void: Option<VoidCause>,
}

impl Verdict {
    /// The end that the rules give.
    pub fn by_rules(outcome: Outcome) -> Self {
        Self::ended(outcome.winner, outcome.reason.into(), None)
    }

    /// An end by something else than the rules or misconduct.
    pub fn ended(winner: Option<Side>, reason: Reason, detail: Option<String>) -> Self {
        Self { winner, reason, fault: None, detail, line: None, void: None }
    }

    /// A loss by misconduct.
    pub fn lost(side: Side, reason: Reason, detail: String) -> Self {
        Self { fault: Some(side), ..Self::ended(Some(side.other()), reason, Some(detail)) }
    }

    /// A game that does not count.
    pub fn void(cause: VoidCause, why: &str) -> Self {
        Self { void: Some(cause), ..Self::ended(None, Reason::Void, Some(printable(why, 600))) }
    }

    /// Returns whether this side's bot failed: by its conduct, or with the other's before the game began.
    pub fn failed(&self, side: Side) -> bool {
        self.fault == Some(side) || self.void == Some(VoidCause::Silent)
    }

    /// Returns the verdict as the last line of a wire file has it, with the number of moves and the position at the end.
    pub fn to_wire(&self, plies: u64, position: String) -> WireVerdict {
        WireVerdict {
            winner: self.winner.map(Into::into),
            reason: self.reason,
            fault: self.fault.map(Into::into),
            detail: self.detail.clone(),
            line: self.line.clone(),
            plies,
            position,
            void: self.void,
        }
    }

    /// Returns the reason and the detail, as in `time (1051 ms used, 1000 ms allowed and 50 ms grace)`.
    pub fn sentence(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail})", self.reason),
            None => self.reason.to_string(),
        }
    }

    /// Returns the result in the usual notation, South first.
    pub fn result(&self) -> &'static str {
        match (self.reason, self.winner) {
            (Reason::Void, _) => "*",
            (_, Some(Side::South)) => "1-0",
            (_, Some(Side::North)) => "0-1",
            (_, None) => "1/2-1/2",
        }
    }

    /// Returns South's score: 1, 0.5 or 0; `None` where the game does not count.
    pub fn score_south(&self) -> Option<f64> {
        match (self.reason, self.winner) {
            (Reason::Void, _) => None,
            (_, Some(Side::South)) => Some(1.0),
            (_, Some(Side::North)) => Some(0.0),
            (_, None) => Some(0.5),
        }
    }
}

/// Returns the first `most` characters of a text as they are; `...` follows where there are more.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Makes text safe for every reader: printable ASCII without quotes and backslashes, at most `most` characters.
pub fn printable(text: &str, most: usize) -> String {
    let mut shown: String = text
        .chars()
        .take(most)
        .map(|c| match c {
            '"' => '\'',
            '\\' => '/',
            ' '..='~' => c,
            _ => '?',
        })
        .collect();
    if text.chars().nth(most).is_some() {
        shown.push_str("...");
    }
    shown
}
