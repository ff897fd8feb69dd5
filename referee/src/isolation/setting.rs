//! The settings of a bot's sandbox as text, the same on the command line and in files.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Sandbox;

/// One thing that is allowed or bounded; its text form is KEY=VALUE, as in `memory=512MiB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `memory`: the most memory, in bytes.
    Memory(Option<u64>),
    /// `processes`: the most processes and threads.
    Processes(Option<u32>),
    /// `open-files`: the most open files of each process.
    OpenFiles(u64),
    /// `file`: the largest file, in bytes.
    File(u64),
    /// `cpu-seconds`: the most processor time of each process.
    CpuSeconds(Option<u64>),
    /// `read`: a path that may be read.
    Read(PathBuf),
    /// `write`: a path that may be changed.
    Write(PathBuf),
    /// `env`: a variable and its value.
    Env(String, String),
    /// `network`: whether sockets are allowed.
    Network(bool),
    /// `single-process`: whether new processes are refused.
    SingleProcess(bool),
}

impl Setting {
    /// Changes a sandbox accordingly; relative paths begin in this directory.
    pub fn apply(&self, sandbox: &mut Sandbox, directory: &Path) {
        match self.clone() {
            Self::Memory(bytes) => sandbox.memory_bytes = bytes,
            Self::Processes(count) => sandbox.processes = count,
            Self::OpenFiles(count) => sandbox.open_files = count,
            Self::File(bytes) => sandbox.file_bytes = bytes,
            Self::CpuSeconds(seconds) => sandbox.cpu_seconds = seconds,
            Self::Read(path) => sandbox.readable.push(directory.join(path)),
            Self::Write(path) => sandbox.writable.push(directory.join(path)),
            Self::Env(name, value) => drop(sandbox.env.insert(name, value)),
            Self::Network(allowed) => sandbox.network = allowed,
            Self::SingleProcess(asked) => sandbox.single_process = asked,
        }
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or("a setting is KEY=VALUE, as in memory=512MiB")?;
        Ok(match key {
            "memory" => Setting::Memory(or_none(value, size)?),
            "processes" => Setting::Processes(or_none(value, count)?),
            "open-files" => Setting::OpenFiles(count(value)?),
            "file" => Setting::File(size(value)?),
            "cpu-seconds" => Setting::CpuSeconds(or_none(value, count)?),
            "read" => Setting::Read(value.into()),
            "write" => Setting::Write(value.into()),
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
