//! What an arbiter decided after games were played: `acts.jsonl`, and what follows from it.
//!
//! No decision changes a row or its evidence. [`Rulings`] say what rows and plan count as; the schedule, the
//! standings and every reader of a record follow them, and `referee verify` draws the same conclusions again.

mod acts;
mod rulings;
mod words;

pub use acts::{Acts, acts, append};
pub use rulings::Rulings;
pub(crate) use rulings::cycles;
