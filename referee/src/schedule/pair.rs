//! A pair: one opening played twice with the seats swapped.

use bao_stats::Outcome;

/// A pair as a format orders it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The round, from 1, where there are rounds.
    pub(crate) round: Option<u64>,
    /// Which of the plan's games.
    pub(crate) game: usize,
    /// Which opening, from 0.
    pub(crate) opening: u64,
    /// The bots' places in the plan; the first is South in the first game.
    pub(crate) bots: [usize; 2],
    /// Whether there is a first game only.
    pub(crate) single: bool,
}

/// How a pair ended for its first bot; `None` for a game that was given up after too many tries, or never meant to be.
pub(crate) type PairEnd = [Option<GameEnd>; 2];

/// A game of a complete pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameEnd {
    /// How it ended for the pair's first bot.
    pub(crate) outcome: Outcome,
    /// Whether it was not played, for want of a program that could be started.
    pub(crate) walkover: bool,
    /// What it shares with games alike only.
    pub(crate) moves: u64,
    /// What it shares with games from the same opening only.
    pub(crate) start: u64,
}
