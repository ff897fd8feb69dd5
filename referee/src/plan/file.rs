//! A tournament's plan as an organiser writes it: a TOML file.
//!
//! Everything is read strictly: a key that is unknown is a mistake, and every mistake is shown in its line. Relative
//! paths, of programs, their arguments, openings and sandboxes, begin in the directory of the file, so that it does not
//! matter from where the referee is started.

use std::path::Path;

use super::Plan;
use super::error::PlanError;
use super::file_error::{FileError, FileProblem, Wrong};
use super::sheet::Sheet;

/// Reads a tournament's file.
///
/// # Errors
/// [`FileError`] with the line at fault.
pub fn tournament(path: &Path) -> Result<Plan, FileError> {
    let text = std::fs::read_to_string(path).map_err(|error| FileError::new(path, FileProblem::Io(error)))?;
    tournament_text(path, &text)
}

/// Reads the text of a tournament's file at this path.
///
/// # Errors
/// [`FileError`] with the line at fault.
pub fn tournament_text(path: &Path, text: &str) -> Result<Plan, FileError> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let directory = absolute.parent().unwrap_or(Path::new("/"));
    // One name for it, from wherever the referee is started.
    let directory = &directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    if directory.to_str().is_none() {
        let problem = PlanError::NotUtf8 { path: directory.to_owned() };
        return Err(FileError::new(path, problem.into()));
    }
    let sheet: Sheet = toml::from_str(text)
        .map_err(|error| FileError::at(path, text, error.span(), FileProblem::of_toml(error.message())))?;
    sheet.plan(directory).map_err(|Wrong { span, problem }| FileError::at(path, text, span, problem))
}
