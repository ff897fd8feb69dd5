//! Bao Kingulu for the search, which plays where the solver has no time to finish.

use bao_rules::kingulu::Position;
use bao_rules::{Pit, Side, Variant};

use super::game::{Game, hash};

/// The pits of a row.
pub(crate) const ROW: usize = 6;

impl Game for Position {
    type Judge = ();

    #[inline]
    fn plays(&self) -> impl Iterator<Item = (Pit, Option<Self>)> {
        plays(self).map(|(pit, after)| (pit, Some(after)))
    }

    // Whether a move is legal comes out when it is played, so it is not asked here.
    #[inline]
    fn is_over(&self) -> bool {
        false
    }

    // One bank and the pits tell the other bank.
    #[inline]
    fn key(&self) -> u64 {
        let [own, theirs] = rows(self);
        hash([own, theirs | u64::from(self.captured(self.side())) << 56])
    }

    #[inline]
    fn gone(&self) -> u32 {
        let [own, theirs] = rows(self);
        let reserved = (own >> (8 * ROW)).count_ones() + (theirs >> (8 * ROW)).count_ones();
        self.captured(Side::South) + self.captured(Side::North) + 64 * reserved
    }

    #[inline]
    fn evaluate(&self, (): &()) -> i32 {
        lead(self)
    }

    fn ended(&self, _ply: i32) -> i32 {
        lead(self)
    }

    fn repeated(&self) -> i32 {
        lead(self)
    }
}

/// Gives by how much the side to move would win if the game ended here.
#[inline]
fn lead(position: &Position) -> i32 {
    let [own, theirs] = [position.side(), position.side().other()].map(|side| position.score(side) as i32);
    100 * (own - theirs)
}

/// The row of the side to move and the other: a byte a pit, and above those a bit for each pit that is reserved.
pub(crate) type Rows = [u64; 2];

/// Gives all of a position but the banks, seen from the side to move.
#[inline]
pub(crate) fn rows(position: &Position) -> Rows {
    // Pits that are constants in inlined code: the compiler makes one load of each row.
    let [south, north] = [row(position, SOUTH), row(position, NORTH)];
    match position.side() {
        Side::South => [south, north],
        Side::North => [north, south],
    }
}

/// Gives the legal moves and what they lead to.
#[inline]
pub(crate) fn plays(position: &Position) -> impl Iterator<Item = (Pit, Position)> {
    let pits = match position.side() {
        Side::South => SOUTH,
        Side::North => NORTH,
    };
    pits.into_iter().filter_map(|pit| Some((pit, position.after(pit)?)))
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

/// Gives the pits of a side in sowing order.
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
