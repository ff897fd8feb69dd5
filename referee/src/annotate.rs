//! Moves against perfect play, in the game that is small enough to be solved: how many seeds each gave away.

use bao_rules::{Pit, Position, Variant};
use bao_solver::Solver;

/// What the solver's table may take, in bytes: plenty for a game.
const TABLE_BYTES: usize = 16 << 20;

/// Judges moves; what it found out stays with it, so that the later moves of a game cost next to nothing.
#[derive(Debug)]
pub struct Annotator {
    solver: Solver,
}

/// What a move was worth. Values are final seeds of the mover minus the other's, both playing perfectly from there on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The value of the best moves.
    pub best: i32,
    /// The moves that have it.
    pub best_moves: Vec<Pit>,
    /// By how much the move that was made is worse.
    pub given_away: i32,
}

impl Annotator {
    /// Makes an annotator that knows nothing yet.
    pub fn new() -> Self {
        Self { solver: Solver::new(TABLE_BYTES) }
    }

    /// Returns whether perfect play of a game is known.
    pub fn knows(variant: Variant) -> bool {
        bao_solver::solvable(&Position::start(variant)).is_some()
    }

    /// Judges a move; `None` for a game that is not solved, for a move that is not legal, and where perfect play would go
    /// round in circles.
    pub fn judge(&mut self, before: &Position, mv: Pit) -> Option<Judgement> {
        let position = bao_solver::solvable(before)?;
        let solution = self.solver.solve(position, &mut || false).ok()?;
        let (_, made) = solution.moves.iter().find(|(pit, _)| *pit == mv)?;
        let best_moves =
            solution.moves.iter().filter(|(_, value)| *value == solution.value).map(|(pit, _)| *pit);
        Some(Judgement {
            best: solution.value,
            best_moves: best_moves.collect(),
            given_away: solution.value - made,
        })
    }
}

impl Default for Annotator {
    fn default() -> Self {
        Self::new()
    }
}

impl Judgement {
    /// Returns a sentence about what the move gave away; `None` for a move that is as good as any.
    pub fn sentence(&self) -> Option<String> {
        if self.given_away == 0 {
            return None;
        }
        let moves: Vec<&str> = self.best_moves.iter().map(|pit| pit.name()).collect();
        let seeds = if self.given_away == 1 { "seed" } else { "seeds" };
        let outcome = match self.best {
            1.. => format!("wins by {}", self.best),
            0 => "draws".to_owned(),
            ..0 => format!("loses by {} only", -self.best),
        };
        Some(format!("gave away {} {seeds}: {} {outcome}", self.given_away, moves.join(" or ")))
    }
}

#[cfg(test)]
mod tests {
    use bao_rules::Variant;

    use super::*;

    #[test]
    fn a_move_is_told_what_it_gave_away() {
        let mut annotator = Annotator::new();
        let mut judge = |text: &str, mv: &str| {
            let position = Position::parse(Variant::Kingulu, text).unwrap();
            annotator.judge(&position, Pit::parse(Variant::Kingulu, mv).unwrap())
        };
        // Each of the two moves reserves a1; A6 leaves a seed where it can still move.
        let [a5, a6] = ["A5", "A6"].map(|mv| judge("0,0,0,0,2,3/0,0,0,0,2,1 S 20 20", mv).unwrap());
        assert_eq!(a5.best, a6.best);
        assert_eq!(a5.given_away.min(a6.given_away), 0, "one of two moves is best");
        let worse = if a5.given_away > 0 { a5 } else { a6 };
        let told = worse.sentence();
        assert_eq!(told.is_some(), worse.given_away > 0, "{told:?}");
        assert_eq!(judge("0,0,0,0,2,3/0,0,0,0,0,1 S 20 22", "A6").unwrap().sentence(), None, "the only move");
    }

    #[test]
    fn kigogo_is_not_judged() {
        let start = Position::start(Variant::Kigogo);
        let first = start.legal_moves().as_slice()[0];
        assert_eq!(Annotator::new().judge(&start, first), None);
    }
}
