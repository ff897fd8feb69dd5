//! Plays Bao Kigogo against itself and prints the weights that tell best, from the positions, who won:
//! `cargo run --release -p bao-bots --example fit_weights -- [GAMES]`.
//!
//! The chance to win is taken to be 1 / (1 + exp(-value)), the value being what the search's evaluation makes of it
//! (a logistic regression). Positions of every fifth game are kept apart and judged at the end: "loss" is the mean
//! of -ln(chance given to what happened), 0.693 for one who knows nothing. `docs/TUNING.md` has the results.

use bao_rules::kigogo::Position;
use bao_rules::{Pit, Rules as _, Side, Variant};
use bot::Random;
use bot::search::{Curve, Limits, Search, Weights};

/// Moves made by chance at the start of each game, so that no two are alike.
const RANDOM_PLIES: usize = 4;
/// Positions that the search may visit for each move.
const NODES: u64 = 1000;
/// Games longer than this are given up.
const MOST_PLIES: usize = 600;
/// Of neighbouring positions, which are much alike, only one in this number is taken.
const ONE_IN: usize = 3;

/// The seeds on the board for which a curve has a number.
const KNOTS: [f64; 8] = [8.0, 12.0, 16.0, 20.0, 26.0, 36.0, 60.0, 92.0];
/// What is fitted: a curve for seeds, one for liftable pits, and the turn.
const TERMS: usize = 2 * KNOTS.len() + 1;
type Terms = [f64; TERMS];

/// How much of the value is a hundredth of a seed.
const UNIT: f64 = 0.0012;

/// A position by its terms, with the points of the side to move: 1, ½ or 0.
struct Sample {
    terms: Terms,
    points: f64,
}

#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn main() {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(10_000);
    let mut random = Random::new(1, "fit_weights");
    let mut search = Search::new(1 << 20, Weights::default().into());
    let (mut learnt, mut kept) = (Vec::new(), Vec::new());
    for game in 0..games {
        let samples = if game % 5 == 0 { &mut kept } else { &mut learnt };
        play(&mut search, &mut random, samples);
    }
    println!("{} positions, {} kept apart", learnt.len() + kept.len(), kept.len());
    let present = terms_of(&Weights::default());
    let fitted = fit(&learnt);
    println!("loss with the present weights: {:.5}", loss(&present, &kept));
    println!("loss with these: {:.5}", loss(&fitted, &kept));
    let numbers: Vec<String> = fitted.iter().map(|term| format!("{:.0}", term / UNIT)).collect();
    let [seed, liftable] = [0, KNOTS.len()].map(|from| numbers[from..from + KNOTS.len()].join(","));
    println!("seed:{seed} liftable:{liftable} turn:{}", numbers[TERMS - 1]);
}

/// Plays a game and takes samples of it.
fn play(search: &mut Search<Position>, random: &mut Random, samples: &mut Vec<Sample>) {
    search.clear();
    let mut line = vec![Position::START];
    let winner = loop {
        let position = line[line.len() - 1];
        if let Some(outcome) = position.over() {
            break outcome.winner;
        }
        let plays: Vec<_> = position.children().collect();
        let chosen = if line.len() <= RANDOM_PLIES {
            plays[random.below(plays.len())].1
        } else {
            let mut limits = Limits {
                depth: None,
                nodes: Some(NODES),
                seed: 1 + random.below(1 << 30) as u64,
                stop: &mut || false,
                next: &mut |_| true,
            };
            let best = search.think(&position, &mut limits).best;
            plays.iter().find(|(pit, _)| *pit == best).and_then(|(_, after)| *after)
        };
        // An endless game is a draw.
        let Some(after) = chosen.filter(|after| line.len() < MOST_PLIES && !line.contains(after)) else {
            break None;
        };
        search.played(&after);
        line.push(after);
    };
    let ended = line.len() - 1;
    for position in &line[RANDOM_PLIES.min(ended)..ended] {
        if random.below(ONE_IN) == 0 {
            let points = winner.map_or(0.5, |winner| f64::from(winner == position.side()));
            samples.push(Sample { terms: terms(position), points });
        }
    }
}

/// Returns what each weight counts for in a position.
fn terms(position: &Position) -> Terms {
    let pits = |side: Side| (0..).map_while(move |index| Pit::new(Variant::Kigogo, side, index));
    let seeds = |side| pits(side).map(|pit| f64::from(position.seeds(pit))).sum::<f64>();
    let liftable = |side| pits(side).filter(|pit| position.seeds(*pit) >= 2).count() as f64;
    let [me, they] = [position.side(), position.side().other()];
    let mut terms = [0.0; TERMS];
    for (knot, share) in shares(seeds(me) + seeds(they)).into_iter().enumerate() {
        terms[knot] = share * (seeds(me) - seeds(they));
        terms[KNOTS.len() + knot] = share * (liftable(me) - liftable(they));
    }
    terms[TERMS - 1] = 1.0;
    terms
}

/// Returns the share that each number of a curve has in its value with this number of seeds on the board.
fn shares(seeds: f64) -> [f64; KNOTS.len()] {
    let seeds = seeds.max(KNOTS[0]);
    let upper = (1..KNOTS.len() - 1).find(|knot| seeds <= KNOTS[*knot]).unwrap_or(KNOTS.len() - 1);
    let share = (seeds - KNOTS[upper - 1]) / (KNOTS[upper] - KNOTS[upper - 1]);
    let mut shares = [0.0; KNOTS.len()];
    (shares[upper - 1], shares[upper]) = (1.0 - share, share);
    shares
}

fn terms_of(weights: &Weights) -> Terms {
    let curves = |curve: Curve| curve.into_iter();
    let all = curves(weights.seed).chain(curves(weights.liftable)).chain([weights.turn]);
    let mut terms = [0.0; TERMS];
    for (term, weight) in terms.iter_mut().zip(all) {
        *term = f64::from(weight) * UNIT;
    }
    terms
}

/// Finds the weights of the least loss by Newton's method.
fn fit(samples: &[Sample]) -> Terms {
    let mut weights = [0.0; TERMS];
    for _ in 0..10 {
        // The slope of the loss and how it changes; a little of each holds back weights that hardly matter.
        let mut slope: Terms = weights.map(|weight| -0.5 * weight);
        let mut bend = [[0.0; TERMS]; TERMS];
        for (at, row) in bend.iter_mut().enumerate() {
            row[at] = 0.5;
        }
        for Sample { terms, points } in samples {
            let chance = chance(&weights, terms);
            let doubt = chance * (1.0 - chance);
            for (at, term) in terms.iter().enumerate().filter(|(_, term)| **term != 0.0) {
                slope[at] += (points - chance) * term;
                for (cell, other) in bend[at].iter_mut().zip(terms) {
                    *cell += doubt * term * other;
                }
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(bend, slope)) {
            *weight += step;
        }
    }
    weights
}

/// Solves linear equations by elimination; `rows` is symmetric and positive, so that no pivot is 0.
fn solve(mut rows: [Terms; TERMS], mut right: Terms) -> Terms {
    for at in 0..TERMS {
        let pivot = rows[at];
        for below in at + 1..TERMS {
            let factor = rows[below][at] / pivot[at];
            for (cell, above) in rows[below].iter_mut().zip(pivot) {
                *cell -= factor * above;
            }
            right[below] -= factor * right[at];
        }
    }
    for at in (0..TERMS).rev() {
        let known: f64 = (at + 1..TERMS).map(|later| rows[at][later] * right[later]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right
}

fn chance(weights: &Terms, terms: &Terms) -> f64 {
    let value: f64 = weights.iter().zip(terms).map(|(weight, term)| weight * term).sum();
    1.0 / (1.0 + (-value).exp())
}

fn loss(weights: &Terms, samples: &[Sample]) -> f64 {
    let one = |Sample { terms, points }: &Sample| {
        let chance = chance(weights, terms).clamp(1e-9, 1.0 - 1e-9);
        -(points * chance.ln() + (1.0 - points) * (1.0 - chance).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}
