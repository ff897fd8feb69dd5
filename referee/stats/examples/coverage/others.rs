//! Intervals by our method and by those of others, in our own words and code.

use bao_stats::{Counts, RatingOptions, Table, ratings};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// How many contests Ordo is made to simulate for its errors.
const SIMULATIONS: u64 = 100;
const Z_95: f64 = 1.959_963_984_540_054;

/// The lower end and the upper one, where there are any.
pub(crate) type Interval = (Option<f64>, Option<f64>);

#[derive(Debug, Clone, Copy)]
pub(crate) enum Method {
    Ours,
    /// M. A. Ballicora's Ordo: most likely ratings; errors are 1.96 deviations of the ratings of simulated contests between
    /// bots of those ratings. Bots that won or lost every game are taken out.
    Ordo,
    /// R. Coulom's BayesElo: two draws a bot are added, spread over its games; errors are 1.96 deviations of the normal
    /// distribution that fits at the most likely ratings. (Its terms for draws and for the first move are left out.)
    BayesElo,
}

#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) intervals: Vec<Interval>,
    pub(crate) superiority: Vec<Vec<Option<f64>>>,
}

/// Games of every two bots, and the points of the first.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    a: usize,
    b: usize,
    points: f64,
    games: f64,
}

impl Method {
    pub(crate) fn rate(self, table: &Table, seed: u64) -> Rated {
        let without = |intervals| Rated { intervals, superiority: Vec::new() };
        match self {
            Self::Ours => {
                let found = ratings(table, &RatingOptions { seed, ..Default::default() });
                Rated {
                    intervals: found.bots.iter().map(|bot| (bot.elo_low, bot.elo_high)).collect(),
                    superiority: found.superiority,
                }
            }
            Self::Ordo => without(ordo(table, seed)),
            Self::BayesElo => without(bayes_elo(table)),
        }
    }
}

fn meetings(table: &Table) -> Vec<Meeting> {
    let bots = 0..table.bots();
    let pairings = bots.clone().flat_map(|a| bots.clone().map(move |b| (a, b))).filter(|(a, b)| a < b);
    let meeting = |(a, b)| {
        let counts: Counts = table.contest(a, b);
        let games = counts.games() as f64;
        Some(Meeting { a, b, points: counts.mean()? * games, games })
    };
    pairings.filter_map(meeting).collect()
}

fn ordo(table: &Table, seed: u64) -> Vec<Interval> {
    let mut left: Vec<usize> = (0..table.bots()).collect();
    let all = meetings(table);
    loop {
        let stays = |bot: &usize| {
            let met = all.iter().filter(|game| left.contains(&game.a) && left.contains(&game.b));
            let (points, games) =
                met.fold((0.0, 0.0), |(points, games), game| match (game.a == *bot, game.b == *bot) {
                    (true, _) => (points + game.points, games + game.games),
                    (_, true) => (points + game.games - game.points, games + game.games),
                    _ => (points, games),
                });
            points > 0.0 && points < games
        };
        let staying: Vec<usize> = left.iter().copied().filter(stays).collect();
        if staying.len() == left.len() {
            break;
        }
        left = staying;
    }
    let mut intervals = vec![(None, None); table.bots()];
    let place = |bot: usize| left.iter().position(|other| *other == bot);
    let games: Vec<Meeting> = all
        .iter()
        .filter_map(|game| Some(Meeting { a: place(game.a)?, b: place(game.b)?, ..*game }))
        .collect();
    if games.is_empty() {
        return intervals;
    }
    let drawn = draws(table);
    let elos = fit(left.len(), &games, 1e-6).0;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut squares = vec![0.0; left.len()];
    for _ in 0..SIMULATIONS {
        let again: Vec<Meeting> = games
            .iter()
            .map(|game| {
                let score = 1.0 / (1.0 + ((elos[game.b] - elos[game.a]) / ELO).exp());
                let half = (drawn / 2.0).min(score).min(1.0 - score);
                let points = (0..game.games as u64).map(|_| {
                    match (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 {
                        roll if roll < score - half => 1.0,
                        roll if roll < score + half => 0.5,
                        _ => 0.0,
                    }
                });
                Meeting { points: points.sum(), ..*game }
            })
            .collect();
        for ((square, elo), again) in squares.iter_mut().zip(&elos).zip(fit(left.len(), &again, 1e-6).0) {
            *square += (again - elo).powi(2);
        }
    }
    for ((bot, elo), square) in left.iter().zip(&elos).zip(squares) {
        let error = Z_95 * (square / SIMULATIONS as f64).sqrt();
        intervals[*bot] = (Some(elo - error), Some(elo + error));
    }
    intervals
}

fn bayes_elo(table: &Table) -> Vec<Interval> {
    let mut games = meetings(table);
    let mut played = vec![0.0; table.bots()];
    for game in &games {
        played[game.a] += game.games;
        played[game.b] += game.games;
    }
    for game in &mut games {
        let draws = game.games * (1.0 / played[game.a] + 1.0 / played[game.b]);
        (game.points, game.games) = (game.points + draws / 2.0, game.games + draws);
    }
    let (elos, variances) = fit(table.bots(), &games, 1e-9);
    let ends = |(elo, variance): (f64, f64)| {
        let error = Z_95 * variance.sqrt();
        (Some(elo - error), Some(elo + error))
    };
    elos.into_iter().zip(variances).map(ends).collect()
}

/// Returns the share of games that were drawn; both games of a pair with 1 point count for half a drawn one.
fn draws(table: &Table) -> f64 {
    let cells = table.cross_table();
    let [drawn, games] = cells.iter().flatten().flatten().fold([0, 0], |[drawn, games], cell| {
        [drawn + cell.draws, games + cell.wins + cell.draws + cell.losses]
    });
    drawn as f64 / games.max(1) as f64
}

/// Finds the most likely Elos, their mean being 0, and their variances; a touch of `prior` keeps what is undetermined
/// finite.
fn fit(bots: usize, games: &[Meeting], prior: f64) -> (Vec<f64>, Vec<f64>) {
    let mut strengths = vec![0.0; bots];
    let mut inverse = Vec::new();
    for _ in 0..60 {
        let mut slope: Vec<f64> = strengths.iter().map(|strength| -prior * strength).collect();
        // The mean is held at 0 by a stiff spring, which costs nothing there.
        let mut bent = vec![vec![1.0; bots]; bots];
        (0..bots).for_each(|bot| bent[bot][bot] += prior);
        for &Meeting { a, b, points, games } in games {
            let score = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
            slope[a] += points - games * score;
            slope[b] -= points - games * score;
            let spread = games * score * (1.0 - score);
            bent[a][a] += spread;
            bent[b][b] += spread;
            bent[a][b] -= spread;
            bent[b][a] -= spread;
        }
        inverse = inverted(bent);
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&slope).map(|(x, y)| x * y).sum::<f64>()).collect();
        let longest = step.iter().map(|x: &f64| x.abs()).fold(0.0, f64::max);
        let scale = (1.5 / longest).min(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
        if longest < 1e-7 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / bots as f64;
    // Without the spring's share, the variance of a bot against the mean of all.
    let variance = |bot: usize| (inverse[bot][bot] - 1.0 / (bots * bots) as f64).max(0.0) * ELO * ELO;
    (strengths.iter().map(|strength| (strength - mean) * ELO).collect(), (0..bots).map(variance).collect())
}

/// Inverts a positive definite matrix by elimination.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let factor = 1.0 / matrix[pivot][pivot];
        for half in [&mut matrix, &mut inverse] {
            half[pivot].iter_mut().for_each(|x| *x *= factor);
        }
        for row in (0..size).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            for half in [&mut matrix, &mut inverse] {
                let from = half[pivot].clone();
                half[row].iter_mut().zip(from).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    inverse
}
