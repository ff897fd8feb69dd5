//! The course digest: a hash of what was played, independent of machines, time and number of tables.

use bao_protocol::Seat;
use bao_protocol::record::GameRow;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::hex;

/// The fields of a row that belong to the course of play, in the order of hashing.
#[derive(Serialize)]
struct Told<'a> {
    game: u64,
    pair: u64,
    round: Option<u64>,
    opening: Option<u64>,
    variant: &'a str,
    position: &'a str,
    south: &'a str,
    north: &'a str,
    winner: Option<Seat>,
    score_south: Option<f64>,
    reason: bao_protocol::Reason,
    fault: Option<Seat>,
    plies: u64,
    moves: &'a str,
    final_position: &'a str,
    seeds_south: u64,
    seeds_north: u64,
}

/// The games of a run, each with the digest of its course.
#[derive(Debug, Default)]
pub struct CourseDigest {
    games: Vec<(u64, [u8; 32])>,
}

impl CourseDigest {
    /// Adds a row, unless it does not count.
    pub fn add(&mut self, row: &GameRow) {
        if row.score_south.is_none() {
            return;
        }
        let told = Told {
            game: row.game,
            pair: row.pair,
            round: row.round,
            opening: row.opening,
            variant: &row.variant,
            position: &row.position,
            south: &row.south,
            north: &row.north,
            winner: row.winner,
            score_south: row.score_south,
            reason: row.reason,
            fault: row.fault,
            plies: row.plies,
            moves: &row.moves,
            final_position: &row.final_position,
            seeds_south: row.seeds_south,
            seeds_north: row.seeds_north,
        };
        let text = serde_json::to_vec(&told).expect("plain structs always serialise");
        self.games.push((row.game, Sha256::digest(text).into()));
    }

    /// Returns the digest of the games whose pairs count, in the order of their numbers, in hexadecimal.
    pub fn sha256(mut self, counts: impl Fn(u64) -> bool) -> String {
        self.games.sort_unstable();
        let mut whole = Sha256::new();
        for (_, digest) in self.games.iter().filter(|(game, _)| counts(game.div_ceil(2))) {
            whole.update(digest);
        }
        hex(&whole.finalize())
    }
}
