//! The rules core as scripts meet it: `referee moves` and `referee perft`, held against the vectors.

use bao_protocol::Reason;
use bao_tests::{Place, Referee};
use serde_json::Value;

const VECTORS: [(&str, &str); 2] = [
    ("bao-kigogo", include_str!("../../../protocol/rules/tests/data/bao-kigogo.jsonl")),
    ("bao-kingulu", include_str!("../../../protocol/rules/tests/data/bao-kingulu.jsonl")),
];
const PERFT: &str = include_str!("../../../protocol/rules/tests/data/perft.json");

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// What `referee moves` should print for a vector.
fn expected(vector: &Value) -> Value {
    let mut row = serde_json::json!({
        "position": vector["position"], "legal": vector["legal"], "plays": vector["plays"], "over": vector["over"],
    });
    for play in row["plays"].as_array_mut().into_iter().flatten() {
        play.as_object_mut().expect("a play is an object").remove("taken");
    }
    row
}

#[test]
fn moves_of_every_vector_are_those_of_the_independent_program() {
    for (game, vectors) in VECTORS {
        let vectors: Vec<Value> = vectors.lines().map(parse).collect();
        let positions: Vec<&str> = vectors.iter().filter_map(|vector| vector["position"].as_str()).collect();
        assert!(positions.len() > 100, "{game} has vectors");
        let input = positions.join("\n") + "\n";
        let ended = Referee::new(["moves", game]).reads(&input).run().exits(0);
        let rows: Vec<Value> = ended.stdout.lines().map(parse).collect();
        assert_eq!(rows.len(), vectors.len(), "{game}: a line for each position");
        for (row, vector) in rows.iter().zip(&vectors) {
            assert_eq!(row, &expected(vector), "{game}");
        }
    }
}

#[test]
fn moves_of_a_position_on_the_command_line_are_the_same() {
    let (game, vectors) = VECTORS[1];
    let vector = parse(vectors.lines().next().expect("there are vectors"));
    let position = vector["position"].as_str().expect("a position is a text");
    let ended = Referee::new(["moves", game, position]).run().exits(0);
    assert_eq!(parse(&ended.stdout), expected(&vector));
}

#[test]
fn perft_counts_what_the_table_says() {
    let table = parse(PERFT);
    for (game, depth) in [("bao-kigogo", 5), ("bao-kingulu", 13)] {
        let ended = Referee::new(["perft", game, &depth.to_string(), "--json"]).run().exits(0);
        let rows: Vec<Value> = ended.stdout.lines().map(parse).collect();
        let counts: Vec<&Value> = rows.iter().map(|row| &row["count"]).collect();
        let expected: Vec<&Value> =
            table[game].as_array().into_iter().flatten().skip(1).take(depth).collect();
        assert_eq!(counts, expected, "{game}");
    }
}

#[test]
fn a_sowing_of_millions_of_laps_is_followed_to_its_end_and_costs_nobody_his_clock() {
    // B3 comes back to where it began after 11,809,800 laps.
    let position = "0,0,2,1,1,0,1,0,0,3,0,2/2,1,2,0,2,0,3,1,2,0,3,1/3,0,1,0,5,0,3,2,1,0,3,2/0,5,2,0,1,0,2,3,0,1,2,1 S 19 9";
    let place = Place::new();
    place.file(
        "b3.py",
        "import json, sys\n\
         for line in sys.stdin:\n    \
             message = json.loads(line)\n    \
             kind, answer = message['type'], None\n    \
             if kind == 'hello':\n        \
                 answer = {'type': 'hello', 'protocol': 1, 'name': 'b3', 'games': ['bao-kigogo']}\n    \
             elif kind == 'new_game':\n        \
                 answer = {'type': 'ready', 'id': message['id']}\n    \
             elif kind == 'go':\n        \
                 answer = {'type': 'move', 'id': message['id'], 'move': 'B3'}\n    \
             elif kind == 'bye':\n        \
                 break\n    \
             if answer:\n        \
                 print(json.dumps(answer), flush=True)\n",
    );
    let bot = "python3 b3.py";
    let ended = Referee::at(place, ["match", "bao-kigogo", bot, bot, "--games", "6", "--concurrency", "3"])
        .with(["--opening", position, "--json", "--out", "{place}/record"])
        .run()
        .exits(0);
    let rows = ended.told();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!((row.reason, row.plies, row.moves.as_str()), (Reason::EndlessSowing, 1, "B3"));
    }
    let verified = Referee::at(ended.place, ["verify", "record"]).memory_kib(64 << 10).run();
    assert_eq!(verified.code(), 0, "{}", verified.stdout);
}
