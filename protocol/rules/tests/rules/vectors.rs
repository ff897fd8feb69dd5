//! Positions with every legal move and its outcome, made by an independent program from the rulebook.

use bao_rules::{Ending, Outcome, Pit, Position, Side, Variant};

use crate::json::Json;

#[test]
fn every_kigogo_vector_holds_in_every_field() {
    check(Variant::Kigogo, include_str!("../data/bao-kigogo.jsonl"), 170);
}

#[test]
fn every_kingulu_vector_holds_in_every_field() {
    check(Variant::Kingulu, include_str!("../data/bao-kingulu.jsonl"), 404);
}

fn check(variant: Variant, lines: &str, count: usize) {
    assert_eq!(lines.lines().count(), count);
    for line in lines.lines() {
        let vector = Json::read(line);
        let text = vector.field("position").text();
        let position = Position::parse(variant, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.to_string(), text);
        let legal: Vec<Pit> = vector.field("legal").list().iter().map(|pit| read_pit(variant, pit)).collect();
        assert_eq!(position.legal_moves().as_slice(), legal, "{text}");
        assert_eq!(position.over(), vector.get("over").and_then(read_outcome), "{text}");
        if let Some(scores) = vector.get("score_now") {
            let scores: Vec<u64> = scores.list().iter().map(Json::number).collect();
            assert_eq!(Side::BOTH.map(|side| u64::from(position.score(side))).as_slice(), scores, "{text}");
        }
        let plays = vector.field("plays").list();
        assert_eq!(plays.len(), legal.len(), "{text}");
        for (play, pit) in plays.iter().zip(legal) {
            check_play(&position, pit, play);
        }
    }
}

fn check_play(position: &Position, pit: Pit, expected: &Json) {
    let place = format!("{pit} in {position}");
    let variant = position.variant();
    assert_eq!(read_pit(variant, expected.field("move")), pit, "{place}");
    let play = position.play(pit).expect("a legal move");
    assert_eq!(play.laps, expected.field("laps").present().map(Json::number), "{place}");
    assert_eq!(play.last, expected.field("last").present().map(|pit| read_pit(variant, pit)), "{place}");
    let after = expected.field("after").present().map(|after| after.text().to_owned());
    assert_eq!(play.after.map(|after| after.to_string()), after, "{place}");
    assert_eq!(play.over, read_outcome(expected.field("over")), "{place}");

    let trace = position.trace(pit).expect("a legal move");
    assert_eq!((trace.total, trace.over), (play.laps, play.over), "{place}");
    let mut taken = Vec::new();
    for item in expected.field("taken").list() {
        let (pit, what) = (read_pit(variant, &item.list()[0]), &item.list()[1]);
        match what {
            Json::Text(what) => {
                assert_eq!(what, "reserved", "{place}");
                assert_eq!(trace.reserved().map(|reservation| reservation.pit), Some(pit), "{place}");
            }
            Json::Null | Json::Number(_) | Json::List(_) | Json::Object(_) => {
                taken.push((pit, what.number() as u8));
            }
        }
    }
    assert_eq!(trace.taken().collect::<Vec<_>>(), taken, "{place}");
    let seeds: u32 = taken.iter().map(|(_, seeds)| u32::from(*seeds)).sum();
    assert_eq!(play.captured, seeds + trace.banked(position.side()), "{place}");
}

fn read_pit(variant: Variant, text: &Json) -> Pit {
    Pit::parse(variant, text.text()).expect("a pit of the board")
}

fn read_outcome(outcome: &Json) -> Option<Outcome> {
    let outcome = outcome.present()?;
    let reason: Ending = outcome.field("reason").text().parse().expect("a known ending");
    let winner = outcome.field("winner").present().map(|side| match side.text() {
        "S" => Side::South,
        "N" => Side::North,
        other => panic!("{other} is not a side"),
    });
    Some(Outcome { winner, reason })
}
