//! One position for each rule that a move can break, and for each way to end.

use bao_rules::{Ending, Illegal, Outcome, Pit, Position, Side, Trace, UnknownName, Variant};

const EMPTY_ROW: &str = "0,0,0,0,0,0,0,0,0,0,0,0";

fn kigogo(south_front: &str, south_back: &str) -> Position {
    let text = format!("{EMPTY_ROW}/2,0,0,0,0,0,0,0,0,0,0,0/{south_front}/{south_back} S 0 0");
    Position::parse(Variant::Kigogo, &text).expect("a position")
}

fn kingulu(text: &str) -> Position {
    Position::parse(Variant::Kingulu, text).expect("a position")
}

/// Checks the code and the sentence for lifting a pit.
fn check(position: &Position, pit: &str, code: &str, sentence: &str) {
    let pit = Pit::parse(position.variant(), pit).expect("a pit of the board");
    let illegal = position.check(pit).expect_err("an illegal move");
    assert_eq!((illegal.code(), illegal.to_string().as_str()), (code, sentence));
    assert_eq!(illegal.pit(), pit);
    assert!(Illegal::CODES.contains(&code));
}

#[test]
fn a_pit_of_the_other_side_is_not_yours() {
    let start = Position::start(Variant::Kigogo);
    check(&start, "b3", "not_your_pit", "b3 belongs to North, and South is to move");
}

#[test]
fn a_pit_of_the_other_game_is_on_another_board() {
    let pit = Pit::parse(Variant::Kingulu, "A3").expect("a pit");
    let illegal = Position::start(Variant::Kigogo).check(pit).expect_err("an illegal move");
    assert_eq!(illegal.code(), "other_board");
    assert_eq!(illegal.to_string(), "A3 is a pit of bao-kingulu, another game");
}

#[test]
fn an_empty_pit_cannot_be_lifted() {
    check(&Position::start(Variant::Kigogo), "A1", "empty_pit", "A1 is empty");
    check(&kingulu("4,4,4,4,4,4/0,8,4,4,4,4 S 0 0"), "A1", "empty_pit", "A1 is empty");
}

#[test]
fn a_single_seed_stays_while_another_pit_has_more() {
    let position = kigogo(EMPTY_ROW, "1,0,0,0,2,0,0,0,0,0,0,0");
    let sentence =
        "B1 holds a single seed; while a side has a pit with two seeds or more, it must lift such a pit";
    check(&position, "B1", "single_seed", sentence);
}

#[test]
fn a_single_seed_does_not_move_into_an_occupied_pit() {
    let position = kigogo(EMPTY_ROW, "1,1,0,0,0,0,0,0,0,0,0,0");
    let sentence = "B1 holds a single seed, which may only go into an empty pit, and B2 is occupied";
    check(&position, "B1", "single_seed_blocked", sentence);
    assert_eq!(format!("{:?}", position.legal_moves()), "[B2]");
}

#[test]
fn a_single_seed_moves_from_the_last_pit_to_the_first() {
    let position = kigogo("1,0,0,0,0,0,0,0,0,0,0,0", EMPTY_ROW);
    assert_eq!(format!("{:?}", position.legal_moves()), "[A1]");
    let play = position.play(position.legal_moves()[0]).expect("a legal move");
    assert_eq!(play.last.map(Pit::name), Some("B1"));
}

#[test]
fn a_single_seed_captures() {
    let position = kigogo("0,1,0,0,0,0,0,0,0,0,0,0", EMPTY_ROW);
    let play = position.play(position.legal_moves()[0]).expect("a legal move");
    assert_eq!((play.last.map(Pit::name), play.captured), (Some("A1"), 2));
    let outcome = Outcome { winner: Some(Side::South), reason: Ending::CapturedAll };
    assert_eq!(play.over, Some(outcome));
}

#[test]
fn a_reserved_pit_is_never_lifted() {
    let position = kingulu("4,4,4,4,4,4/4*,4,4,4,4,4 S 0 0");
    check(&position, "A1", "reserved_pit", "A1 is reserved, and a reserved pit is never lifted");
}

#[test]
fn a_first_lap_must_not_end_in_an_occupied_pit_of_the_own_row() {
    let position = kingulu("4,4,4,4,4,4/4,4,4,4,4,4 S 0 0");
    let sentence =
        "the first lap from A1 ends in A5, an occupied pit of the mover's own row; only a later lap may";
    check(&position, "A1", "first_lap_own_row", sentence);
}

#[test]
fn an_endless_sowing_is_illegal_in_kingulu() {
    // Found by search; the sowing comes back to this position after many laps, some of more than twelve seeds.
    let position = kingulu("4,10,6,4,5,4/0,5,1,3,6,0 S 0 0");
    check(&position, "A4", "endless", "the sowing from A4 would never end");
}

#[test]
fn an_endless_sowing_is_a_draw_in_kigogo_and_its_trace_is_bounded() {
    let text =
        format!("{EMPTY_ROW}/0,0,0,0,0,0,0,0,0,0,0,1/0,1,0,5,2,1,0,3,4,1,0,1/1,2,5,2,1,4,0,1,0,6,0,2 S 0 0");
    let position = Position::parse(Variant::Kigogo, &text).expect("a position");
    let pit = Pit::parse(Variant::Kigogo, "B6").expect("a pit");
    let play = position.play(pit).expect("a legal move");
    assert_eq!((play.laps, play.last, play.after, play.captured), (None, None, None, 0));
    assert_eq!(play.over, Some(Outcome { winner: None, reason: Ending::EndlessSowing }));
    let trace = position.trace(pit).expect("a legal move");
    assert_eq!((trace.total, trace.over), (None, play.over));
    assert!((1..=Trace::MOST_LAPS).contains(&trace.laps().count()));
    assert!(trace.to_string().ends_with(", and so on for ever"));
}

#[test]
fn a_sowing_of_too_many_laps_is_taken_for_endless_and_the_others_are_played() {
    // B3 comes back to where it began after 11,809,800 laps; no other needs more than a hundred.
    let text = "0,0,2,1,1,0,1,0,0,3,0,2/2,1,2,0,2,0,3,1,2,0,3,1/3,0,1,0,5,0,3,2,1,0,3,2/0,5,2,0,1,0,2,3,0,1,2,1 S 19 9";
    let Position::Kigogo(position) = Position::parse(Variant::Kigogo, text).expect("a position") else {
        panic!("asked for Bao Kigogo")
    };
    let within: Vec<_> = position.children_within(100).collect();
    assert_eq!(within, position.children().collect::<Vec<_>>());
    let endless: Vec<&str> =
        within.iter().filter(|(_, after)| after.is_none()).map(|(pit, _)| pit.name()).collect();
    assert_eq!(endless, ["B3"]);
    let few: Vec<_> = position.children_within(1).collect();
    assert!(few.iter().zip(&within).all(|(one, all)| one == all || one.1.is_none()));
    assert_eq!(position.children_within(u64::MAX).count(), within.len());
}

#[test]
fn a_trace_has_the_capture_and_the_reservation() {
    let trace = |position: Position, pit: &str| {
        let pit = Pit::parse(position.variant(), pit).expect("a pit");
        position.trace(pit).expect("a legal move").to_string()
    };
    let expected = "A2 lifts 12 to A2; takes a5 (3), A2 (1)";
    assert_eq!(trace(kingulu("0,2,0,0,0,0/0,12,0,0,0,0 S 17 17"), "A2"), expected);
    let expected = "A5 lifts 2 to a1; reserves a1 and adds a seed from A6";
    assert_eq!(trace(kingulu("0,0,0,0,2,3/0,0,0,0,2,1 S 20 20"), "A5"), expected);
    let expected = "A5 lifts 1 to A6; 1 into North's bank on the way";
    assert_eq!(trace(kingulu("0,0,0,0,2,3/0,0,0,0,1,4* S 20 18"), "A5"), expected);
}

#[test]
fn repetition_and_the_last_ply_draw_kigogo_and_score_kingulu() {
    let position = kingulu("0,0,0,0,2,3/0,0,0,0,1,4* S 20 18");
    for reason in [Ending::Repetition, Ending::MaxPlies] {
        let drawn = Outcome { winner: None, reason };
        assert_eq!(Position::start(Variant::Kigogo).stopped(reason), drawn);
        assert_eq!(Position::start(Variant::Kingulu).stopped(reason), drawn);
        assert_eq!(position.stopped(reason), Outcome { winner: Some(Side::North), reason });
    }
    assert_eq!((position.score(Side::South), position.score(Side::North)), (21, 27));
    assert_eq!(position.scored(), Some(Side::North));
}

#[test]
fn names_read_as_what_they_name_and_the_error_for_others_lists_what_is_known() {
    for variant in Variant::ALL {
        assert_eq!(variant.to_string().parse(), Ok(variant));
    }
    for ending in Ending::ALL {
        assert_eq!(ending.to_string().parse(), Ok(ending));
    }
    for side in Side::BOTH {
        assert_eq!(Side::from_letter(side.letter()), Some(side));
        assert_eq!(side.to_string().parse(), Ok(side));
    }
    let error: UnknownName = "bao".parse::<Variant>().expect_err("no such game");
    assert_eq!(error.known(), Variant::NAMES);
    assert!(error.to_string().starts_with(r#"unknown game "bao": known are bao-kigogo, bao-kingulu"#));
    for text in ["", "s", "SN", "South"] {
        assert!(text.parse::<Side>().is_err(), "{text}");
    }
}
