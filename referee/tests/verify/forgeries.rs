//! Every edit of a single field that is called derived is found: by `referee verify`, and by a stranger's verifier in
//! Python. A seed picks the edits; `BAO_FORGERIES=100000` tries as many.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use bao_rules::Variant;

use crate::kit::{chain_rows, for_every_reason, plan, record_apart as record};
use crate::verified;

/// What docs/RECORDS.md calls told: nothing in a record shows that it is false.
const TOLD: [&str; 13] = [
    "started",
    "system",
    "architecture",
    "cpus",
    "memory_bytes",
    "kept_by",
    "gap",
    "program_sha256",
    "lag_us",
    "max_lag_us",
    "ponder_cpu_us",
    "cpu_us",
    "isolation",
];

/// A record with a game for every reason that bots can be scripted to.
fn made(variant: Variant) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(variant, 8), &for_every_reason(b"hello"));
    dir
}

/// Finds the values in JSON text that are neither objects nor lists, with their keys.
pub(crate) fn values(text: &str) -> Vec<(String, Range<usize>)> {
    let (mut found, mut key, mut at) = (Vec::new(), String::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        match c {
            '"' => {
                at += 1;
                while !text[at..].starts_with('"') {
                    at += if text[at..].starts_with('\\') {
                        2
                    } else {
                        text[at..].chars().next().unwrap().len_utf8()
                    };
                }
                at += 1;
                if text[at..].starts_with(':') {
                    text[start + 1..at - 1].clone_into(&mut key);
                } else {
                    found.push((key.clone(), start..at));
                }
            }
            '-' | '0'..='9' | 'a'..='z' => {
                at += text[at..].find([',', '}', ']', '\n']).unwrap_or(text.len() - at);
                found.push((key.clone(), start..at));
            }
            _ => at += c.len_utf8(),
        }
    }
    found
}

/// Changes a value a little.
pub(crate) fn edited(value: &str) -> String {
    match value {
        "null" => "1".to_owned(),
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        "\"\"" => "\"x\"".to_owned(),
        text => {
            let at = text.rfind(|c: char| c.is_ascii_alphanumeric()).unwrap_or(text.len() - 1);
            let new = match &text[at..=at] {
                "9" => "8",
                "5" => "4",
                "S" => "N",
                digit if digit.as_bytes()[0].is_ascii_digit() => "5",
                "x" => "y",
                _ => "x",
            };
            format!("{}{new}{}", &text[..at], &text[at + 1..])
        }
    }
}

/// Every file of the record that an operator could edit.
fn files(dir: &Path) -> Vec<PathBuf> {
    let wires = fs::read_dir(dir.join("wire")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = ["run.json", "games.jsonl", "moves.jsonl"].map(|name| dir.join(name)).into();
    files.extend(wires);
    files.sort();
    files
}

/// Makes edits one after the other, each in the record as it was, and hands what was edited to `check`.
fn forge(dir: &Path, edits: usize, mut luck: u64, mut check: impl FnMut(&str)) {
    let files = files(dir);
    let games = dir.join("games.jsonl");
    for _ in 0..edits {
        let mut below = |most: usize| {
            luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (luck >> 33) as usize % most
        };
        let path = &files[below(files.len())];
        let (old, rows) = (fs::read_to_string(path).unwrap(), fs::read(&games).unwrap());
        let values = values(&old);
        let (key, place) = &values[below(values.len())];
        if TOLD.contains(&key.as_str()) && !path.starts_with(dir.join("wire")) {
            continue;
        }
        let new = edited(&old[place.clone()]);
        fs::write(path, format!("{}{new}{}", &old[..place.start], &old[place.end..])).unwrap();
        if *path == games && key != "prev_sha256" && readable(&games) {
            // A careful forger chains the rows again.
            chain_rows(dir);
        }
        check(&format!("{}: {key}: {} becomes {new}", path.display(), &old[place.clone()]));
        fs::write(path, old).unwrap();
        fs::write(&games, rows).unwrap();
    }
}

/// Returns whether all rows of games can be read.
fn readable(games: &Path) -> bool {
    let text = fs::read_to_string(games).unwrap();
    text.lines().all(|line| serde_json::from_str::<bao_protocol::record::GameRow>(line).is_ok())
}

/// Reads a number from the environment.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().unwrap())
}

fn edits(usual: usize) -> usize {
    number("BAO_FORGERIES", usual as u64) as usize
}

#[test]
fn verify_finds_every_edit_of_a_field() {
    for (luck, variant) in [(1, Variant::Kingulu), (2, Variant::Kigogo)] {
        let dir = made(variant);
        assert!(verified(dir.path()).unwrap().1.is_empty());
        forge(dir.path(), edits(150), luck, |what| {
            let found = verified(dir.path()).map_or(1, |(_, findings)| findings.len());
            assert!(found > 0, "{what}");
        });
    }
}

#[test]
fn a_stranger_finds_every_edit_of_a_field() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/verify/verify_record.py");
    let python = |dir: &Path| Command::new("python3").arg(&script).arg(dir).output();
    // What follows from the schedule, from what bots say of themselves, and from a turn that did not end with a move is
    // beyond it.
    let beyond = ["pair", "round", "opening", "stderr", "void", "referee", "used_south_us", "used_north_us"];
    for (luck, variant) in [(3, Variant::Kingulu), (4, Variant::Kigogo)] {
        let dir = made(variant);
        let Ok(output) = python(dir.path()) else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        forge(dir.path(), edits(25), luck, |what| {
            if !beyond.iter().any(|key| what.contains(&format!(": {key}: "))) {
                assert!(!python(dir.path()).unwrap().status.success(), "{what}");
            }
        });
    }
}
