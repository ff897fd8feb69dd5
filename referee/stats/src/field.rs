//! The results of many bots as the model of Bradley and Terry sees them: what was scored, what is added so that every
//! strength is finite, and how much pairs vary.

use super::bradley_terry::{Duel, Expected, fit};
use super::dispersion::{Dispersion, Squares};
use super::table::Table;
use super::triangle::{Triangle, places};

/// How many rounds are made at most to spread the added draws; fewer than ten settle them.
const MOST_ROUNDS: usize = 40;

/// Spreads that move strengths by less than this are settled.
const SETTLED: f64 = 1e-6;

/// A set of bots with their results, fitted.
#[derive(Debug)]
pub(super) struct Field {
    /// The points of real games.
    pub(super) duels: Vec<Duel>,
    /// The draws added to each duel.
    pub(super) draws: Vec<f64>,
    /// The most likely strengths, the mean of every group being 0.
    pub(super) strengths: Vec<f64>,
    /// The group of each bot: those that a chain of games joins.
    pub(super) groups: Vec<usize>,
    /// How much pairs vary.
    pub(super) dispersion: Dispersion,
}

impl Field {
    pub(super) fn of(table: &Table, prior: f64) -> Self {
        let pairings: Vec<(usize, usize, [u64; 5])> = table.pairings().collect();
        let duels: Vec<Duel> =
            pairings.iter().map(|&(a, b, pairs)| Duel { a, b, points: points(&pairs) }).collect();
        let groups = groups(table.bots(), &duels);
        let (strengths, draws) = strengths(table.bots(), &duels, &groups, prior);
        let mut squares = Squares::new(2.0);
        for ((duel, (_, _, pairs)), draws) in duels.iter().zip(&pairings).zip(&draws) {
            let count = pairs.iter().sum::<u64>() as f64;
            let all = Expected::of(strengths[duel.a] - strengths[duel.b], duel.points);
            let mean = (duel.points[0] - all.surplus) / count;
            // What the fit took for itself is missing from the squares.
            squares.add(pairs, mean, all.spread * (1.0 - draws / count).max(0.0));
        }
        Self { duels, draws, strengths, groups, dispersion: squares.dispersion() }
    }
}

/// Returns the points of both sides in these pairs.
fn points(pairs: &[u64; 5]) -> [f64; 2] {
    let own: f64 =
        pairs.iter().zip(0..).map(|(&n, half_points)| n as f64 * f64::from(half_points) / 2.0).sum();
    let games = 2.0 * pairs.iter().sum::<u64>() as f64;
    [own, games - own]
}

/// Finds the strengths together with the draws that are added to each duel.
///
/// A group of n bots gets n - 1 imaginary drawn games, in each duel as many as the share of its result in what is known
/// of it. That is the prior of H. Jeffreys, under which the most likely strengths are those of D. Firth ("Bias reduction
/// of maximum likelihood estimates", 1993): finite whatever the results, and nearer to the truth on average than without.
fn strengths(bots: usize, duels: &[Duel], groups: &[usize], prior: f64) -> (Vec<f64>, Vec<f64>) {
    let mut size = vec![0.0; bots];
    for group in groups {
        size[*group] += 1.0;
    }
    let (places, coordinates) = places(groups);
    let mut strengths = vec![0.0; bots];
    let mut draws = vec![0.0; duels.len()];
    for _ in 0..MOST_ROUNDS {
        let spreads: Vec<f64> = duels
            .iter()
            .map(|duel| Expected::of(strengths[duel.a] - strengths[duel.b], duel.points).spread)
            .collect();
        let known =
            duels.iter().zip(&spreads).map(|(duel, spread)| (places[duel.a], places[duel.b], *spread));
        let columns = Triangle::of(coordinates, known).columns();
        for ((draws, duel), spread) in draws.iter_mut().zip(duels).zip(&spreads) {
            let [a, b] = [duel.a, duel.b].map(|bot| places[bot].map(|place| columns[place].as_slice()));
            *draws = (spread * distance(a, b)).min(1.0) * prior;
        }
        let lifted: Vec<Duel> = duels.iter().zip(&draws).map(|(duel, draws)| lift(*duel, *draws)).collect();
        let before = strengths.clone();
        fit(&mut strengths, &lifted);
        centre(&mut strengths, groups, &size);
        let moved = strengths.iter().zip(&before).map(|(now, before)| (now - before).abs());
        if moved.fold(0.0, f64::max) < SETTLED {
            break;
        }
    }
    (strengths, draws)
}

/// Returns the squared distance of two places; a bot without one stays at zero.
fn distance(a: Option<&[f64]>, b: Option<&[f64]>) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum(),
        (Some(one), None) | (None, Some(one)) => one.iter().map(|x| x * x).sum(),
        (None, None) => 0.0,
    }
}

fn lift(duel: Duel, draws: f64) -> Duel {
    Duel { points: duel.points.map(|points| points + draws / 2.0), ..duel }
}

/// Shifts every group so that its mean is 0.
fn centre(strengths: &mut [f64], groups: &[usize], size: &[f64]) {
    let mut sums = vec![0.0; strengths.len()];
    for (strength, group) in strengths.iter().zip(groups) {
        sums[*group] += strength;
    }
    for (strength, group) in strengths.iter_mut().zip(groups) {
        *strength -= sums[*group] / size[*group];
    }
}

/// Names for each bot the lowest that a chain of games joins it to.
fn groups(bots: usize, duels: &[Duel]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..bots).collect();
    let find = |leader: &mut Vec<usize>, mut bot: usize| {
        while leader[bot] != bot {
            leader[bot] = leader[leader[bot]];
            bot = leader[bot];
        }
        bot
    };
    for duel in duels {
        let (a, b) = (find(&mut leader, duel.a), find(&mut leader, duel.b));
        leader[a.max(b)] = a.min(b);
    }
    (0..bots).map(|bot| find(&mut leader, bot)).collect()
}
