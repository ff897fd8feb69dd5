//! Which files may name a game.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use bao_rules::Variant;

use crate::top;

/// The folders whose files are about no game in particular.
const FOLDERS: [&str; 2] = ["protocol", "referee"];
/// Folders in them whose files may be: tests, examples and measurements.
const FREE: [&str; 4] = ["tests", "examples", "bench", "benches"];
/// The games themselves.
const RULES: &str = "protocol/rules";

#[test]
fn no_file_names_a_game_but_those_that_are_about_one() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        search(&top(), Path::new(folder), &mut found);
    }
    assert!(
        found.is_empty(),
        "these lines name a game; ask its `Variant::info()` instead (docs/ADDING_A_GAME.md):\n{}",
        found.join("\n")
    );
}

fn search(top: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(top.join(folder)).expect("a folder can be read") {
        let name = entry.expect("a folder can be read").file_name();
        let path = folder.join(&name);
        if top.join(&path).is_dir() {
            let free = FREE.iter().any(|free| name == OsStr::new(free));
            if !free && path != Path::new(RULES) {
                search(top, &path, found);
            }
        } else if path.extension() != Some(OsStr::new("md")) && name != OsStr::new("tests.rs") {
            let text = fs::read(top.join(&path)).expect("a file can be read");
            found.extend(
                named(&String::from_utf8_lossy(&text)).map(|line| format!("{}:{line}", path.display())),
            );
        }
    }
}

/// Returns the lines that name a game, with their numbers; a file's own tests, at its end, may.
fn named(text: &str) -> impl Iterator<Item = String> {
    let sources = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    sources.enumerate().filter_map(|(number, line)| {
        let lower = line.to_lowercase();
        let names = Variant::ALL.iter().any(|game| lower.contains(&format!("{game:?}").to_lowercase()));
        names.then(|| format!("{}: {}", number + 1, line.trim()))
    })
}

#[test]
fn a_line_that_names_a_game_is_found() {
    let text = "fn f() {\n    matches!(game, Variant::Kigogo)\n}\n// bao-kingulu\n#[cfg(test)]\nmod tests { KIGOGO }\n";
    let found: Vec<String> = named(text).collect();
    assert_eq!(found, ["2: matches!(game, Variant::Kigogo)", "4: // bao-kingulu"]);
}
