//! Lists the pits of the side to move, each with what lifting it does or with the rule that forbids it.
//!
//! ```text
//! cargo run -p bao-rules --example why_illegal bao-kingulu "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0"
//! ```

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;

use bao_rules::{Position, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, text] = arguments.as_slice() else {
        return Err("use: why_illegal GAME POSITION".into());
    };
    let variant: Variant = game.parse()?;
    let position = Position::parse(variant, text)?;
    for pit in position.pits(position.side()) {
        match position.trace(pit) {
            Ok(trace) => println!("{pit:4} legal: {trace}"),
            Err(illegal) => println!("{pit:4} {}: {illegal}", illegal.code()),
        }
    }
    Ok(())
}
