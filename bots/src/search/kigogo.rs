//! Bao Kigogo for the search.

use std::str::FromStr;

use bao_rules::kigogo::Position;
use bao_rules::{Pit, Rules as _, Side, Variant};

use super::game::{Game, WIN, hash};

/// One seed in each pit of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A sowing of more laps than this is taken for endless, since some would take all the time that there is for a move.
const MOST_LAPS: u64 = 10_000;

/// The seeds of the game.
const SEEDS: usize = Variant::Kigogo.seeds() as usize;

/// How many numbers a [`Curve`] has.
const KNOTS: usize = 8;
/// The seeds on the board at each of them.
const KNOT_SEEDS: [i32; KNOTS] = [8, 12, 16, 20, 26, 36, 60, 92];

/// What a feature counts with 8, 12, 16, 20, 26, 36, 60 and 92 seeds on the board, in hundredths of a seed.
///
/// In between it changes evenly, and below 8 it does not change any more.
pub type Curve = [i32; KNOTS];

/// How much each feature of a position counts, found by self-play (`docs/TUNING.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// A seed.
    pub seed: Curve,
    /// A pit with two seeds or more, which can be lifted.
    pub liftable: Curve,
    /// The turn.
    pub turn: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            seed: [976, 494, 396, 282, 182, 93, 97, 65],
            liftable: [-2450, -1355, -1009, -543, -181, 51, 52, -30],
            turn: 52,
        }
    }
}

/// A word that gives no weight.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadWeights {
    /// There is no such weight.
    #[error("no weight is called {0:?}")]
    Unknown(String),
    /// The weight is a number, and this is not one.
    #[error("{0:?} is not turn:NUMBER")]
    NotNumber(String),
    /// The weight is a curve, and this is not one.
    #[error("{0:?} is not NAME:NUMBER or NAME:{KNOTS} numbers with commas")]
    NotCurve(String),
}

impl FromStr for Weights {
    type Err = BadWeights;

    /// Reads weights such as `turn:50 seed:100 liftable:-2400,-1450,-1050,-650,-240,30,60,10`; a curve of one number
    /// counts the same on every board, and weights that are not named stay as they are by default.
    fn from_str(text: &str) -> Result<Self, BadWeights> {
        let mut weights = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once(':').unwrap_or((word, ""));
            let curve = || {
                let numbers: Result<Vec<i32>, _> = value.split(',').map(str::parse).collect();
                match numbers.as_deref() {
                    Ok([number]) => Ok([*number; KNOTS]),
                    Ok(numbers) if numbers.len() == KNOTS => Ok(std::array::from_fn(|knot| numbers[knot])),
                    _ => Err(BadWeights::NotCurve(word.to_owned())),
                }
            };
            match name {
                "seed" => weights.seed = curve()?,
                "liftable" => weights.liftable = curve()?,
                "turn" => {
                    weights.turn = value.parse().map_err(|_| BadWeights::NotNumber(word.to_owned()))?;
                }
                _ => return Err(BadWeights::Unknown(name.to_owned())),
            }
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
    fn from(Weights { seed, liftable, turn }: Weights) -> Self {
        let by_seeds = std::array::from_fn(|seeds| (at(&seed, seeds as i32), at(&liftable, seeds as i32)));
        Self { by_seeds, turn }
    }
}

/// Reads a curve at a number of seeds.
fn at(curve: &Curve, seeds: i32) -> i32 {
    let seeds = seeds.max(KNOT_SEEDS[0]);
    let knot = (1..KNOTS - 1).find(|knot| seeds <= KNOT_SEEDS[*knot]).unwrap_or(KNOTS - 1);
    let ([from, to], [low, high]) =
        ([KNOT_SEEDS[knot - 1], KNOT_SEEDS[knot]], [curve[knot - 1], curve[knot]]);
    low + (high - low) * (seeds - from) / (to - from)
}

impl Game for Position {
    type Judge = Judge;

    #[inline]
    fn plays(&self) -> impl Iterator<Item = (Pit, Option<Self>)> {
        self.children_within(MOST_LAPS)
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over().is_some()
    }

    // Seeds captured are left out: they follow from the pits, since no side sows into the other's.
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

/// Returns the pits of the side to move and of the other.
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
    let seeds = sum(words[0] + words[1] + words[2]);
    // No pit holds more than 92 seeds, so the top bit of its byte is free to tell that there are two or more.
    let [a, b, c] = words.map(|word| (word + ONES * 126) >> 7 & ONES);
    Features { seeds: seeds as usize, liftable: sum(a + b + c) as i32 }
}

/// Adds up the bytes of a word.
#[inline]
const fn sum(word: u64) -> u64 {
    word.wrapping_mul(ONES) >> 56
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
