//! Contests between imaginary bots whose strengths are known.

use std::fmt;

use bao_stats::{Outcome, Table, score_of_elo};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A kind of contest: how many bots, how far apart, how many pairs, and how the games of a pair hang together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    /// How many bots there are; every two of them meet.
    pub(crate) bots: usize,
    /// Elo between the strongest and the weakest.
    pub(crate) apart: f64,
    /// Pairs of every two bots.
    pub(crate) pairs: usize,
    pub(crate) games: Games,
}

/// How the games of a pair come about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Games {
    /// Independent, never drawn.
    Independent,
    /// A share of even games is drawn.
    Drawn(f64),
    /// With this probability the second game of a pair goes as the first did, for the same bot.
    Alike(f64),
    /// With this probability the opening wins both games: the bots share the pair as far as their chances allow.
    Opposed(f64),
    /// Half of the bots draw much, the others never.
    Mixed,
}

impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Independent => write!(f, "independent"),
            Self::Drawn(share) => write!(f, "{:.0} % drawn", 100.0 * share),
            Self::Alike(share) => write!(f, "{:.0} % alike", 100.0 * share),
            Self::Opposed(share) => write!(f, "{:.0} % by the opening", 100.0 * share),
            Self::Mixed => write!(f, "half the bots draw"),
        }
    }
}

/// The worlds of the table in docs/STATISTICS.md.
pub(crate) const GRID: [World; 48] = [
    world(2, 0.0, 1, Games::Independent),
    world(2, 0.0, 10, Games::Independent),
    world(2, 0.0, 100, Games::Independent),
    world(2, 300.0, 4, Games::Independent),
    world(2, 300.0, 30, Games::Independent),
    world(2, 1000.0, 10, Games::Independent),
    world(2, 2000.0, 100, Games::Independent),
    world(4, 0.0, 1, Games::Independent),
    world(4, 0.0, 10, Games::Independent),
    world(4, 300.0, 4, Games::Independent),
    world(4, 300.0, 100, Games::Independent),
    world(4, 1000.0, 4, Games::Independent),
    world(4, 1000.0, 30, Games::Independent),
    world(8, 0.0, 1, Games::Independent),
    world(8, 0.0, 30, Games::Independent),
    world(8, 1000.0, 1, Games::Independent),
    world(8, 1000.0, 2, Games::Independent),
    world(8, 1000.0, 4, Games::Independent),
    world(8, 1000.0, 10, Games::Independent),
    world(8, 1000.0, 100, Games::Independent),
    world(8, 2000.0, 2, Games::Independent),
    world(8, 2000.0, 10, Games::Independent),
    world(8, 2000.0, 100, Games::Independent),
    world(16, 0.0, 2, Games::Independent),
    world(16, 1000.0, 1, Games::Independent),
    world(16, 1500.0, 2, Games::Independent),
    world(16, 2000.0, 4, Games::Independent),
    world(16, 2000.0, 30, Games::Independent),
    world(32, 0.0, 1, Games::Independent),
    world(32, 1000.0, 2, Games::Independent),
    world(32, 2000.0, 2, Games::Independent),
    world(32, 2000.0, 10, Games::Independent),
    world(2, 300.0, 10, Games::Drawn(0.5)),
    world(8, 300.0, 4, Games::Drawn(0.5)),
    world(8, 1000.0, 2, Games::Drawn(0.9)),
    world(8, 300.0, 30, Games::Drawn(0.9)),
    world(2, 300.0, 10, Games::Alike(0.5)),
    world(8, 300.0, 4, Games::Alike(0.5)),
    world(8, 1000.0, 10, Games::Alike(0.5)),
    world(8, 300.0, 30, Games::Alike(0.9)),
    world(2, 100.0, 10, Games::Opposed(0.8)),
    world(8, 300.0, 4, Games::Opposed(0.8)),
    world(8, 1000.0, 30, Games::Opposed(0.8)),
    world(8, 300.0, 10, Games::Opposed(1.0)),
    world(8, 300.0, 4, Games::Mixed),
    world(8, 300.0, 100, Games::Mixed),
    world(16, 1000.0, 2, Games::Mixed),
    world(16, 1000.0, 30, Games::Mixed),
];

const fn world(bots: usize, apart: f64, pairs: usize, games: Games) -> World {
    World { bots, apart, pairs, games }
}

/// A contest that was played.
#[derive(Debug)]
pub(crate) struct Contest {
    /// The true ratings, their mean being 0.
    pub(crate) truth: Vec<f64>,
    pub(crate) table: Table,
}

impl World {
    /// Plays it.
    pub(crate) fn play(&self, seed: u64) -> Contest {
        let mut dice = Dice::of(seed);
        let truth = self.ladder(&mut dice);
        let mut table = Table::new(self.bots);
        for a in 0..self.bots {
            for b in 0..a {
                for _ in 0..self.pairs {
                    table.add_pair(
                        a,
                        b,
                        self.games.pair(score_of_elo(truth[a] - truth[b]), [a, b], &mut dice),
                    );
                }
            }
        }
        Contest { truth, table }
    }

    /// A ladder with rungs that are not quite even, so that no single distance decides.
    fn ladder(&self, dice: &mut Dice) -> Vec<f64> {
        let rung = self.apart / (self.bots - 1) as f64;
        let mut truth: Vec<f64> =
            (0..self.bots).map(|bot| (bot as f64 + 0.8 * (dice.roll() - 0.5)) * rung).collect();
        let mean = truth.iter().sum::<f64>() / self.bots as f64;
        for elo in &mut truth {
            *elo -= mean;
        }
        truth
    }
}

impl Games {
    /// Plays a pair in which the first bot is expected to score so much a game.
    pub(crate) fn pair(self, score: f64, bots: [usize; 2], dice: &mut Dice) -> [Outcome; 2] {
        let game = |roll: f64, draws: f64| match roll {
            roll if roll < score - draws => Outcome::Win,
            roll if roll < score + draws => Outcome::Draw,
            _ => Outcome::Loss,
        };
        // The expected score stays as it is.
        let half = |share: f64| share * score.min(1.0 - score);
        let [first, second, which] = [dice.roll(), dice.roll(), dice.roll()];
        match self {
            Self::Independent => [game(first, 0.0), game(second, 0.0)],
            Self::Drawn(share) => [game(first, half(share)), game(second, half(share))],
            Self::Alike(share) => [game(first, 0.0), game(if which < share { first } else { second }, 0.0)],
            Self::Opposed(share) => {
                [game(first, 0.0), game(if which < share { 1.0 - first } else { second }, 0.0)]
            }
            Self::Mixed => {
                let share = if bots.iter().any(|bot| bot % 2 == 0) { 0.8 } else { 0.0 };
                [game(first, half(share)), game(second, half(share))]
            }
        }
    }
}

/// A source of chance that is the same for the same seed.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn of(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn roll(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
