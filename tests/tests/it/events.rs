//! The stream of events and the record, held against the schemas that the referee prints.

use std::collections::BTreeMap;

use bao_protocol::record::Channel;
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Ended, Referee};
use jsonschema::Validator;
use serde_json::Value;

fn schemas() -> BTreeMap<String, Validator> {
    let all: BTreeMap<String, Value> =
        serde_json::from_str(&Referee::new(["schema"]).run().exits(0).stdout).expect("the schemas are JSON");
    all.into_iter()
        .map(|(name, schema)| (name, jsonschema::validator_for(&schema).expect("a schema")))
        .collect()
}

fn assert_valid(schemas: &BTreeMap<String, Validator>, name: &str, value: &Value) {
    let errors: Vec<String> = schemas[name].iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}: {value}");
}

fn a_match() -> Ended {
    Referee::plays("bao-kigogo", &hostile("chatty"), "greedy-bot")
        .with(["--games", "4", "--option", "seed=5"])
        .run()
        .exits(0)
}

#[test]
fn events_come_in_order() {
    let ended = a_match();
    let names: Vec<&str> = ended.events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(ended.stdout.lines().count(), names.len(), "nothing but events is on standard output");
    assert_eq!((names.first(), names.last()), (Some(&"match"), Some(&"end")));
    for game in 1..=4_u64 {
        let own = ended.events.iter().filter(|event| event["game"] == game);
        let kinds: Vec<&str> = own.clone().filter_map(|event| event["event"].as_str()).collect();
        let plies = kinds.len() - 2;
        assert_eq!(kinds, [&["game"], &*vec!["move"; plies], &["verdict"]].concat(), "game {game}");
        let numbers: Vec<u64> = own.filter_map(|event| event["ply"].as_u64()).collect();
        assert_eq!(numbers, (1..=plies as u64).collect::<Vec<_>>());
        assert_eq!(ended.verdict(game).plies, plies as u64);
    }
}

#[test]
fn events_and_records_are_what_the_schemas_say() {
    let (schemas, ended) = (schemas(), a_match());
    let read = |name: &str| {
        std::fs::read_to_string(ended.place.record().join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    for event in &ended.events {
        match event["event"].as_str() {
            Some("move") => assert_valid(&schemas, "move-row", event),
            Some("verdict") => assert_valid(&schemas, "game-row", event),
            Some("match" | "game" | "end") => {}
            other => panic!("an event that nobody knows: {other:?}"),
        }
    }
    let parse = |text: &str| -> Value {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    assert_valid(&schemas, "run", &parse(&read("run.json")));
    read("games.jsonl").lines().for_each(|row| assert_valid(&schemas, "game-row", &parse(row)));
    read("moves.jsonl").lines().for_each(|row| assert_valid(&schemas, "move-row", &parse(row)));
    for game in 1..=4 {
        ended.evidence(game).lines().for_each(|row| assert_valid(&schemas, "wire-line", &parse(row)));
        for line in ended.wire(game) {
            match line.channel {
                Channel::ToSouth | Channel::ToNorth => assert_valid(&schemas, "to-bot", &parse(&line.text)),
                Channel::FromSouth | Channel::FromNorth => {
                    assert_valid(&schemas, "from-bot", &parse(&line.text));
                }
                Channel::Start
                | Channel::SouthStderr
                | Channel::NorthStderr
                | Channel::Note
                | Channel::Event
                | Channel::Verdict => {}
            }
        }
    }
}

#[test]
fn what_was_told_is_what_is_on_disk() {
    let ended = a_match();
    assert_eq!(ended.told(), ended.games());
    let mut told: Vec<Value> =
        ended.events.iter().filter(|event| event["event"] == "move").cloned().collect();
    for row in &mut told {
        row.as_object_mut().expect("an event is an object").remove("event");
    }
    assert_eq!(told, ended.moves());
}

#[test]
fn the_seats_alternate_and_two_games_are_a_pair() {
    let rows = a_match().games();
    let seats: Vec<(u64, u64, &str)> = rows.iter().map(|row| (row.game, row.pair, &*row.south)).collect();
    assert_eq!(seats, [(1, 1, "hostile"), (2, 1, "greedy-bot"), (3, 2, "hostile"), (4, 2, "greedy-bot")]);
}

#[test]
fn bots_stay_alive_between_games_unless_they_are_to_be_restarted() {
    let processes = |arguments: &[&str]| -> Vec<String> {
        let ended = Referee::plays("bao-kingulu", &hostile("who"), CLEAN)
            .with(["--games", "3"])
            .with(arguments.iter().copied())
            .run()
            .exits(0);
        let told = (1..=3).map(|game| {
            let side = if game % 2 == 1 { Channel::SouthStderr } else { Channel::NorthStderr };
            let text = ended.said(game, side).concat();
            text.lines().find(|line| line.starts_with("pid: ")).expect("the bot tells its number").to_owned()
        });
        told.collect()
    };
    let mut alive = processes(&[]);
    alive.dedup();
    assert_eq!(alive.len(), 1, "one process for all games: {alive:?}");
    let mut anew = processes(&["--restart"]);
    anew.sort();
    anew.dedup();
    assert_eq!(anew.len(), 3, "a process for each game: {anew:?}");
}

#[test]
fn games_in_parallel_are_each_played_once() {
    let ended = Referee::plays("bao-kigogo", CLEAN, "greedy-bot")
        .with(["--games", "24", "--concurrency", "4"])
        .memory_kib(24 << 10)
        .run()
        .exits(0);
    let first_verdict = ended.events.iter().position(|event| event["event"] == "verdict");
    let running = ended.events[..first_verdict.expect("there are verdicts")].iter();
    assert!(running.filter(|event| event["event"] == "game").count() >= 4, "four games run at once");
    let mut games: Vec<u64> = ended.games().iter().map(|row| row.game).collect();
    games.sort_unstable();
    assert_eq!(games, (1..=24).collect::<Vec<_>>());
}

#[test]
fn options_reach_the_bot_in_order_and_its_own_come_last() {
    let ended = Referee::plays("bao-kingulu", &hostile("nothing"), CLEAN)
        .with([
            "--option",
            "weight=1",
            "--first-option",
            "weight=2",
            "--second-option",
            "style=wild",
            "--games",
            "1",
        ])
        .run()
        .exits(0);
    let set = |channel: Channel| -> Vec<(String, String)> {
        let lines = ended.said(1, channel).into_iter();
        let messages =
            lines.map(|line| serde_json::from_str::<Value>(&line).expect("the referee writes JSON"));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        messages
            .filter(|message| message["type"] == "set_option" && message["name"] != "seed")
            .map(|message| (text(&message["name"]), text(&message["value"])))
            .collect()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(set(Channel::ToSouth), [pair("weight", "1"), pair("weight", "2")]);
    assert_eq!(set(Channel::ToNorth), [pair("weight", "1"), pair("style", "wild")]);
}

#[test]
fn an_opening_is_a_position_or_moves() {
    let play = |opening: &str| {
        Referee::plays("bao-kigogo", CLEAN, "greedy-bot").with(["--opening", opening]).run().exits(0).games()
    };
    let rows = play("A3 a2");
    let reached = rows[0].position.clone();
    assert!(rows.iter().all(|row| row.position == reached && row.opening == Some(1)), "{rows:?}");
    assert_ne!(reached, play("A2 a2")[0].position);
    let same = play(&reached);
    assert_eq!((&same[0].moves, &same[1].moves), (&rows[0].moves, &rows[1].moves));
}
