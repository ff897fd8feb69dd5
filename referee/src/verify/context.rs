//! What every check of a record needs.

use std::path::Path;

use bao_protocol::record::Run;

use crate::plan::Plan;
use crate::record::read::ReadError;
use crate::record::{Files, Layout};

/// What every game of a run is checked against.
pub(super) struct Context {
    pub(super) files: Files,
    pub(super) run: Run,
    /// The plan in `run.json`.
    pub(super) began_with: Plan,
    /// The plan as acts have extended it.
    pub(super) plan: Plan,
    pub(super) plan_sha256: String,
    pub(super) layout: Layout,
}

/// Says that a file of the record cannot be read.
pub(super) fn io_error(path: &Path, source: std::io::Error) -> ReadError {
    ReadError::Io { path: path.to_owned(), source }
}
