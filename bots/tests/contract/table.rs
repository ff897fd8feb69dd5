//! The guide's table of the libraries against their sources.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::FOLDER;

/// The words of a piece of code, without what is between quotes.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let outside = code.split('"').step_by(2);
    let words = outside.flat_map(|part| part.split(|sign: char| !sign.is_alphanumeric() && sign != '_'));
    words.filter(|word| word.starts_with(|sign: char| sign.is_alphabetic()))
}

/// The text of all Rust files in a folder and those below it.
fn rust_in(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let text = |path: PathBuf| {
        if path.is_dir() {
            rust_in(&path)
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            std::fs::read_to_string(&path).expect("a source")
        } else {
            String::new()
        }
    };
    paths.map(text).collect()
}

#[test]
fn every_name_in_the_guides_table_is_in_the_library() {
    let guide = include_str!("../../../docs/BOTS.md");
    let section = guide.split("\n## ").find(|section| section.starts_with("The libraries side by side"));
    let rows: Vec<Vec<&str>> = section
        .expect("the section")
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
        .map(|line| line.trim_matches('|').split(" | ").collect())
        .collect();
    assert!(rows.len() > 20, "only {} rows", rows.len());
    let rules = rust_in(&Path::new(FOLDER).join("../protocol/rules/src"));
    let sources = [
        include_str!("../../python/bao_bot.py").to_owned(),
        include_str!("../../javascript/bao_bot.mjs").to_owned(),
        include_str!("../../c/bao_bot.h").to_owned(),
        rust_in(&Path::new(FOLDER).join("src")) + &rules,
    ];
    for (column, source) in sources.iter().enumerate() {
        let known: HashSet<&str> =
            source.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        for row in &rows {
            assert_eq!(row.len(), 5, "{row:?}");
            for code in row[column + 1].split('`').skip(1).step_by(2) {
                for word in words(code) {
                    assert!(known.contains(word), "{}: {word} in {code}", row[0]);
                }
            }
        }
    }
}
