//! Finding and killing everything that a bot has started.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use crate::measure::now;
use crate::procfs::{self, Stat};
use crate::{cgroup, kill_user, scratch};

/// A process of a bot that could not be killed in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Survivor {
    /// Its process id.
    pub pid: i32,
    /// The kernel's name for it.
    pub name: String,
}

impl Survivor {
    pub(crate) fn of(pid: i32) -> Self {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        Self { pid, name: name.trim_end().to_owned() }
    }
}

/// Everything that identifies the processes of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traces {
    /// The process group, whose number is the pid of the bot itself; `None` before it is spawned.
    pub(crate) group: Option<i32>,
    /// The user id that only this bot has.
    pub(crate) uid: Option<u32>,
    /// The control group.
    pub(crate) cgroup: Option<PathBuf>,
    /// The variable, `NAME=VALUE`, in the bot's environment.
    pub(crate) marker: String,
    /// The bot can leave its group, so the sweep must search for the marker.
    pub(crate) may_leave: bool,
    /// The directory to remove when no process is left.
    pub(crate) scratch: Option<PathBuf>,
}

/// How long a sweep continues while a process is alive: a killed process needs time to free much memory.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it waits for a dead process whose parent may never reap it.
const PATIENCE_WITH_THE_DEAD: Duration = Duration::from_millis(300);
/// How often a sweep kills at least, even on a slow machine; each round ends with a pause of a millisecond.
const ROUNDS: u32 = 20;

impl Traces {
    /// Kills the group and the control group at once, without waiting.
    pub(crate) fn kill(&self) {
        if let Some(path) = &self.cgroup {
            let _ = cgroup::kill(path);
        }
        if let Some(group) = self.group {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }

    /// Kills and reaps until no process is left or the time is over.
    ///
    /// Blocks for [`PATIENCE`] at most. The bot's own process must be reaped, or will be soon.
    pub(crate) fn sweep(&self) -> Swept {
        let mut left = if self.is_gone() { Vec::new() } else { self.remains() };
        let began = now();
        for round in 0.. {
            // Its spawner may still have to reap the bot itself.
            let patience = if left.iter().any(Stat::is_alive) { PATIENCE } else { PATIENCE_WITH_THE_DEAD };
            if left.iter().all(|stat| !stat.is_alive() && Some(stat.pid) == self.group)
                || (round >= ROUNDS && now() > began + patience)
            {
                break;
            }
            self.kill();
            for stat in &left {
                let _ = kill(Pid::from_raw(stat.pid), Signal::SIGKILL);
            }
            if round > 0
                && let Some(uid) = self.uid
                && left.iter().any(Stat::is_alive)
            {
                // Processes may fork faster than they are listed: one call reaches all processes of a user.
                let _ = kill_user::kill_user(uid);
            }
            std::thread::sleep(Duration::from_millis(1));
            left = self.remains();
        }
        let alive = left.iter().filter(|stat| stat.is_alive());
        Swept { alive: alive.map(|stat| Survivor::of(stat.pid)).collect(), nobody: left.is_empty() }
    }

    /// Returns, without a search, whether no process is left: the bot cannot leave its group, and the group has no
    /// member, alive or dead.
    fn is_gone(&self) -> bool {
        let no_member = |group| killpg(Pid::from_raw(group), None) == Err(nix::errno::Errno::ESRCH);
        !self.may_leave && self.group.is_some_and(no_member)
    }

    /// Lists the live processes of the bot, by control group, process group, user and marker.
    pub(crate) fn survivors(&self) -> Vec<i32> {
        self.remains().iter().filter(|stat| stat.is_alive()).map(|stat| stat.pid).collect()
    }

    /// Lists what is left of the bot, including dead processes that are not reaped; reaps those that this process
    /// must reap.
    fn remains(&self) -> Vec<Stat> {
        let inside = self.cgroup.as_deref().map(cgroup::members).unwrap_or_default();
        let stats = procfs::processes().filter_map(procfs::stat);
        // Kernel threads are children of process 2.
        stats
            .filter(|stat| stat.parent != 2 && (inside.contains(&stat.pid) || self.is_ours(stat)))
            .filter(|stat| Some(stat.pid) == self.group || !procfs::reap_orphan(stat))
            .collect()
    }

    fn is_ours(&self, stat: &Stat) -> bool {
        self.group == Some(stat.group)
            || self.uid.is_some_and(|uid| is_owned_by(stat.pid, uid))
            || (self.may_leave && procfs::has_variable(stat.pid, &self.marker))
    }

    /// Removes the control group and the directory of the bot.
    ///
    /// # Errors
    /// Why its scratch directory could not be removed.
    pub(crate) fn clear_up(&self) -> io::Result<()> {
        if let Some(path) = &self.cgroup {
            // The group is busy for a moment after the last death; the janitor tries again at the end.
            for _ in 0..20 {
                if cgroup::remove(path).is_ok() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.scratch.as_deref().map_or(Ok(()), scratch::remove)
    }
}

/// The result of a sweep.
#[derive(Debug)]
pub(crate) struct Swept {
    /// Processes that could not be killed in time.
    pub(crate) alive: Vec<Survivor>,
    /// Whether no process has the bot's user id any more, dead or alive.
    pub(crate) nobody: bool,
}

/// Lists every process of a user, including dead processes that are not reaped.
pub(crate) fn owned_by(uid: u32) -> Vec<i32> {
    procfs::processes().filter(|pid| is_owned_by(*pid, uid)).collect()
}

fn is_owned_by(pid: i32, uid: u32) -> bool {
    let Ok(meta) = fs::metadata(format!("/proc/{pid}")) else { return false };
    // A process can make its directory look like root's, but not its status file.
    meta.uid() == uid || (meta.uid() == 0 && procfs::status_field(pid, "Uid") == Some(uid.into()))
}
