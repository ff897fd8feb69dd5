//! What the results of a run add up to.

pub mod standings;
