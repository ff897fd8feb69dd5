//! What a check found.

use std::borrow::Cow;

use bao_protocol::Reason;
use bao_protocol::from_bot::Hello;
use serde::Serialize;

/// What a whole check found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Whether the bot may play: no test failed.
    pub compliant: bool,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What the bot said of itself, where it did.
    pub hello: Option<Hello>,
    /// The seed from which the games and the questions followed.
    pub seed: u64,
    /// The tests, in their order.
    pub tests: Vec<Test>,
    /// What the bot cost.
    pub cost: Cost,
}

/// What a bot cost, over all its processes.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Cost {
    /// How many moves it made.
    pub moves: u64,
    /// The time for them all, in microseconds.
    pub total_us: u64,
    /// The time for the slowest of them.
    pub most_us: u64,
    /// The most memory that it was seen to take, in bytes.
    pub memory_bytes: u64,
    /// Its processor time, in microseconds.
    pub cpu_us: u64,
    /// How often it was started.
    pub starts: u64,
}

/// One test.
#[derive(Debug, Clone, Serialize)]
pub struct Test {
    /// Its name, in one word.
    pub name: &'static str,
    /// How it went.
    pub outcome: Outcome,
    /// What was done or measured, in a line.
    pub summary: String,
    /// What is wrong, if anything.
    pub findings: Vec<Finding>,
}

/// How a test went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All is well.
    Pass,
    /// It could not be made, or the bot does not offer what it is about.
    Skipped,
    /// Something should be better, but loses no game.
    Warning,
    /// Something loses games or stops an event.
    Failure,
}

/// Something that is wrong with a bot.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Whether it loses games or stops an event.
    pub failure: bool,
    /// The reason code with which it ends a game, where it does.
    pub reason: Option<Reason>,
    /// What went wrong and when, in a sentence.
    pub problem: String,
    /// The last that the bot was sent.
    pub sent: Option<String>,
    /// The last that came back, oldest first.
    pub received: Vec<String>,
    /// What should have come back, where that is one thing.
    pub expected: Option<String>,
    /// The end of what the bot wrote to its standard error.
    pub stderr: Option<String>,
    /// What to change.
    pub advice: Cow<'static, str>,
}

impl Finding {
    /// Something that loses games or stops an event.
    pub fn failure(problem: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Self {
        Self {
            failure: true,
            reason: None,
            problem: problem.into(),
            sent: None,
            received: Vec::new(),
            expected: None,
            stderr: None,
            advice: advice.into(),
        }
    }

    /// Something that should be better.
    pub fn warning(problem: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Self {
        Self { failure: false, ..Self::failure(problem, advice) }
    }
}

impl Test {
    /// A test with what it found.
    pub fn new(name: &'static str, summary: impl Into<String>, findings: Vec<Finding>) -> Self {
        let outcome = match findings.iter().map(|finding| finding.failure).max() {
            None => Outcome::Pass,
            Some(false) => Outcome::Warning,
            Some(true) => Outcome::Failure,
        };
        Self { name, outcome, summary: summary.into(), findings }
    }

    /// A test that was not made.
    pub fn skipped(name: &'static str, why: impl Into<String>) -> Self {
        Self { name, outcome: Outcome::Skipped, summary: why.into(), findings: Vec::new() }
    }
}
