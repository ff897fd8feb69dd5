//! Sums up the results of a run.

pub(crate) mod halves;
pub mod pool;
pub mod sources;
pub mod standings;
