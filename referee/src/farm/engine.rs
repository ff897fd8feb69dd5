//! The engines that carry bundles out, as command lines.

use std::fmt;
use std::str::FromStr;

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Worker processes of this machine.
    Local,
    /// GNU parallel over ssh.
    Parallel,
    /// A Slurm array for each wave.
    Slurm,
    /// A command for each bundle.
    Command,
}

/// A text that names no engine.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not one of the engines local, parallel, slurm, command")]
pub struct UnknownEngine(String);

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        match text {
            "local" => Ok(Self::Local),
            "parallel" => Ok(Self::Parallel),
            "slurm" => Ok(Self::Slurm),
            "command" => Ok(Self::Command),
            other => Err(UnknownEngine(other.to_owned())),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => "local",
            Self::Parallel => "parallel",
            Self::Slurm => "slurm",
            Self::Command => "command",
        })
    }
}
