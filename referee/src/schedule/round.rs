//! The meetings of a round, for reports.

/// A round of a Swiss or a knockout, in the order of its draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The meetings; in a knockout, the winners of neighbours meet next.
    pub meetings: Vec<Meeting>,
}

/// Two bots that meet in a round, or one that is free in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The first bot, by its place in the plan.
    pub bot: usize,
    /// Its opponent; `None` if it is free.
    pub other: Option<usize>,
    /// The bot that goes through to the next round, once that is known (knockout).
    pub through: Option<usize>,
}
