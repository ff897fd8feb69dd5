//! The closed list of why a game does not count.

use serde::{Deserialize, Serialize};

/// Why a game does not count. The wire name is the variant in `snake_case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum VoidCause {
    /// The operator stopped it. It is played again, however often that was.
    Operator,
    /// The program of the side at fault could not be started, or speaks another version of the protocol.
    Program,
    /// Neither bot was ready to play: both failed before the game began.
    Silent,
    /// The referee failed.
    Internal,
    /// The referee was not there when it mattered: suspended, or starved of the processor.
    Absent,
    /// The machine's memory ran out, and its kernel killed a bot that was within its limit.
    Machine,
}

impl VoidCause {
    /// Every cause, in the order of the documentation.
    pub const ALL: [Self; 6] =
        [Self::Operator, Self::Program, Self::Silent, Self::Internal, Self::Absent, Self::Machine];

    /// Returns the wire name, as `operator`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Program => "program",
            Self::Silent => "silent",
            Self::Internal => "internal",
            Self::Absent => "absent",
            Self::Machine => "machine",
        }
    }
}

impl std::fmt::Display for VoidCause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
