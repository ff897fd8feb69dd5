//! Notices when the kernel kills processes because the machine's memory ran out.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// The count of processes that the kernel has killed because memory ran out, noted from time to time.
#[derive(Debug)]
pub struct Killings {
    older: AtomicU64,
    newer: AtomicU64,
}

impl Killings {
    /// Begins to count; earlier kills do not matter.
    pub fn begin() -> Self {
        let count = count();
        Self { older: AtomicU64::new(count), newer: AtomicU64::new(count) }
    }

    /// Notes the current count, and keeps the note before it.
    pub fn note(&self) {
        self.older.store(self.newer.swap(count(), Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns whether a process was killed since the note before the last.
    pub fn lately(&self) -> bool {
        count() > self.older.load(Ordering::Relaxed)
    }
}

/// Reads the kernel's count; 0 if it has none.
fn count() -> u64 {
    let text = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
}
