//! `run.json`: the head of a record.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Plan;

/// `run.json`: what was played, with what, where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of the record's formats: 1 or 2.
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
    /// The one machine of a record of version 1.
    #[serde(flatten)]
    pub only: Option<OnlyHost>,
    /// The machines, in the order in which they came; rows name them by their places, from 0. Empty in version 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Host>,
    /// What the record has when the event is over: whatever is missing then was taken out. Left out before, and in
    /// version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

impl Run {
    /// Reads the plan.
    ///
    /// # Errors
    /// It is not a plan of this version.
    pub fn plan(&self) -> Result<Plan, serde_json::Error> {
        Plan::deserialize(&self.plan)
    }

    /// Returns the machines with the isolation that each reached, whatever the version.
    pub fn machines(&self) -> Vec<(&Machine, Option<&Isolation>)> {
        let only = self.only.iter().map(|only| (&only.host, only.isolation.as_ref()));
        only.chain(self.hosts.iter().map(|host| (&host.machine, host.isolation.as_ref()))).collect()
    }
}

/// What isolation was reached for each bot that has been started, promise by promise.
pub type Isolation = BTreeMap<String, Vec<Promise>>;

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

/// The one machine of a record of version 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnlyHost {
    /// The machine.
    pub host: Machine,
    /// What isolation was reached for each bot that has been started; null before the first.
    pub isolation: Option<Isolation>,
}

/// A machine on which games of a run were played, and how it played them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// Its name on its network.
    pub name: String,
    /// What the system has called itself since it was last booted; null where it has no such name.
    pub boot_id: Option<String>,
    /// What it is.
    #[serde(flatten)]
    pub machine: Machine,
    /// The user id under which the referee ran, on which isolation depends.
    pub user: u32,
    /// How many games were played at once, at most.
    pub concurrency: u64,
    /// The processors that the referee and the bots had to themselves; left out where they shared them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinning: Option<Pinning>,
    /// When its first game was about to begin, in RFC 3339.
    pub since: String,
    /// What isolation was reached for each bot that has been started; null before the first.
    pub isolation: Option<Isolation>,
}

/// Which processors a run's referee and bots had to themselves, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pinning {
    /// The referee's.
    pub referee: Vec<u32>,
    /// Those of each table's two bots; the same twice where they shared them.
    pub tables: Vec<[Vec<u32>; 2]>,
}

impl fmt::Display for Pinning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "referee on {}", list(&self.referee))?;
        for (table, [first, second]) in self.tables.iter().enumerate() {
            write!(f, "; bots of table {} on {}", table + 1, list(first))?;
            if first != second {
                write!(f, " and {}", list(second))?;
            }
        }
        Ok(())
    }
}

/// Writes numbers of processors as the system does: `0-3,8`.
fn list(processors: &[u32]) -> String {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for processor in processors {
        match runs.last_mut() {
            Some([_, last]) if last.checked_add(1) == Some(*processor) => *last = *processor,
            _ => runs.push([*processor; 2]),
        }
    }
    let run = |[first, last]: &[u32; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

/// What a machine is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// The operating system and its release.
    pub system: String,
    /// The processor's architecture.
    pub architecture: String,
    /// How many processors the referee may use.
    pub cpus: u64,
    /// The machine's memory, in bytes.
    pub memory_bytes: Option<u64>,
}

/// What a record has when its event is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct End {
    /// How many rows `games.jsonl` has.
    pub rows: u64,
    /// The SHA-256 of its last row, newline included, in hexadecimal; that of the plan where there are no rows.
    pub last_sha256: String,
    /// The length of `moves.jsonl`, in bytes.
    pub moves_end: u64,
    /// The length of `stderr.jsonl`, in bytes.
    pub stderr_end: u64,
    /// The lengths of `wire/1.jsonl.gz`, `wire/2.jsonl.gz` and so on, in bytes.
    pub wire_ends: Vec<u64>,
    /// The course digest.
    pub course_sha256: String,
    /// The SHA-256 of the last line of `acts.jsonl`, newline included, in hexadecimal; left out where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acts_sha256: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_listed_as_the_system_does() {
        let tables = vec![[vec![1, 5], vec![1, 5]], [vec![2], vec![3]]];
        let pinning = Pinning { referee: vec![0, 4, 8, 9, 10], tables };
        let text = "referee on 0,4,8-10; bots of table 1 on 1,5; bots of table 2 on 2 and 3";
        assert_eq!(pinning.to_string(), text);
    }
}
