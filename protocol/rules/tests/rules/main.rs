//! The rules core against the rulebook's vectors and counts, a plain second implementation, and properties.

mod json;
mod perft;
mod vectors;
