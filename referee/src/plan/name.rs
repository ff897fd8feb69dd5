//! Checks the names that people give.

use super::{NameError, PlanError};
use crate::text::shown::{is_hidden, shown};

/// Refuses a name that tables, records and other programs could not show; `what` has this name.
///
/// # Errors
/// [`PlanError::Name`] if it is blank, too long, or has invisible characters.
pub fn check_name(what: &'static str, name: &str) -> Result<(), PlanError> {
    let length = name.chars().count();
    let problem = if name.trim().is_empty() {
        NameError::Empty
    } else if length > NameError::LONGEST {
        NameError::Long(length)
    } else if let Some(hidden) = name.chars().find(|c| is_hidden(*c)) {
        NameError::Hidden(hidden)
    } else {
        return Ok(());
    };
    Err(PlanError::Name { what, name: shown(name, NameError::LONGEST), problem })
}
