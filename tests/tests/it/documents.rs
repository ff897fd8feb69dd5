//! README and the documents against the programs: commands and options that they name exist, links lead somewhere,
//! and README's first commands do what it says.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bao_tests::{Referee, program, skip};

const DOCUMENTS: [&str; 11] = [
    "README.md",
    "PROTOCOL.md",
    "docs/ADDING_A_GAME.md",
    "docs/ARCHITECTURE.md",
    "docs/BENCHMARKS.md",
    "docs/BOTS.md",
    "docs/OPERATIONS.md",
    "docs/RECORDS.md",
    "docs/RULES.md",
    "docs/THREATS.md",
    "docs/TUNING.md",
];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn document(name: &str) -> String {
    fs::read_to_string(top().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What `referee WORD --help` prints; `None` where there is no such command.
fn help(command: &str) -> Option<String> {
    let output = Command::new(program("referee")).args([command, "--help"]).output().expect("referee starts");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The commands in a document that begin with `referee`: between backquotes, or lines of blocks.
fn commands(text: &str) -> Vec<String> {
    let spans = text.split('`').filter(|span| !span.contains('\n'));
    let lines = text.lines().map(|line| line.trim().trim_start_matches("$ "));
    let all = spans.chain(lines).filter(|command| command.starts_with("referee "));
    all.map(str::to_owned).collect()
}

#[test]
fn every_command_and_option_that_the_documents_name_exists() {
    let mut helps = BTreeMap::new();
    let mut checked = 0;
    for name in DOCUMENTS {
        for command in commands(&document(name)) {
            // Text in quotes is a bot's own command line.
            let own: String = command.split('"').step_by(2).collect();
            let words: Vec<&str> = own.split_whitespace().collect();
            let Some(word) = words.get(1).filter(|word| word.chars().all(|c| c.is_ascii_lowercase())) else {
                continue;
            };
            let told = helps.entry((*word).to_owned()).or_insert_with(|| help(word));
            let Some(told) = told else {
                // Prose may go on after the name: "referee tells" is not a command.
                assert!(words.len() < 3 || !command.contains("--"), "{name}: {command}: no command {word}");
                continue;
            };
            for option in words.iter().filter_map(|word| word.strip_prefix("--")) {
                let option = option.trim_matches(|c: char| !c.is_ascii_alphanumeric());
                let option = option.split('=').next().unwrap_or_default();
                assert!(told.contains(&format!("--{option}")), "{name}: {command}: no option --{option}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 8, "only {checked} options were found");
}

#[test]
fn what_readme_asks_of_its_first_match_has_an_answer() {
    let readme = document("README.md");
    let question = readme.lines().find(|line| line.starts_with("jq ")).expect("README shows how to ask");
    if Command::new("jq").arg("--version").output().is_err() {
        return skip("what_readme_asks_of_its_first_match_has_an_answer", "jq is not installed");
    }
    let play = ["match", "bao-kigogo", "random-bot", "greedy-bot", "--games", "10", "--out", "first-match"];
    let ended = Referee::new(play).run().exits(0);
    let answer = Command::new("sh").args(["-c", question]).current_dir(ended.place.dir()).output();
    let answer = answer.expect("there is a shell");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    assert_eq!(String::from_utf8_lossy(&answer.stdout).lines().count(), 10);
}

#[test]
fn every_link_within_the_repository_leads_somewhere() {
    for name in DOCUMENTS {
        let text = document(name);
        let from = top().join(name);
        // Every second part is a block of code.
        let prose: Vec<&str> = text.split("\n```").step_by(2).collect();
        for target in prose.join("").split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains(':') {
                let there = from.parent().expect("a document lies in a directory").join(path);
                assert!(there.exists(), "{name} links to {target}");
            }
        }
    }
}

#[test]
fn every_reason_and_exit_code_stands_in_its_document() {
    let protocol = document("PROTOCOL.md");
    for reason in bao_protocol::Reason::ALL {
        assert!(protocol.contains(&format!("`{reason}`")), "PROTOCOL.md does not tell of {reason}");
    }
    let told = Command::new(program("referee")).arg("--help").output().expect("referee starts");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    for code in [0, 2, 3, 4, 5, 6, 7, 8] {
        assert!(told.contains(&format!("\n  {code}  ")), "referee --help does not tell of exit code {code}");
    }
}

/// The text of every Rust file below a directory.
fn sources(directory: &Path) -> String {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut text = String::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text += &fs::read_to_string(&path).expect("a source can be read");
        }
    }
    text
}

#[test]
fn the_tests_that_keep_a_promise_exist_by_the_names_that_the_documents_give() {
    let jail = ["referee/jail/src", "referee/jail/tests"].map(|name| sources(&top().join(name))).concat();
    let it = sources(&top().join("tests/tests/it"));
    let mut checked = 0;
    for name in ["docs/OPERATIONS.md", "docs/THREATS.md"] {
        let text = document(name);
        let is_test = |word: &&str| {
            word.matches('_').count() > 2 && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        for test in text.split('`').filter(is_test) {
            let there = [&jail, &it].iter().any(|source| {
                source.contains(&format!("fn {test}(")) || source.contains(&format!("\"{test}\""))
            });
            assert!(there, "{name} names the test {test}, which there is not");
            checked += 1;
        }
        for path in text.split('`').filter(|word| {
            word.starts_with("tests/") && Path::new(word).extension().is_some_and(|ending| ending == "rs")
        }) {
            assert!(top().join(path).is_file(), "{name}: {path}");
        }
    }
    assert!(checked > 30, "{checked}");
}
