//! What bots try on the machine, on their opponent and on the referee, and what is left of it under isolation.
//!
//! Each attempt that can be made without harm is made without isolation too, so that a refusal means something.

mod attacks;
mod grants;
mod memory;
mod network;
mod others;
mod processor;
mod thinking;
mod whereabouts;

use std::path::Path;

use bao_protocol::record::Channel;
use bao_tests::bots::{CLEAN, hostile, script};
use bao_tests::{Ended, Referee, skip};

/// The result of an attempt, in the bot's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Attempt {
    Done,
    Refused(String),
}

/// A bot that tries something on its first move.
fn intruder(kind: &str) -> String {
    hostile(&format!("intruder --kind {kind}"))
}

/// One that tries something on a path, which it gets in reverse: what is in its command line a bot may read.
fn intruder_at(kind: &str, path: &Path) -> String {
    let reversed: String = path.display().to_string().chars().rev().collect();
    intruder(&format!("{kind}={reversed}"))
}

/// The same in Python, for what Rust cannot do without unsafe code.
fn python_intruder(kind: &str) -> String {
    script("intruder.py", &format!("--do {kind}"))
}

/// Plays a game in which South tries something; the match must go on for North.
fn play(bot: &str, arguments: &[&str]) -> Ended {
    Referee::plays("bao-kingulu", bot, CLEAN)
        .with(["--games", "2", "--max-plies", "30", "--clock", "30s"])
        .with(arguments.iter().copied())
        .run()
        .exits(0)
}

fn tell(ended: &Ended) -> Attempt {
    let told = ended.said(1, Channel::SouthStderr).concat();
    let last = told.lines().rfind(|line| line.contains(": done") || line.contains(": refused"));
    match last {
        Some(line) if line.ends_with(": done") => Attempt::Done,
        Some(line) => Attempt::Refused(line.to_owned()),
        None => Attempt::Refused(format!("nothing told: {:?}", ended.verdict(1).detail)),
    }
}

/// Checks that the attempt is refused wherever the machine keeps the promise, and that nobody else is harmed.
fn assert_refused(test: &str, promise: &str, bot: &str) {
    let ended = play(bot, &[]);
    if let Some(why) = ended.gap(promise) {
        return skip(test, &format!("the promise {promise} is not kept here: {why}"));
    }
    let attempt = tell(&ended);
    assert!(matches!(attempt, Attempt::Refused(_)), "{bot}: {attempt:?}");
    for row in ended.games() {
        assert!(!row.reason.is_fault(), "{bot}: game {} ended by {}: {:?}", row.game, row.reason, row.detail);
    }
}

/// Checks that the attempt would succeed without isolation.
fn assert_possible_without(bot: &str) {
    let attempt = tell(&play(bot, &["--isolation", "off"]));
    assert_eq!(attempt, Attempt::Done, "{bot} without isolation");
}
