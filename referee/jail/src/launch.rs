//! One start of a bot: the preparation, the running bot, and the cleaning up at its end.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::channel::{Channel, Status};
use crate::error::SetupError;
use crate::files::{Grants, WITH_SCOPES};
use crate::host::Host;
use crate::identity::Identity;
use crate::lack::Lack;
use crate::measure::{Meter, RanOut};
use crate::orders::{Limits, Orders, Restrictions, with_orders};
use crate::promise::{Layers, Promise, strict_would_start};
use crate::quarters;
use crate::reach::Resolved;
use crate::report::{Line, Outcome, Step};
use crate::rights;
use crate::sandbox::{Level, Sandbox};
use crate::sweep::{Survivor, Traces};
use crate::uids::Slot;
use crate::{env, launcher, scratch};

/// A bot whose shim has become the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// The promises about this bot, and what keeps each of them.
    pub promises: Vec<Promise>,
}

/// What is left of a bot after its end, although it should not be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leftover {
    /// A process that could not be killed in time.
    Process(Survivor),
    /// Its private directory could not be removed, and why.
    Directory(PathBuf, String),
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(Survivor { pid, name }) => {
                write!(f, "process {pid} ({name}) of a bot could not be killed")
            }
            Self::Directory(path, why) => {
                write!(f, "the directory {} of a bot could not be removed: {why}", path.display())
            }
        }
    }
}

/// A bot that is ready to be spawned. Dropping it removes everything that was prepared.
#[derive(Debug)]
pub struct Launch {
    jail: Jail,
    channel: Channel,
    resolved: Resolved,
    orders: Orders,
}

impl Launch {
    /// Resolves the command and prepares what the bot needs: scratch directory, user id, control group, orders.
    ///
    /// Paths in the command are relative to [`Sandbox::directory`], and become absolute because the bot runs in its
    /// scratch directory; see [`Sandbox`].
    ///
    /// # Errors
    /// [`SetupError`] if the program is missing, if strict isolation is impossible, or if the machine refuses.
    pub fn prepare(
        host: &Host,
        sandbox: &Sandbox,
        program: &Path,
        args: &[OsString],
    ) -> Result<Self, SetupError> {
        let resolved = quarters::resolve(sandbox, program, args)?;
        let mut layers = host.layers(sandbox);
        if layers.landlock.is_ok()
            && let Some(refused) = resolved.refused.first()
        {
            return Err(SetupError::Refused(refused.clone()));
        }
        let mut slot = None;
        if layers.own_user.is_ok() {
            let taken = quarters::all_open(&resolved, sandbox)
                .map_err(Lack::Closed)
                .and_then(|()| host.take_user().map_err(Lack::of(Lack::UserIds)));
            match taken {
                Ok(taken) => slot = Some(taken),
                Err(why) => layers.own_user = Err(why),
            }
        }
        if sandbox.level == Level::Strict {
            strict_would_start(&layers.promises(sandbox)).map_err(SetupError::Gaps)?;
        }
        Self::furnish(host, sandbox, resolved, layers, slot)
    }

    /// Creates the bot's directories and groups, and writes its orders.
    fn furnish(
        host: &Host,
        sandbox: &Sandbox,
        resolved: Resolved,
        mut layers: Layers,
        slot: Option<Slot>,
    ) -> Result<Self, SetupError> {
        let restricted = sandbox.level != Level::Off;
        let uid = slot.as_ref().map(Slot::uid);
        let number = host.number();
        let mark = format!("{}-{number}", host.mark());
        let mut traces =
            Traces { uid, marker: format!("{}={mark}", env::MARKER), may_leave: true, ..Traces::default() };
        if restricted {
            traces.scratch = Some(scratch::create(uid).map_err(SetupError::prepare("scratch directory"))?);
        }
        if layers.cgroup.is_ok() {
            match host.make_group(sandbox) {
                Ok(path) => traces.cgroup = Some(path),
                Err(why) => layers.cgroup = Err(why),
            }
        }
        let (channel, status) = Channel::open().map_err(SetupError::prepare("status pipe"))?;
        let mut variables = match &traces.scratch {
            Some(path) => env::build(sandbox, env::own(), path, &readable(&resolved, sandbox), &resolved.env),
            None => sandbox.env.clone(),
        };
        variables.insert(env::MARKER.to_owned(), mark);
        if let (Some(scratch), Some((workspace, project))) = (&traces.scratch, &resolved.project) {
            let path = scratch.join(workspace.name);
            fs::write(&path, workspace.text.replace("{}", &project.to_string_lossy()))
                .map_err(SetupError::prepare("workspace file"))?;
            variables.insert(workspace.variable.to_owned(), path.to_string_lossy().into_owned());
        }
        let orders = Orders {
            parent: std::process::id(),
            status: channel.number(),
            strict: sandbox.level == Level::Strict,
            open_files: launcher::launchers_open_files(),
            processors: sandbox.processors.clone(),
            restrict: restricted.then(|| restrictions(host, sandbox, &resolved, &layers, &traces)),
            env: variables,
            clear_env: restricted,
        };
        let jail = Jail {
            host: host.clone(),
            sandbox: sandbox.clone(),
            number,
            traces,
            layers,
            slot,
            status,
            program: resolved.program.clone(),
            proc_directory: None,
            cpu_seconds: cpu_seconds(sandbox),
            swept: false,
        };
        jail.host
            .watch(number, &jail.traces, jail.slot.as_ref().map(Slot::lock))
            .map_err(SetupError::prepare("janitor"))?;
        Ok(Self { jail, channel, resolved, orders })
    }

    /// Makes the command to spawn; the caller adds the three pipes.
    ///
    /// The parent-death signal follows the thread that spawns: this thread must live as long as the bot should.
    ///
    /// # Errors
    /// [`SetupError`] if a path or a variable is not UTF-8, so that the orders cannot be written.
    pub fn command(&self) -> Result<Command, SetupError> {
        let mut command = with_orders(&self.orders).map_err(SetupError::prepare("orders for the shim"))?;
        if !self.orders.clear_env {
            command.envs(std::env::vars_os());
        }
        command.arg(&self.resolved.program).args(&self.resolved.args).process_group(0);
        if let Some(path) = &self.jail.traces.scratch {
            command.current_dir(path);
        }
        self.channel.pass_on().map_err(SetupError::prepare("status pipe"))?;
        Ok(command)
    }

    /// Returns the bot's private directory; `None` if isolation is off.
    pub fn scratch(&self) -> Option<&Path> {
        self.jail.scratch()
    }

    /// Returns the jail of the spawned command, with the pid of the child.
    pub fn spawned(self, pid: u32) -> Jail {
        let Self { mut jail, channel, .. } = self;
        // The shim now has the only other copy: the pipe ends when the shim becomes the bot.
        drop(channel);
        jail.traces.group = i32::try_from(pid).ok();
        // With Landlock, the bot can see its own directory in /proc only while a process keeps it in the cache.
        jail.proc_directory = File::open(format!("/proc/{pid}")).ok();
        // The janitor already knows the rest; without this note it still finds the bot by its marker.
        let _ = jail.host.watch(jail.number, &jail.traces, jail.slot.as_ref().map(Slot::lock));
        jail
    }
}

/// A spawned bot and everything that belongs to it.
///
/// Dropping it kills and sweeps, which blocks for up to 3 s; call [`Jail::sweep`] earlier where blocking is harmless.
#[derive(Debug)]
pub struct Jail {
    host: Host,
    sandbox: Sandbox,
    number: u64,
    traces: Traces,
    layers: Layers,
    slot: Option<Slot>,
    status: Status,
    program: PathBuf,
    proc_directory: Option<File>,
    // The processor time in seconds after which the kernel kills a process of the bot.
    cpu_seconds: Option<u64>,
    swept: bool,
}

impl Jail {
    /// Waits until the shim has become the bot, and returns the promises that are kept.
    ///
    /// Blocks for up to `timeout` per line of the report, which has at most ten lines.
    ///
    /// # Errors
    /// [`SetupError`] if it did not become the bot. The child must be reaped in this case, too.
    pub fn started(&mut self, timeout: Duration) -> Result<Started, SetupError> {
        match self.status.wait(timeout).map_err(SetupError::prepare("status pipe"))? {
            Some(lines) => self.judge(&lines),
            None => Err(SetupError::TimedOut),
        }
    }

    /// Makes the meter of this bot's memory and CPU time, which can also stop and resume it.
    pub fn meter(&self) -> Meter {
        let group = self.traces.group.expect("a jail is made with the pid of its bot");
        Meter::new(group, self.traces.cgroup.as_deref(), self.layers.cgroup.clone().unwrap_or_default())
    }

    /// Returns the bot's private directory; `None` if isolation is off.
    pub fn scratch(&self) -> Option<&Path> {
        self.traces.scratch.as_deref()
    }

    /// Returns the processor time that the bot's first process has used, in microseconds, and its limit, in seconds,
    /// if both are so close that the kernel may have killed it. Call this before the child is reaped.
    pub fn processor_time_used_up(&self) -> Option<(u64, u64)> {
        let limit = self.cpu_seconds?;
        // The kernel counts ticks for this limit; on a busy machine they are far ahead of this clock.
        let used_us = self.meter().leader_cpu_us()?;
        (used_us >= limit.saturating_mul(500_000)).then_some((used_us, limit))
    }

    /// Returns whose memory ran out, if the kernel killed the bot for that reason and its control group shows it;
    /// call this before [`Jail::sweep`].
    pub fn memory_killed(&self) -> Option<RanOut> {
        self.meter().memory_killed()
    }

    /// Returns how many processes and threads the bot may have, if only a watchdog counts them: without a user
    /// id of its own, and without a control group that counts them.
    pub fn threads_to_watch(&self) -> Option<u64> {
        let exact = self.layers.own_user.is_ok() || self.layers.cgroup.clone().unwrap_or_default().pids;
        let asked = self.sandbox.processes.filter(|_| self.sandbox.level != Level::Off && !exact);
        asked.map(u64::from)
    }

    /// Kills the bot's group and control group at once. Call this before the child is reaped.
    pub fn kill(&self) {
        self.traces.kill();
    }

    /// Lists the bot's processes that are still alive.
    pub fn survivors(&self) -> Vec<Survivor> {
        self.traces.survivors().into_iter().map(Survivor::of).collect()
    }

    /// Kills everything that is left, removes the control group and the scratch directory, and returns the user id.
    ///
    /// Blocks for 3 s at most, normally for about a millisecond. Call this after the child is reaped. An empty
    /// list means that the promise was kept.
    pub fn sweep(mut self) -> Vec<Leftover> {
        self.sweep_once()
    }

    fn sweep_once(&mut self) -> Vec<Leftover> {
        if self.swept {
            return Vec::new();
        }
        self.swept = true;
        let swept = self.traces.group.map(|_| self.traces.sweep());
        let cleared = self.traces.clear_up();
        if let Some(slot) = self.slot.take()
            && swept.as_ref().is_some_and(|swept| swept.nobody)
        {
            slot.give_back_free();
        }
        let mut left: Vec<_> =
            swept.into_iter().flat_map(|swept| swept.alive).map(Leftover::Process).collect();
        if left.is_empty() {
            let _ = self.host.forget(self.number);
        }
        if let (Err(error), Some(path)) = (cleared, &self.traces.scratch) {
            left.push(Leftover::Directory(path.clone(), error.to_string()));
        }
        left
    }

    fn judge(&mut self, lines: &[Line]) -> Result<Started, SetupError> {
        let failed = lines.iter().find_map(|line| match &line.outcome {
            Outcome::Failed(why) => Some((line.step, why)),
            Outcome::Done(_) | Outcome::Skipped(_) => None,
        });
        match failed {
            Some((Step::Exec, why)) => return Err(SetupError::of_exec(&self.program, why)),
            Some((step, why)) => return Err(SetupError::Step(step.to_string(), why.clone())),
            None => {}
        }
        if !lines.iter().any(|line| line.step == Step::Exec) {
            return Err(SetupError::Died);
        }
        self.layers.learn(lines);
        // Without seccomp, or with isolation off, the bot can leave its group.
        self.traces.may_leave = self.layers.seccomp.is_err();
        Ok(Started { promises: self.layers.promises(&self.sandbox) })
    }
}

impl Drop for Jail {
    fn drop(&mut self) {
        if !self.swept {
            self.kill();
            self.sweep_once();
        }
    }
}

/// How many processes and threads one user's bots may have together before the kernel refuses more: even a bot that
/// starts them as fast as possible does not reach this before the watchdog looks.
const ROOM: u64 = 16_384;

/// Returns after how many seconds of processor time the kernel kills a process of a bot: the limit of the settings,
/// or the launcher's limit if that is lower and the shim cannot raise it.
fn cpu_seconds(sandbox: &Sandbox) -> Option<u64> {
    let restricted = sandbox.level != Level::Off;
    let asked = sandbox.cpu_seconds.filter(|_| restricted);
    let inherited = launcher::processor_seconds().filter(|_| !(restricted && launcher::may_raise_limits()));
    asked.into_iter().chain(inherited).min()
}

fn readable(resolved: &Resolved, sandbox: &Sandbox) -> Vec<PathBuf> {
    let granted = resolved.grants.iter().map(|grant| &grant.path);
    granted.chain(&sandbox.readable).cloned().collect()
}

fn restrictions(
    host: &Host,
    sandbox: &Sandbox,
    resolved: &Resolved,
    layers: &Layers,
    traces: &Traces,
) -> Restrictions {
    let identity = match traces.uid {
        Some(uid) => Identity::Own(uid),
        None if host.is_root() => {
            let closed = |path: &PathBuf| rights::open_to(path, Some(0), rights::READ).is_err();
            Identity::Powerless { reads: resolved.vital.iter().chain(&sandbox.readable).any(closed) }
        }
        None => Identity::Same,
    };
    let processes = sandbox.processes.map(u64::from);
    let limits = Limits {
        open_files: sandbox.open_files,
        file_bytes: sandbox.file_bytes,
        // Runtimes map far more than they use. The watchdog enforces the limit; this stops growth that is faster
        // than the watchdog.
        data_bytes: sandbox.memory_bytes.map(|bytes| bytes.saturating_add(1 << 30)),
        processes: match identity {
            Identity::Own(_) => processes,
            // All processes of the user count, including the referee's and the other bots'.
            // A watchdog kills a bot that has too many; until then, the other bots need room for theirs.
            Identity::Same => processes.map(|count| host.threads() + ROOM + 8 * count),
            // The kernel does not count root's processes.
            Identity::Powerless { .. } => None,
        },
        cpu_seconds: sandbox.cpu_seconds,
    };
    let write = traces.scratch.iter().chain(&sandbox.writable).cloned().collect();
    Restrictions {
        cgroup: traces.cgroup.clone(),
        limits,
        identity,
        grants: layers.landlock.is_ok().then(|| Grants { read: readable(resolved, sandbox), write }),
        scopes: layers.landlock.as_ref().is_ok_and(|version| *version >= WITH_SCOPES),
        seccomp: layers.seccomp.is_ok(),
        network: sandbox.network,
        single_process: sandbox.single_process,
        alarms: sandbox.freeze && !layers.cgroup.clone().unwrap_or_default().freeze,
        unmapped_memory: sandbox.memory_bytes.is_some() && !layers.cgroup.clone().unwrap_or_default().memory,
    }
}
