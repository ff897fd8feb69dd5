//! Games that were played before, move for move.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::record::read::GameBrief;

/// How many games are remembered, and as many pairs: some ten megabytes.
const REMEMBERED: usize = 1 << 18;

/// Notices pairs whose two games are those of an earlier pair: deterministic bots play such from the same opening.
///
/// They are independent of nothing, so error bars must not count them again. What was found does not depend on the
/// order of the pairs, until more were seen than are remembered.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    games: HashSet<u64>,
    pairs: HashSet<u64>,
    repeated_games: u64,
}

impl Repeats {
    /// Takes the fingerprints of a pair's two games; tells whether such a pair was there before.
    pub(crate) fn pair(&mut self, games: [u64; 2]) -> bool {
        for game in games {
            self.repeated_games += u64::from(seen(&mut self.games, game));
        }
        let mut hasher = DefaultHasher::new();
        games.hash(&mut hasher);
        seen(&mut self.pairs, hasher.finish())
    }

    /// Returns how many games were move for move those of an earlier one.
    pub(crate) fn games(&self) -> u64 {
        self.repeated_games
    }
}

fn seen(known: &mut HashSet<u64>, fingerprint: u64) -> bool {
    if known.len() < REMEMBERED { !known.insert(fingerprint) } else { known.contains(&fingerprint) }
}

/// Returns a number that is the same for games of the same bots in the same seats from the same position with the same
/// moves, and for others all but never.
pub(crate) fn fingerprint(row: &GameBrief<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&row.variant, &row.position, &row.south, &row.north, &row.moves, row.winner).hash(&mut hasher);
    hasher.finish()
}
