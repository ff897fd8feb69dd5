//! Counts the sequences of legal moves from a position, and those after each first move.
//!
//! ```text
//! cargo run --release -p bao-rules --example perft bao-kigogo 5
//! cargo run --release -p bao-rules --example perft bao-kingulu 8 "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0"
//! ```

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;

use bao_rules::{Position, Variant, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, depth, position @ ..] = arguments.as_slice() else {
        return Err("use: perft GAME DEPTH [POSITION]".into());
    };
    let (variant, depth): (Variant, u32) = (game.parse()?, depth.parse()?);
    let start = match position {
        [text, ..] => Position::parse(variant, text)?,
        [] => Position::start(variant),
    };
    if depth > 0 {
        for pit in &start.legal_moves() {
            // After an endless sowing there is no position; it completes a sequence of one move.
            let leaves = match start.play(pit)?.after {
                Some(after) => perft(&after, depth - 1),
                None => u64::from(depth == 1),
            };
            println!("{pit:4} {leaves}");
        }
    }
    println!("all  {}", perft(&start, depth));
    Ok(())
}
