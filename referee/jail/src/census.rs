//! Finds the processes of each group, once for all meters.

use std::collections::{BTreeMap, BTreeSet};

use crate::procfs;

/// If the range of new process numbers is wider than this, all processes are listed instead.
const FEW: i32 = 500;
/// How many processes are remembered before those that have ended are forgotten.
const MANY: usize = 4096;

/// The processes of this machine by their groups, as of the last [`Census::refresh`].
///
/// A refresh looks only at numbers that the kernel has given out since the last time, so it costs almost
/// nothing while no process is started. Processes that have ended stay until there are too many.
#[derive(Debug, Default)]
pub struct Census {
    groups: BTreeMap<i32, BTreeSet<i32>>,
    remembered: usize,
    // The newest process numbers at the last look and at the one before.
    seen: Option<(i32, i32)>,
}

impl Census {
    /// Looks at the new processes.
    pub fn refresh(&mut self) {
        let newest = procfs::newest();
        let candidates: Vec<i32> = match (self.seen, newest) {
            (Some((older, last)), Some(newest)) if older == last && last == newest => return,
            // A number is given out a moment before its process is visible, and a process starts in its parent's
            // group: one look further back.
            (Some((older, _)), Some(newest)) if (older..=older.saturating_add(FEW)).contains(&newest) => {
                (older + 1..=newest).collect()
            }
            (_, _) => procfs::processes().collect(),
        };
        self.seen = newest.map(|newest| (self.seen.map_or(0, |(_, last)| last), newest));
        for pid in candidates {
            self.meet(pid);
        }
        if self.remembered > MANY {
            self.groups.clear();
            self.remembered = 0;
            procfs::processes().for_each(|pid| self.meet(pid));
        }
    }

    /// Lists the processes of a group; some of them may have ended.
    pub(crate) fn group(&self, group: i32) -> impl Iterator<Item = i32> + '_ {
        self.groups.get(&group).into_iter().flatten().copied()
    }

    fn meet(&mut self, pid: i32) {
        let Some(stat) = procfs::stat(pid).filter(procfs::Stat::is_alive) else { return };
        // Threads have numbers, too, but do not lead their process.
        if procfs::status_field(pid, "Tgid") == u64::try_from(pid).ok()
            && self.groups.entry(stat.group).or_default().insert(pid)
        {
            self.remembered += 1;
        }
    }
}
