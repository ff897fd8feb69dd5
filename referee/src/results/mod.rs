//! What the results of a run add up to.

pub(crate) mod halves;
pub mod pool;
pub mod sources;
pub mod standings;
