//! The referee: matches, clocks, verdicts and records.

pub mod isolation;
