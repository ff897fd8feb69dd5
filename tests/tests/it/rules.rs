//! The rules core as scripts meet it: `referee moves` and `referee perft`, held against the vectors.

use bao_tests::Referee;
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
