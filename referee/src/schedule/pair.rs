//! A pair: one opening played twice with the seats swapped.

use bao_stats::Outcome;
use serde::{Deserialize, Serialize};

/// A pair that a format wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The round, from 1, if the format has rounds.
    pub(crate) round: Option<u64>,
    /// The index of the plan's game.
    pub(crate) game: usize,
    /// The index of the opening.
    pub(crate) opening: u64,
    /// The bots' places in the plan; the first is South in the first game.
    pub(crate) bots: [usize; 2],
    /// Whether the pair has only its first game.
    pub(crate) single: bool,
}

/// How a pair ended for its first bot; `None` for a game that was given up after too many attempts, or never planned.
pub(crate) type PairEnd = [Option<GameEnd>; 2];

/// A game of a complete pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameEnd {
    /// How it ended for the pair's first bot.
    pub(crate) outcome: Outcome,
    /// How it ended before the arbiter gave it this outcome, and after how many rows of the record that was.
    pub(crate) before: Option<(Outcome, u64)>,
    /// Whether it was not played because a program could not be started.
    pub(crate) walkover: bool,
    /// A number that only games with the same moves share.
    pub(crate) moves: u64,
    /// A number that only games from the same opening share.
    pub(crate) start: u64,
}
