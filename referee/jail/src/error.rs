//! Why a bot could not be started.

use std::io;
use std::path::{Path, PathBuf};

use crate::command::{NotExecutable, Unresolved};
use crate::grant::Refused;
use crate::promise::Promise;
use crate::report::Step;

/// Why a bot could not be started: a problem of the operator or the machine, never a loss of the bot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The program, or the interpreter that its first line names, does not exist.
    #[error("bot `{}` not found (the program, or the interpreter on its #! line, is missing)", .0.display())]
    NotFound(PathBuf),
    /// The program exists but cannot be executed.
    #[error("bot `{}` cannot be executed: {}", .0.display(), .1)]
    NotExecutable(PathBuf, NotExecutable),
    /// Its first line or a link leads to something that is not granted.
    #[error("bot cannot be started: {0}")]
    Refused(Refused),
    /// Isolation is strict, and these promises cannot be kept.
    #[error("strict isolation cannot be kept on this machine: {}", each(.0))]
    Gaps(Vec<Promise>),
    /// The shim failed at a step: its name and the reason.
    #[error("isolation failed at step {0}: {1}")]
    Step(String, String),
    /// Something could not be prepared: its name and the system's error.
    #[error("cannot prepare {0}: {1}")]
    Prepare(String, #[source] io::Error),
    /// The shim ended without a report; it may have been killed.
    #[error("the process ended before it became the bot, and reported nothing")]
    Died,
    /// The shim did not finish in time.
    #[error("the process did not become the bot in time")]
    TimedOut,
}

impl SetupError {
    /// Returns whether the cause is the program or its command, so that other bots can probably be started; if not,
    /// the cause is the machine.
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

    /// Makes the error for something that could not be prepared.
    pub(crate) fn prepare(what: &str) -> impl FnOnce(io::Error) -> Self + use<> {
        let what = what.to_owned();
        move |error| Self::Prepare(what, error)
    }

    /// Makes the error for a program that cannot be resolved.
    pub(crate) fn unresolved(program: &Path) -> impl FnOnce(Unresolved) -> Self {
        move |why| match why {
            Unresolved::Missing => Self::NotFound(program.to_owned()),
            Unresolved::NotExecutable(why) => Self::NotExecutable(program.to_owned(), why),
        }
    }

    /// Reads the error of `exec`: its number, a space and its text.
    pub(crate) fn of_exec(program: &Path, why: &str) -> Self {
        let (number, text) = why.split_once(' ').unwrap_or(("0", why));
        match number.parse().unwrap_or(0) {
            libc::ENOENT | libc::ENOTDIR => Self::NotFound(program.to_owned()),
            libc::EACCES | libc::ENOEXEC | libc::EISDIR | libc::ELOOP => {
                Self::NotExecutable(program.to_owned(), NotExecutable::Kernel(text.to_owned()))
            }
            _ => Self::Step(Step::Exec.to_string(), text.to_owned()),
        }
    }
}

fn each(gaps: &[Promise]) -> String {
    let gaps = gaps.iter().map(|gap| format!("{:?}: {}", gap.name, gap.gap.as_deref().unwrap_or_default()));
    gaps.collect::<Vec<_>>().join("; ")
}
