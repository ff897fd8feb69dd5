//! How a game ended, and what a bot did to end it.

pub use bao_protocol::record::Loss;

use bao_protocol::Reason;
use bao_protocol::record::WireVerdict;
use bao_rules::{Outcome, Side};

/// What a verdict says of a game that the operator ended.
pub const STOPPED: &str = "stopped by the operator";

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` for a draw and for a game that does not count.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// Whose conduct decided the game, if anybody's.
    pub fault: Option<Side>,
    /// More about the reason, in a printable sentence.
    pub detail: Option<String>,
    /// The beginning of the line at fault, printable.
    pub line: Option<String>,
}

impl Verdict {
    /// The end that the rules give.
    pub fn by_rules(outcome: Outcome) -> Self {
        Self { winner: outcome.winner, reason: outcome.reason.into(), fault: None, detail: None, line: None }
    }

    /// A win by something other than the rules and misconduct.
    pub fn won(winner: Side, reason: Reason, detail: Option<String>) -> Self {
        Self { winner: Some(winner), reason, fault: None, detail, line: None }
    }

    /// A loss by misconduct.
    pub fn lost(side: Side, reason: Reason, detail: String) -> Self {
        Self { winner: Some(side.other()), reason, fault: Some(side), detail: Some(detail), line: None }
    }

    /// A game that does not count.
    pub fn void(why: &str) -> Self {
        Self {
            winner: None,
            reason: Reason::Void,
            fault: None,
            detail: Some(printable(why, 600)),
            line: None,
        }
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
