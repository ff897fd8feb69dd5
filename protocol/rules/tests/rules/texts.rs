//! Texts that are not a position or a pit, and the errors about them.

use bao_rules::{Pit, Position, Rules, Variant, kigogo, kingulu};

const ROW: &str = "0,0,0,0,0,0,0,0,0,0,0,0";

fn kigogo(text: &str, expected: &str) {
    let text = text.replace("ROW", ROW);
    let error = Position::parse(Variant::Kigogo, &text).expect_err("no position");
    assert_eq!(error.to_string(), expected, "{text}");
}

fn kingulu(text: &str, expected: &str) {
    let error = Position::parse(Variant::Kingulu, text).expect_err("no position");
    assert_eq!(error.to_string(), expected, "{text}");
}

#[test]
fn rows_and_pits_must_be_as_many_as_on_the_board() {
    kigogo("", "the board has 4 rows joined by '/', found 1");
    kigogo("ROW/ROW/ROW S 0 0", "the board has 4 rows joined by '/', found 3");
    kingulu("4,4,4,4,4,4/4,4,4,4,4,4/0,0,0,0,0,0 S 0 0", "the board has 2 rows joined by '/', found 3");
    kingulu("4,4,4,4,4,4/4,4,4,4,4 S 0 0", "row 2 (A1..A6) has 6 pits joined by ',', found 5");
    kigogo("ROW,0/ROW/ROW/ROW S 0 0", "row 1 (b12..b1) has 12 pits joined by ',', found 13");
}

#[test]
fn seeds_are_plain_numbers() {
    let sentence = |place: &str, found: &str| {
        format!("{place}: expected a number without sign, spaces or leading zeros, found {found:?}")
    };
    for bad in ["", "x", "-1", "+4", "04", "4.0", "4**", "\u{664}"] {
        let found = bad.strip_suffix('*').unwrap_or(bad);
        kingulu(&format!("4,4,4,4,4,4/4,4,{bad},4,4,4 S 0 0"), &sentence("pit A3", found));
        kingulu(&format!("4,4,{bad},4,4,4/4,4,4,4,4,4 S 0 0"), &sentence("pit a4", found));
    }
    kingulu("4,4,4,4,4,4/4,4,4,4,4,4 S x 0", &sentence("South's captured seeds", "x"));
    kingulu("4,4,4,4,4,4/4,4,4,4,4,4 S 0 0\n", &sentence("North's captured seeds", "0\n"));
    kingulu("4,4,4,4,4,4/4,4,4,4,4,4 S  0 0", &sentence("South's captured seeds", ""));
}

#[test]
fn seeds_must_not_be_too_many() {
    kigogo(
        "93,0,0,0,0,0,0,0,0,0,0,0/ROW/ROW/ROW S 0 0",
        "pit b12: 93 seeds are more than the 92 of the game",
    );
    let long = "9".repeat(400);
    let sentence = format!("pit A1: {}... seeds are more than the 48 of the game", "9".repeat(32));
    kingulu(&format!("4,4,4,4,4,4/{long},4,4,4,4,4 S 0 0"), &sentence);
    let sentence = "bao-kigogo has at most 92 seeds, found 93: 92 in pits and 1 captured";
    kigogo("92,0,0,0,0,0,0,0,0,0,0,0/ROW/ROW/ROW S 0 1", sentence);
    assert!(Position::parse(Variant::Kigogo, &format!("{ROW}/{ROW}/{ROW}/{ROW} S 46 46")).is_ok());
}

#[test]
fn kingulu_has_exactly_its_seeds() {
    let sentence = "bao-kingulu has exactly 48 seeds, found 47: 47 in pits and 0 captured";
    kingulu("4,4,4,4,4,4/4,4,4,4,4,3 S 0 0", sentence);
    let sentence = "bao-kingulu has exactly 48 seeds, found 49: 47 in pits and 2 captured";
    kingulu("4,4,4,4,4,4/4,4,4,4,4,3 S 1 1", sentence);
}

#[test]
fn reserved_pits_hold_four_or_five() {
    for seeds in [0, 1, 3, 6] {
        let sentence = format!("pit A2: a reserved pit ('*') holds 4 or 5 seeds, found {seeds}");
        kingulu(&format!("4,4,4,4,4,4/4,{seeds}*,4,4,4,4 S 0 0"), &sentence);
    }
    let sentence = "pit b12: '*' marks a reserved pit, which Bao Kigogo does not have";
    kigogo("4*,0,0,0,0,0,0,0,0,0,0,0/ROW/ROW/ROW S 0 0", sentence);
}

#[test]
fn what_follows_the_board_must_be_complete_and_nothing_more() {
    let board = "4,4,4,4,4,4/4,4,4,4,4,4";
    kingulu(board, "the text ends where the side to move (S or N) should follow after a space");
    kingulu(&format!("{board} S"), "the text ends where South's captured seeds should follow after a space");
    kingulu(
        &format!("{board} S 0"),
        "the text ends where North's captured seeds should follow after a space",
    );
    kingulu(&format!("{board} s 0 0"), "the side to move is S or N, found \"s\"");
    kingulu(&format!("{board} SS 0 0"), "the side to move is S or N, found \"SS\"");
    kingulu(&format!("{board} S 0 0 moves"), "nothing may follow North's captured seeds, found \"moves\"");
    kingulu(&format!("{board} S 0 0 "), "nothing may follow North's captured seeds, found \"\"");
}

#[test]
fn the_start_positions_read_as_the_rulebook_writes_them() {
    let kigogo = "2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0 0";
    let kingulu = "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0";
    for (variant, text) in [(Variant::Kigogo, kigogo), (Variant::Kingulu, kingulu)] {
        assert_eq!(Position::start(variant).to_string(), text);
        assert_eq!(Position::parse(variant, text), Ok(Position::start(variant)));
    }
    assert_eq!(kigogo.parse(), Ok(kigogo::Position::START));
    assert_eq!(kingulu.parse(), Ok(kingulu::Position::START));
    assert_eq!(Position::from(kingulu::Position::START).to_string(), kingulu);
}

#[test]
fn the_rare_positions_of_a_game_are_positions() {
    for variant in Variant::ALL {
        for text in variant.info().rare.lines() {
            assert_eq!(
                Position::parse(variant, text).map(|position| position.to_string()).as_deref(),
                Ok(text)
            );
        }
    }
}

#[test]
fn pits_have_names_in_sowing_order() {
    let names = |variant: Variant| Pit::all(variant).map(Pit::name).collect::<Vec<_>>().join(" ");
    assert_eq!(
        names(Variant::Kigogo),
        "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 A12 A11 A10 A9 A8 A7 A6 A5 A4 A3 A2 A1 \
         b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 a12 a11 a10 a9 a8 a7 a6 a5 a4 a3 a2 a1"
    );
    assert_eq!(names(Variant::Kingulu), "A1 A2 A3 A4 A5 A6 a1 a2 a3 a4 a5 a6");
    for variant in Variant::ALL {
        for pit in Pit::all(variant) {
            assert_eq!(Pit::parse(variant, pit.name()), Ok(pit));
            assert_eq!(Pit::new(variant, pit.owner(), pit.index()), Some(pit));
            assert_eq!(pit.variant(), variant);
        }
        let mut sorted: Vec<Pit> = Pit::all(variant).collect();
        sorted.sort();
        assert!(sorted.into_iter().eq(Pit::all(variant)));
        assert_eq!(Pit::new(variant, bao_rules::Side::South, variant.pits_per_side()), None);
    }
}

#[test]
fn the_error_for_a_text_that_is_not_a_pit_lists_the_pits() {
    let error = |variant, text| Pit::parse(variant, text).expect_err("no pit").to_string();
    assert_eq!(
        error(Variant::Kigogo, "C3"),
        "\"C3\" is not a pit of bao-kigogo: A1..A12 and B1..B12 are South's, a1..a12 and b1..b12 North's"
    );
    assert_eq!(
        error(Variant::Kingulu, "B3"),
        "\"B3\" is not a pit of bao-kingulu: A1..A6 are South's, a1..a6 North's; there is no back row"
    );
    assert!(error(Variant::Kingulu, " A3").ends_with("(write it without spaces)"));
    for text in ["", "A0", "A7", "A01", "3A", "A", "a-1"] {
        assert!(Pit::parse(Variant::Kingulu, text).is_err(), "{text}");
    }
}
