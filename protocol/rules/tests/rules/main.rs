//! The rules core against the rulebook's vectors and counts, a plain second implementation, and properties.

#![expect(clippy::unwrap_used, reason = "a failed test may panic anywhere")]

mod json;
mod perft;
mod plain;
mod positions;
mod properties;
mod reasons;
mod texts;
mod vectors;
