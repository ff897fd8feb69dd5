//! The names that people give.

use super::PlanError;
use crate::text::shown::{is_hidden, shown};

/// The longest name, in characters.
const LONGEST: usize = 100;

/// Refuses a name that tables, records and other programs could not show as it is; `what` has it.
///
/// # Errors
/// [`PlanError::Name`] where it is blank, too long, or holds characters that cannot be seen.
pub fn check_name(what: &'static str, name: &str) -> Result<(), PlanError> {
    let length = name.chars().count();
    let problem = if name.trim().is_empty() {
        "it is empty".to_owned()
    } else if length > LONGEST {
        format!("it has {length} characters")
    } else if let Some(hidden) = name.chars().find(|c| is_hidden(*c)) {
        format!("it holds {}, which cannot be seen", hidden.escape_default())
    } else {
        return Ok(());
    };
    Err(PlanError::Name { what, name: shown(name, LONGEST), problem })
}
