//! What a search has to know about a game.

use std::fmt::Debug;

use bao_rules::Pit;

/// The value of a game that is won at once; one that is won in `n` moves is worth `WIN - n`.
pub const WIN: i32 = 30_000;

/// Values from here up are wins that were found, with the moves until then still to subtract.
pub(crate) const SURE: i32 = WIN - 5_000;

/// A position of a game that [`Search`](super::Search) can play.
///
/// Values are in hundredths of a seed, good for the side to move above zero, and stay between -[`WIN`] and [`WIN`].
pub trait Game: Copy + Debug {
    /// What its positions are evaluated by.
    type Judge: Debug;

    /// Returns the legal moves and what they lead to; `None`: the sowing never ends, which is a draw.
    ///
    /// Without any, the game is over.
    fn plays(&self) -> impl Iterator<Item = (Pit, Option<Self>)>;

    /// Returns whether the game is over, as far as that is seen without playing moves.
    fn is_over(&self) -> bool;

    /// Returns a hash of all on which the value depends, seen from the side to move.
    fn key(&self) -> u64;

    /// Counts what never comes back, so that positions with different counts are different.
    fn gone(&self) -> u32;

    /// Estimates the value of a position in which the game continues, or is over without the search's knowledge.
    fn evaluate(&self, judge: &Self::Judge) -> i32;

    /// Returns the value of a position without legal moves, `ply` moves after the one that is searched.
    fn ended(&self, ply: i32) -> i32;

    /// Returns the value of a position that came back, which ends the game.
    fn repeated(&self) -> i32;
}

/// Mixes words into a hash: each times its own odd number, which the processor does side by side.
#[inline]
pub(crate) fn hash<const N: usize>(words: [u64; N]) -> u64 {
    let mut sum = 0_u128;
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    for word in words {
        sum = sum.wrapping_add(u128::from(word ^ factor.rotate_left(23)) * u128::from(factor));
        factor = factor.wrapping_mul(0xd134_2543_de82_ef95) | 1;
    }
    let folded = (sum >> 64) as u64 ^ sum as u64;
    let product = u128::from(folded) * 0xd6e8_feb8_6659_fd93;
    (product >> 64) as u64 ^ product as u64
}
