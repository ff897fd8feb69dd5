//! What can be seen of a referee from outside while it runs.

use std::collections::BTreeSet;
use std::fs;

use crate::survivors::Stat;

/// The most that was seen of a running referee.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The peak of its resident memory, in KiB.
    pub(crate) peak_kib: u64,
    /// The most file descriptors that it held at once.
    pub(crate) most_files: usize,
    /// The process groups of everything that it started.
    pub(crate) groups: BTreeSet<i32>,
}

impl Seen {
    /// Looks once more at the process `pid`.
    pub(crate) fn look(&mut self, pid: i32) {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        self.peak_kib = self.peak_kib.max(peak.unwrap_or(0));
        let files = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        self.most_files = self.most_files.max(files);
        let own = Stat::of(std::process::id().cast_signed()).map(|stat| stat.group);
        for child in descendants(pid) {
            // Between its start and its exec a child is still in the group of the tests.
            let group = Stat::of(child).map(|stat| stat.group).filter(|group| Some(*group) != own);
            self.groups.extend(group);
        }
    }
}

/// Returns the numbers of all that a process has started.
pub(crate) fn descendants(pid: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children: Vec<i32> =
                children.split_ascii_whitespace().filter_map(|child| child.parse().ok()).collect();
            open.extend(&children);
            found.extend(children);
        }
    }
    found
}
