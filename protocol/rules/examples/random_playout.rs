//! Plays a game of random moves, and prints each move with what it did.
//!
//! ```text
//! cargo run -p bao-rules --example random_playout bao-kingulu 42
//! ```

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;

use bao_rules::{Ending, History, Outcome, Position, Side, Variant};

/// The most moves of a game.
const MOST_PLIES: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().ok_or("use: random_playout GAME [SEED]")?.parse()?;
    let mut random: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;

    let mut position = Position::start(variant);
    let mut history = History::new(&position);
    let mut plies = 0;
    let outcome = loop {
        if let Some(outcome) = position.over() {
            break outcome;
        }
        if plies == MOST_PLIES {
            break position.stopped(Ending::MaxPlies);
        }
        let moves = position.legal_moves();
        let pit = moves[choose(&mut random, moves.len())];
        plies += 1;
        println!("{plies}. {}: {}", position.side().word(), position.trace(pit)?);
        match position.play(pit)?.after {
            Some(after) => position = after,
            None => break Outcome { winner: None, reason: Ending::EndlessSowing },
        }
        if history.push(&position) {
            break position.stopped(Ending::Repetition);
        }
    };

    let [south, north] = Side::BOTH.map(|side| position.score(side));
    let winner = outcome.winner.map_or("nobody", Side::word);
    println!("\n{position}\n{winner} wins: {}, {south} to {north} seeds", outcome.reason);
    Ok(())
}

/// Returns a number below `count` (xorshift; the seed must not be 0).
fn choose(random: &mut u64, count: usize) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random % count as u64) as usize
}
