//! Why the shim could not take a step.

use std::fmt;
use std::io;
use std::path::PathBuf;

use landlock::RulesetError;
use rustix::process::Resource;
use seccompiler::BackendError;

/// Why the shim could not take a step; its text is what the report to the referee carries.
#[derive(Debug)]
pub(crate) enum StepError {
    /// The only thing that can go wrong in this step did.
    System(io::Error),
    /// One of several things in this step went wrong.
    Call(&'static str, io::Error),
    /// The parent is not the referee any more.
    Orphaned,
    /// The control group could not be joined.
    Join(PathBuf, io::Error),
    /// A resource limit could not be set.
    Limit(Resource, io::Error),
    /// Landlock could not be asked.
    Landlock(RulesetError),
    /// The kernel has Landlock but it was not started with it.
    LandlockOff,
    /// The kernel has no Landlock.
    NoLandlock,
    /// Landlock was asked and did nothing.
    NothingRestricted,
    /// There are no filters for this kind of processor.
    UnknownProcessor,
    /// A filter could not be made.
    Filter(BackendError),
    /// A filter could not be installed.
    Seccomp(seccompiler::Error),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => error.fmt(f),
            Self::Call(call, error) => write!(f, "{call}: {error}"),
            Self::Orphaned => f.write_str("the referee is gone"),
            Self::Join(group, error) => write!(f, "{}: {error}", group.display()),
            Self::Limit(resource, error) => write!(f, "{resource:?}: {error}"),
            Self::Landlock(error) => write!(f, "Landlock: {error}"),
            Self::LandlockOff => f.write_str("Landlock is built in but off (boot with lsm=landlock,...)"),
            Self::NoLandlock => f.write_str("this kernel has no Landlock (Linux 5.13 or newer has)"),
            Self::NothingRestricted => f.write_str("Landlock restricted nothing"),
            Self::UnknownProcessor => f.write_str("seccomp filters are not known for this processor"),
            Self::Filter(error) => write!(f, "seccomp filter: {error}"),
            Self::Seccomp(error) => write!(f, "seccomp: {error}"),
        }
    }
}

impl StepError {
    /// Makes the error of one call among several.
    pub(crate) fn call<E: Into<io::Error>>(call: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Call(call, error.into())
    }
}

impl From<io::Error> for StepError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<rustix::io::Errno> for StepError {
    fn from(error: rustix::io::Errno) -> Self {
        Self::System(error.into())
    }
}
