//! The counts of move sequences in the rulebook.

use bao_rules::{Position, Variant, perft};

use crate::json::Json;

/// The longest count that a test makes; the benchmark makes all of them.
const MOST_LEAVES: u64 = 1_000_000;

#[test]
fn sequences_are_as_many_as_the_rulebook_counts() {
    let tables = Json::read(include_str!("../data/perft.json"));
    for variant in [Variant::Kigogo, Variant::Kingulu] {
        let start = Position::start(variant);
        for (depth, leaves) in tables.field(variant.name()).list().iter().enumerate() {
            if leaves.number() <= MOST_LEAVES {
                assert_eq!(perft(&start, depth as u32), leaves.number(), "{variant} {depth}");
            }
        }
    }
}

#[test]
fn an_endless_sowing_is_a_last_move() {
    // B6 is endless here, by the vectors.
    let text = "0,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,1/0,1,0,5,2,1,0,3,4,1,0,1/1,2,5,2,1,4,0,1,0,6,0,2 S 0 0";
    let position = Position::parse(Variant::Kigogo, text).expect("a position");
    let moves = position.legal_moves();
    assert_eq!(perft(&position, 1), moves.len() as u64);
    let after = moves.iter().filter_map(|pit| position.play(pit).expect("legal").after);
    assert_eq!(perft(&position, 2), after.map(|after| after.legal_moves().len() as u64).sum());
}
