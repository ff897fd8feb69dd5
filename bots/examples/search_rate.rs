//! Prints how many positions a second the search and the solver visit, each a move played, on one core:
//! `cargo run --release -p bao-bots --example search_rate -- [DEPTH]`.
//!
//! Seconds are those that the processor gave to this program, so that a busy machine does not count (Linux; elsewhere
//! the time that goes by).

use std::time::Instant;

use bao_rules::{Rules as _, kigogo, kingulu};
use bao_solver::Solver;
use bot::search::{Game, Limits, Search, Weights};

#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(12);
    let rate = search(kigogo::Position::START, Weights::default().into(), depth);
    println!("search of bao-kigogo, depth {depth}: {rate}");
    println!(
        "search of bao-kingulu, depth {}: {}",
        2 * depth,
        search(kingulu::Position::START, (), 2 * depth)
    );
    println!("bao-kingulu solved ten times: {}", solve());
}

/// Searches the positions of a game that the search plays against itself, up to eight moves.
fn search<G: Game>(start: G, judge: G::Judge, depth: u32) -> String {
    let mut search = Search::new(16 << 20, judge);
    let (mut position, mut nodes) = (start, 0);
    let began = Seconds::now();
    for _ in 0..8 {
        let mut limits =
            Limits { depth: Some(depth), nodes: None, seed: 0, stop: &mut || false, next: &mut |_| true };
        let report = search.think(&position, &mut limits);
        nodes += report.nodes;
        let played = position.plays().find(|(pit, _)| *pit == report.best);
        let Some((_, Some(after))) = played else { break };
        position = after;
    }
    rate(nodes, &began)
}

/// Solves the start of Bao Kingulu, each time from the beginning.
fn solve() -> String {
    let began = Seconds::now();
    let mut nodes = 0;
    for _ in 0..10 {
        let mut solver = Solver::new(4 << 20);
        assert_eq!(solver.value(&kingulu::Position::START, &mut || false), Ok(4));
        nodes += solver.nodes();
    }
    rate(nodes, &began)
}

fn rate(nodes: u64, began: &Seconds) -> String {
    let seconds = began.elapsed();
    format!("{nodes} positions in {seconds:.3} s, {:.1} million/s", nodes as f64 / seconds / 1e6)
}

/// A moment, on the processor's clock for this program where there is one.
enum Seconds {
    Processor(f64),
    Wall(Instant),
}

impl Seconds {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    fn now() -> Self {
        processor_seconds().map_or_else(|| Self::Wall(Instant::now()), Self::Processor)
    }

    fn elapsed(&self) -> f64 {
        match self {
            Self::Processor(began) => processor_seconds().unwrap_or(f64::NAN) - began,
            Self::Wall(began) => began.elapsed().as_secs_f64(),
        }
    }
}

/// Reads the time that the program ran on a processor.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
