//! How a process ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It exited with this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// This signal ended it when its processor time was used up.
    UsedUp {
        /// The signal.
        signal: i32,
        /// The processor time that it had used, in milliseconds.
        used_ms: u64,
        /// The limit, in seconds.
        limit: u64,
    },
    /// It ended; the system does not say how.
    Unknown,
}

impl Fate {
    /// Returns whether the process ended with success.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Exited(0))
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exited(code) => write!(f, "the program exited with code {code}"),
            Self::Signalled(signal) => by_signal(signal, f),
            Self::UsedUp { signal, used_ms, limit } => {
                by_signal(signal, f)?;
                write!(f, "; it used {used_ms} ms of processor time, and cpu-seconds={limit} is its limit")
            }
            Self::Unknown => f.write_str("the program ended"),
        }
    }
}

/// Names the signal like the standard library, including a core dump.
fn by_signal(signal: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let status = ExitStatus::from_raw(signal).to_string();
    write!(f, "the program was ended by a signal: {}", status.trim_start_matches("signal: "))
}
