//! Why a step of the shim failed.

use std::io;
use std::path::PathBuf;

use landlock::RulesetError;
use rustix::process::Resource;
use seccompiler::BackendError;

/// Why a step of the shim failed; its text is in the report to the referee.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StepError {
    /// The only call of this step failed.
    #[error("{0}")]
    System(#[from] io::Error),
    /// One of several calls of this step failed.
    #[error("{0}: {1}")]
    Call(&'static str, io::Error),
    /// The parent is no longer the referee.
    #[error("the referee has ended")]
    Orphaned,
    /// The referee's process group is outside this namespace of processes.
    #[error("the referee's process group is not visible here")]
    HiddenGroup,
    /// A processor has a greater number than any that a process can be bound to.
    #[error("there is no processor {0}")]
    NoProcessor(usize),
    /// The control group could not be joined.
    #[error("{}: {}", .0.display(), .1)]
    Join(PathBuf, io::Error),
    /// A resource limit could not be set.
    #[error("{0:?}: {1}")]
    Limit(Resource, io::Error),
    /// Landlock could not be asked.
    #[error("Landlock: {0}")]
    Landlock(RulesetError),
    /// The kernel has Landlock, but was started without it.
    #[error("Landlock is built in but off (boot with lsm=landlock,...)")]
    LandlockOff,
    /// The kernel has no Landlock.
    #[error("this kernel has no Landlock (Linux 5.13 or newer has)")]
    NoLandlock,
    /// Landlock restricted nothing.
    #[error("Landlock restricted nothing")]
    NothingRestricted,
    /// There are no filters for this kind of processor.
    #[error("seccomp filters are not known for this processor")]
    UnknownProcessor,
    /// A filter could not be made.
    #[error("seccomp filter: {0}")]
    Filter(BackendError),
    /// A filter could not be installed.
    #[error("seccomp: {0}")]
    Seccomp(seccompiler::Error),
}

impl StepError {
    /// Makes the error of one call among several.
    pub(crate) fn call<E: Into<io::Error>>(call: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Call(call, error.into())
    }
}

impl From<rustix::io::Errno> for StepError {
    fn from(error: rustix::io::Errno) -> Self {
        Self::System(error.into())
    }
}
