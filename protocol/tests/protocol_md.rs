//! PROTOCOL.md says what the types, the schemas and the rules say.

use std::collections::BTreeSet;

use bao_protocol::to_bot::Clock;
use bao_protocol::{Decoded, FromBot, Reason, ToBot, decode, schema};
use bao_rules::{Pit, Position, Variant};
use jsonschema::Validator;
use serde_json::Value;

const PAGE: &str = include_str!("../../PROTOCOL.md");

/// One fenced block of the page.
struct Block {
    language: &'static str,
    /// The nearest headings above it, of the second and the third level.
    part: &'static str,
    section: &'static str,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut part, mut section) = ("", "");
    let mut open: Option<Block> = None;
    for line in PAGE.lines() {
        if let Some(mut block) = open.take() {
            if line == "```" {
                blocks.push(block);
            } else {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
        } else if let Some(language) = line.strip_prefix("```") {
            open = Some(Block { language, part, section, text: String::new() });
        } else if let Some(heading) = line.strip_prefix("## ") {
            (part, section) = (heading, "");
        } else if let Some(heading) = line.strip_prefix("### ") {
            section = heading.trim_matches('`');
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

fn block(language: &str) -> String {
    let mut found = blocks().into_iter().filter(|block| block.language == language);
    let text = found.next().unwrap_or_else(|| panic!("there is no block of {language}")).text;
    assert!(found.next().is_none(), "there are two blocks of {language}");
    text
}

fn validator(name: &str) -> Validator {
    let (_, text) = schema::FILES.into_iter().find(|(known, _)| *known == name).expect("a known schema");
    let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
    jsonschema::draft202012::new(&schema).expect("a schema is a schema")
}

fn validate(validator: &Validator, line: &str) {
    let value: Value = serde_json::from_str(line).expect("an example is JSON");
    if let Err(error) = validator.validate(&value) {
        panic!("{line}: {error}");
    }
}

/// Checks a line of the referee: fit for the schema, and to the byte what the referee would write.
fn check_to_bot(validator: &Validator, line: &str) {
    validate(validator, line);
    let message = ToBot::read(line.as_bytes()).expect("an example is readable").expect("its type is known");
    let mut written = Vec::new();
    message.write_line(&mut written);
    assert_eq!(String::from_utf8_lossy(&written).trim_end(), line);
}

/// Reads a line of a bot: fit for the schema, and free of warnings.
fn check_from_bot(validator: &Validator, line: &str) -> FromBot {
    validate(validator, line);
    let Decoded::Message(message, warnings) = decode(line.as_bytes()) else {
        panic!("{line} cannot be read")
    };
    assert_eq!(warnings, [""; 0], "{line}");
    message
}

#[test]
fn every_message_has_an_example_that_is_right() {
    for (part, name) in [("Messages to the bot", "to-bot"), ("Messages from the bot", "from-bot")] {
        let validator = validator(name);
        let mut shown = BTreeSet::new();
        for block in blocks().into_iter().filter(|block| block.language == "json" && block.part == part) {
            for line in block.text.lines() {
                match name {
                    "to-bot" => check_to_bot(&validator, line),
                    _ => drop(check_from_bot(&validator, line)),
                }
                let start = format!("{{\"type\":\"{}\"", block.section);
                assert!(line.starts_with(&start), "{line} stands under {}", block.section);
            }
            shown.insert(block.section.to_owned());
        }
        let all: BTreeSet<String> = messages(name).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(shown, all);
    }
}

/// Gives the types of messages of a schema, each with the names of its fields.
fn messages(schema: &str) -> Vec<(String, Vec<String>)> {
    let all = schema::all();
    let (_, schema) = all.iter().find(|(name, _)| *name == schema).expect("a known schema");
    let kinds = schema["oneOf"].as_array().expect("messages are told apart by oneOf");
    kinds
        .iter()
        .map(|kind| {
            let name = kind["properties"]["type"]["const"].as_str().expect("each has a type");
            let body = kind["$ref"].as_str().and_then(|path| schema.pointer(path.trim_start_matches('#')));
            let fields = body.unwrap_or(kind)["properties"].as_object();
            (name.to_owned(), fields.into_iter().flatten().map(|(field, _)| field.clone()).collect())
        })
        .collect()
}

#[test]
fn every_field_of_every_message_is_explained() {
    for (part, name) in [("Messages to the bot", "to-bot"), ("Messages from the bot", "from-bot")] {
        let text = PAGE.split_once(&format!("\n## {part}\n")).expect("the part exists").1;
        let text = text.split("\n## ").next().unwrap_or_default();
        for (kind, fields) in messages(name) {
            let section =
                text.split_once(&format!("### `{kind}`\n")).unwrap_or_else(|| panic!("no {kind}")).1;
            let section = section.split("\n### ").next().unwrap_or_default();
            for field in fields {
                assert!(section.contains(&format!("`{field}`")), "{kind}.{field} is not explained");
            }
        }
    }
}

#[test]
fn the_whole_game_is_real() {
    let (to_bot, from_bot) = (validator("to-bot"), validator("from-bot"));
    let mut position = Position::start(Variant::Kingulu);
    let lift = |position: Position, name: &str| {
        let pit = Pit::parse(Variant::Kingulu, name).expect("a pit");
        position.play(pit).expect("the move is legal").after.expect("it ends")
    };
    for line in block("exchange").lines() {
        let (mark, line) = line.split_at(2);
        if mark == "< " {
            if let FromBot::Move(answer) = check_from_bot(&from_bot, line) {
                position = lift(position, &answer.mv);
            }
            continue;
        }
        check_to_bot(&to_bot, line);
        match ToBot::read(line.as_bytes()).expect("readable").expect("known") {
            ToBot::Go(go) => {
                if !go.last.is_empty() {
                    position = lift(position, &go.last);
                }
                assert_eq!(go.position, position.to_string());
                let legal: Vec<&str> = position.legal_moves().iter().map(Pit::name).collect();
                assert_eq!(go.legal, legal.join(" "));
            }
            ToBot::GameOver(end) => {
                let over = position.over().expect("the game is over");
                assert_eq!(end.winner, over.winner.map(Into::into));
                assert_eq!(end.reason, over.reason.into());
                assert_eq!(end.score, bao_rules::Side::BOTH.map(|side| u64::from(position.score(side))));
            }
            ToBot::NewGame(game) => assert_eq!(game.position, position.to_string()),
            ToBot::Hello(_)
            | ToBot::SetOption(_)
            | ToBot::Ping(_)
            | ToBot::Fault(_)
            | ToBot::Verify(_)
            | ToBot::Bye(_) => {}
        }
    }
    assert!(position.over().is_some());
}

#[test]
fn the_positions_to_check_rules_with_are_right() {
    for line in block("positions").lines() {
        let [game, position, legal, mv, after] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line:?} has not five parts");
        };
        let variant: Variant = game.parse().expect("a game");
        let position = Position::parse(variant, position).expect("a position");
        let names: Vec<&str> = position.legal_moves().iter().map(Pit::name).collect();
        assert_eq!(legal, names.join(" "), "{line}");
        let play = position.play(Pit::parse(variant, mv).expect("a pit")).expect("a legal move");
        assert_eq!(after, play.after.map_or("-".to_owned(), |after| after.to_string()), "{line}");
    }
}

#[test]
fn the_solution_answers_the_question() {
    let example = |section| {
        let found = blocks().into_iter().find(|block| block.language == "json" && block.section == section);
        found.expect("an example").text
    };
    let (question, answer) = (example("verify"), example("solution"));
    let Ok(Some(ToBot::Verify(question))) = ToBot::read(question.trim_end().as_bytes()) else {
        panic!("no question")
    };
    let Decoded::Message(FromBot::Solution(answer), _) = decode(answer.as_bytes()) else {
        panic!("no answer")
    };
    assert_eq!(question.id, answer.id);
    let position = Position::parse(Variant::Kingulu, &question.position).expect("a position");
    let pit = Pit::parse(Variant::Kingulu, &question.mv.expect("a move is asked about")).expect("a pit");
    let play = position.play(pit).expect("a legal move");
    assert_eq!(answer.position, play.after.map(|after| after.to_string()));
    assert_eq!(answer.over, Some(play.over.is_some()));
}

#[test]
fn every_clock_and_every_reason_is_listed() {
    for line in block("clock").lines() {
        let clock: Clock = serde_json::from_str(line).expect("a clock");
        assert_eq!(serde_json::to_string(&clock).expect("it serialises"), line);
        let clock: Value = serde_json::from_str(line).expect("JSON");
        let kind = clock["kind"].as_str().expect("a kind");
        let row = PAGE.lines().find(|row| row.starts_with(&format!("| `{kind}` |"))).expect("a row");
        for field in clock.as_object().expect("an object").keys().filter(|field| *field != "kind") {
            assert!(row.contains(&format!("`{field}`")), "{field} is not in: {row}");
        }
    }
    let all = schema::all();
    let kinds = all[0].1["$defs"]["Clock"]["oneOf"].as_array().expect("clocks are told apart");
    assert_eq!(block("clock").lines().count(), kinds.len());

    let text = PAGE.split_once("\n## How games end\n").expect("the part exists").1;
    let text = text.split("\n## ").next().unwrap_or_default();
    let listed: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(listed, Reason::ALL.map(Reason::name));
}

#[test]
fn links_within_the_page_lead_somewhere() {
    let mut anchors = BTreeSet::new();
    for heading in PAGE.lines().filter(|line| line.starts_with("##")) {
        let name = heading.trim_start_matches('#').trim().to_lowercase();
        let anchor: String = name
            .chars()
            .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'))
            .map(|letter| if letter == ' ' { '-' } else { letter })
            .collect();
        // The second heading of a name gets a number.
        if !anchors.insert(anchor.clone()) {
            anchors.insert(anchor + "-1");
        }
    }
    for link in PAGE.split("](#").skip(1) {
        let link = link.split(')').next().unwrap_or_default();
        assert!(anchors.contains(link), "#{link} leads nowhere");
    }
}
