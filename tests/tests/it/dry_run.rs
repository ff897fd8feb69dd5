//! `--dry-run`: what is known of a run before it is played; nothing is written.

use bao_tests::{Ended, Place, Referee};
use serde_json::Value;

const CUP: &str = "
[format.swiss]
rounds = 3
[[game]]
name = \"bao-kigogo\"
openings = { random = { plies = 4 } }
[[game]]
name = \"bao-kingulu\"
[[bot]]
command = \"random-bot\"
[[bot]]
command = \"greedy-bot\"
clock = \"2s\"
";

fn cup(more: &str, arguments: &[&str]) -> Referee {
    let place = Place::new();
    place.file("cup.toml", &format!("{CUP}{more}"));
    Referee::at(place, ["tournament", "cup.toml", "--out", "{place}/record", "--dry-run"])
        .with(arguments.iter().copied())
}

fn found(ended: &Ended) -> &Value {
    assert_eq!(ended.events.len(), 1, "one object: {}", ended.stdout);
    assert!(!ended.place.record().exists(), "a dry run writes nothing");
    &ended.events[0]
}

#[test]
fn a_dry_run_foretells_the_event_and_writes_nothing() {
    let ended = cup("", &["--json"]).run().exits(0);
    let found = found(&ended);
    // Two games of a pair, two variants, one meeting a round.
    assert_eq!(
        (&found["games"], &found["games_are_exact"], &found["finished"]),
        (&12.into(), &true.into(), &0.into())
    );
    let time = |name: &str| found["time"][name].as_f64().expect("a time in seconds");
    assert!(time("least_s") <= time("likely_s") && time("likely_s") <= time("most_s"), "{}", found["time"]);
    // 500 moves a side by 10s+100ms.
    assert!(time("most_s") >= 12.0 * 2.0 * 60.0);
    assert_eq!(found["measured"]["games"], 4, "a pair of each game is over at once");
    assert!(found["disk"]["needed_bytes"].as_u64() > Some(12 * 400));
    assert!(found["disk"]["free_bytes"].is_u64());
    let bots = found["bots"].as_array().expect("a list");
    assert_eq!(bots.len(), 2);
    for bot in bots {
        assert!(bot["ready_ms"].is_u64() && bot["hello"].is_array(), "{bot}");
        assert_eq!(bot["isolation"].as_array().map(Vec::len), Some(10), "{bot}");
        assert_eq!(bot["problems"], Value::Array(Vec::new()));
    }
    assert_eq!(found["problems"], Value::Array(Vec::new()));
}

#[test]
fn a_dry_run_finds_every_problem_and_ends_as_the_run_would() {
    let more = "[[bot]]\nname = \"gone\"\ncommand = \"python3 gone.py\"\n\
                [[bot]]\nname = \"slip\"\ncommand = \"search-bot\"\noption = { depht = 3 }\n";
    let ended = cup(more, &["--json"]).run().exits(2);
    let found = found(&ended);
    let problems: Vec<&str> =
        found["problems"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("bot gone cannot be started: gone.py not found in "), "{problems:?}");
    assert_eq!(problems[1], "bot slip has no option `depht`; did you mean `depth`?");
    let people = cup(more, &["--no-measure"]).run().exits(2);
    assert!(people.stdout.contains("problem     bot gone cannot be started"), "{}", people.stdout);
    assert!(people.stderr.contains("error: the run would be refused: 2 problems"), "{}", people.stderr);
    // Who may be absent is a warning.
    let place = Place::new();
    place.file("cup.toml", &format!("absent = \"walkover\"\n{CUP}{more}"));
    let warned = Referee::at(place, ["tournament", "cup.toml", "--dry-run", "--no-measure"]).run().exits(0);
    assert!(warned.stdout.contains("warning     bot gone cannot be started"), "{}", warned.stdout);
}

#[test]
fn bots_that_would_share_processors_are_a_warning() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let arguments = [
        "match",
        "bao-kingulu",
        "random-bot",
        "random-bot",
        "--games",
        "100000",
        "--dry-run",
        "--no-measure",
    ];
    let crowded = (processors + 1).to_string();
    let ended = Referee::new(arguments).with(["--concurrency", &crowded]).memory_kib(32 << 10).run().exits(0);
    assert!(ended.stdout.contains("warning     up to "), "{}", ended.stdout);
    let frozen = Referee::new(arguments).with(["--concurrency", "1", "--freeze"]).run().exits(0);
    assert!(!frozen.stdout.contains("warning     up to "), "{}", frozen.stdout);
}

#[test]
fn a_measured_pair_takes_no_longer_than_it_may() {
    let slow = bao_tests::bots::hostile("silent --at 2");
    let ended = Referee::new(["match", "bao-kingulu", "random-bot", &slow, "--clock", "1000s", "--dry-run"])
        .with(["--measure", "500ms", "--json"])
        .run()
        .exits(0);
    let measured = &ended.events[0]["measured"];
    assert_eq!(
        (&measured["games"], &measured["plies"]),
        (&0.into(), &0.into()),
        "it was broken off: {measured}"
    );
}

#[test]
fn a_dry_run_of_a_record_that_goes_on_knows_how_far_it_is() {
    let place = Place::new();
    place.file("cup.toml", CUP);
    let arguments = ["tournament", "cup.toml", "--out", "{place}/record"];
    let played = Referee::at(place, arguments).run().exits(0);
    let before =
        std::fs::read_to_string(played.place.record().join("games.jsonl")).expect("games were played");
    let dry =
        Referee::at(played.place, arguments).with(["--dry-run", "--json", "--no-measure"]).run().exits(0);
    assert_eq!((&dry.events[0]["games"], &dry.events[0]["finished"]), (&12.into(), &12.into()));
    let after = std::fs::read_to_string(dry.place.record().join("games.jsonl")).expect("it is still there");
    assert_eq!(before, after);
}
