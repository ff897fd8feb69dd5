//! A position of Bao Kingulu as two numbers: what a table uses as its key.

use bao_rules::kingulu::Position;
use bao_rules::{Pit, Rules as _, Side, Variant};

/// The pits of a row.
pub const ROW: usize = 6;

/// The row of the side to move and the other: a byte per pit, and above those a bit for each pit that is reserved.
pub type Rows = [u64; 2];

/// Returns all of a position but the banks, seen from the side to move.
#[inline]
pub fn rows(position: &Position) -> Rows {
    // Pits that are constants in inlined code: the compiler makes one load of each row.
    let [south, north] = [row(position, SOUTH), row(position, NORTH)];
    match position.side() {
        Side::South => [south, north],
        Side::North => [north, south],
    }
}

#[inline]
fn row(position: &Position, pits: [Pit; ROW]) -> u64 {
    let [a, b, c, d, e, f] = pits;
    let seeds = |pit| position.seeds(pit);
    let reserved = |pit: Pit| u64::from(position.reserved(pit).is_some()) << (8 * ROW + pit.index());
    let seeds = u64::from_le_bytes([seeds(a), seeds(b), seeds(c), seeds(d), seeds(e), seeds(f), 0, 0]);
    seeds | reserved(a) | reserved(b) | reserved(c) | reserved(d) | reserved(e) | reserved(f)
}

const SOUTH: [Pit; ROW] = pits(Side::South);
const NORTH: [Pit; ROW] = pits(Side::North);

/// Returns the pits of a side in sowing order.
const fn pits(side: Side) -> [Pit; ROW] {
    let Some(first) = Pit::new(Variant::Kingulu, side, 0) else { panic!("every side has a first pit") };
    let mut pits = [first; ROW];
    let mut index = 0;
    while let Some(pit) = Pit::new(Variant::Kingulu, side, index) {
        pits[index] = pit;
        index += 1;
    }
    pits
}
