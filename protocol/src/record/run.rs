//! `run.json`: the head of a record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Plan;

/// `run.json`: what was played, with what, where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of the record's formats: 1.
    pub record: u32,
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of the rulebook.
    pub rules: u32,
    /// The referee's name and version.
    pub referee: String,
    /// When the run was started, in RFC 3339.
    pub started: String,
    /// The seed from which everything random follows.
    pub seed: u64,
    /// The resolved configuration: everything that decides what is played, a [`Plan`]. A run resumes only under the same.
    pub plan: Value,
    /// The bots, in the order of the configuration.
    pub bots: Vec<RunBot>,
    /// The machine.
    pub host: Host,
    /// What isolation was reached for each bot that has been started, promise by promise; null before the first.
    pub isolation: Option<BTreeMap<String, Vec<Promise>>>,
}

impl Run {
    /// Reads the plan.
    ///
    /// # Errors
    /// It is not a plan of this version.
    pub fn plan(&self) -> Result<Plan, serde_json::Error> {
        Plan::deserialize(&self.plan)
    }
}

/// A promise about a bot, kept or not. Neither `kept_by` nor `gap`: it was not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promise {
    // In the order in which records have always had them.
    /// Why it is not kept, and what to do.
    pub gap: Option<String>,
    /// What keeps it.
    pub kept_by: Option<String>,
    /// What is promised.
    pub name: String,
}

/// A bot of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunBot {
    /// The name in this run's rows.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The SHA-256 of the program's file, in hexadecimal.
    pub program_sha256: Option<String>,
    /// The same of the files that the command names beside the program, such as a script, by their paths; left
    /// out where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files_sha256: BTreeMap<String, String>,
    /// What the bot said in its hello, once it has said it.
    pub hello: Option<Value>,
}

/// The machine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// The operating system and its release.
    pub system: String,
    /// The processor's architecture.
    pub architecture: String,
    /// How many processors the referee may use.
    pub cpus: u64,
    /// The machine's memory, in bytes.
    pub memory_bytes: Option<u64>,
}
