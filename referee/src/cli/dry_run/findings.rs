//! The findings of a dry run.

use serde::Serialize;

use super::forecast::{Disk, Processors, Time};
use super::trial::Trial;
use crate::plan::Plan;
use crate::run::Entry;
use bao_jail::Promise;

/// The findings of a dry run.
#[derive(Debug, Serialize)]
pub(super) struct Findings {
    pub(super) event: &'static str,
    /// The number of games, or the most that it can be.
    pub(super) games: u64,
    pub(super) games_are_exact: bool,
    /// How many of them are finished, if a record is continued.
    pub(super) finished: u64,
    /// The plan, in sentences.
    pub(super) plan: Vec<String>,
    pub(super) time: Time,
    pub(super) measured: Option<Trial>,
    pub(super) disk: Disk,
    pub(super) processors: Processors,
    pub(super) bots: Vec<BotFindings>,
    /// Warnings, which do not stop the run.
    pub(super) warnings: Vec<String>,
    /// Problems for which the run would be refused.
    pub(super) problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct BotFindings {
    pub(super) name: String,
    pub(super) command: Vec<String>,
    /// Its name and its version, as in its hello.
    pub(super) hello: Option<[String; 2]>,
    /// The time from its start until it was ready for all of its games.
    pub(super) ready_ms: Option<u64>,
    /// The promises about it; empty if it could not be started.
    pub(super) isolation: Vec<Promise>,
    pub(super) problems: Vec<String>,
}

impl BotFindings {
    pub(super) fn of(plan: &Plan, entry: Entry) -> Self {
        let bot = &plan.bots[entry.bot];
        Self {
            name: bot.name.clone(),
            command: bot.command.clone(),
            hello: entry.hello.map(|hello| [hello.name, hello.version]),
            ready_ms: entry.ready.and_then(|ready| u64::try_from(ready.as_millis()).ok()),
            isolation: entry.promises,
            problems: entry.problems.iter().map(ToString::to_string).collect(),
        }
    }
}
