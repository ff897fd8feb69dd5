//! A game of a schedule.

use bao_rules::Position;

/// A game to play.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The game's number, from 1.
    pub game: u64,
    /// The pair that it belongs to, from 1.
    pub pair: u64,
    /// The round, from 1, where there are rounds.
    pub round: Option<u64>,
    /// The opening's number, from 1, where there is one.
    pub opening: Option<u64>,
    /// The position from which it starts.
    pub position: Position,
    /// South's and North's places in the plan's list of bots.
    pub seats: [usize; 2],
}
