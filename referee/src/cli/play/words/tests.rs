use bao_rules::Variant;

use super::*;

fn start(variant: Variant) -> Position {
    Position::start(variant)
}

#[test]
fn words_and_pits_are_understood_in_either_case() {
    let position = start(Variant::Kingulu);
    let a3 = Pit::parse(Variant::Kingulu, "A3").unwrap();
    for (line, expected) in [
        ("A3", Order::Move(a3)),
        (" a3 ", Order::Move(a3)),
        ("", Order::Nothing),
        ("Moves", Order::Moves),
        ("undo", Order::Undo(1)),
        ("undo 3", Order::Undo(3)),
        ("q", Order::Quit),
    ] {
        assert_eq!(order(line, &position, Side::South), Ok(expected), "{line:?}");
    }
    for (line, expected) in [
        ("A1", "You cannot lift A1: the first lap"),
        ("A7", "\"A7\" is neither one of your pits nor a command"),
        ("undo 0", "undo takes a number from 1"),
        ("undo x", "undo takes a number from 1"),
    ] {
        let problem = order(line, &position, Side::South).unwrap_err().to_string();
        assert!(problem.contains(expected), "{line:?}: {problem}");
    }
}

#[test]
fn a_position_is_told_in_sentences() {
    let text = "10,1,9,4,2,4/1,4,1,0,2,10 S 0 0";
    let told = sentences(&Position::parse(Variant::Kingulu, text).unwrap(), Lang::En);
    assert_eq!(
        told,
        "North's row, a6 to a1: 10, 1, 9, 4, 2, 4.\n\
         South's row, A1 to A6: 1, 4, 1, 0, 2, 10.\n\
         South has 0 in the bank, and 18 if it ended here.\n\
         North has 0 in the bank, and 30 if it ended here.\n\
         South is to move.\n"
    );
    let told = sentences(&start(Variant::Kigogo), Lang::En);
    assert!(told.starts_with("North's back row, b12 to b1: 2, 2"), "{told}");
    assert!(told.contains("South's front row, A1 to A12: 0, 2"), "{told}");
}

#[test]
fn a_move_is_told_with_its_laps_and_the_board_after_it() {
    let a5 = Pit::parse(Variant::Kingulu, "A5").unwrap();
    let told = |plain| {
        let view = View { plain, person: Side::South, lang: Lang::En };
        view.made(start(Variant::Kingulu), &[a5], Thought::default())
    };
    let (drawn, plain) = (told(false), told(true));
    for text in [&drawn, &plain] {
        assert!(text.starts_with("\nSouth, you lift A5: A5 lifts 4 to a3, a3 lifts 5 to"), "{text}");
        assert!(text.is_ascii());
    }
    assert!(drawn.contains("A1   A2") && !plain.contains("A1   A2"), "{drawn}{plain}");
}

#[test]
fn the_legal_moves_are_listed_with_what_they_do() {
    let listed = moves(&start(Variant::Kigogo), Lang::En);
    assert_eq!(listed.lines().count(), 23);
    assert!(listed.starts_with("B1: 8 laps to "), "{listed}");
}

#[test]
fn what_the_bot_expects_is_told_in_seeds() {
    let told = |depth, score| expects(Thought { depth, score }, Lang::En).unwrap_or_default();
    assert_eq!(told(None, None), "");
    assert_eq!(told(Some(7), Some(-150)), "it looked 7 moves ahead, it expects to end 1.50 seeds behind");
    assert_eq!(told(None, Some(5)), "it expects to end 0.05 seeds ahead");
}

#[test]
fn every_language_tells_the_same_of_a_move() {
    for variant in Variant::ALL {
        let mut position = start(variant);
        for name in variant.info().example.split(' ') {
            let pit = Pit::parse(variant, name).unwrap();
            let play = position.play(pit).unwrap();
            for lang in Lang::ALL {
                let view = View { plain: true, person: position.side(), lang };
                let text = view.made(position, &[pit], Thought::default());
                assert!(!text.contains(['{', '}']), "{text}");
                // Every pit that is taken is named with its seeds.
                for (taken, seeds) in position.trace(pit).unwrap().taken() {
                    assert!(text.contains(&format!("{taken} ({seeds})")), "{lang:?}: {text}");
                }
                assert_eq!(moves(&position, lang).lines().count(), position.legal_moves().len(), "{lang:?}");
                let rows = sentences(&position, lang);
                assert_eq!(rows.lines().count(), variant.info().rows + 3, "{rows}");
            }
            position = play.after.unwrap();
        }
    }
    let unclear = order("undo x", &start(Variant::Kingulu), Side::South).unwrap_err();
    assert!(unclear.said(Lang::Sw).contains("undo 2") && unclear.said(Lang::Pt).contains("undo 2"));
}
