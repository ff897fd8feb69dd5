//! The settings of a bot's sandbox as text, the same on the command line and in files.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::sandbox::Sandbox;

/// One setting; its text form is KEY=VALUE, as in `memory=512MiB`.
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

/// With less memory hardly any program reaches its first line.
const LEAST_MEMORY: u64 = 16 << 20;
/// With fewer open files a program cannot load its libraries.
const LEAST_FILES: u32 = 4;

impl Setting {
    /// Applies the setting to a sandbox; relative paths begin in this directory.
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

/// Why a text is not a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSetting {
    /// It has no `=`.
    #[error("write KEY=VALUE, for example memory=512MiB")]
    NotKeyValue,
    /// There is no setting with this key.
    #[error(
        "no setting is called \"{0}\"; choose one of memory, processes, open-files, file, cpu-seconds, read, write, env, network, \
         single-process"
    )]
    UnknownKey(String),
    /// The value of `env` has no `=`.
    #[error("write a variable as env=NAME=VALUE")]
    NotVariable,
    /// The value is neither `yes` nor `no`.
    #[error("\"{0}\" is neither yes nor no; write one of the two")]
    NotYesOrNo(String),
    /// The value is not a whole number, or is below the least that is useful.
    #[error("\"{value}\" is not a whole number from {least} to {max}", max = u32::MAX)]
    NotCount {
        /// The value.
        value: String,
        /// The least that is useful.
        least: u32,
    },
    /// The value is not a size.
    #[error("\"{0}\" is not a size; write for example 512MiB or 1GiB")]
    NotSize(String),
    /// The size does not fit into 64 bits.
    #[error("\"{0}\" is too large")]
    TooLarge(String),
    /// The size is less memory than any program can run in.
    #[error("\"{0}\" is less than any program can run in; give at least 16MiB, with its unit")]
    TooLittleMemory(String),
}

impl FromStr for Setting {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Self, BadSetting> {
        let (key, value) = text.split_once('=').ok_or(BadSetting::NotKeyValue)?;
        Ok(match key {
            "memory" => Setting::Memory(or_none(value, memory)?),
            "processes" => Setting::Processes(or_none(value, |text| count(text, 1))?),
            "open-files" => Setting::OpenFiles(count(value, LEAST_FILES)?.into()),
            "file" => Setting::File(size(value)?),
            "cpu-seconds" => Setting::CpuSeconds(or_none(value, |text| count(text, 1))?.map(u64::from)),
            "read" => Setting::Read(value.into()),
            "write" => Setting::Write(value.into()),
            "env" => {
                let (name, value) = value.split_once('=').ok_or(BadSetting::NotVariable)?;
                Setting::Env(name.to_owned(), value.to_owned())
            }
            "network" => Setting::Network(yes(value)?),
            "single-process" => Setting::SingleProcess(yes(value)?),
            other => return Err(BadSetting::UnknownKey(other.to_owned())),
        })
    }
}

fn or_none<T>(text: &str, parse: impl Fn(&str) -> Result<T, BadSetting>) -> Result<Option<T>, BadSetting> {
    if text == "none" { Ok(None) } else { parse(text).map(Some) }
}

fn yes(text: &str) -> Result<bool, BadSetting> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(BadSetting::NotYesOrNo(other.to_owned())),
    }
}

fn count(text: &str, least: u32) -> Result<u32, BadSetting> {
    let wrong = || BadSetting::NotCount { value: text.to_owned(), least };
    text.parse().ok().filter(|count| *count >= least).ok_or_else(wrong)
}

fn memory(text: &str) -> Result<u64, BadSetting> {
    let wrong = || BadSetting::TooLittleMemory(text.to_owned());
    Some(size(text)?).filter(|bytes| *bytes >= LEAST_MEMORY).ok_or_else(wrong)
}

/// Reads a size in bytes: `1GiB`, `512MiB`, `64KiB`, or a plain number of bytes.
fn size(text: &str) -> Result<u64, BadSetting> {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1), ("", 1)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .expect("the empty unit ends every text");
    let number: u64 = number.trim().parse().map_err(|_| BadSetting::NotSize(text.to_owned()))?;
    number.checked_mul(unit).ok_or_else(|| BadSetting::TooLarge(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_bot_could_live_with_is_refused_with_the_least_that_would_do() {
        for (text, says) in [
            ("memory=1", "\"1\" is less than any program can run in; give at least 16MiB, with its unit"),
            ("memory=0", "at least 16MiB"),
            ("memory=15MiB", "at least 16MiB"),
            ("processes=0", "\"0\" is not a whole number from 1 to"),
            ("processes=-1", "\"-1\" is not a whole number from 1 to"),
            ("open-files=3", "\"3\" is not a whole number from 4 to"),
            ("cpu-seconds=0", "\"0\" is not a whole number from 1 to"),
            ("cpu-seconds=1.5", "\"1.5\" is not a whole number from 1 to"),
        ] {
            let said = Setting::from_str(text).expect_err(text).to_string();
            assert!(said.contains(says), "{text}: {said}");
        }
        for (text, setting) in [
            ("memory=16MiB", Setting::Memory(Some(16 << 20))),
            ("memory=none", Setting::Memory(None)),
            ("processes=1", Setting::Processes(Some(1))),
            ("open-files=4", Setting::OpenFiles(4)),
            // Such a bot may write to its pipes and to no file.
            ("file=0", Setting::File(0)),
            ("cpu-seconds=1", Setting::CpuSeconds(Some(1))),
            ("cpu-seconds=none", Setting::CpuSeconds(None)),
        ] {
            assert_eq!(text.parse(), Ok(setting), "{text}");
        }
    }
}
