//! What a program needs to know of a game to name, draw and describe it.

use core::ops::RangeInclusive;

/// The facts of a game besides the rules of its moves: its names, its board, its words.
///
/// Returned by [`Variant::info`](crate::Variant::info), so that a program that treats all games alike needs no `match`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The name by which protocol, records and command line call the game: `bao-kigogo`.
    pub name: &'static str,
    /// The name for people: `Bao Kigogo`.
    pub title: &'static str,
    /// The rows of the whole board: 2, or 4 where each side has a front and a back row.
    pub rows: usize,
    /// The pits of a row.
    pub columns: usize,
    /// The seeds with which the game starts.
    pub seeds: u32,
    /// Whether pits and captured seeds make [`Info::seeds`] in every position. If not, a position may have fewer.
    pub closed: bool,
    /// Through which pits a side sows.
    pub track: Track,
    /// The seeds that a reserved pit may hold; `None` where no pit is ever reserved.
    pub reserved: Option<RangeInclusive<u8>>,
    /// Whether the score decides a game that is stopped before its end. If not, it is drawn.
    pub counted: bool,
    /// What a move does with the seeds that it gains, as a verb: `captures`.
    pub gains: &'static str,
    /// Where these seeds are then, to follow their number: `captured`, `in the bank`.
    pub gained: &'static str,
    /// How the game is played, for people who have never seen it: the code of a language (ISO 639), and paragraphs with an
    /// empty line between.
    pub explained: &'static [(&'static str, &'static str)],
    /// A few moves from the start that show what can happen, with spaces between.
    pub example: &'static str,
    /// Positions in which something rare happens, a text a line, to test another implementation of the rules.
    pub rare: &'static str,
}

/// Through which pits a side sows, in the order of [`Pit::index`](crate::Pit::index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Track {
    /// Its own, round and round.
    Own,
    /// Its own, then the opponent's.
    Both,
    /// Its own, then its bank, then the opponent's.
    BothAndBank,
}

impl Info {
    /// Returns the number of pits of one side.
    pub const fn pits_per_side(&self) -> usize {
        self.rows * self.columns / 2
    }
}
