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

/// A test that can be asked for by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestName {
    /// Requests between games.
    Ping,
    /// Options set to their defaults and to values that they cannot have.
    Options,
    /// Messages and fields that the bot cannot know.
    Unknown,
    /// As many games as are asked for.
    Games,
    /// A game under every kind of clock.
    Clocks,
    /// Long games.
    LongGame,
    /// Games with messages and fields that the bot cannot know.
    UnknownInGames,
    /// The rules code of a bot that offers `verify`.
    Rules,
    /// What the bot does while it waits.
    Idle,
    /// The end by `bye`.
    Bye,
    /// The end without a word.
    Eof,
}

impl TestName {
    /// All of them, in the order in which they are made: the plainest first, so that a fault which shows everywhere is
    /// not blamed on something special.
    pub const ALL: [Self; 11] = [
        Self::Ping,
        Self::Options,
        Self::Unknown,
        Self::Games,
        Self::Clocks,
        Self::LongGame,
        Self::UnknownInGames,
        Self::Rules,
        Self::Idle,
        Self::Bye,
        Self::Eof,
    ];

    /// Returns its name, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ping => "ping",
            Self::Options => "options",
            Self::Unknown => "unknown",
            Self::Games => "games",
            Self::Clocks => "clocks",
            Self::LongGame => "long-game",
            Self::UnknownInGames => "unknown-in-games",
            Self::Rules => "rules",
            Self::Idle => "idle",
            Self::Bye => "bye",
            Self::Eof => "eof",
        }
    }
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
    /// When it went wrong first, or empty.
    pub when: String,
    /// What went wrong, in a sentence.
    pub problem: String,
    /// How often it was found in this test.
    pub count: u64,
    /// The earlier test that has found the same and shows the evidence.
    pub same_as: Option<&'static str>,
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
            when: String::new(),
            problem: problem.into(),
            count: 1,
            same_as: None,
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

impl Finding {
    /// Returns whether this is the same mistake as another: only numbers differ, or the pits and the text of a line.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let plain = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
        let kind = |finding: &Self| (finding.failure, finding.reason, plain(&finding.problem));
        kind(self) == kind(other)
    }
}

impl Test {
    /// A test with what it found; one mistake is kept once, with how often it was found.
    pub(super) fn merged(name: &'static str, summary: impl Into<String>, found: Vec<Finding>) -> Self {
        let mut findings: Vec<Finding> = Vec::new();
        for finding in found {
            match findings.iter_mut().find(|known| known.is_like(&finding)) {
                Some(known) => known.count += finding.count,
                None => findings.push(finding),
            }
        }
        Self::new(name, summary, findings)
    }

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
