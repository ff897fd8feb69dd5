//! How often intervals hold the truth, and likelihoods are true as often as they say.

use crate::others::{Interval, Method};
use crate::world::World;

/// How a method fared in a world.
#[derive(Debug, Default)]
pub(crate) struct Score {
    /// Intervals of all bots, of the strongest and of the weakest: those that held the truth, and how many there
    /// were.
    pub(crate) held: [[u64; 2]; 3],
    widths: Vec<f64>,
    pub(crate) open: u64,
    pub(crate) said: Said,
}

impl Score {
    pub(crate) fn of(world: &World, contests: u64, method: Method) -> Self {
        let mut score = Self::default();
        for seed in 0..contests {
            let contest = world.play(seed);
            let truth = &contest.truth;
            let found = method.rate(&contest.table, seed);
            let extreme = |sign: f64| {
                (0..truth.len())
                    .max_by(|a, b| (sign * truth[*a]).total_cmp(&(sign * truth[*b])))
                    .expect("a bot")
            };
            let (top, bottom) = (extreme(1.0), extreme(-1.0));
            for (bot, interval) in found.intervals.iter().enumerate() {
                score.interval(*interval, truth[bot], [true, bot == top, bot == bottom]);
            }
            for (a, row) in found.superiority.iter().enumerate() {
                for (b, said) in row.iter().enumerate().filter_map(|(b, said)| Some((b, (*said)?))) {
                    if said > 0.5 && (truth[a] - truth[b]).abs() > 1e-9 {
                        score.said.add(said, truth[a] > truth[b]);
                    }
                }
            }
        }
        score
    }

    fn interval(&mut self, (low, high): Interval, truth: f64, concerned: [bool; 3]) {
        let holds = low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high);
        for (held, _) in self.held.iter_mut().zip(concerned).filter(|(_, concerned)| *concerned) {
            held[0] += u64::from(holds);
            held[1] += 1;
        }
        match (low, high) {
            (Some(low), Some(high)) => self.widths.push(high - low),
            _ => self.open += 1,
        }
    }

    /// Returns in how many of a hundred cases the truth was held: all bots, the strongest, the weakest.
    pub(crate) fn coverage(&self) -> [f64; 3] {
        self.held.map(|[held, all]| 100.0 * held as f64 / all as f64)
    }

    /// Returns the median width of intervals that are not open.
    pub(crate) fn width(&self) -> Option<f64> {
        let mut widths = self.widths.clone();
        widths.sort_by(f64::total_cmp);
        widths.get(widths.len() / 2).copied()
    }
}

/// The stated likelihoods that a bot is better, from even upwards, and how often they were right.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Sums of the stated likelihoods, how often they were right, and how often they were stated.
    pub(crate) steps: [[f64; 3]; Self::STEPS],
}

impl Said {
    /// How many steps are distinguished.
    pub(crate) const STEPS: usize = 6;
    /// Where the steps begin and end.
    pub(crate) const BOUNDS: [f64; Self::STEPS + 1] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.975, 1.0];

    fn add(&mut self, said: f64, is_true: bool) {
        let step = Self::BOUNDS[1..Self::STEPS].iter().filter(|bound| said >= **bound).count();
        let sums = &mut self.steps[step];
        sums[0] += said;
        sums[1] += f64::from(u8::from(is_true));
        sums[2] += 1.0;
    }

    pub(crate) fn absorb(&mut self, other: &Self) {
        for (own, other) in self.steps.iter_mut().flatten().zip(other.steps.iter().flatten()) {
            *own += other;
        }
    }
}
