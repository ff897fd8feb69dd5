//! Bots that take memory without end.

use bao_protocol::Reason;
use bao_rules::Side;
use bao_tests::bots::hostile;

use super::{play, python_intruder};

/// Checks that the bot loses by its limit, that its opponent is unharmed, and that the next game is played.
fn check(bot: &str) {
    let ended = play(bot, &["--first-sandbox", "memory=128MiB"]);
    let row = ended.verdict(1);
    assert_eq!(row.reason, Reason::MemoryLimit, "{bot}: {:?}", row.detail);
    assert_eq!(row.fault.map(Side::from), Some(Side::South));
    assert!(row.detail.is_some_and(|detail| detail.contains("128 MiB") || detail.contains("134217728")));
    assert_eq!(ended.games().len(), 2);
}

#[test]
fn private_memory_without_end_loses_by_the_limit() {
    check(&hostile("mem_bomb"));
}

#[test]
fn shared_memory_without_end_loses_by_the_limit() {
    check(&python_intruder("shared_memory"));
}

#[test]
fn memory_in_files_is_refused_or_loses_by_the_limit() {
    let bot = python_intruder("memfd");
    let attempt = super::tell(&play(&bot, &["--first-sandbox", "memory=128MiB"]));
    if !matches!(attempt, super::Attempt::Refused(why) if why.starts_with("memfd: refused")) {
        check(&bot);
    }
}

#[test]
fn a_limit_that_is_not_reached_is_not_felt() {
    let ended = play(&hostile("nothing"), &["--sandbox", "memory=128MiB"]);
    assert!(ended.games().iter().all(|row| !row.reason.is_fault()));
}
