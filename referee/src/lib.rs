//! The referee: matches, clocks, verdicts and records.
