//! How often a sequential test errs that looks at its result after every pair.

use bao_stats::{Counts, Decision, Sprt, score_of_elo};

use crate::world::{Dice, Games};

/// After this many pairs a test ends undecided.
const MOST_PAIRS: u64 = 20_000;

/// How tests ended: how many accepted H0 and H1, and how many pairs they took in all.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    pub(crate) accepted: [u64; 2],
    pub(crate) pairs: u64,
}

/// Plays tests between bots of which the first is `elo` better.
pub(crate) fn play(test: &Sprt, elo: f64, games: Games, tests: u64) -> Ended {
    let mut ended = Ended::default();
    for seed in 0..tests {
        let mut dice = Dice::of(seed);
        let mut cells = [0; 5];
        let mut decision = Decision::Continue;
        while decision == Decision::Continue && cells.iter().sum::<u64>() < MOST_PAIRS {
            let pair = games.pair(score_of_elo(elo), [0, 1], &mut dice);
            cells[pair.map(bao_stats::Outcome::half_points).iter().sum::<usize>()] += 1;
            decision = test.judge(&Counts::Pentanomial(cells)).decision;
        }
        ended.pairs += cells.iter().sum::<u64>();
        match decision {
            Decision::AcceptH0 => ended.accepted[0] += 1,
            Decision::AcceptH1 => ended.accepted[1] += 1,
            Decision::Continue => {}
        }
    }
    ended
}
