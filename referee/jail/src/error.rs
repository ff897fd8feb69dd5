//! Why a bot could not be started.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::promise::Promise;
use crate::reach::Refused;
use crate::report::Step;

/// Why a bot could not be started: trouble of the operator or the machine, never a loss of the bot.
#[derive(Debug)]
pub enum SetupError {
    /// There is no such program, or the interpreter that its first line names is not there.
    NotFound(PathBuf),
    /// The program is there but cannot be executed.
    NotExecutable(PathBuf, String),
    /// Its first line or a link leads to something that nobody has granted it.
    Refused(Refused),
    /// Strict isolation was asked for, and these promises cannot be kept.
    Gaps(Vec<Promise>),
    /// The shim could not take a step: its name and the reason.
    Step(String, String),
    /// Something could not be made ready: what, and the system's error.
    Prepare(String, io::Error),
    /// The shim ended without a word; the operator should look whether it was killed.
    Died,
    /// The shim did not finish in time.
    TimedOut,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(program) => {
                write!(
                    f,
                    "bot `{}` not found (neither it nor its interpreter may be missing)",
                    program.display()
                )
            }
            Self::NotExecutable(program, why) => {
                write!(f, "bot `{}` cannot be executed: {why}", program.display())
            }
            Self::Refused(refused) => write!(f, "bot cannot be started: {refused}"),
            Self::Gaps(gaps) => {
                f.write_str("strict isolation cannot be kept on this machine")?;
                for gap in gaps {
                    write!(f, "; {:?}: {}", gap.name, gap.gap.as_deref().unwrap_or_default())?;
                }
                Ok(())
            }
            Self::Step(step, why) => write!(f, "isolation failed at step {step}: {why}"),
            Self::Prepare(what, error) => write!(f, "cannot prepare {what}: {error}"),
            Self::Died => f.write_str("the process that was to become the bot ended without a word"),
            Self::TimedOut => f.write_str("the process that was to become the bot did not get there in time"),
        }
    }
}

impl std::error::Error for SetupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Prepare(_, error) => Some(error),
            Self::NotFound(_)
            | Self::NotExecutable(..)
            | Self::Refused(_)
            | Self::Gaps(_)
            | Self::Step(..)
            | Self::Died
            | Self::TimedOut => None,
        }
    }
}

impl SetupError {
    /// Tells whether the program or what it was given stands against it, so that other bots may well be started; if not,
    /// the machine does.
    pub fn is_the_programs(&self) -> bool {
        match self {
            Self::NotFound(_)
            | Self::NotExecutable(..)
            | Self::Refused(_)
            | Self::Gaps(_)
            | Self::Step(..) => true,
            Self::Prepare(..) | Self::Died | Self::TimedOut => false,
        }
    }

    /// Makes the error for something that could not be made ready.
    pub(crate) fn prepare(what: &str) -> impl FnOnce(io::Error) -> Self + use<> {
        let what = what.to_owned();
        move |error| Self::Prepare(what, error)
    }

    /// Reads the error of `exec`: its number, a space and its text.
    pub(crate) fn of_exec(program: &Path, why: &str) -> Self {
        let (number, text) = why.split_once(' ').unwrap_or(("0", why));
        match number.parse().unwrap_or(0) {
            libc::ENOENT | libc::ENOTDIR => Self::NotFound(program.to_owned()),
            libc::EACCES | libc::ENOEXEC | libc::EISDIR | libc::ELOOP => {
                Self::NotExecutable(program.to_owned(), text.to_owned())
            }
            _ => Self::Step(Step::Exec.to_string(), text.to_owned()),
        }
    }
}
