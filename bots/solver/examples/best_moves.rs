//! Prints what each move of a position of Bao Kingulu is worth, by default of the start:
//! `cargo run --release --example best_moves -- [POSITION]`.

use std::error::Error;

use bao_rules::{Position, Variant};
use bao_solver::Solver;

#[expect(clippy::print_stdout, reason = "printing is what this program is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let position = match std::env::args().nth(1) {
        Some(text) => Position::parse(Variant::Kingulu, &text)?,
        None => Position::start(Variant::Kingulu),
    };
    let Position::Kingulu(position) = position else { return Err("a position of another game".into()) };
    let mut solver = Solver::new(16 << 20);
    let solution = solver.solve(&position, &mut || false)?;
    println!("value {:+} for the side to move, {} positions visited", solution.value, solver.nodes());
    for (pit, value) in solution.moves {
        println!("{pit} {value:+}, gives away {}", solution.value - value);
    }
    Ok(())
}
