//! The operator's settings: the level of isolation, and the settings of one bot.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The level of isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The bot keeps the referee's environment, working directory and rights; only the means to kill its whole
    /// tree stay (process group, parent-death signal, marker, sweep).
    Off,
    /// As much isolation as this machine can give; gaps are reported with their reasons.
    #[default]
    BestEffort,
    /// As best effort, but a promise that cannot be kept is an error and the bot does not start.
    Strict,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "off",
            Self::BestEffort => "best-effort",
            Self::Strict => "strict",
        })
    }
}

/// A text that is not a level of isolation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("isolation `{0}` is not one of off, best-effort, strict")]
pub struct BadLevel(String);

impl FromStr for Level {
    type Err = BadLevel;

    fn from_str(text: &str) -> Result<Self, BadLevel> {
        match text {
            "off" => Ok(Self::Off),
            "best-effort" => Ok(Self::BestEffort),
            "strict" => Ok(Self::Strict),
            other => Err(BadLevel(other.to_owned())),
        }
    }
}

/// When a bot gets a control group.
///
/// Joining a group takes about 10 ms per start, because the kernel waits for every processor: five times
/// the rest of the isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlGroup {
    /// Never.
    Never,
    /// If it can limit memory or processes.
    #[default]
    ForLimits,
    /// If one can be created: `cgroup.kill`, `cgroup.freeze` and `cpu.stat` need no controller.
    Always,
}

/// The settings of one bot.
///
/// The defaults let Python, Node, Java, bash and compiled bots run unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The level of isolation.
    pub level: Level,
    /// Memory of the bot with all its processes in bytes (resident, anonymous and shared); `None` sets no limit.
    pub memory_bytes: Option<u64>,
    /// Processes *and threads* of the bot; `None` sets no limit.
    pub processes: Option<u32>,
    /// Open files of each process.
    pub open_files: u64,
    /// Size of any one file that the bot writes, in bytes.
    pub file_bytes: u64,
    /// CPU seconds of each process of the bot, as a second limit in addition to the clocks.
    pub cpu_seconds: Option<u64>,
    /// The directory in which relative paths of the bot's command begin [default: the referee's working directory].
    pub directory: Option<PathBuf>,
    /// Files and directories that the bot may read and execute, in addition to its own and the system's.
    pub readable: Vec<PathBuf>,
    /// Files and directories that the bot may change, in addition to its scratch directory.
    pub writable: Vec<PathBuf>,
    /// Files of other bots, to which no link may lead.
    #[serde(skip)]
    pub foreign: Vec<PathBuf>,
    /// Variables for the bot, in addition to the short list that it inherits (`PATH`, `LANG`, `LC_*`, `TZ`).
    pub env: BTreeMap<String, String>,
    /// Allows sockets.
    pub network: bool,
    /// Refuses new processes; threads stay possible.
    pub single_process: bool,
    /// When the bot gets a control group of its own, on machines that allow it.
    pub control_group: ControlGroup,
    /// Requires exact processor time, because clocks count it.
    #[serde(skip)]
    pub exact_processor_time: bool,
    /// The numbers of the processors on which the bot runs; the filter of system calls keeps it there. Empty: those of the
    /// referee.
    #[serde(skip)]
    pub processors: Vec<u32>,
    /// Requires that the bot is stopped while it is not on turn; the caller does this with [`crate::measure::Meter`].
    pub freeze: bool,
}

impl Sandbox {
    /// Returns the directory in which relative paths of the bot's command begin.
    ///
    /// # Errors
    /// The system's error, if the working directory is needed and cannot be found.
    pub fn base(&self) -> io::Result<PathBuf> {
        self.directory.clone().map_or_else(std::env::current_dir, Ok)
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self {
            level: Level::default(),
            memory_bytes: Some(1 << 30),
            processes: Some(256),
            open_files: 512,
            file_bytes: 256 << 20,
            cpu_seconds: None,
            directory: None,
            readable: Vec::new(),
            writable: Vec::new(),
            foreign: Vec::new(),
            env: BTreeMap::new(),
            network: false,
            single_process: false,
            control_group: ControlGroup::default(),
            exact_processor_time: false,
            processors: Vec::new(),
            freeze: false,
        }
    }
}
