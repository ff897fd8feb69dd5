//! Measures memory and CPU time of a whole bot, and stops and resumes it.
//!
//! It is cheap enough to use every few milliseconds: files stay open, and new processes are searched only
//! when the kernel has given out new process numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

pub use crate::census::Census;
use crate::cgroup::{self, Powers};
pub use crate::killings::Killings;
use crate::procfs::{self, Stat};
use crate::weigh::{self, Glance};

/// How long the check of one bot may delay the checks of others.
const BUDGET: Duration = Duration::from_millis(4);

/// Whose memory ran out, if the kernel killed a process of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RanOut {
    /// The bot's: it was over its limit.
    Own,
    /// The machine's, or that of a group that includes the referee.
    Machine,
}

/// Measures one bot: its process group, or its control group if it has one.
#[derive(Debug)]
pub struct Meter {
    group: i32,
    // The clock of the first process, and the file that shows its memory. Files of other processes are not kept
    // open: a bot must not decide how many files the referee has open.
    leader: Option<ClockId>,
    statm: Option<File>,
    cgroup: Option<Cgroup>,
    members: BTreeMap<i32, Member>,
    // The processes that this meter has found itself.
    census: Census,
    gone_us: u64,
    exact: Option<Box<Exact>>,
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
    clock: Option<ClockId>,
    used_us: u64,
}

/// An unfinished exact measurement of a bot's memory; it may take several calls.
#[derive(Debug)]
struct Exact {
    /// Whether the kernel's memory for the processes is known, and the share of each process is being added.
    shares: bool,
    pending: Vec<i32>,
    resident: u64,
    hidden: u64,
    shared: u64,
    sockets: BTreeSet<String>,
}

impl Meter {
    pub(crate) fn new(group: i32, path: Option<&Path>, powers: Powers) -> Self {
        let cgroup = path.map(|path| Cgroup {
            path: path.to_owned(),
            powers,
            cpu: File::open(path.join("cpu.stat")).ok(),
            memory_events: powers.memory.then(|| File::open(path.join("memory.events")).ok()).flatten(),
        });
        Self {
            group,
            leader: clock_getcpuclockid(Pid::from_raw(group)).ok(),
            statm: File::open(format!("/proc/{group}/statm")).ok(),
            cgroup,
            members: BTreeMap::new(),
            census: Census::default(),
            gone_us: 0,
            exact: None,
        }
    }

    /// Measures the resident memory of all the bot's processes in bytes.
    ///
    /// Shared pages, such as program text, count once for each process: a cheap upper bound.
    pub fn rss_bytes(&mut self) -> u64 {
        self.own_look().resident
    }

    /// Measures the memory that the bot really uses, in bytes: anonymous and shared, each page once, and what the
    /// kernel holds for it.
    ///
    /// It is slower than [`Meter::rss_bytes`] (up to milliseconds for a large bot), and the same if the kernel does
    /// not show more.
    pub fn memory_bytes(&mut self) -> u64 {
        let resident = self.rss_bytes();
        let mut exact = Exact::begin(resident, self.members.keys());
        exact.go_on(None, u64::MAX);
        exact.shares = true;
        exact.pending = self.members.keys().copied().collect();
        exact.go_on(None, u64::MAX);
        exact.bytes()
    }

    /// Returns the memory in bytes of a bot that is over its limit: first by the cheap measurement, by the exact
    /// one only if necessary.
    pub fn over(&mut self, limit: u64) -> Option<u64> {
        let glance = self.own_look();
        self.judge(glance, limit, None)
    }

    /// Returns the same with a census that was refreshed for many meters, in bounded time: an exact measurement of
    /// many processes continues at the next call.
    pub fn over_by(&mut self, census: &Census, limit: u64) -> Option<u64> {
        let glance = self.glance(census);
        self.judge(glance, limit, Some(now() + BUDGET))
    }

    fn judge(&mut self, glance: Glance, limit: u64, until: Option<Duration>) -> Option<u64> {
        if self.memory_killed() == Some(RanOut::Own) {
            return Some(limit);
        }
        if self.exact.is_none() && glance.resident + glance.hidden_at_most <= limit {
            return None;
        }
        let pids: Vec<i32> = self.members.keys().copied().collect();
        let mut exact = self.exact.take().unwrap_or_else(|| Box::new(Exact::begin(glance.resident, &pids)));
        loop {
            if !exact.go_on(until, limit) {
                self.exact = Some(exact);
                return None;
            }
            if exact.bytes() <= limit {
                return None;
            }
            if exact.shares {
                return Some(exact.bytes());
            }
            exact.shares = true;
            exact.pending.clone_from(&pids);
        }
    }

    /// Measures with a census of its own.
    fn own_look(&mut self) -> Glance {
        if self.cgroup.is_none() {
            self.census.refresh();
        }
        let census = std::mem::take(&mut self.census);
        let glance = self.glance(&census);
        self.census = census;
        glance
    }

    /// Measures every process of the bot, and forgets those that have ended.
    fn glance(&mut self, census: &Census) -> Glance {
        self.look(census);
        let mut sum = Glance::default();
        let (group, statm, inside) = (self.group, &self.statm, self.cgroup.is_some());
        let mut gone_us = 0;
        self.members.retain(|pid, member| {
            let of_leader = statm.as_ref().filter(|_| *pid == group);
            let seen = of_leader.and_then(|statm| weigh::glance_at_leader(group, statm)).or_else(|| {
                let stat = procfs::stat(*pid)?;
                if *pid != group {
                    procfs::reap_orphan(&stat);
                }
                // The number may belong to another process now.
                ((inside || stat.group == group) && stat.is_alive()).then(|| weigh::glance(&stat))
            });
            if let Some(glance) = seen {
                sum.resident += glance.resident;
                sum.hidden_at_most += glance.hidden_at_most;
            } else {
                gone_us += member.used_us;
            }
            seen.is_some()
        });
        self.gone_us += gone_us;
        sum
    }

    /// Counts the bot's threads with a census that was refreshed for many meters.
    pub fn threads_by(&mut self, census: &Census) -> u64 {
        self.look(census);
        let stats = self.members.keys().filter_map(|pid| procfs::stat(*pid));
        stats.filter(|stat| stat.group == self.group || self.cgroup.is_some()).map(|stat| stat.threads).sum()
    }

    /// Measures only the CPU time of the bot's first process, in microseconds: exact at any time, and the cheapest
    /// measurement. `None` if it has ended.
    pub fn leader_cpu_us(&self) -> Option<u64> {
        clock_gettime(self.leader?).ok().map(micros)
    }

    /// Returns whose memory ran out if the kernel has killed a process of the bot; only control groups show this.
    pub fn memory_killed(&self) -> Option<RanOut> {
        let events = self.cgroup.as_ref()?.memory_events.as_ref()?;
        let count = |name| cgroup::number(events, name).is_some_and(|count| count > 0);
        // The first counts every kill, the second only kills because of the group's own limit.
        count("oom_kill").then(|| if count("oom") { RanOut::Own } else { RanOut::Machine })
    }

    /// Measures the CPU time that all the bot's processes have used, in microseconds.
    ///
    /// It is exact with a control group, and for a bot of one process. Otherwise the clocks of live processes are
    /// exact, and a child that has ended counts with what its parent got when it waited for it, or with its last
    /// measurement, whichever is more.
    pub fn cpu_us(&mut self) -> u64 {
        self.group_cpu_us().unwrap_or_else(|| {
            // Remove ended processes from the list first, so that none counts twice.
            self.rss_bytes();
            self.members_cpu_us()
        })
    }

    /// Measures the same with a census that was refreshed for many meters.
    pub fn cpu_us_by(&mut self, census: &Census) -> u64 {
        self.group_cpu_us().unwrap_or_else(|| {
            self.glance(census);
            self.members_cpu_us()
        })
    }

    /// Reads the CPU time of the bot's control group, if it has one, in microseconds.
    fn group_cpu_us(&self) -> Option<u64> {
        cgroup::number(self.cgroup.as_ref()?.cpu.as_ref()?, "usage_usec")
    }

    /// Adds up the CPU time of the processes that are known, and of those that have ended, in microseconds.
    fn members_cpu_us(&mut self) -> u64 {
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

    /// Stops the whole bot. What it uses afterwards ([`Meter::cpu_us`]) shows whether it stayed stopped.
    pub fn stop(&self) {
        self.set_frozen(true);
    }

    /// Resumes the whole bot. Call this before its clock starts.
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

    /// Updates the list of members.
    fn look(&mut self, census: &Census) {
        let found: Vec<i32> = match &self.cgroup {
            Some(cgroup) => cgroup::members(&cgroup.path),
            None => census.group(self.group).collect(),
        };
        for pid in found {
            if self.members.contains_key(&pid) {
                continue;
            }
            let clock = clock_getcpuclockid(Pid::from_raw(pid)).ok();
            self.members.insert(pid, Member { clock, used_us: 0 });
        }
    }
}

impl Exact {
    fn begin<'a>(resident: u64, pids: impl IntoIterator<Item = &'a i32>) -> Self {
        Self {
            shares: false,
            pending: pids.into_iter().copied().collect(),
            resident,
            hidden: 0,
            shared: 0,
            sockets: BTreeSet::new(),
        }
    }

    /// Measures the processes that are left; returns whether it is done: with all of them, or because the limit is
    /// exceeded.
    fn go_on(&mut self, until: Option<Duration>, limit: u64) -> bool {
        while let Some(pid) = self.pending.pop() {
            if let Some(stat) = procfs::stat(pid).filter(Stat::is_alive) {
                if self.shares {
                    self.shared +=
                        weigh::proportional(&stat).unwrap_or_else(|| weigh::glance(&stat).resident);
                } else {
                    self.hidden += weigh::hidden(&stat, &mut self.sockets);
                }
            }
            if self.shares && self.bytes() > limit {
                return true;
            }
            if until.is_some_and(|until| now() > until) && !self.pending.is_empty() {
                return false;
            }
        }
        true
    }

    fn bytes(&self) -> u64 {
        self.hidden + if self.shares { self.shared } else { self.resident }
    }
}

pub(crate) fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::try_from(time).unwrap_or_default()
}

fn micros(time: TimeSpec) -> u64 {
    time.tv_sec().unsigned_abs() * 1_000_000 + time.tv_nsec().unsigned_abs() / 1000
}
