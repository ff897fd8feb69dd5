//! Random numbers that a seed repeats, and how many a test draws.

/// Random numbers by SplitMix64 (Steele, Lea, Flood 2014); the same seed gives the same ones everywhere.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws a number below `end`, which is above 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    /// Draws one of some values.
    ///
    /// # Panics
    /// There are none.
    pub fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// Returns the number in a variable of the environment, such as `BAO_SEED`, or the default where it is not set.
///
/// # Panics
/// The variable holds something else than a number.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
