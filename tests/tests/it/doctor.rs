//! `referee doctor`: what this machine can keep, whatever machine it is.

use bao_tests::{Ended, Referee, skip};
use serde_json::Value;

const PROMISES: [&str; 10] = [
    "kill_tree",
    "memory",
    "processes",
    "cpu_time",
    "processor_share",
    "freeze",
    "network",
    "files",
    "other_processes",
    "output",
];

fn asked(arguments: &[&str]) -> (Ended, Value) {
    let ended = Referee::new(["doctor", "--json"]).with(arguments.iter().copied()).run();
    let told = serde_json::from_str(&ended.stdout).expect("one JSON object");
    (ended, told)
}

/// Checks that a table has every promise, each kept or with its reason, and counts those with a reason.
fn gaps(promises: &Value) -> usize {
    let promises = promises.as_array().expect("a list");
    let names: Vec<&str> = promises.iter().filter_map(|promise| promise["name"].as_str()).collect();
    assert_eq!(names, PROMISES);
    assert!(promises.iter().all(|promise| promise["kept_by"].is_null() || promise["gap"].is_null()));
    promises.iter().filter(|promise| promise["gap"].is_string()).count()
}

#[test]
fn the_exit_code_says_whether_strict_isolation_would_start() {
    let (ended, told) = asked(&[]);
    let strict = gaps(&told["promises"]) == 0;
    assert_eq!(told["strict"], strict);
    assert_eq!(ended.code(), if strict { 0 } else { 8 }, "{}", ended.stderr);
    let started =
        Referee::new(["match", "bao-kingulu", "random-bot", "greedy-bot", "--isolation", "strict"]).run();
    assert_eq!(started.code(), if strict { 0 } else { 2 }, "{}", started.stderr);
}

#[test]
fn a_clock_that_counts_processor_time_starts_where_doctor_says_so() {
    for settings in [&[][..], &["--sandbox", "single-process=yes"]] {
        let (_, told) = asked(settings);
        let exact = told["clock_measure_cpu"].as_bool().expect("yes or no");
        let started =
            Referee::new(["match", "bao-kingulu", "random-bot", "greedy-bot", "--clock-measure", "cpu"]);
        let started = started.with(settings.iter().copied()).run();
        assert_eq!(started.code(), if exact { 0 } else { 2 }, "{settings:?}: {}", started.stderr);
        let text = Referee::new(["doctor"]).with(settings.iter().copied()).run().stdout;
        let says =
            if exact { "--clock-measure cpu would start\n" } else { "--clock-measure cpu would not start: " };
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn what_was_reached_for_a_bot_is_told_beside_what_the_machine_can_do() {
    let (_, told) = asked(&["random-bot"]);
    assert_eq!(told["bot"]["name"], "random-bot");
    gaps(&told["bot"]["promises"]);
    let ended = Referee::new(["doctor", "nobody-bot"]).run();
    assert_eq!(ended.code(), 2, "{}", ended.stderr);
}

#[test]
fn without_isolation_the_gaps_are_told_with_the_way_out() {
    let ended = Referee::new(["doctor", "--isolation", "off", "--freeze"]).run().exits(8);
    assert!(ended.stdout.contains("nothing outlives the bot"), "{}", ended.stdout);
    assert!(ended.stdout.contains("isolation is off"), "{}", ended.stdout);
    assert!(ended.stderr.contains("--isolation strict would not start"), "{}", ended.stderr);
    assert!(ended.stdout.is_ascii());
}

#[test]
fn what_is_not_asked_for_is_no_gap() {
    let (_, told) = asked(&["--sandbox", "network=yes", "--sandbox", "processes=none"]);
    for promise in told["promises"].as_array().expect("a list") {
        if ["network", "processes", "freeze"].iter().any(|name| promise["name"] == *name) {
            assert!(promise["kept_by"].is_null() && promise["gap"].is_null(), "{promise}");
        }
    }
}

#[test]
fn the_table_is_text_for_people() {
    let ended = Referee::new(["doctor", "random-bot"]).run();
    assert!(ended.stdout.contains("\n  no network "), "{}", ended.stdout);
    assert!(ended.stdout.contains("promises kept for random-bot"), "{}", ended.stdout);
}

#[test]
fn a_temporary_directory_in_memory_is_no_bound_on_memory() {
    let Ok(place) = tempfile::Builder::new().prefix("bao-test-").tempdir_in("/dev/shm") else {
        return skip("a_temporary_directory_in_memory_is_no_bound_on_memory", "/dev/shm cannot be written");
    };
    let directory = place.path().to_str().expect("a plain name");
    let ended = Referee::new(["doctor"]).env("TMPDIR", directory).run();
    let line = ended.stdout.lines().find(|line| line.contains("memory is limited")).expect("a promise");
    assert!(line.contains("memory.max") || ended.stdout.contains("are in memory"), "{}", ended.stdout);
}
