//! Bao Kigogo for the search.

use bao_rules::kigogo::Position;
use bao_rules::{Pit, Side, Variant};

use super::game::{Game, WIN, hash};

/// One seed in each pit of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// How much each feature of a position counts, in hundredths of a seed; found by self-play (`docs/TUNING.md`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// A seed on the board.
    pub seed: i32,
    /// A pit with two seeds or more, which can be lifted.
    pub liftable: i32,
    /// An empty pit in the front row, where a sowing can end and capture.
    pub gap: i32,
    /// A seed in a column whose front pit is occupied, so that it can be captured.
    pub exposed: i32,
    /// The turn.
    pub turn: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { seed: 100, liftable: 0, gap: 0, exposed: 0, turn: 0 }
    }
}

impl Game for Position {
    type Weights = Weights;

    #[inline]
    fn plays(&self) -> impl Iterator<Item = (Pit, Option<Self>)> {
        self.legal_moves().into_iter().map(|pit| (pit, self.after(pit)))
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over().is_some()
    }

    // Seeds captured are left out: the pits tell them, since nobody sows into the other side.
    #[inline]
    fn key(&self) -> u64 {
        let [[a, b, c], [d, e, f]] = words(self);
        hash([a, b, c, d, e, f])
    }

    #[inline]
    fn gone(&self) -> u32 {
        self.captured(Side::South) + self.captured(Side::North)
    }

    #[inline]
    fn evaluate(&self, weights: &Weights) -> i32 {
        let [own, theirs] = words(self);
        judge(own, weights) - judge(theirs, weights) + weights.turn
    }

    fn ended(&self, ply: i32) -> i32 {
        ply - WIN
    }

    fn repeated(&self) -> i32 {
        0
    }
}

/// The pits of one side in sowing order, eight a word: the back row, then the front row backwards.
type Words = [u64; 3];

/// Gives the pits of the side to move and of the other.
#[inline]
fn words(position: &Position) -> [Words; 2] {
    // Pits that are constants in inlined code: the compiler makes one load of each word.
    let [south, north] = [
        [word(position, SOUTH[0]), word(position, SOUTH[1]), word(position, SOUTH[2])],
        [word(position, NORTH[0]), word(position, NORTH[1]), word(position, NORTH[2])],
    ];
    match position.side() {
        Side::South => [south, north],
        Side::North => [north, south],
    }
}

#[inline]
fn word(position: &Position, [a, b, c, d, e, f, g, h]: [Pit; 8]) -> u64 {
    let seeds = |pit| position.seeds(pit);
    u64::from_le_bytes([seeds(a), seeds(b), seeds(c), seeds(d), seeds(e), seeds(f), seeds(g), seeds(h)])
}

/// Judges the pits of one side.
#[inline]
fn judge([back, middle, front]: Words, weights: &Weights) -> i32 {
    // No pit holds more than 92 seeds, so the top bit of each byte takes part as the answer.
    let at_least = |word: u64, least: u64| (word + ONES * (128 - least)) & (ONES << 7);
    let count = |bits: u64| bits.count_ones() as i32;
    let total = |word: u64| (word.wrapping_mul(ONES) >> 56) as i32;
    // Three words of up to 92 seeds in all; the sum of their bytes cannot overflow.
    let seeds = total(back + middle + front);
    let liftable = count(at_least(back, 2)) + count(at_least(middle, 2)) + count(at_least(front, 2));
    // The front row is the upper half of the middle word and the last word.
    let occupied = [at_least(middle, 1) >> 32, at_least(front, 1)];
    let gaps = 12 - count(occupied[0]) - count(occupied[1]);
    weights.seed * seeds
        + weights.liftable * liftable
        + weights.gap * gaps
        + weights.exposed * exposed([back, middle, front])
}

/// Counts the seeds in columns whose front pit is occupied.
#[inline]
fn exposed([back, middle, front]: Words) -> i32 {
    // Bytes of all ones where the pit is occupied.
    let mask = |word: u64| (((word + ONES * 127) >> 7) & ONES) * 0xff;
    // B1..B8 stand behind A1..A8, which the last word holds backwards; B9..B12 behind A9..A12.
    let low = back & mask(front).swap_bytes();
    let upper = middle >> 32;
    let high = middle & 0xffff_ffff & (mask(upper).swap_bytes() >> 32);
    let sum = low + high + upper + front;
    (sum.wrapping_mul(ONES) >> 56) as i32
}

const SOUTH: [[Pit; 8]; 3] = pits(Side::South);
const NORTH: [[Pit; 8]; 3] = pits(Side::North);

const fn pits(side: Side) -> [[Pit; 8]; 3] {
    let Some(first) = Pit::new(Variant::Kigogo, side, 0) else { panic!("every side has a first pit") };
    let mut pits = [[first; 8]; 3];
    let mut index = 0;
    while let Some(pit) = Pit::new(Variant::Kigogo, side, index) {
        pits[index / 8][index % 8] = pit;
        index += 1;
    }
    pits
}
