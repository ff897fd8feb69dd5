//! The closed list of how a game ends: the same words in the protocol, in the records and in the documentation.

use bao_rules::Ending;
use serde::{Deserialize, Serialize};

/// Why a game ended. The wire name is the variant in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// By the rules: the side to move has no seed left and loses.
    CapturedAll,
    /// By the rules: the side to move has one seed in every pit, cannot move and loses.
    Immobilised,
    /// By the rules: the side to move cannot move; the seeds are counted.
    NoMoves,
    /// By the rules: a position came back; a draw, or the seeds are counted, as the game has it.
    Repetition,
    /// By the rules: a sowing that would never end; a draw.
    EndlessSowing,
    /// The agreed number of plies is reached; a draw, or the seeds are counted, as the game has it.
    MaxPlies,
    /// By conduct: the loser gave the game up.
    Resign,
    /// By conduct: the loser's time ran out.
    Time,
    /// By conduct: the loser made a move that the rules forbid; the detail names the rule.
    IllegalMove,
    /// By conduct: the loser sent a line that cannot be read; the detail names the field.
    BadMessage,
    /// By conduct: the loser sent a line longer than the limit.
    LineTooLong,
    /// By conduct: the loser wrote more than a turn or a game may bear.
    OutputFlood,
    /// By conduct: the loser's program ended, or closed its standard input.
    Crash,
    /// By conduct: the loser's program closed its standard output and ran on.
    ClosedStdout,
    /// By conduct: the loser did not answer `new_game` or `ping` in time.
    Stall,
    /// By conduct: the loser did not answer `hello` in time, or not with a hello, or plays another game.
    Handshake,
    /// By conduct: the loser used more memory than it may.
    MemoryLimit,
    /// By an organiser's rule of adjudication.
    Adjudicated,
    /// Nobody's result: the referee's or the operator's trouble. The game does not count and is replayed.
    Void,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 19] = [
        Self::CapturedAll,
        Self::Immobilised,
        Self::NoMoves,
        Self::Repetition,
        Self::EndlessSowing,
        Self::MaxPlies,
        Self::Resign,
        Self::Time,
        Self::IllegalMove,
        Self::BadMessage,
        Self::LineTooLong,
        Self::OutputFlood,
        Self::Crash,
        Self::ClosedStdout,
        Self::Stall,
        Self::Handshake,
        Self::MemoryLimit,
        Self::Adjudicated,
        Self::Void,
    ];

    /// Returns the wire name, as `illegal_move`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CapturedAll => "captured_all",
            Self::Immobilised => "immobilised",
            Self::NoMoves => "no_moves",
            Self::Repetition => "repetition",
            Self::EndlessSowing => "endless_sowing",
            Self::MaxPlies => "max_plies",
            Self::Resign => "resign",
            Self::Time => "time",
            Self::IllegalMove => "illegal_move",
            Self::BadMessage => "bad_message",
            Self::LineTooLong => "line_too_long",
            Self::OutputFlood => "output_flood",
            Self::Crash => "crash",
            Self::ClosedStdout => "closed_stdout",
            Self::Stall => "stall",
            Self::Handshake => "handshake",
            Self::MemoryLimit => "memory_limit",
            Self::Adjudicated => "adjudicated",
            Self::Void => "void",
        }
    }

    /// Returns whether the loser's program misbehaved: everything by conduct but resigning.
    pub const fn is_fault(self) -> bool {
        match self {
            Self::Time
            | Self::IllegalMove
            | Self::BadMessage
            | Self::LineTooLong
            | Self::OutputFlood
            | Self::Crash
            | Self::ClosedStdout
            | Self::Stall
            | Self::Handshake
            | Self::MemoryLimit => true,
            Self::CapturedAll
            | Self::Immobilised
            | Self::NoMoves
            | Self::Repetition
            | Self::EndlessSowing
            | Self::MaxPlies
            | Self::Resign
            | Self::Adjudicated
            | Self::Void => false,
        }
    }

    /// Returns whether the loser's program had ended, or no longer answered: its next game needs a new one.
    pub const fn is_death(self) -> bool {
        match self {
            Self::Crash | Self::ClosedStdout | Self::Stall | Self::Handshake | Self::MemoryLimit => true,
            Self::CapturedAll
            | Self::Immobilised
            | Self::NoMoves
            | Self::Repetition
            | Self::EndlessSowing
            | Self::MaxPlies
            | Self::Resign
            | Self::Time
            | Self::IllegalMove
            | Self::BadMessage
            | Self::LineTooLong
            | Self::OutputFlood
            | Self::Adjudicated
            | Self::Void => false,
        }
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Self {
        let reason = Self::ALL.into_iter().find(|reason| reason.name() == ending.name());
        reason.expect("every ending is a reason of the same name; a test compares the lists")
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_of_the_rules_is_a_reason_of_the_same_name() {
        for ending in Ending::ALL {
            assert_eq!(Reason::from(ending).name(), ending.name());
        }
    }
}
