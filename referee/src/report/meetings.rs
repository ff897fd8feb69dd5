//! What two bots scored against each other in a round.

use std::collections::BTreeMap;

use bao_protocol::Seat;
use bao_protocol::record::GameRow;

/// The scores of a run, round by round.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// By round and bots, the lower place in the plan first.
    scores: BTreeMap<(u64, usize, usize), Score>,
}

/// What a bot scored against another in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Score {
    /// Its losses, draws and wins.
    pub(super) results: [u64; 3],
    /// The first game between the two.
    pub(super) first_game: u64,
}

impl Score {
    /// Returns the opponent's losses, draws and wins.
    pub(super) fn mirrored(self) -> [u64; 3] {
        let [losses, draws, wins] = self.results;
        [wins, draws, losses]
    }
}

impl Meetings {
    /// Counts a game of these bots, South's first; one that has no round, or does not count, is passed over.
    pub(super) fn add(&mut self, row: &GameRow, [south, north]: [usize; 2]) {
        let (Some(round), Some(_)) = (row.round, row.score_south) else { return };
        let key = (round, south.min(north), south.max(north));
        let score = self.scores.entry(key).or_insert(Score { results: [0; 3], first_game: row.game });
        score.first_game = score.first_game.min(row.game);
        let place = match row.winner {
            None => 1,
            Some(winner) if (winner == Seat::South) == (south < north) => 2,
            Some(_) => 0,
        };
        score.results[place] += 1;
    }

    /// Returns what a bot scored against another in a round, if they have finished a game.
    pub(super) fn between(&self, round: u64, bot: usize, other: usize) -> Option<Score> {
        let mut score = *self.scores.get(&(round, bot.min(other), bot.max(other)))?;
        if bot > other {
            score.results = score.mirrored();
        }
        Some(score)
    }
}
