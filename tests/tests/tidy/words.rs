//! No sentence decides anything: code that compares with one of our own sentences changes its mind when the wording does.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{CRATES, top};

/// The comparisons with a sentence that there may be, by their file: the sentences are another program's, or frozen.
const EXCEPTIONS: [(&str, &[&str]); 4] = [
    // Rows of the first edition have nothing else, and no referee writes them any more.
    (
        "referee/src/record/read.rs",
        &["stopped by the operator", "neither bot answered in time before the game began"],
    ),
    // What `serde_json` says has no other form; a new wording costs the author of a bot a hint, and a test fails.
    ("referee/src/record/read.rs", &[" at line "]),
    (
        "protocol/src/decode/diagnose.rs",
        &[
            "missing field `",
            "duplicate field `",
            "a whole number",
            "recursion limit",
            "trailing characters",
            "trailing comma",
            "number out of range",
            "lone leading surrogate in hex escape",
            "unexpected end of hex escape",
            "control character",
        ],
    ),
    // Likewise of `toml`.
    ("referee/src/plan/file_error.rs", &["wanted exactly 1 element"]),
];

/// The text before a text that something is compared with.
const BEFORE: [&str; 12] = [
    "==",
    "!=",
    "starts_with(",
    "ends_with(",
    "contains(",
    "strip_prefix(",
    "strip_suffix(",
    "split_once(",
    "rsplit_once(",
    ".find(",
    "trim_start_matches(",
    "trim_end_matches(",
];

#[test]
fn no_code_compares_with_a_sentence() {
    let (mut found, mut used) = (Vec::new(), Vec::new());
    for file in sources() {
        let path = top().join(&file);
        let text = fs::read_to_string(path).expect("a source can be read");
        for (number, sentence) in compared(&text) {
            let place = file.to_string_lossy().into_owned();
            let excepted = |(file, texts): &(&str, &[&str])| *file == place && texts.contains(&&*sentence);
            if EXCEPTIONS.iter().any(excepted) {
                used.push((place, sentence));
            } else {
                found.push(format!("{place}:{number}: {sentence:?}"));
            }
        }
    }
    assert!(
        found.is_empty(),
        "these lines compare with a sentence; compare with a variant of an enum instead, and give it `Display`:\n{}",
        found.join("\n")
    );
    for (file, texts) in EXCEPTIONS {
        for text in texts {
            assert!(
                used.contains(&(file.to_owned(), (*text).to_owned())),
                "{file}, {text:?}: no longer needed"
            );
        }
    }
}

/// Returns the sources of all crates, from the top of the workspace.
pub(crate) fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = CRATES.iter().map(|name| Path::new(name).join("src")).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(top().join(&folder)).expect("a folder can be read") {
            let name = entry.expect("a folder can be read").file_name();
            let path = folder.join(&name);
            if top().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new("rs")) && name != OsStr::new("tests.rs") {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the sentences that are compared with, each with its line's number; a file's own tests, at its end, may.
fn compared(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    let code = lines.enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for (number, line) in code {
        for (before, sentence, after) in literals(line) {
            let before = before.trim_end_matches(['b', 'r', '#', '&', ' ']);
            let turned = ["==", "!="].iter().any(|sign| after.trim_start().starts_with(sign));
            let compares = turned || BEFORE.iter().any(|end| before.ends_with(end));
            if is_sentence(sentence) && (compares || is_pattern(after)) {
                found.push((number + 1, sentence.to_owned()));
            }
        }
    }
    found
}

/// Returns the string literals of a line, each with the text before and after it.
fn literals(line: &str) -> Vec<(&str, &str, &str)> {
    let (mut found, mut start, mut escaped) = (Vec::new(), None, false);
    for (at, byte) in line.bytes().enumerate() {
        match (byte, start) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            // A quote as a character is not the start of a text.
            (b'"', None) if line[..at].ends_with('\'') && line[at + 1..].starts_with('\'') => {}
            (b'"', None) => start = Some(at + 1),
            (b'"', Some(from)) => {
                found.push((&line[..from - 1], &line[from..at], &line[at + 1..]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Returns whether a text has two words with a space between.
fn is_sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_word = |word: &&str| word.chars().filter(char::is_ascii_alphabetic).count() >= 2;
    words.windows(2).any(|pair| pair.iter().all(is_word))
}

/// Returns whether a literal with this behind it is a pattern: the arm of a match, or one of several.
fn is_pattern(after: &str) -> bool {
    let after = after.trim_start_matches([')', ' ']);
    let after =
        after.split_once(',').filter(|(between, _)| between.is_empty()).map_or(after, |(_, rest)| rest);
    let arm = after.split_once("=>").map(|(pattern, _)| pattern);
    arm.is_some_and(|pattern| pattern.chars().all(|c| c.is_alphanumeric() || " _|()\".,".contains(c)))
        || after.starts_with("| \"")
}

#[test]
fn a_comparison_with_a_sentence_is_found() {
    for (line, found) in [
        (r#"if detail == "stopped by the operator" {"#, true),
        (r#"if "a b" != why && why == "time is up" {"#, true),
        (r#"fate.ends_with("with code 0")"#, true),
        (r#"if text.starts_with(&"more than") {"#, true),
        (r#"Some("stopped by somebody") => End::Stopped,"#, true),
        (r#"(Some("stopped by somebody"), None) => End::Stopped,"#, true),
        (r#""this one" | "that one" => 1,"#, true),
        (r#"Self::Noise => f.write_str("a line that is no message was ignored"),"#, false),
        (r#"if word == "resign" { say("you gave it up") }"#, false),
        (r#"// if detail == "stopped by the operator""#, false),
        (r#"let why = format!("{} of {}", a, b);"#, false),
        (r#"assert!(x, "why it is so");"#, false),
    ] {
        assert_eq!(!compared(line).is_empty(), found, "{line}");
    }
}
