//! Prints how many positions a second the search visits, each a move played, on one core:
//! `cargo run --release -p bao-bots --example search_rate -- [DEPTH]`.

use std::time::Instant;

use bao_rules::{kigogo, kingulu};
use bot::search::{Game, Limits, Search, Weights};

#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(9);
    println!("bao-kigogo  {}", measure(&kigogo::Position::START, Weights::default().into(), depth));
    println!("bao-kingulu {}", measure(&kingulu::Position::START, (), 2 * depth));
}

/// Searches eight positions of a game played by the search itself.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn measure<G: Game>(start: &G, judge: G::Judge, depth: u32) -> String {
    let mut search = Search::new(16 << 20, judge);
    let (mut position, mut nodes, mut turns) = (*start, 0, 0);
    let began = Instant::now();
    while turns < 8 && position.plays().next().is_some() {
        turns += 1;
        search.played(&position);
        let limits =
            Limits { depth: Some(depth), nodes: None, seed: 0, stop: &mut || false, next: &mut |_| true };
        let report = search.think(&position, limits);
        nodes += report.nodes;
        let Some((_, Some(after))) = position.plays().find(|(pit, _)| *pit == report.best) else { break };
        position = after;
        search.played(&position);
    }
    let seconds = began.elapsed().as_secs_f64();
    format!(
        "depth {depth}: {turns} turns, {nodes} positions in {seconds:.2} s, {:.1} million/s",
        nodes as f64 / seconds / 1e6
    )
}
