//! What the results of a run add up to.

pub(crate) mod halves;
pub mod standings;
