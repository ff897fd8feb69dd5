//! The orders of a shim, and their format.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::again::again;
use crate::files::Grants;
use crate::identity::Identity;

/// The name of the hidden mode that carries out orders.
pub(crate) const MODE: &str = "run";
/// Holds the orders of a shim, as JSON: unlike arguments, only the same user can look at the environment.
pub(crate) const ORDERS: &str = "BAO_REFEREE_ORDERS";
/// What the shim must do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The pid of the referee.
    pub(crate) parent: u32,
    /// The number of the inherited descriptor for the report.
    pub(crate) status: i32,
    /// A step that cannot be taken ends the shim.
    pub(crate) strict: bool,
    /// The soft limit of open files, if nothing is restricted.
    pub(crate) open_files: Option<u64>,
    /// The numbers of the processors to run on; empty keeps the referee's.
    pub(crate) processors: Vec<u32>,
    /// The restrictions; `None` restricts nothing.
    pub(crate) restrict: Option<Restrictions>,
    /// The bot's whole environment, or what to add to the referee's.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) clear_env: bool,
}

/// The restrictions of one bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Restrictions {
    pub(crate) cgroup: Option<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) identity: Identity,
    /// The files that Landlock allows; `None` without Landlock.
    pub(crate) grants: Option<Grants>,
    /// Landlock must stop signals to other processes, if it can.
    pub(crate) scopes: bool,
    /// Apply seccomp.
    pub(crate) seccomp: bool,
    pub(crate) network: bool,
    pub(crate) single_process: bool,
    pub(crate) unmapped_memory: bool,
    pub(crate) alarms: bool,
}

/// Resource limits; a hard limit of the launcher also holds, unless the referee is root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) open_files: u64,
    pub(crate) file_bytes: u64,
    pub(crate) data_bytes: Option<u64>,
    pub(crate) processes: Option<u64>,
    pub(crate) cpu_seconds: Option<u64>,
}

/// Makes the command for a shim. The caller adds the program and its arguments; without them it is a test of the
/// machine.
pub(crate) fn with_orders(orders: &Orders) -> io::Result<Command> {
    let mut command = again(MODE);
    command.env(ORDERS, serde_json::to_string(orders)?);
    Ok(command)
}
