//! Positions for the properties: any that the rules core accepts, and those of random games.

use bao_rules::{Pit, Position, Side, Variant};
use proptest::collection::vec;
use proptest::prelude::*;

/// Any position of any game, reachable or not.
pub(crate) fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![any_kigogo(), any_kingulu(), late_kingulu(), strewn(), played()]
}

/// Seeds thrown into pits: all pits, or few, so that some hold very many.
fn any_kigogo() -> impl Strategy<Value = Position> {
    (1..=48_usize, 0..=92_usize, 0..=92_usize)
        .prop_flat_map(|(pits, thrown, captured)| {
            (vec(0..pits, thrown), vec(0..48_usize, pits), 0..=captured.min(92 - thrown), any::<bool>())
        })
        .prop_map(|(throws, places, captured, north)| {
            let mut pits = [0_u32; 48];
            for throw in throws {
                pits[places[throw]] += 1;
            }
            let south = captured / 2;
            text_position(Variant::Kigogo, &pits, &[false; 48], north, [south, captured - south])
        })
}

/// Reserved pits first, the other seeds thrown into pits and banks.
fn any_kingulu() -> impl Strategy<Value = Position> {
    let reserved = vec(prop_oneof![4 => Just(0_u32), 1 => 4..=5_u32], 12);
    (reserved, vec(0..18_usize, 48), any::<bool>()).prop_map(|(mut reserved, throws, north)| {
        // Twelve pits with five seeds would be too many.
        if reserved.iter().sum::<u32>() > 48 {
            reserved = reserved.into_iter().map(|seeds| seeds.min(4)).collect();
        }
        thrown_kingulu(&reserved, throws, north)
    })
}

/// Nothing reserved and few pits in use, where laps are large and sowings long.
fn late_kingulu() -> impl Strategy<Value = Position> {
    (vec(0..12_usize, 1..=6_usize), any::<bool>())
        .prop_flat_map(|(places, north)| (vec(proptest::sample::select(places), 48), Just(north)))
        .prop_map(|(throws, north)| thrown_kingulu(&[0; 12], throws, north))
}

fn thrown_kingulu(reserved: &[u32], throws: Vec<usize>, north: bool) -> Position {
    let mut pits = reserved.to_vec();
    let mut banks = [0; 2];
    let left = 48 - reserved.iter().sum::<u32>() as usize;
    for place in throws.into_iter().take(left) {
        match place {
            0..12 if reserved[place] == 0 => pits[place] += 1,
            _ => banks[place % 2] += 1,
        }
    }
    let stars: Vec<bool> = reserved.iter().map(|seeds| *seeds > 0).collect();
    text_position(Variant::Kingulu, &pits, &stars, north, banks)
}

fn text_position(
    variant: Variant,
    pits: &[u32],
    stars: &[bool],
    north: bool,
    captured: [usize; 2],
) -> Position {
    let width = variant.info().columns;
    let row = |row: (&[u32], &[bool])| {
        let star = |reserved: bool| if reserved { "*" } else { "" };
        let pits: Vec<String> =
            row.0.iter().zip(row.1).map(|(seeds, reserved)| format!("{seeds}{}", star(*reserved))).collect();
        pits.join(",")
    };
    let rows: Vec<String> = pits.chunks(width).zip(stars.chunks(width)).map(row).collect();
    let side = if north { 'N' } else { 'S' };
    let text = format!("{} {side} {} {}", rows.join("/"), captured[0], captured[1]);
    Position::parse(variant, &text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Seeds thrown into pits and captured ones, for whatever game.
fn strewn() -> impl Strategy<Value = Position> {
    (proptest::sample::select(Variant::ALL.to_vec()), vec(any::<u32>(), 100), any::<bool>()).prop_map(
        |(variant, throws, north)| {
            let places = 2 * variant.pits_per_side();
            let (mut pits, mut captured) = (vec![0; places], [0; 2]);
            for throw in throws.into_iter().take(variant.seeds() as usize) {
                match throw as usize % (places + 2) {
                    place if place < places => pits[place] += 1,
                    place => captured[place - places] += 1,
                }
            }
            text_position(variant, &pits, &vec![false; places], north, captured)
        },
    )
}

/// A position in the course of a random game.
fn played() -> impl Strategy<Value = Position> {
    game().prop_map(|moves| *moves.last().expect("the start at least"))
}

/// The positions of a random game, from the start on.
pub(crate) fn game() -> impl Strategy<Value = Vec<Position>> {
    (proptest::sample::select(Variant::ALL.to_vec()), vec(any::<u32>(), 0..300)).prop_map(
        |(variant, choices)| {
            let mut positions = vec![Position::start(variant)];
            for choice in choices {
                let position = positions[positions.len() - 1];
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                match position.play(moves[choice as usize % moves.len()]).expect("a legal move").after {
                    Some(after) => positions.push(after),
                    None => break,
                }
            }
            positions
        },
    )
}

/// All seeds: in pits, and captured or banked.
pub(crate) fn total(position: &Position) -> u32 {
    let pits: u32 = Pit::all(position.variant()).map(|pit| u32::from(position.seeds(pit))).sum();
    pits + Side::BOTH.iter().map(|side| position.captured(*side)).sum::<u32>()
}
