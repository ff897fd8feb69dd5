//! What the kernel kills when the machine's memory runs out.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the kernel of this machine has killed a process for want of memory, noted now and then.
#[derive(Debug)]
pub struct Killings {
    older: AtomicU64,
    newer: AtomicU64,
}

impl Killings {
    /// Begins to count; whatever was killed before does not matter.
    pub fn begin() -> Self {
        let count = count();
        Self { older: AtomicU64::new(count), newer: AtomicU64::new(count) }
    }

    /// Notes the count of now, and forgets the last but one.
    pub fn note(&self) {
        self.older.store(self.newer.swap(count(), Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns whether a process was killed since the last note but one.
    pub fn lately(&self) -> bool {
        count() > self.older.load(Ordering::Relaxed)
    }
}

/// Reads the kernel's own count; 0 where it keeps none.
fn count() -> u64 {
    let text = fs::read_to_string("/proc/vmstat").unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
}
