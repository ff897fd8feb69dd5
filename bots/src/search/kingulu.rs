//! Bao Kingulu for the search, which plays where the solver has no time to finish.

use bao_rules::kingulu::Position;
use bao_rules::{Pit, Rules as _, Side};
use bao_solver::{ROW, rows};

use super::game::{Game, hash};

impl Game for Position {
    type Judge = ();

    #[inline]
    fn plays(&self) -> impl Iterator<Item = (Pit, Option<Self>)> {
        self.children().map(|(pit, after)| (pit, Some(after)))
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

/// Returns by how much the side to move would win if the game ended here.
#[inline]
fn lead(position: &Position) -> i32 {
    let [own, theirs] = [position.side(), position.side().other()].map(|side| position.score(side) as i32);
    100 * (own - theirs)
}
