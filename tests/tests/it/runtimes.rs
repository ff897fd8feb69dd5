//! Runtimes that would plan their memory by the machine: they keep to the limit of the event, and say so where they cannot.

use std::process::Command;
use std::time::Duration;

use bao_protocol::Reason;
use bao_tests::bots::CLEAN;
use bao_tests::{Ended, Place, Referee, skip};

const BOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots");

/// A place with the bot in Java, compiled; `None` where there is no compiler.
fn java(test: &str) -> Option<Place> {
    let place = Place::new();
    let compiler = Command::new("javac")
        .args(["-d", "classes", &format!("{BOTS}/TableBot.java")])
        .current_dir(place.dir())
        .output();
    match compiler {
        Ok(output) => assert!(output.status.success(), "{output:?}"),
        Err(error) => {
            skip(test, &format!("javac is not installed ({error})"));
            return None;
        }
    }
    Some(place)
}

fn node(test: &str) -> Option<Place> {
    if Command::new("node").arg("--version").output().is_err() {
        skip(test, "node is not installed");
        return None;
    }
    let place = Place::new();
    std::fs::copy(format!("{BOTS}/table_bot.js"), place.dir().join("bot.js")).expect("it is writable");
    Some(place)
}

fn play(place: Place, bot: &str, limit: &str) -> Ended {
    Referee::plays_at(place, "bao-kingulu", bot, CLEAN)
        .with(["--games", "2", "--max-plies", "16", "--clock", "60s", "--handshake", "60s"])
        .with(["--sandbox", &*format!("memory={limit}")])
        .within(Duration::from_secs(200))
        .run()
        .exits(0)
}

/// Plays a bot with a table and much garbage, which fits into the limit if the runtime knows it.
fn fits(place: Place, bot: &str, limit: &str) {
    for row in play(place, bot, limit).games() {
        assert!(!row.reason.is_fault(), "{bot}, {limit}: {} {:?} {:?}", row.reason, row.detail, row.stderr);
    }
}

#[test]
fn a_table_in_java_fits_into_the_limit_of_an_event() {
    for (bot, limit) in
        [("java -cp classes TableBot 400 600", "1GiB"), ("java -cp classes TableBot 64 400", "256MiB")]
    {
        let Some(place) = java("a table in Java") else { return };
        fits(place, bot, limit);
    }
}

#[test]
fn a_table_in_javascript_fits_into_the_limit_of_an_event() {
    for (bot, limit) in [("node bot.js 400 100", "1GiB"), ("node bot.js 64 100", "256MiB")] {
        let Some(place) = node("a table in JavaScript") else { return };
        fits(place, bot, limit);
    }
}

/// Checks that a bot with too large a table is advised in the words of its runtime.
fn is_named(place: Place, bot: &str, runtime: &str) {
    let ended =
        Referee::at(place, ["check", bot, "--only", "ping", "--sandbox", "memory=256MiB"]).run().exits(5);
    assert!(ended.stdout.contains("crash"), "{}", ended.stdout);
    assert!(ended.stdout.contains(&format!("{runtime} got no more memory")), "{}", ended.stdout);
    assert!(!ended.stdout.contains(&Reason::MemoryLimit.to_string()), "{}", ended.stdout);
}

#[test]
fn a_runtime_that_gets_no_more_memory_is_named() {
    if let Some(place) = java("no memory in Java") {
        is_named(place, "java -cp classes TableBot 400 0", "Java");
    }
    if let Some(place) = node("no memory in JavaScript") {
        is_named(place, "node bot.js 400 0", "Node");
    }
}

#[test]
fn check_names_the_runtime_and_what_it_needs() {
    let Some(place) = java("the runtime in check") else { return };
    let ended =
        Referee::at(place, ["check", "java -cp classes TableBot 1 0", "--only", "idle"]).run().exits(0);
    let runtime = ended.stdout.lines().find(|line| line.split_whitespace().nth(1) == Some("runtime"));
    let runtime = runtime.unwrap_or_else(|| panic!("{}", ended.stdout));
    for word in ["Java (", "-Xmx", "-cp", "flush"] {
        assert!(runtime.contains(word), "{word}: {runtime}");
    }
    // Its compiler and its collector work on while it waits: that is not a loop.
    assert!(ended.stdout.contains("ok    idle"), "{}", ended.stdout);
}
