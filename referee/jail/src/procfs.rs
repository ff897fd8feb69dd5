//! Reads the parts of `/proc` that isolation needs.

use std::fs;

use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// What `/proc/PID/stat` says about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) pid: i32,
    pub(crate) state: u8,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    /// CPU time of the children that it has waited for, in ticks of 10 ms.
    pub(crate) reaped_ticks: u64,
    pub(crate) threads: u64,
    /// Mapped memory in bytes.
    pub(crate) mapped_bytes: u64,
    /// Resident memory in pages.
    pub(crate) resident_pages: u64,
}

impl Stat {
    /// Returns whether the process still runs code, or can be made to.
    ///
    /// A process whose first thread has ended looks dead, but has other threads.
    pub(crate) fn is_alive(&self) -> bool {
        match self.state {
            b'Z' => self.threads > 1,
            b'X' | b'x' => false,
            _ => true,
        }
    }

    /// Returns whether the first thread has ended before others, so that the process shows neither memory nor files.
    pub(crate) fn lost_its_first_thread(&self) -> bool {
        self.state == b'Z' && self.threads > 1
    }

    fn parse(text: &str) -> Option<Self> {
        // The name is in parentheses and may contain anything, including parentheses.
        let (pid, rest) = text.split_once(" (")?;
        let rest = &rest[rest.rfind(')')? + 1..];
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self {
            pid: pid.parse().ok()?,
            state: *fields.first()?.as_bytes().first()?,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            reaped_ticks: number(13)? + number(14)?,
            threads: number(17)?,
            mapped_bytes: number(20)?,
            resident_pages: number(21)?,
        })
    }
}

/// Reads the state of a process; `None` if it has ended.
pub(crate) fn stat(pid: i32) -> Option<Stat> {
    // Names need not be UTF-8.
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    Stat::parse(&String::from_utf8_lossy(&bytes))
}

/// Reaps a dead process that the kernel gave to this one when its parent died; returns whether it did.
///
/// It does not reap processes that this process has started itself: their spawner reaps them.
pub(crate) fn reap_orphan(stat: &Stat) -> bool {
    let orphan = !stat.is_alive() && stat.parent.unsigned_abs() == std::process::id();
    orphan && waitpid(Pid::from_raw(stat.pid), Some(WaitPidFlag::WNOHANG)).is_ok()
}

/// Lists the threads of a process.
pub(crate) fn threads(pid: i32) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Lists every process that this `/proc` shows.
pub(crate) fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Reads a field of `/proc/PID/status`: the first number after its name.
pub(crate) fn status_field(pid: i32, name: &str) -> Option<u64> {
    task_field(pid, pid, name)
}

/// Reads a field of the status of one thread of a process: the first number after its name.
pub(crate) fn task_field(pid: i32, thread: i32, name: &str) -> Option<u64> {
    let bytes = fs::read(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Reads the number that the kernel gave to the newest process or thread.
pub(crate) fn newest() -> Option<i32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_ascii_whitespace().last()?.parse().ok()
}

/// Returns whether a process was started with `NAME=VALUE` in its environment.
pub(crate) fn has_variable(pid: i32, variable: &str) -> bool {
    fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|one| one == variable.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_named_to_confuse_is_read_right() {
        let text = "42 (a) R 1 (b) S 7 8 9 0 -1 4194560 1 2 3 4 5 6 70 80 20 0 1 0 100 4096 2\n";
        let expected = Stat {
            pid: 42,
            state: b'S',
            parent: 7,
            group: 8,
            reaped_ticks: 150,
            threads: 1,
            mapped_bytes: 4096,
            resident_pages: 2,
        };
        assert_eq!(Stat::parse(text), Some(expected));
    }

    #[test]
    fn a_process_is_dead_when_its_last_thread_is() {
        let state = |state, threads| {
            let text = format!("1 (x) {state} 7 8 9 0 -1 4 1 2 3 4 5 6 70 80 20 0 {threads} 0 100 0 0\n");
            Stat::parse(&text).unwrap()
        };
        assert!(state("S", 1).is_alive());
        assert!(state("T", 1).is_alive());
        assert!(!state("Z", 1).is_alive());
        assert!(state("Z", 2).is_alive());
        assert!(state("Z", 2).lost_its_first_thread());
    }

    #[test]
    fn this_process_is_there_and_alive() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let stat = stat(pid).unwrap();
        assert_eq!(stat.pid, pid);
        assert!(stat.is_alive());
        assert!(processes().any(|other| other == pid));
        assert!(status_field(pid, "Threads").unwrap() >= 1);
        assert!(newest().unwrap() > 0);
    }
}
