//! What no plan may exceed.

/// The most plies that a game may be planned for: a request that lists them all still fits into a line.
pub const MOST_PLIES: u64 = 10_000;

/// The most bots of a plan: what is known of every two of them still fits into the memory, and is worked out in seconds.
pub const MOST_BOTS: usize = 1000;
