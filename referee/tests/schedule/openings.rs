//! Openings that are made from the seed.

use std::collections::BTreeSet;

use bao_referee::plan::{Book, GamePlan, Openings, PlanError};
use bao_rules::{Position, Side};
use proptest::prelude::*;

fn game(variant: &str, openings: Openings) -> GamePlan {
    GamePlan { variant: variant.to_owned(), openings }
}

fn turned(position: &Position) -> Position {
    let (from, to) = if position.side() == Side::South { (" S ", " N ") } else { (" N ", " S ") };
    Position::parse(position.variant(), &position.to_string().replacen(from, to, 1)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn generated_openings_differ_and_both_sides_can_move(
        seed in any::<u64>(), plies in 1u32..9, kingulu in any::<bool>(), count in 1u64..200,
    ) {
        let variant = if kingulu { "bao-kingulu" } else { "bao-kigogo" };
        let game = game(variant, Openings::Generated { plies, count: None });
        let mut book = Book::new(&game, seed).unwrap();
        let openings: Vec<_> = (0..count).map(|index| book.opening(index)).collect();
        let most = openings.iter().filter_map(|(number, _)| *number).max().unwrap();
        let different: BTreeSet<String> = openings.iter().map(|(_, position)| position.to_string()).collect();
        prop_assert_eq!(different.len() as u64, most, "as many positions as numbers");
        for (_, position) in &openings {
            prop_assert!(position.over().is_none() && turned(position).over().is_none());
        }
        // Asked for in another order, they are the same.
        let mut again = Book::new(&game, seed).unwrap();
        for index in (0..count).rev() {
            prop_assert_eq!(again.opening(index), openings[index as usize]);
        }
    }
}

#[test]
fn another_seed_gives_other_openings() {
    let game = game("bao-kigogo", Openings::Generated { plies: 6, count: None });
    let openings = |seed| -> Vec<_> {
        let mut book = Book::new(&game, seed).unwrap();
        (0..20).map(|index| book.opening(index).1).collect()
    };
    assert_ne!(openings(1), openings(2));
}

#[test]
fn when_there_are_no_more_openings_they_come_again() {
    let game = game("bao-kingulu", Openings::Generated { plies: 1, count: None });
    let mut book = Book::new(&game, 1).unwrap();
    let numbers: Vec<_> = (0..9).map(|index| book.opening(index).0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 1, 2, 3, 4, 1].map(Some));
}

#[test]
fn more_openings_than_there_are_cannot_be_planned() {
    let game = game("bao-kingulu", Openings::Generated { plies: 1, count: Some(5) });
    let error = Book::new(&game, 1).unwrap_err();
    assert!(matches!(&error, PlanError::FewOpenings { plies: 1, found: 4, .. }), "{error}");
}

#[test]
fn given_openings_are_taken_in_turn() {
    let first = "2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 N 0 0";
    let positions = vec![first.to_owned(), "B1".to_owned()];
    let mut book = Book::new(&game("bao-kigogo", Openings::Given { positions }), 1).unwrap();
    let numbers: Vec<_> = (0..3).map(|index| book.opening(index).0).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(1)]);
    assert_eq!(book.opening(2).1.to_string(), first);
}
