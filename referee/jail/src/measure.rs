//! Memory and CPU time of a whole bot, and stopping and resuming it.
//!
//! Cheap enough for a look every few milliseconds: what is read stays open, and new processes are looked for only
//! when the kernel has given out new process numbers.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

pub use crate::census::Census;
use crate::cgroup::{self, Powers};
use crate::procfs;

/// Measures one bot: its process group, or its control group where it has one.
#[derive(Debug)]
pub struct Meter {
    group: i32,
    // The clock of the first process.
    leader: Option<ClockId>,
    cgroup: Option<Cgroup>,
    members: BTreeMap<i32, Member>,
    // What this meter has found out by itself.
    census: Census,
    gone_us: u64,
}

/// The files of a control group that are read often.
#[derive(Debug)]
struct Cgroup {
    path: PathBuf,
    powers: Powers,
    cpu: Option<File>,
    memory_events: Option<File>,
}

#[derive(Debug)]
struct Member {
    memory: File,
    clock: Option<ClockId>,
    used_us: u64,
}

impl Meter {
    pub(crate) fn new(group: i32, path: Option<&Path>, powers: Powers) -> Self {
        let cgroup = path.map(|path| Cgroup {
            path: path.to_owned(),
            powers,
            cpu: File::open(path.join("cpu.stat")).ok(),
            memory_events: powers.memory.then(|| File::open(path.join("memory.events")).ok()).flatten(),
        });
        let leader = clock_getcpuclockid(Pid::from_raw(group)).ok();
        Self { group, leader, cgroup, members: BTreeMap::new(), census: Census::default(), gone_us: 0 }
    }

    /// Measures the resident memory of all the bot's processes in bytes.
    ///
    /// Pages that they share, program text among them, count once for each process: an upper bound, and cheap.
    pub fn rss_bytes(&mut self) -> u64 {
        if self.cgroup.is_none() {
            self.census.refresh();
        }
        let census = std::mem::take(&mut self.census);
        let bytes = self.resident(&census);
        self.census = census;
        bytes
    }

    fn resident(&mut self, census: &Census) -> u64 {
        self.look(census);
        let mut pages = 0;
        self.members.retain(|_, member| {
            let resident = resident_pages(&member.memory);
            pages += resident.unwrap_or(0);
            if resident.is_none() {
                self.gone_us += member.used_us;
            }
            resident.is_some()
        });
        pages * rustix::param::page_size() as u64
    }

    /// Measures the memory that the bot really takes, in bytes: anonymous and shared, each page once.
    ///
    /// Dearer than [`Meter::rss_bytes`] (up to milliseconds for a large bot), and the same where the kernel does not
    /// let us see.
    pub fn memory_bytes(&mut self) -> u64 {
        let bound = self.rss_bytes();
        self.members.keys().map(|pid| proportional(*pid)).sum::<Option<u64>>().unwrap_or(bound)
    }

    /// Tells the memory in bytes of a bot that is over its limit: the cheap look first, the exact one only when needed.
    pub fn over(&mut self, limit: u64) -> Option<u64> {
        if self.memory_killed() {
            return Some(limit);
        }
        let exceeds = |bytes: &u64| *bytes > limit;
        Some(self.rss_bytes()).filter(exceeds).and_then(|_| Some(self.memory_bytes()).filter(exceeds))
    }

    /// Tells the same by a census that was refreshed for many meters.
    pub fn over_by(&mut self, census: &Census, limit: u64) -> Option<u64> {
        if !self.memory_killed() && self.resident(census) <= limit {
            return None;
        }
        self.over(limit)
    }

    /// Measures the CPU time of the bot's first process alone, in microseconds: exact at any time, and the cheapest look
    /// there is. `None` when it is gone.
    pub fn leader_cpu_us(&self) -> Option<u64> {
        clock_gettime(self.leader?).ok().map(micros)
    }

    /// Tells whether the kernel has killed a process of the bot at its memory limit; only control groups know.
    pub fn memory_killed(&self) -> bool {
        let events = self.cgroup.as_ref().and_then(|cgroup| cgroup.memory_events.as_ref());
        events.and_then(|file| cgroup::number(file, "oom_kill")).is_some_and(|count| count > 0)
    }

    /// Measures the CPU time that all the bot's processes have used, in microseconds.
    ///
    /// Exact with a control group, and for a bot of one process. Otherwise the clocks of the living are exact, and a
    /// child that has ended counts as its parent waited for it or as it was last seen, whichever is more.
    pub fn cpu_us(&mut self) -> u64 {
        let cpu = self.cgroup.as_ref().and_then(|cgroup| cgroup.cpu.as_ref());
        if let Some(us) = cpu.and_then(|file| cgroup::number(file, "usage_usec")) {
            return us;
        }
        // Those who have ended leave the list first, so that none counts twice.
        self.rss_bytes();
        let mut living = 0;
        for member in self.members.values_mut() {
            if let Some(Ok(time)) = member.clock.map(clock_gettime) {
                member.used_us = micros(time);
            }
            living += member.used_us;
        }
        living + self.reaped_us().max(self.gone_us)
    }

    /// Counts the bot's processes.
    pub fn processes(&mut self) -> usize {
        self.rss_bytes();
        self.members.len()
    }

    /// Stops the whole bot.
    pub fn stop(&self) {
        self.set_frozen(true);
    }

    /// Lets the whole bot go on. To be called before its clock is started.
    pub fn resume(&self) {
        self.set_frozen(false);
    }

    fn set_frozen(&self, frozen: bool) {
        if let Some(cgroup) = self.cgroup.as_ref().filter(|cgroup| cgroup.powers.freeze) {
            let _ = fs::write(cgroup.path.join("cgroup.freeze"), if frozen { "1" } else { "0" });
            return;
        }
        let signal = if frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
        let _ = killpg(Pid::from_raw(self.group), signal);
    }

    fn reaped_us(&self) -> u64 {
        let ticks = self.members.keys().filter_map(|pid| procfs::stat(*pid)).map(|stat| stat.reaped_ticks);
        ticks.sum::<u64>() * 10_000
    }

    /// Brings the list of members up to date.
    fn look(&mut self, census: &Census) {
        let found: Vec<i32> = match &self.cgroup {
            Some(cgroup) => cgroup::members(&cgroup.path),
            None => census.group(self.group).collect(),
        };
        for pid in found {
            if self.members.contains_key(&pid) {
                continue;
            }
            if let Ok(memory) = File::open(format!("/proc/{pid}/statm")) {
                let clock = clock_getcpuclockid(Pid::from_raw(pid)).ok();
                self.members.insert(pid, Member { memory, clock, used_us: 0 });
            }
        }
    }
}

fn micros(time: TimeSpec) -> u64 {
    time.tv_sec().unsigned_abs() * 1_000_000 + time.tv_nsec().unsigned_abs() / 1000
}

/// Reads the resident pages; `None` when the process is gone.
fn resident_pages(statm: &File) -> Option<u64> {
    let mut buffer = [0; 128];
    let length = statm.read_at(&mut buffer, 0).ok()?;
    std::str::from_utf8(&buffer[..length]).ok()?.split(' ').nth(1)?.parse().ok()
}

/// Reads a process's share of anonymous and shared memory in bytes.
fn proportional(pid: i32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let field = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    Some((field("Pss_Anon:")? + field("Pss_Shmem:")?) * 1024)
}
