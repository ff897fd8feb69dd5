//! The guide for authors: every snippet of it runs, and prints what the guide says.
//!
//! In `docs/BOTS.md`, a block of code whose fence names a file is written into that file, a block of `sh` is run,
//! and the lines of a block of `text` must be among what the last block of `sh` printed; an ellipsis matches
//! anything. `skip` on a fence marks a block that is not a command for every reader.

use std::path::Path;
use std::process::Command;

use bao_tests::{Place, program, skip};

const GUIDE: &str = include_str!("../../../docs/BOTS.md");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A block of code of the guide.
struct Block {
    section: &'static str,
    /// The text on the fence: the language, and a file or a remark.
    fence: Vec<&'static str>,
    text: String,
}

/// Takes the guide's blocks out, in their order.
fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut section = "";
    let mut open: Option<Block> = None;
    for line in GUIDE.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(fence)) => {
                open = Some(Block { section, fence: fence.split(' ').collect(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => section = line.strip_prefix("## ").unwrap_or(section),
        }
    }
    assert!(open.is_none(), "the last block is not closed");
    blocks
}

/// Follows sections of the guide, one after the other, in a directory of their own.
fn follow(sections: &[&str]) {
    let place = Place::new();
    let mut printed = String::new();
    for section in sections {
        let mut steps = 0;
        for block in blocks().into_iter().filter(|block| block.section == *section) {
            steps += 1;
            match block.fence[..] {
                ["sh"] => printed = run(&place, &block.text),
                ["sh" | "text", "skip"] => {}
                ["text"] => compare(&block.text, &printed),
                [_, file] => write(&place.dir().join(file), &block.text),
                _ => panic!("{section}: a block that is not a step: {:?}", block.fence),
            }
        }
        assert!(steps > 0, "the guide has no section \"{section}\"");
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("it is in the place")).expect("the place is writable");
    std::fs::write(path, text).expect("the place is writable");
}

/// Runs commands as a reader would, and returns what they print.
fn run(place: &Place, commands: &str) -> String {
    let built = program("referee");
    let built = built.parent().expect("a program is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let scratch = place.dir().join("tmp");
    std::fs::create_dir_all(&scratch).expect("the place is writable");
    // Nothing here takes as long, unless the machine has to compile much besides.
    let output = Command::new("timeout")
        .args(["900", "sh", "-e", "-c", &format!("exec 2>&1\n{commands}")])
        .current_dir(place.dir())
        .env("BAO", SOURCES)
        .env("PATH", format!("{}:{path}", built.display()))
        .env("TMPDIR", &scratch)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        // What is compiled for the bot in Rust is kept for the next time.
        .env("CARGO_BUILD_BUILD_DIR", built.join("guide"))
        .env_remove("PYTHONUNBUFFERED")
        .env_remove("REFEREE_LOG")
        .output()
        .expect("a shell can be started");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{commands}\n{printed}");
    printed
}

/// Checks that every line was printed.
fn compare(expected: &str, printed: &str) {
    for line in expected.lines().filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = line.split('…').collect();
        let [first, .., last] = parts[..] else {
            assert!(printed.lines().any(|found| found == line), "\"{line}\" is not among:\n{printed}");
            continue;
        };
        let fits = |found: &str| {
            let Some(mut rest) = found.strip_prefix(first) else { return false };
            for part in &parts[1..parts.len() - 1] {
                let Some(at) = rest.find(part) else { return false };
                rest = &rest[at + part.len()..];
            }
            rest.ends_with(last)
        };
        assert!(printed.lines().any(fits), "\"{line}\" is not among:\n{printed}");
    }
}

/// Returns whether a program is there; says aloud that the test is skipped where it is not.
fn there(program: &str, test: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        skip(test, &format!("{program} is not installed"));
    }
    there
}

/// Follows sections whose bots are written in Python.
fn follow_in_python(sections: &[&str]) {
    if there("python3", sections[sections.len() - 1]) {
        follow(sections);
    }
}

#[test]
fn every_section_with_a_snippet_is_followed() {
    let followed = [
        "Before you begin",
        "Python",
        "JavaScript",
        "C and C++",
        "Rust",
        "From random to beating greedy-bot",
        EXERCISES,
        "Options",
        "Clocks",
        "Testing",
        "Why did it lose?",
        "Traps",
        "Isolation",
        "Search",
        "Into a tournament",
    ];
    for block in blocks() {
        assert!(followed.contains(&block.section), "{}: {:?}", block.section, block.fence);
    }
}

#[test]
fn the_guide_begins_with_a_match() {
    follow(&["Before you begin"]);
}

#[test]
fn the_bot_in_python_plays() {
    follow_in_python(&["Python"]);
}

#[test]
fn the_bot_in_javascript_plays() {
    if there("node", "the guide's bot in JavaScript") {
        follow(&["JavaScript"]);
    }
}

#[test]
fn the_bot_in_c_plays() {
    if there("cc", "the guide's bot in C") {
        follow(&["C and C++"]);
    }
}

#[test]
fn the_bot_in_rust_plays() {
    if there("cargo", "the guide's bot in Rust") {
        follow(&["Rust"]);
    }
}

#[test]
fn the_exercise_can_be_followed() {
    if there("node", "the guide's exercise") && there("cc", "the guide's exercise") {
        follow_in_python(&["From random to beating greedy-bot"]);
    }
}

/// The section with the exercise in languages that have no library.
const EXERCISES: &str = "The exercise in Go, Java, C++ and C sharp";

/// Follows the exercise in one language, and checks that its bot beats greedy-bot by far.
fn beats_greedy_bot(file: &str, compiler: &str) {
    if Command::new(compiler).arg("--help").output().is_err() {
        return skip(file, &format!("{compiler} is not installed"));
    }
    let place = Place::new();
    let blocks = blocks();
    let at = blocks.iter().position(|block| block.section == EXERCISES && block.fence.get(1) == Some(&file));
    let [source, commands, ..] = &blocks[at.unwrap_or_else(|| panic!("{file} is not in the guide"))..] else {
        panic!("nothing comes after {file}")
    };
    write(&place.dir().join(file), &source.text);
    let printed = run(&place, &commands.text);
    let won = printed.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bot = words.len() > 4 && words[0].to_lowercase().starts_with("two");
        bot.then(|| words[2].parse::<u32>().ok()).flatten()
    });
    assert!(won.is_some_and(|won| won >= 32), "{file} won {won:?} of 40:\n{printed}");
}

#[test]
fn the_exercise_in_go_beats_greedy_bot() {
    beats_greedy_bot("two_plies.go", "go");
}

#[test]
fn the_exercise_in_java_beats_greedy_bot() {
    beats_greedy_bot("TwoPlies.java", "javac");
}

#[test]
fn the_exercise_in_cpp_beats_greedy_bot() {
    beats_greedy_bot("two_plies.cpp", "c++");
}

#[test]
fn the_exercise_in_csharp_beats_greedy_bot() {
    beats_greedy_bot("TwoPlies.cs", "mcs");
}

#[test]
fn options_can_be_set() {
    follow_in_python(&["Python", "Options"]);
}

#[test]
fn clocks_of_all_kinds_can_be_tried() {
    follow_in_python(&["Python", "Clocks"]);
}

#[test]
fn a_bot_can_be_tested() {
    follow_in_python(&["Python", "Testing"]);
}

#[test]
fn a_loss_can_be_explained_from_the_record() {
    follow_in_python(&["Python", "Why did it lose?"]);
}

#[test]
fn the_evaluation_that_the_guide_gives_wins_the_match_that_it_shows() {
    if there("cc", "the guide's search") {
        follow(&["Search"]);
    }
}

#[test]
fn files_are_found_under_isolation() {
    follow_in_python(&["Python", "Isolation"]);
}

#[test]
fn a_tournament_can_be_tried_at_home() {
    if there("cc", "the guide's tournament") {
        follow_in_python(&["Python", "C and C++", "Into a tournament"]);
    }
}
