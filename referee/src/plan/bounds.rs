//! The limits of a plan.

/// The most plies of a game: a request that lists them all still fits into a line.
pub const MOST_PLIES: u64 = 10_000;

/// The most bots of a plan: the results of every two of them still fit into memory, and are computed in seconds.
pub const MOST_BOTS: usize = 1000;
