//! Why a command did not do what was asked, and the exit code for it.

use std::io;
use std::path::PathBuf;

use crate::plan::{FileError, PlanError};
use crate::record::read::ReadError;
use crate::run::RunError;

/// Why the program ends with another exit code than 0.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("{0}")]
    File(#[from] FileError),
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0}; {1}")]
    Gone(RunError, &'static str),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{0}")]
    Differs(String),
    #[error("{0} does not comply: {1}")]
    NotCompliant(String, String),
    #[error("--isolation strict would not start: {0} of the promises cannot be kept")]
    NotStrict(usize),
    #[error(
        "no game counted: {0} were given up after several tries; the record's rows and standard error say why"
    )]
    Nothing(u64),
    #[error("stopped by the operator; {0}")]
    Stopped(String),
    #[error("cannot write the page {}: {source}", path.display())]
    Page { path: PathBuf, source: io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Returns the exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Run(RunError::Spawn { source, .. }) if !source.is_the_programs() => 3,
            Self::Plan(_) | Self::File(_) | Self::Usage(_) | Self::Run(RunError::Spawn { .. }) => 2,
            Self::Run(RunError::NeverStarts { .. }) | Self::Gone(..) | Self::Nothing(_) => 3,
            Self::Run(RunError::Record(_)) | Self::Read(_) | Self::Page { .. } | Self::Output(_) => 6,
            Self::Differs(_) => 4,
            Self::NotCompliant(..) => 5,
            Self::NotStrict(_) => 8,
            Self::Stopped(_) => 7,
        }
    }
}
