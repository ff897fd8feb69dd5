//! The promises about a bot, what keeps each promise, and what to do if it cannot be kept.

use serde::{Deserialize, Serialize};

use crate::cgroup::Powers;
use crate::files::{WITH_SCOPES, WITH_TRUNCATE};
use crate::lack::{Gap, Lack};
use crate::sandbox::{Level, Sandbox};

/// A kind of promise about a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Nothing that the bot started outlives it.
    KillTree,
    /// It cannot take more memory than its limit.
    Memory,
    /// It cannot have more processes and threads than its limit.
    Processes,
    /// Its CPU time is measured, including its children's.
    CpuTime,
    /// All its processes together get no more processor time than its opponent.
    ProcessorShare,
    /// It is stopped while it is not on turn.
    Freeze,
    /// It reaches no network and no local service.
    Network,
    /// It reads its own files and the system's, and writes only in its scratch directory.
    Files,
    /// It cannot affect other processes.
    OtherProcesses,
    /// Its output cannot fill the referee's memory or disk.
    Output,
}

impl Guard {
    /// Returns its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KillTree => "kill_tree",
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::CpuTime => "cpu_time",
            Self::ProcessorShare => "processor_share",
            Self::Freeze => "freeze",
            Self::Network => "network",
            Self::Files => "files",
            Self::OtherProcesses => "other_processes",
            Self::Output => "output",
        }
    }
}

/// A promise about a bot, kept or not.
///
/// A promise that was not asked for has neither `kept_by` nor `gap`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Promise {
    /// The kind of promise.
    pub name: Guard,
    /// What keeps it.
    pub kept_by: Option<String>,
    /// Why it is not kept, and what to do.
    pub gap: Option<String>,
}

impl Promise {
    /// Makes a promise that was not asked for.
    pub fn unasked(name: Guard) -> Self {
        Self { name, kept_by: None, gap: None }
    }

    /// Makes a promise that is kept by this means.
    pub fn kept(name: Guard, by: impl Into<String>) -> Self {
        Self { kept_by: Some(by.into()), ..Self::unasked(name) }
    }

    /// Makes a promise that is not kept, for this reason.
    pub fn broken(name: Guard, why: impl Into<String>) -> Self {
        Self { gap: Some(why.into()), ..Self::unasked(name) }
    }
}

/// Decides whether strict isolation would start with these promises.
///
/// # Errors
/// The promises that were asked for and cannot be kept.
pub fn strict_would_start(promises: &[Promise]) -> Result<(), Vec<Promise>> {
    let gaps: Vec<_> = promises.iter().filter(|promise| promise.gap.is_some()).cloned().collect();
    if gaps.is_empty() { Ok(()) } else { Err(gaps) }
}

/// The layers that work, or the reasons why they do not, for the machine or for one bot.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    /// The bot has a user id that no other process has.
    pub(crate) own_user: Result<(), Lack>,
    /// Version of Landlock.
    pub(crate) landlock: Result<u32, Lack>,
    pub(crate) seccomp: Result<(), Lack>,
    pub(crate) cgroup: Result<Powers, Lack>,
    /// Resource limits were set.
    pub(crate) limits: Result<(), Lack>,
    /// Bots' directories are on a disk.
    pub(crate) disk: Result<(), Lack>,
    /// The bot has its own session.
    pub(crate) session: Result<(), Lack>,
    /// The kernel divides processor time by session.
    pub(crate) autogroup: Result<(), Lack>,
}

impl Layers {
    /// Returns layers that all fail for one reason.
    pub(crate) fn none(reason: &Lack) -> Self {
        let no = || reason.clone();
        Self {
            own_user: Err(no()),
            landlock: Err(no()),
            seccomp: Err(no()),
            cgroup: Err(no()),
            limits: Err(no()),
            // The directory is not the problem.
            disk: Ok(()),
            session: Err(no()),
            autogroup: Err(no()),
        }
    }

    /// Makes the table of promises that these layers keep.
    pub(crate) fn promises(&self, sandbox: &Sandbox) -> Vec<Promise> {
        let asked = sandbox.level != Level::Off;
        [
            (Guard::KillTree, true, self.kill_tree()),
            (Guard::Memory, sandbox.memory_bytes.is_some(), self.memory()),
            (Guard::Processes, asked && sandbox.processes.is_some(), self.processes(sandbox)),
            (Guard::CpuTime, true, self.cpu_time(sandbox)),
            (Guard::ProcessorShare, asked, self.processor_share(sandbox)),
            (Guard::Freeze, sandbox.freeze, self.freeze()),
            (Guard::Network, asked && !sandbox.network, self.network()),
            (Guard::Files, asked, self.files()),
            (Guard::OtherProcesses, asked, self.other_processes()),
            (Guard::Output, true, Ok("the referee's limits on lines, turns and games".to_owned())),
        ]
        .into_iter()
        .map(|(name, asked, kept)| match kept {
            Ok(_) | Err(_) if !asked => Promise::unasked(name),
            Ok(by) => Promise::kept(name, by),
            Err(why) => Promise::broken(name, why.to_string()),
        })
        .collect()
    }

    fn powers(&self) -> Powers {
        self.cgroup.clone().unwrap_or_default()
    }

    fn kill_tree(&self) -> Result<String, Gap> {
        if self.powers().kill {
            return Ok("cgroup.kill".into());
        }
        if self.own_user.is_ok() {
            return Ok("own user id".into());
        }
        match &self.seccomp {
            Ok(()) => Ok("process group that cannot be left (seccomp)".into()),
            Err(why) => Err(Gap::Escape(why.clone())),
        }
    }

    fn memory(&self) -> Result<String, Gap> {
        let limit = if self.limits.is_ok() { "watchdog and RLIMIT_DATA" } else { "watchdog" };
        if self.powers().memory {
            return Ok(format!("memory.max, {limit}"));
        }
        self.disk.clone()?;
        Ok(limit.into())
    }

    fn processes(&self, sandbox: &Sandbox) -> Result<String, Gap> {
        if self.powers().pids {
            return Ok("pids.max".into());
        }
        if sandbox.single_process && self.seccomp.is_ok() {
            return Ok("no new processes (seccomp), and a watchdog counts its threads".into());
        }
        self.own_user.clone().map_err(Gap::Counted)?;
        self.limits.clone().map_err(Gap::Limits)?;
        Ok("RLIMIT_NPROC of its own user id".into())
    }

    fn cpu_time(&self, sandbox: &Sandbox) -> Result<String, Gap> {
        match (&self.cgroup, &self.seccomp) {
            (Ok(_), _) => Ok("cpu.stat".into()),
            (Err(_), Ok(())) if sandbox.single_process => Ok("processor clock of its only process".into()),
            (Err(_), _) if !sandbox.exact_processor_time => {
                Ok("processor clocks of its process group (a child for which no parent waits counts up to the last check)".into())
            }
            (Err(why), _) => Err(Gap::ShortChildren(why.clone())),
        }
    }

    fn processor_share(&self, sandbox: &Sandbox) -> Result<String, Gap> {
        if self.powers().cpu {
            return Ok("cpu.weight".into());
        }
        if sandbox.freeze && self.freeze().is_ok() {
            return Ok("stopped while its opponent thinks".into());
        }
        self.autogroup.clone()?;
        self.session.clone()?;
        // A bot that may create sessions gets a share for each.
        self.seccomp.clone()?;
        Ok("its own session, by which the kernel divides processor time".into())
    }

    fn freeze(&self) -> Result<String, Gap> {
        if self.powers().freeze {
            return Ok("cgroup.freeze".into());
        }
        match &self.seccomp {
            Ok(()) => Ok("SIGSTOP to a process group that no process can leave or resume (seccomp)".into()),
            Err(why) => Err(Gap::Wakes(why.clone())),
        }
    }

    fn network(&self) -> Result<String, Gap> {
        match (&self.seccomp, &self.landlock) {
            (Ok(()), Ok(version)) if *version >= 4 => Ok("no sockets (seccomp), no TCP (Landlock)".into()),
            (Ok(()), _) => Ok("no sockets (seccomp)".into()),
            (Err(why), Ok(version)) if *version >= 4 => Err(Gap::OnlyTcp(why.clone())),
            (Err(why), _) => Err(why.clone().into()),
        }
    }

    fn files(&self) -> Result<String, Gap> {
        let old = |version: &u32| *version < WITH_TRUNCATE;
        match (&self.landlock, &self.own_user, &self.seccomp) {
            (Err(why), Ok(()), _) => Err(Gap::OpenToAll(why.clone())),
            (Err(why), Err(_), _) => Err(why.clone().into()),
            (Ok(version), _, Err(why)) if old(version) => Err(Gap::Truncation(*version, why.clone())),
            (Ok(version), Ok(()), Ok(())) if old(version) => {
                Ok(format!("Landlock {version}, own user id, no emptying by name (seccomp)"))
            }
            (Ok(version), Ok(()), _) => Ok(format!("Landlock {version}, own user id")),
            (Ok(version), Err(_), Ok(())) if old(version) => {
                Ok(format!("Landlock {version}, no changes of mode or owner, no emptying by name (seccomp)"))
            }
            (Ok(version), Err(_), Ok(())) => {
                Ok(format!("Landlock {version}, no changes of mode or owner (seccomp)"))
            }
            (Ok(_), Err(_), Err(why)) => Err(Gap::Modes(why.clone())),
        }
    }

    fn other_processes(&self) -> Result<String, Gap> {
        match (&self.own_user, &self.landlock, &self.seccomp) {
            (Ok(()), Ok(version), Ok(())) => {
                Ok(format!("own user id, Landlock {version}, no ptrace (seccomp)"))
            }
            // In one session every user may send SIGCONT.
            (Ok(()), version, Err(_)) if !version.as_ref().is_ok_and(|version| *version >= WITH_SCOPES) => {
                self.session.clone()?;
                Ok("own user id".into())
            }
            (Ok(()), _, _) => Ok("own user id".into()),
            (Err(_), Ok(version), Ok(())) if *version >= WITH_SCOPES => {
                Ok(format!("signals kept inside (Landlock {version}), no ptrace (seccomp)"))
            }
            (Err(_), Ok(version), Ok(())) => {
                Ok(format!("/proc closed (Landlock {version}), no ptrace and no signals by number (seccomp)"))
            }
            (Err(user), Err(why), Ok(())) => Err(Gap::Proc(why.clone(), user.clone())),
            (Err(user), _, Err(why)) => Err(Gap::Both(why.clone(), user.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Layers {
        let powers = Powers { kill: true, freeze: true, memory: true, pids: true, cpu: true };
        Layers {
            own_user: Ok(()),
            landlock: Ok(7),
            seccomp: Ok(()),
            cgroup: Ok(powers),
            limits: Ok(()),
            disk: Ok(()),
            session: Ok(()),
            autogroup: Ok(()),
        }
    }

    #[test]
    fn with_every_layer_strict_starts() {
        let sandbox = Sandbox { freeze: true, ..Sandbox::default() };
        assert_eq!(strict_would_start(&all().promises(&sandbox)), Ok(()));
    }

    #[test]
    fn a_guard_is_called_in_json_as_in_records() {
        for Promise { name, .. } in all().promises(&Sandbox::default()) {
            assert_eq!(serde_json::to_value(name).unwrap(), name.name());
        }
    }

    #[test]
    fn with_no_layer_every_gap_says_why() {
        let promises = Layers::none(&Lack::Shim("REASON".into()))
            .promises(&Sandbox { freeze: true, ..Sandbox::default() });
        let gaps = strict_would_start(&promises).unwrap_err();
        let names: Vec<_> = gaps.iter().map(|promise| promise.name).collect();
        let expected = [
            Guard::KillTree,
            Guard::Processes,
            Guard::ProcessorShare,
            Guard::Freeze,
            Guard::Network,
            Guard::Files,
            Guard::OtherProcesses,
        ];
        assert_eq!(names, expected);
        for gap in gaps {
            assert!(gap.gap.unwrap().contains("REASON"), "{:?}", gap.name);
        }
    }

    #[test]
    fn what_is_not_asked_for_is_neither_kept_nor_a_gap() {
        let sandbox = Sandbox { network: true, processes: None, ..Sandbox::default() };
        for promise in Layers::none(&Lack::Off).promises(&sandbox) {
            if [Guard::Network, Guard::Processes, Guard::Freeze].contains(&promise.name) {
                assert_eq!((promise.kept_by, promise.gap), (None, None));
            }
        }
    }

    #[test]
    fn an_ordinary_user_on_a_new_kernel_lacks_only_the_exact_number_of_processes() {
        let layers = Layers { own_user: Err(Lack::NotRoot), cgroup: Err(Lack::NoGroups), ..all() };
        let gaps = strict_would_start(&layers.promises(&Sandbox::default())).unwrap_err();
        assert_eq!(gaps.iter().map(|gap| gap.name).collect::<Vec<_>>(), [Guard::Processes]);
        let single = Sandbox { single_process: true, ..Sandbox::default() };
        assert_eq!(strict_would_start(&layers.promises(&single)), Ok(()));
    }

    #[test]
    fn many_processes_get_one_share_by_control_group_or_by_session_or_the_bot_is_stopped() {
        let share = |layers: &Layers, sandbox: &Sandbox| {
            let promises = layers.promises(sandbox);
            promises.into_iter().find(|promise| promise.name == Guard::ProcessorShare).unwrap().kept_by
        };
        let sandbox = Sandbox::default();
        let without = Layers { cgroup: Err(Lack::NoGroups), ..all() };
        assert_eq!(share(&all(), &sandbox).as_deref(), Some("cpu.weight"));
        assert!(share(&without, &sandbox).unwrap().contains("session"));
        for layers in [
            Layers { autogroup: Err(Lack::NotRootGroup), ..without.clone() },
            Layers { session: Err(Lack::NoReport), ..without.clone() },
            Layers { seccomp: Err(Lack::NoReport), ..without.clone() },
        ] {
            assert_eq!(share(&layers, &sandbox), None);
        }
        let container = Layers { autogroup: Err(Lack::NotRootGroup), ..without };
        assert!(share(&container, &Sandbox { freeze: true, ..sandbox }).unwrap().contains("stopped"));
    }
}
