//! What the results of a run add up to.

pub mod repeats;
pub mod standings;
