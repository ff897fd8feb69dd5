//! Chance that can be repeated.

use std::hash::{BuildHasher, RandomState};

/// A small generator of random numbers (SplitMix64): the same seed gives the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts the numbers that belong to a seed and a game.
    ///
    /// With the game in it, a game comes out the same whichever games the program played before. The seed 0 gives other
    /// numbers each time.
    pub fn new(seed: u64, game_id: &str) -> Self {
        let seed = if seed == 0 { RandomState::new().hash_one(game_id) } else { seed };
        let mut random = Self(seed);
        for byte in game_id.bytes() {
            random.0 ^= u64::from(byte);
            random.next();
        }
        random
    }

    /// Returns a number from 0 to `end` - 1, each as likely as any other.
    ///
    /// # Panics
    /// Panics where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "`end` must be at least 1");
        // The upper half of the product with a 64-bit number; its bias is below end / 2^64.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Returns any item of a list.
    ///
    /// # Panics
    /// Panics where the list is empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Brings a list into any order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (2..=list.len()).rev() {
            list.swap(end - 1, self.below(end));
        }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again_and_every_number_comes() {
        let draw = |seed, game| {
            let mut random = Random::new(seed, game);
            (0..100).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert_eq!(draw(5, "1"), draw(5, "1"));
        assert_ne!(draw(5, "1"), draw(6, "1"));
        assert_ne!(draw(5, "1"), draw(5, "2"));
        assert_ne!(draw(0, "1"), draw(0, "1"));
        assert!((0..7).all(|number| draw(5, "1").contains(&number)));
    }
}
