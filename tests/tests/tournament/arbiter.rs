//! An arbiter decides at random moments, and dies sometimes while deciding: every record verifies, its command brings it to
//! its end, and everybody counts the same points.
//!
//! `BAO_ACTS=1000 cargo test -p bao-tests --test tournament arbiter` decides more often; `BAO_SEED` decides otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use bao_tests::{Chance, Ended, Place, Referee, number, program};
use serde_json::Value;

use super::{BOTH_GAMES, SAMPLE_BOTS, TWO_BOTS, check_verifies, end, tournament};

/// How many decisions are tried without `BAO_ACTS`.
const ACTS: u64 = 25;
/// How many decisions there are about one event.
const ACTS_EACH: u64 = 5;

/// A format, the key that makes it longer, and whether it can get more bots.
const FORMATS: [(&str, Option<&str>, bool); 5] = [
    ("[format.round_robin]\ncycles = 1", Some("cycles"), true),
    ("[format.gauntlet]\nchallengers = 2\ncycles = 1", Some("cycles"), true),
    ("[format.swiss]\nrounds = 3", Some("rounds"), true),
    ("[format.knockout]\nbest_of = 2", None, false),
    ("[format.sprt]\nelo0 = 0\nelo1 = 200\nmax_pairs = 8", None, false),
];

#[test]
fn whatever_the_arbiter_decides_the_record_verifies_and_the_event_ends() {
    let (acts, seed) = (number("BAO_ACTS", ACTS), number("BAO_SEED", 1));
    let mut chance = Chance::new(seed);
    let mut done: BTreeSet<String> = BTreeSet::new();
    for round in 0..acts.div_ceil(ACTS_EACH) {
        let (format, longer, more_bots) = FORMATS[round as usize % FORMATS.len()];
        let bots = if format.contains("sprt") { TWO_BOTS } else { SAMPLE_BOTS };
        let mut file = format!("seed = {round}\n{format}\n{BOTH_GAMES}\n{bots}");
        let mut ended = tournament(Place::new(), &file, "2").run().exits(0);
        for act in 0..ACTS_EACH {
            let games = ended.games().iter().map(|row| row.game).max().unwrap_or(1);
            let game = (1 + chance.below(games)).to_string();
            let before = file.clone();
            let words: Vec<String> = match chance.below(8) {
                0 | 1 => vec!["rerun".into(), game],
                2..=4 => vec!["correct".into(), game, chance.of(&["south", "north", "draw"]).into()],
                5 => vec!["undo".into(), (1 + chance.below(act + 1)).to_string()],
                6 if act > 2 => vec!["disqualify".into(), chance.of(&["random-bot", "second greedy"]).into()],
                _ => {
                    file = extended(&mut chance, &file, longer, more_bots);
                    ended.place.file("cup.toml", &file);
                    vec!["extend".into(), "cup.toml".into()]
                }
            };
            let context = format!("BAO_SEED={seed}, round {round}, {format}, act {act}: {words:?}");
            let (place, decided) = decide(&mut chance, ended, &words);
            done.extend(decided.then(|| words[0].clone()));
            if !decided {
                file = before;
            }
            ended = tournament(place, &file, "2").run();
            assert_eq!(ended.code(), 0, "{context}: {}", ended.stderr);
            assert_points(&ended, &context);
            let verified = Referee::at(ended.place, ["verify", "record", "--json"]).run();
            assert_eq!(verified.code(), 0, "{context}: {}", verified.stdout);
            ended = tournament(verified.place, &file, "2").run().exits(0);
        }
        check_verifies(ended);
    }
    if acts >= ACTS {
        assert!(done.len() >= 4, "too little was decided: {done:?}");
    }
}

/// Makes an event longer, or a bot late.
fn extended(chance: &mut Chance, file: &str, longer: Option<&str>, more_bots: bool) -> String {
    let bots = file.matches("[[bot]]").count();
    match longer {
        Some(_) if more_bots && bots < 7 && chance.below(2) == 0 => {
            format!("{file}\n[[bot]]\nname = \"late {bots}\"\ncommand = \"random-bot\"\n")
        }
        Some(key) => {
            let (before, rest) = file.split_once(&format!("{key} = ")).expect("the format has it");
            let (count, rest) = rest.split_once('\n').expect("a line");
            let count: u64 = count.parse().expect("a number");
            format!("{before}{key} = {}\n{rest}", count + 1)
        }
        None => {
            let rest = file
                .strip_prefix("event")
                .and_then(|file| file.split_once('\n'))
                .map_or(file, |(_, rest)| rest);
            format!("event = \"Cup {}\"\n{rest}", chance.below(100))
        }
    }
}

/// Decides; now and then the command is killed meanwhile, and repeated. Returns whether there is one decision more.
fn decide(chance: &mut Chance, ended: Ended, words: &[String]) -> (Place, bool) {
    let place = ended.place;
    let arguments: Vec<&str> = [words[0].as_str(), "record"]
        .into_iter()
        .chain(words[1..].iter().map(String::as_str))
        .chain(["--reason", "drawn by chance"])
        .collect();
    let before = acts(&place).len();
    if chance.below(4) == 0 {
        let mut killed = Command::new(program("referee"))
            .args(&arguments)
            .current_dir(place.dir())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the referee starts");
        // Any moment is right: it is drawn, and nothing is waited for.
        std::thread::sleep(Duration::from_micros(chance.below(20_000)));
        let _gone = killed.kill();
        killed.wait().expect("it is ours");
    }
    let decided = Referee::at(place, arguments.iter().copied()).run();
    let code = decided.code();
    assert!(code == 0 || code == 2, "{words:?}: {}", decided.stderr);
    let more = acts(&decided.place).len() - before;
    assert!(more <= 1, "{words:?} was decided {more} times");
    (decided.place, more == 1)
}

fn acts(place: &Place) -> Vec<Value> {
    lines(place, "acts.jsonl")
}

fn lines(place: &Place, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(place.record().join(name)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Adds the points up from the files alone, and compares them with the standings.
fn assert_points(ended: &Ended, context: &str) {
    let told = end(ended);
    if !told["test"].is_null() || told["rows"].as_array().is_none() {
        return;
    }
    let (rows, acts) = (lines(&ended.place, "games.jsonl"), acts(&ended.place));
    let mut in_force: Vec<bool> = vec![true; acts.len()];
    for at in (0..acts.len()).rev() {
        if in_force[at] && acts[at]["kind"] == "undo" {
            in_force[acts[at]["undoes"].as_u64().expect("a number") as usize - 1] = false;
        }
    }
    let active = || acts.iter().zip(&in_force).filter(|(_, active)| **active).map(|(act, _)| act);
    if active().any(|act| act["kind"] == "disqualify") {
        return;
    }
    let mut scores: BTreeMap<u64, f64> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let number = at as u64 + 1;
        let ruling = active().rfind(|act| act["row"] == number);
        let score = match ruling {
            Some(act) if act["kind"] == "rerun" => None,
            Some(act) => Some(match act["winner"].as_str() {
                Some("S") => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            }),
            None => row["score_south"].as_f64(),
        };
        match score {
            Some(score) => drop(scores.insert(number, score)),
            None => drop(scores.remove(&number)),
        }
    }
    let mut points: BTreeMap<String, f64> = BTreeMap::new();
    for (number, score) in scores {
        let row = &rows[number as usize - 1];
        *points.entry(row["south"].as_str().expect("a name").to_owned()).or_default() += score;
        *points.entry(row["north"].as_str().expect("a name").to_owned()).or_default() += 1.0 - score;
    }
    for row in told["rows"].as_array().expect("the standings") {
        let name = row["name"].as_str().expect("a name");
        let byes = row["byes"].as_u64().unwrap_or(0) as f64 * 4.0;
        let should = points.get(name).copied().unwrap_or(0.0) + byes;
        assert_eq!(row["points"].as_f64(), Some(should), "{context}: {name}");
    }
}

/// A round robin of three about which much was decided.
fn decided() -> Place {
    let bots = "[[bot]]\ncommand = \"random-bot\"\n[[bot]]\ncommand = \"greedy-bot\"\n[[bot]]\nname = \"third\"\n\
                command = \"random-bot\"\n";
    let game = "[[game]]\nname = \"bao-kingulu\"\n";
    let file = format!("seed = 3\n[format.round_robin]\ncycles = 1\n{game}{bots}");
    let mut place = tournament(Place::new(), &file, "1").run().exits(0).place;
    for words in [
        &["correct", "record", "1", "draw", "--reason", "both agreed"][..],
        &["rerun", "record", "4", "--reason", "the power failed"],
        &["undo", "record", "1", "--reason", "they did not"],
    ] {
        place = Referee::at(place, words.iter().copied()).run().exits(0).place;
    }
    tournament(place, &file, "1").run().exits(0).place
}

#[test]
fn every_edit_of_an_act_is_found() {
    let mut place = decided();
    let path = place.record().join("acts.jsonl");
    let whole = std::fs::read_to_string(&path).expect("acts");
    let mut edits: Vec<String> = Vec::new();
    for (at, _) in whole.match_indices(':') {
        let value = &whole[at + 1..];
        let end = value.find([',', '}']).expect("an object ends");
        let new = match &value[..end] {
            "null" => "\"N\"".to_owned(),
            text if text.starts_with('"') && text.len() > 2 => format!("\"{}", &text[2..]),
            number if number.parse::<u64>().is_ok() => {
                (number.parse::<u64>().expect("it is") + 1).to_string()
            }
            _ => continue,
        };
        edits.push(format!("{}{new}{}", &whole[..=at], &value[end..]));
    }
    // A line less, a line twice, none at all.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for at in 0..lines.len() {
        edits.push([&lines[..at], &lines[at + 1..]].concat().concat());
        edits.push([&lines[..=at], &lines[at..]].concat().concat());
    }
    edits.push(String::new());
    assert!(edits.len() > 20, "{whole}");
    for edit in edits {
        std::fs::write(&path, &edit).expect("it is ours");
        let verified = Referee::at(place, ["verify", "record"]).unverified().run();
        assert!([4, 6].contains(&verified.code()), "{} for\n{edit}", verified.code());
        place = verified.place;
    }
    std::fs::write(&path, &whole).expect("it is ours");
    let _verified = Referee::at(place, ["verify", "record"]).run().exits(0);
}

#[test]
fn an_arbiter_is_told_what_cannot_be_decided_and_nothing_is_changed() {
    let mut place = decided();
    let content = |place: &Place| {
        ["run.json", "acts.jsonl", "games.jsonl"]
            .map(|name| std::fs::read(place.record().join(name)).expect("a file"))
    };
    let before = content(&place);
    for (words, says) in [
        (&["rerun", "record", "99", "--reason", "x"][..], "game 99 has no result that counts"),
        (&["correct", "record", "2", "thrid", "--reason", "x"], "`thrid` is no result of this game"),
        (&["disqualify", "record", "thrid", "--reason", "x"], "did you mean `third`?"),
        (&["undo", "record", "1", "--reason", "x"], "no act 1 that can be undone"),
        (&["undo", "record", "2", "--reason", "x"], "game 4 occurs twice"),
        (&["rerun", "record", "2", "--reason", " "], "write why"),
        (&["extend", "record", "cup.toml", "--reason", "x"], "says nothing new"),
        (&["rerun", "nowhere", "2", "--reason", "x"], "give the directory of a record"),
    ] {
        let ended = Referee::at(place, words.iter().copied()).run();
        assert!(ended.stderr.contains(says), "{words:?}: {}", ended.stderr);
        assert!([2, 6].contains(&ended.code()), "{words:?}: {}", ended.code());
        place = ended.place;
        assert!(content(&place) == before, "{words:?} changed the record");
    }
    let other = std::fs::read_to_string(place.dir().join("cup.toml")).expect("the file");
    place.file("other.toml", &format!("max_plies = 50\n{other}"));
    let ended = Referee::at(place, ["extend", "record", "other.toml", "--reason", "x"]).run().exits(2);
    assert!(ended.stderr.contains("max_plies: "), "{}", ended.stderr);
}

#[test]
fn bots_are_seeded_by_earlier_results() {
    let place = Place::new();
    place
        .file("last.csv", "a,b,points_a,points_b\nsecond greedy,greedy-bot,2,0\ngreedy-bot,random-bot,2,0\n");
    let file = format!("seeds_from = [\"last.csv\"]\n[format.swiss]\nrounds = 1\n{BOTH_GAMES}{SAMPLE_BOTS}");
    let ended = tournament(place, &file, "2").run().exits(0);
    let run = std::fs::read_to_string(ended.place.record().join("run.json")).expect("a record");
    let run: Value = serde_json::from_str(&run).expect("JSON");
    let names: Vec<_> =
        run["bots"].as_array().expect("bots").iter().map(|bot| bot["name"].as_str()).collect();
    let should = ["second greedy", "greedy-bot", "random-bot", "second random", "third random"];
    assert_eq!(names, should.map(Some));
    let again = tournament(ended.place, &file, "2").run().exits(0);
    let missing = file.replace("last.csv", "none.csv");
    let refused = tournament(again.place, &missing, "2").run();
    assert!(refused.code() != 0 && refused.stderr.contains("none.csv"), "{}", refused.stderr);
}
