//! Bao Kigogo for the search.

use std::str::FromStr;

use bao_rules::kigogo::Position;
use bao_rules::{Pit, Side, Variant};

use super::game::{Game, WIN, hash};

/// One seed in each pit of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The seeds of the game.
const SEEDS: usize = Variant::Kigogo.seeds() as usize;
/// With fewer seeds on the board, what counts does not change any more.
const FEW_SEEDS: usize = 12;

/// How much each feature of a position counts, in hundredths of a seed; found by self-play (`docs/TUNING.md`).
///
/// The fewer seeds are left, the more does each of them count: on a board of `n` seeds, 92 / `n` times as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// A seed, on the full board.
    pub seed: i32,
    /// A pit with two seeds or more, which can be lifted, on the full board.
    pub liftable: i32,
    /// The same on a board with half of the seeds; in between and beyond, it changes with 92 / `n`.
    pub liftable_half: i32,
    /// The turn.
    pub turn: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { seed: 100, liftable: 329, liftable_half: 28, turn: 107 }
    }
}

impl FromStr for Weights {
    type Err = String;

    /// Reads weights such as `seed:100 turn:5`; those not named stay as they are by default.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut weights = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once(':').unwrap_or((word, ""));
            let value = value.parse().map_err(|_| format!("{word:?} is not NAME:NUMBER"))?;
            *match name {
                "seed" => &mut weights.seed,
                "liftable" => &mut weights.liftable,
                "liftable_half" => &mut weights.liftable_half,
                "turn" => &mut weights.turn,
                _ => return Err(format!("no weight is called {name:?}")),
            } = value;
        }
        Ok(weights)
    }
}

/// The weights worked out for every number of seeds on the board.
#[derive(Debug, Clone)]
pub struct Judge {
    /// What a seed and what a liftable pit counts.
    by_seeds: [(i32, i32); SEEDS + 1],
    turn: i32,
}

impl From<Weights> for Judge {
    fn from(Weights { seed, liftable, liftable_half, turn }: Weights) -> Self {
        let by_seeds = std::array::from_fn(|seeds| {
            let (all, seeds) = (SEEDS as i32, seeds.max(FEW_SEEDS) as i32);
            (seed * all / seeds, liftable + (liftable_half - liftable) * (all - seeds) / seeds)
        });
        Self { by_seeds, turn }
    }
}

impl Game for Position {
    type Judge = Judge;

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
    fn evaluate(&self, judge: &Judge) -> i32 {
        let [own, theirs] = words(self).map(features);
        let (seed, liftable) = judge.by_seeds[own.seeds + theirs.seeds];
        let seeds = own.seeds as i32 - theirs.seeds as i32;
        seeds * seed + (own.liftable - theirs.liftable) * liftable + judge.turn
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

/// What the pits of one side are judged by.
struct Features {
    seeds: usize,
    liftable: i32,
}

#[inline]
fn features(words: Words) -> Features {
    // All seeds together fit into a byte, and so does every sum of pits.
    let seeds = (words[0] + words[1] + words[2]).wrapping_mul(ONES) >> 56;
    // No pit holds more than 92 seeds, so the top bit of its byte is free to tell that there are two or more.
    let liftable = words.map(|word| (word + ONES * 126 & ONES << 7).count_ones());
    Features { seeds: seeds as usize, liftable: liftable.iter().sum::<u32>() as i32 }
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
