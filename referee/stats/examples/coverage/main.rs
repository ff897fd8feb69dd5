//! Do 95 % intervals hold the truth in 95 % of cases? Prints the tables of docs/STATISTICS.md.
//!
//!     cargo run --release -p bao-stats --example coverage [CONTESTS]
#![expect(clippy::print_stdout, reason = "it prints tables")]

mod others;
mod score;
mod tests_in_turn;
mod world;

use bao_stats::{Model, Sprt};
use others::Method;
use score::{Said, Score};
use tests_in_turn::Ended;
use world::{GRID, Games, World};

fn main() {
    let contests = std::env::args().nth(1).map_or(400, |text| text.parse().expect("a number of contests"));
    let mut said = [Said::default(), Said::default()];
    println!(
        "| games | bots | Elo apart | pairs | all | strongest | weakest | width | open | Ordo | width | BayesElo | width |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for world in GRID {
        let World { bots, apart, pairs, games } = world;
        let contests = if bots == 2 { contests * 5 } else { contests };
        let ours = Score::of(&world, contests, Method::Ours);
        let [ordo, bayes] =
            [Method::Ordo, Method::BayesElo].map(|method| Score::of(&world, contests, method));
        println!(
            "| {games} | {bots} | {apart} | {pairs} | {} | {} | {} |",
            row(&ours),
            all_and_width(&ordo),
            all_and_width(&bayes)
        );
        let sampled = usize::from(games != Games::Independent);
        said[sampled].absorb(&ours.said);
    }
    println!("\n| stated likelihood | independent games | other games |\n|---|--:|--:|");
    for step in 0..Said::STEPS {
        let [one, other] = said.each_ref().map(|said| share(said, step));
        let [from, to] = [Said::BOUNDS[step], Said::BOUNDS[step + 1]].map(|bound| 100.0 * bound);
        println!("| {from} to {to} % | {one} | {other} |");
    }
    println!("\n| H0, H1 | truth | games | accepts H0 | accepts H1 | pairs |\n|---|--:|---|--:|--:|--:|");
    sequential(contests * 5);
}

fn row(score: &Score) -> String {
    let [all, top, bottom] = score.coverage();
    let open = 100.0 * score.open as f64 / score.held[0][1] as f64;
    format!("{all:.1} | {top:.1} | {bottom:.1} | {} | {open:.0} %", width(score))
}

fn all_and_width(score: &Score) -> String {
    format!("{:.1} | {}", score.coverage()[0], width(score))
}

fn width(score: &Score) -> String {
    score.width().map_or("–".to_owned(), |width| format!("{width:.0}"))
}

fn share(said: &Said, step: usize) -> String {
    let [sum, held, count] = said.steps[step];
    format!("{:.1} % stated, {:.1} % true", 100.0 * sum / count, 100.0 * held / count)
}

fn sequential(tests: u64) {
    for [elo0, elo1] in [[0.0, 10.0], [0.0, 50.0], [-100.0, 100.0]] {
        let test = Sprt::new(Model::Logistic, elo0, elo1, 0.05, 0.05).expect("a test");
        for games in [Games::Independent, Games::Drawn(0.5), Games::Alike(0.5), Games::Opposed(0.8)] {
            for truth in [elo0, elo1] {
                let tests = if elo1 < 20.0 { tests / 5 } else { tests };
                let Ended { accepted, pairs } = tests_in_turn::play(&test, truth, games, tests);
                let [h0, h1] = accepted.map(|accepted| 100.0 * accepted as f64 / tests as f64);
                let pairs = pairs as f64 / tests as f64;
                println!("| {elo0}, {elo1} | {truth} | {games} | {h0:.1} % | {h1:.1} % | {pairs:.0} |");
            }
        }
    }
}
