//! Plain English in what people read: help, errors, comments and documents are free of phrases that one must read twice.

use std::fs;

use crate::top;
use crate::words::sources;

/// Phrases that readers stumbled over, each with what to write instead.
const HABITS: [(&str, &str); 28] = [
    ("so many", "this many, or a number"),
    ("times running", "times in a row"),
    ("moves running", "moves in a row"),
    ("games running", "games in a row"),
    ("nothing is said", "by default"),
    ("becomes of", "what happens to"),
    ("whoever", "the person or program that"),
    ("anybody who", "a person who"),
    ("stands in", "is in"),
    ("stand in", "are in"),
    ("stands beside", "is beside"),
    ("is told of", "learns of"),
    ("is told that", "learns that"),
    ("as is told", "as described"),
    ("anew", "again"),
    ("but for", "except"),
    ("is to be", "must be, or will be"),
    ("are to be", "must be, or will be"),
    ("came of", "the result of"),
    ("comes of", "the result of"),
    ("what stands", "what is"),
    ("was said", "was sent, or was reported"),
    ("is said", "is sent, or is reported"),
    ("takes note", "records, counts or adds"),
    ("hands out", "returns, or starts"),
    ("for want of", "because there is no"),
    ("for ever", "without end"),
    ("and the like", "and so on"),
];

const DOCUMENTS: [&str; 14] = [
    "README.md",
    "PROTOCOL.md",
    "bots/README.md",
    "docs/ADDING_A_GAME.md",
    "docs/ARCHITECTURE.md",
    "docs/BENCHMARKS.md",
    "docs/BOTS.md",
    "docs/OPERATIONS.md",
    "docs/RECORDS.md",
    "docs/RULES.md",
    "docs/STATISTICS.md",
    "docs/THREATS.md",
    "docs/TUNING.md",
    "docs/tournament.toml",
];

#[test]
fn help_errors_comments_and_documents_are_plain() {
    let mut found = Vec::new();
    for name in DOCUMENTS {
        let text = fs::read_to_string(top().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        found.extend(places(name, text.lines().enumerate()));
    }
    for file in sources() {
        let text = fs::read_to_string(top().join(&file)).expect("a source can be read");
        let lines = text.lines().enumerate();
        let read = lines.filter(|(_, line)| {
            let line = line.trim_start();
            line.starts_with("#[error(") || line.starts_with("//")
        });
        found.extend(places(&file.to_string_lossy(), read));
    }
    assert!(found.is_empty(), "say it more plainly:\n{}", found.join("\n"));
}

/// Names the lines that have one of the habits.
fn places<'a>(name: &str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<String> {
    let lines = lines.flat_map(|(number, line)| habits(line).map(move |habit| (number, habit)));
    lines
        .map(|(number, (phrase, instead))| format!("{name}:{}: \"{phrase}\": {instead}", number + 1))
        .collect()
}

/// Finds the habits of a line; what is between backquotes is code.
fn habits(line: &str) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let prose: Vec<&str> = line.split('`').step_by(2).collect();
    let letters = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: Vec<String> =
        prose.iter().map(|part| format!(" {} ", part.chars().map(letters).collect::<String>())).collect();
    HABITS
        .into_iter()
        .filter(move |(phrase, _)| words.iter().any(|words| words.contains(&format!(" {phrase} "))))
}

#[test]
fn a_habit_is_found_and_code_is_not() {
    assert_eq!(habits("It tries So many times.").count(), 1);
    assert_eq!(habits("Whoever reads it, three times running, is told that.").count(), 3);
    assert_eq!(habits("the test `a_row_stands_in_it` and `so many` of code").count(), 0);
    assert_eq!(habits("understands inputs; also many").count(), 0);
}
