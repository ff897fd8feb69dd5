//! Reads a tournament's plan from the organiser's TOML file.
//!
//! Everything is read strictly: an unknown key is an error, and every error is shown in its line. Relative
//! paths of programs, their arguments, openings and sandboxes begin in the directory of the file, so that it does not
//! matter where the referee is started.

use std::path::{Path, PathBuf};

use super::error::PlanError;
use super::file_error::{FileError, FileProblem, Wrong};
use super::sheet::Sheet;
use super::{Absent, Plan};

use crate::open;

/// The contents of a tournament's file.
#[derive(Debug, Clone, PartialEq)]
pub struct EventFile {
    /// What is played.
    pub plan: Plan,
    /// What happens if a bot cannot play.
    pub absent: Absent,
    /// Records and tables whose ratings put the bots in order, the best first; empty: the order of the file.
    pub seeds_from: Vec<PathBuf>,
}

/// Reads a tournament's file; `seed` is used if the file has none.
///
/// # Errors
/// [`FileError`] with the line at fault.
pub fn event(path: &Path, seed: u64) -> Result<EventFile, FileError> {
    let text = open::piped_text(path).map_err(|error| FileError::new(path, FileProblem::Io(error)))?;
    event_text(path, &text, seed)
}

/// Reads the plan of a tournament's file.
///
/// # Errors
/// As [`event`].
pub fn tournament(path: &Path, seed: u64) -> Result<Plan, FileError> {
    event(path, seed).map(|event| event.plan)
}

/// Reads the plan in the text of a tournament's file at this path.
///
/// # Errors
/// As [`event`].
pub fn tournament_text(path: &Path, text: &str, seed: u64) -> Result<Plan, FileError> {
    event_text(path, text, seed).map(|event| event.plan)
}

fn event_text(path: &Path, text: &str, seed: u64) -> Result<EventFile, FileError> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let directory = absolute.parent().unwrap_or(Path::new("/"));
    // The same name for it, wherever the referee is started.
    let directory = &directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    if directory.to_str().is_none() {
        let problem = PlanError::NotUtf8 { path: directory.to_owned() };
        return Err(FileError::new(path, problem.into()));
    }
    let sheet: Sheet = toml::from_str(text)
        .map_err(|error| FileError::at(path, text, error.span(), FileProblem::of_toml(error.message())))?;
    let absent = sheet.absent;
    let seeds_from = sheet.seeds_from.iter().map(|path| directory.join(path)).collect();
    let plan = sheet
        .plan(directory, seed)
        .map_err(|Wrong { span, problem }| FileError::at(path, text, span, problem))?;
    Ok(EventFile { plan, absent, seeds_from })
}
