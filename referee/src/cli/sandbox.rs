//! What bots may do, on the command line.

use clap::Args;

use super::Failure;
use crate::isolation::{Level, Sandbox};

/// What a bot may do, and how far that is enforced.
#[derive(Debug, Args)]
pub(super) struct SandboxArguments {
    /// How bots are kept from doing harm: off, best-effort (what this machine can do) or strict (all or nothing).
    #[arg(long, value_name = "LEVEL", default_value = "best-effort", help_heading = "Isolation")]
    isolation: Level,
    /// Stop a bot while it is not on turn, so that it cannot think on its opponent's time.
    #[arg(long, help_heading = "Isolation")]
    freeze: bool,
    /// Allow or bound something (may be given more than once): memory=1GiB, processes=256, open-files=512,
    /// file=256MiB, cpu-seconds=600, read=PATH, write=PATH, env=NAME=VALUE, network=yes, single-process=yes; "none"
    /// takes a bound away.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, help_heading = "Isolation")]
    sandbox: Vec<Setting>,
}

/// What each of two bots may do.
#[derive(Debug, Args)]
pub(super) struct SandboxesArguments {
    #[command(flatten)]
    common: SandboxArguments,
    /// Allow or bound something for the first bot alone.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, help_heading = "Isolation")]
    first_sandbox: Vec<Setting>,
    /// Allow or bound something for the second bot alone.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, help_heading = "Isolation")]
    second_sandbox: Vec<Setting>,
}

impl SandboxesArguments {
    /// Makes the two bots' sandboxes.
    pub(super) fn both(&self) -> [Sandbox; 2] {
        [&self.first_sandbox, &self.second_sandbox].map(|own| {
            let mut sandbox = self.common.one();
            for setting in own {
                setting.apply(&mut sandbox);
            }
            sandbox
        })
    }
}

impl SandboxArguments {
    /// Makes the sandbox of a single bot.
    pub(super) fn one(&self) -> Sandbox {
        let mut sandbox = Sandbox { level: self.isolation, freeze: self.freeze, ..Sandbox::default() };
        for setting in &self.sandbox {
            setting.apply(&mut sandbox);
        }
        sandbox
    }
}

/// One thing that is allowed or bounded.
#[derive(Debug, Clone)]
enum Setting {
    Memory(Option<u64>),
    Processes(Option<u32>),
    OpenFiles(u64),
    File(u64),
    CpuSeconds(Option<u64>),
    Read(std::path::PathBuf),
    Write(std::path::PathBuf),
    Env(String, String),
    Network(bool),
    SingleProcess(bool),
}

impl Setting {
    fn apply(&self, sandbox: &mut Sandbox) {
        match self.clone() {
            Self::Memory(bytes) => sandbox.memory_bytes = bytes,
            Self::Processes(count) => sandbox.processes = count,
            Self::OpenFiles(count) => sandbox.open_files = count,
            Self::File(bytes) => sandbox.file_bytes = bytes,
            Self::CpuSeconds(seconds) => sandbox.cpu_seconds = seconds,
            Self::Read(path) => sandbox.readable.push(path),
            Self::Write(path) => sandbox.writable.push(path),
            Self::Env(name, value) => drop(sandbox.env.insert(name, value)),
            Self::Network(allowed) => sandbox.network = allowed,
            Self::SingleProcess(asked) => sandbox.single_process = asked,
        }
    }
}

fn setting(text: &str) -> Result<Setting, String> {
    let (key, value) = text.split_once('=').ok_or("a setting is KEY=VALUE, as in memory=512MiB")?;
    let path = || std::path::absolute(value).map_err(|error| format!("{value}: {error}"));
    Ok(match key {
        "memory" => Setting::Memory(or_none(value, size)?),
        "processes" => Setting::Processes(or_none(value, count)?),
        "open-files" => Setting::OpenFiles(count(value)?),
        "file" => Setting::File(size(value)?),
        "cpu-seconds" => Setting::CpuSeconds(or_none(value, count)?),
        "read" => Setting::Read(path()?),
        "write" => Setting::Write(path()?),
        "env" => {
            let (name, value) = value.split_once('=').ok_or("a variable is env=NAME=VALUE")?;
            Setting::Env(name.to_owned(), value.to_owned())
        }
        "network" => Setting::Network(yes(value)?),
        "single-process" => Setting::SingleProcess(yes(value)?),
        other => {
            return Err(format!(
                "no setting \"{other}\"; there are memory, processes, open-files, file, cpu-seconds, read, write, env, \
                 network, single-process"
            ));
        }
    })
}

fn or_none<T>(text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text == "none" { Ok(None) } else { parse(text).map(Some) }
}

fn yes(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("\"{other}\" is neither yes nor no")),
    }
}

fn count<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("\"{text}\" is no number"))
}

/// Reads a size in bytes: `1GiB`, `512MiB`, `64KiB`, or a plain number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1), ("", 1)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .expect("the empty unit ends every text");
    let number: u64 =
        number.trim().parse().map_err(|_| format!("\"{text}\" is no size such as 512MiB or 1GiB"))?;
    number.checked_mul(unit).ok_or_else(|| format!("\"{text}\" is too large"))
}

/// Refuses what strict isolation could not keep, before anything is started.
pub(super) fn check(host: &crate::isolation::Host, sandboxes: &[&Sandbox]) -> Result<(), Failure> {
    for sandbox in sandboxes.iter().filter(|sandbox| sandbox.level == Level::Strict) {
        crate::isolation::strict_would_start(&host.promises(sandbox)).map_err(|gaps| {
            let gaps: Vec<String> = gaps
                .iter()
                .map(|promise| format!("{:?}: {}", promise.name, promise.gap.as_deref().unwrap_or_default()))
                .collect();
            Failure::Usage(format!(
                "strict isolation cannot be kept here: {}; `referee doctor` tells more",
                gaps.join("; ")
            ))
        })?;
    }
    Ok(())
}
