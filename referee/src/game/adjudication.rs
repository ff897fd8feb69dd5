//! An organiser's rules to end games that are decided or lead nowhere, by the scores that the bots report.
//!
//! Both rules use the scores that bots report with their moves, in hundredths of a seed from the mover's view. A move
//! without a score ends every series.

pub use bao_protocol::record::{Adjudication, DrawRule, ResignRule};

use bao_protocol::Reason;
use bao_rules::Side;

use crate::game::verdict::Verdict;

/// How many moves in a row each side has reported such a score.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    even: [u32; 2],
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Scores {
    /// Takes the score of a move, the `ply`th of the game; returns the verdict if a rule now applies.
    pub fn moved(
        &mut self,
        rules: &Adjudication,
        side: Side,
        score: Option<i64>,
        ply: u64,
    ) -> Option<Verdict> {
        let (mover, other) = (side as usize, side.other() as usize);
        let count = |run: &mut u32, holds: bool| *run = if holds { run.saturating_add(1) } else { 0 };
        if let Some(rule) = rules.draw {
            count(&mut self.even[mover], score.is_some_and(|score| score.unsigned_abs() <= rule.score));
            if ply >= rule.from_ply && self.even.iter().all(|run| *run >= rule.moves.max(1)) {
                let detail = format!("both bots called it even on {} moves running", rule.moves);
                return Some(adjudged(None, detail));
            }
        }
        if let Some(rule) = rules.resign {
            let beyond = score.filter(|score| score.unsigned_abs() >= rule.score.max(1));
            count(&mut self.losing[mover], beyond.is_some_and(i64::is_negative));
            count(&mut self.winning[mover], beyond.is_some_and(i64::is_positive));
            let agreed = |loser: usize, winner: usize| {
                self.losing[loser].min(self.winning[winner]) >= rule.moves.max(1)
            };
            let winner = if agreed(mover, other) {
                side.other()
            } else if agreed(other, mover) {
                side
            } else {
                return None;
            };
            let detail = format!("both bots called it decided on {} moves running", rule.moves);
            return Some(adjudged(Some(winner), detail));
        }
        None
    }
}

fn adjudged(winner: Option<Side>, detail: String) -> Verdict {
    Verdict::ended(winner, Reason::Adjudicated, Some(detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        draw: Some(DrawRule { moves: 2, score: 10, from_ply: 5 }),
        resign: Some(ResignRule { moves: 2, score: 500 }),
    };

    /// Plays these scores in turn, South's first; returns after how many moves the game ended, and who won.
    fn ends(rules: &Adjudication, scores: &[Option<i64>]) -> Option<(u64, Option<Side>)> {
        let mut said = Scores::default();
        (1..).zip(scores).find_map(|(ply, score)| {
            let side = if ply % 2 == 1 { Side::South } else { Side::North };
            let verdict = said.moved(rules, side, *score, ply)?;
            assert_eq!(verdict.reason, Reason::Adjudicated);
            Some((ply, verdict.winner))
        })
    }

    #[test]
    fn a_game_is_drawn_when_both_agree_and_not_before_its_time() {
        assert_eq!(ends(&RULES, &[Some(0); 8]), Some((5, None)));
        assert_eq!(
            ends(&RULES, &[Some(10), Some(-11), Some(3), Some(-10), Some(1), Some(2)]),
            Some((6, None))
        );
    }

    #[test]
    fn a_game_is_decided_only_when_both_agree() {
        assert_eq!(ends(&RULES, &[500, -500, 600, -700].map(Some)), Some((4, Some(Side::South))));
        assert_eq!(ends(&RULES, &[-500, 500, -600, 700].map(Some)), Some((4, Some(Side::North))));
        assert_eq!(ends(&RULES, &[-500, 499, -600, 499, -700, 0].map(Some)), None);
    }

    #[test]
    fn a_move_without_a_score_breaks_the_run() {
        assert_eq!(ends(&RULES, &[Some(500), Some(-500), None, Some(-700), Some(700)]), None);
    }

    #[test]
    fn without_rules_nothing_happens() {
        assert_eq!(ends(&Adjudication::default(), &[Some(0), Some(0), Some(9999), Some(-9999)]), None);
    }
}
