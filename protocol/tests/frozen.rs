//! Version 1 as it was published: every later version must read these lines, and write them to the byte.
//!
//! Lines may be added to the fixtures; none may be changed or removed.

use std::fmt::Debug;

use bao_protocol::record::{Event, GameRow, MoveRow, Plan, Run, Start, WireLine, WireVerdict};
use bao_protocol::{Decoded, ToBot, decode, schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const TO_BOT: &str = include_str!("fixtures/v1-to-bot.jsonl");
const FROM_BOT: &str = include_str!("fixtures/v1-from-bot.jsonl");
const FROM_BOT_READ: &str = include_str!("fixtures/v1-from-bot.read.jsonl");
const GAMES: &str = include_str!("fixtures/v1-games.jsonl");
const MOVES: &str = include_str!("fixtures/v1-moves.jsonl");
const WIRE: &str = include_str!("fixtures/v1-wire.jsonl");
const START: &str = include_str!("fixtures/v1-wire-start.jsonl");
const EVENT: &str = include_str!("fixtures/v1-wire-event.jsonl");
const VERDICT: &str = include_str!("fixtures/v1-wire-verdict.jsonl");
const PLAN: &str = include_str!("fixtures/v1-plan.jsonl");
const RUN: &str = include_str!("fixtures/v1-run.json");

#[test]
fn the_referee_writes_its_messages_to_the_byte() {
    for line in TO_BOT.lines() {
        let message = ToBot::read(line.as_bytes()).expect("readable").expect("known");
        let mut written = Vec::new();
        message.write_line(&mut written);
        assert_eq!(String::from_utf8_lossy(&written), format!("{line}\n"));
        // The slow way of reading finds the same.
        assert_eq!(serde_json::from_str::<ToBot<'_>>(line).expect("readable"), message);
    }
}

#[test]
fn the_messages_of_bots_are_read_as_ever() {
    assert_eq!(FROM_BOT.lines().count(), FROM_BOT_READ.lines().count());
    for (line, read) in FROM_BOT.lines().zip(FROM_BOT_READ.lines()) {
        let Decoded::Message(message, _) = decode(line.as_bytes()) else { panic!("{line} cannot be read") };
        assert_eq!(serde_json::to_string(&message).expect("it serialises"), read);
    }
}

fn same_bytes<'a, T: Deserialize<'a> + Serialize + Debug>(text: &'a str) {
    for line in text.lines() {
        let row: T = serde_json::from_str(line).expect("readable");
        assert_eq!(serde_json::to_string(&row).expect("it serialises"), line);
    }
}

#[test]
fn the_records_are_read_and_written_to_the_byte() {
    same_bytes::<GameRow>(GAMES);
    same_bytes::<MoveRow<'_>>(MOVES);
    same_bytes::<Run>(RUN);
    same_bytes::<Start>(START);
    same_bytes::<Event>(EVENT);
    same_bytes::<WireVerdict>(VERDICT);
    for line in WIRE.lines() {
        let row: WireLine<'_> = serde_json::from_str(line).expect("readable");
        assert_eq!(serde_json::to_string(&row).expect("it serialises"), line);
    }
}

#[test]
fn a_plan_is_read_and_written_with_every_key() {
    for line in PLAN.lines() {
        let value: Value = serde_json::from_str(line).expect("readable");
        let plan: Plan = serde_json::from_str(line).expect("a plan");
        assert_eq!(serde_json::to_value(&plan).expect("it serialises"), value);
    }
}

#[test]
fn the_schemas_allow_all_of_it_and_more_fields() {
    for (name, lines) in [
        ("to-bot", TO_BOT),
        ("from-bot", FROM_BOT),
        ("from-bot", FROM_BOT_READ),
        ("game-row", GAMES),
        ("move-row", MOVES),
        ("wire-line", WIRE),
        ("run", RUN),
        ("plan", PLAN),
        ("wire-start", START),
        ("wire-event", EVENT),
        ("wire-verdict", VERDICT),
    ] {
        let (_, text) = schema::FILES.into_iter().find(|(known, _)| *known == name).expect("a known schema");
        let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
        let validator = jsonschema::draft202012::new(&schema).expect("a schema is a schema");
        for line in lines.lines() {
            let mut value: Value = serde_json::from_str(line).expect("readable");
            value["added_in_1_9"] = true.into();
            if let Err(error) = validator.validate(&value) {
                panic!("{line}: {error}");
            }
        }
    }
}

#[test]
fn the_schemas_refuse_what_is_wrong() {
    let (_, text) = schema::FILES[1];
    let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema is a schema");
    for line in [
        r#"{"type":"move","id":7}"#,
        r#"{"type":"move","id":"7","move":"A1"}"#,
        r#"{"type":"move","id":7.5,"move":"A1"}"#,
        r#"{"type":"Move","id":7,"move":"A1"}"#,
        r#"{"id":7,"move":"A1"}"#,
        r#"["move",7,"A1"]"#,
    ] {
        let value: Value = serde_json::from_str(line).expect("readable");
        assert!(!validator.is_valid(&value), "{line} passes");
        assert!(matches!(decode(line.as_bytes()), Decoded::Bad(_)), "{line} is read");
    }
}
