//! Who meets whom in a round, for people who look at it afterwards.

/// A round of a Swiss or a knockout as it was drawn, in the order of its draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// Who meets whom; in a knockout, neighbours are those whose winners meet next.
    pub meetings: Vec<Meeting>,
}

/// Two bots that meet in a round, or one that is free in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The bot that stands first, by its place in the plan.
    pub bot: usize,
    /// Its opponent; none where it is free.
    pub other: Option<usize>,
    /// Which of them goes on to the next round, once that is known (knockout).
    pub through: Option<usize>,
}
