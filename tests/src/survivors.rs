//! The search for processes that should be gone.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::clock::Deadline;

/// How long a killed process may take to disappear: a wide bound on an endless wait.
const GONE: Duration = Duration::from_secs(5);

/// A process that outlived its referee.
#[derive(Debug)]
struct Survivor {
    pid: i32,
    command: String,
    found_by: &'static str,
}

/// Waits until no process bears the mark or belongs to one of the groups; kills and names those that stay.
///
/// # Errors
/// A text that names each process that stayed, and how it was found.
pub(crate) fn none_left(mark: &str, groups: &BTreeSet<i32>) -> Result<(), String> {
    let deadline = Deadline::after(GONE);
    loop {
        let left = search(mark, groups);
        if left.is_empty() {
            return Ok(());
        }
        if deadline.is_over() {
            let told: Vec<String> = left
                .iter()
                .map(|one| format!("  {} (by its {}): {}", one.pid, one.found_by, one.command))
                .collect();
            kill(&left);
            return Err(format!("{} processes outlived the referee:\n{}", left.len(), told.join("\n")));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills every process that bears the mark.
pub(crate) fn sweep(mark: &str) {
    kill(&search(mark, &BTreeSet::new()));
}

fn kill(survivors: &[Survivor]) {
    for survivor in survivors {
        if let Some(pid) = Pid::from_raw(survivor.pid) {
            let _gone = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}

fn search(mark: &str, groups: &BTreeSet<i32>) -> Vec<Survivor> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").expect("/proc is there").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|&pid| pid as u32 != own).filter_map(|pid| survivor(pid, mark, groups)).collect()
}

fn survivor(pid: i32, mark: &str, groups: &BTreeSet<i32>) -> Option<Survivor> {
    let about = Stat::of(pid)?;
    if about.dead {
        return None;
    }
    let read = |what: &str| fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
    let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
    let directory = fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    let found_by = if command.contains(mark) {
        "command line"
    } else if String::from_utf8_lossy(&read("environ")).contains(mark) {
        "environment"
    } else if directory.to_string_lossy().contains(mark) {
        "working directory"
    } else if groups.contains(&about.group) {
        "process group"
    } else {
        return None;
    };
    Some(Survivor { pid, command, found_by })
}

/// What `/proc/PID/stat` tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stat {
    /// Whether the process has exited and only waits to be reaped.
    pub(crate) dead: bool,
    /// Its process group.
    pub(crate) group: i32,
}

impl Stat {
    /// Reads it; `None` for a process that is gone.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The program's name may hold anything, parentheses too.
        let mut fields = text[text.rfind(')')? + 1..].split_ascii_whitespace();
        let state = fields.next()?;
        let group = fields.nth(1)?.parse().ok()?;
        Some(Self { dead: matches!(state, "Z" | "X"), group })
    }
}
