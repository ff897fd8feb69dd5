//! One start of a bot: what is prepared before it, what is known after it, and what is cleared away at its end.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
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

/// A bot that has become itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// What is promised about this bot, and what really keeps each promise.
    pub promises: Vec<Promise>,
}

/// What is left of a bot after its end, against what was promised.
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

/// A bot that is ready to be spawned. Dropping it clears everything away.
#[derive(Debug)]
pub struct Launch {
    jail: Jail,
    channel: Channel,
    resolved: Resolved,
    orders: Orders,
}

impl Launch {
    /// Resolves the command and makes ready what the bot needs: scratch directory, user id, control group, orders.
    ///
    /// Paths in the command are relative to [`Sandbox::directory`], and become absolute because the bot runs in its
    /// scratch directory; see [`Sandbox`].
    ///
    /// # Errors
    /// When the program is missing, when strict isolation cannot be had, or when the machine refuses.
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

    /// Makes the bot's places and writes its orders.
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
        let orders = Orders {
            parent: std::process::id(),
            status: channel.number(),
            strict: sandbox.level == Level::Strict,
            open_files: launcher::launchers_open_files(),
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
    /// The parent-death signal follows the thread that spawns: it must live as long as the bot is wanted.
    ///
    /// # Errors
    /// When a path or a variable is not UTF-8, so that the orders cannot be written.
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

    /// Gives the bot's private directory; there is none when isolation is off.
    pub fn scratch(&self) -> Option<&Path> {
        self.jail.scratch()
    }

    /// Takes note that the command was spawned, with the pid of the child.
    pub fn spawned(self, pid: u32) -> Jail {
        let Self { mut jail, channel, .. } = self;
        // The shim has the only other copy now: the pipe ends when it becomes the bot.
        drop(channel);
        jail.traces.group = i32::try_from(pid).ok();
        // Landlock lets the bot see its own directory in /proc for as long as somebody keeps it in the cache.
        jail.proc_directory = File::open(format!("/proc/{pid}")).ok();
        // The janitor knew the rest before; without it the marker still leads to the bot.
        let _ = jail.host.watch(jail.number, &jail.traces, jail.slot.as_ref().map(Slot::lock));
        jail
    }
}

/// A spawned bot with all that belongs to it.
///
/// Dropping it kills and sweeps, which blocks for up to 3 s; call [`Jail::sweep`] where that does no harm.
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
    // After how many seconds of processor time the kernel kills a process of it.
    cpu_seconds: Option<u64>,
    swept: bool,
}

impl Jail {
    /// Waits until the shim has become the bot, and returns what was reached.
    ///
    /// Blocks for up to `timeout` a line of the report, of which there are fewer than ten.
    ///
    /// # Errors
    /// When it did not become the bot. The child is to be reaped all the same.
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

    /// Gives the bot's private directory; there is none when isolation is off.
    pub fn scratch(&self) -> Option<&Path> {
        self.traces.scratch.as_deref()
    }

    /// Returns the processor time that the bot's first process has used, in microseconds, and its limit, in seconds,
    /// if the two are so near to each other that the kernel may have killed it. To be called before the child is reaped.
    pub fn processor_time_used_up(&self) -> Option<(u64, u64)> {
        let limit = self.cpu_seconds?;
        // The kernel holds the limit by a count of ticks, which a busy machine drives far ahead of this clock.
        let used_us = self.meter().leader_cpu_us()?;
        (used_us >= limit.saturating_mul(500_000)).then_some((used_us, limit))
    }

    /// Returns whose memory ran out if the kernel killed the bot for that and its control group knows; to be called before
    /// [`Jail::sweep`].
    pub fn memory_killed(&self) -> Option<RanOut> {
        self.meter().memory_killed()
    }

    /// Returns how many processes and threads the bot may have, where nothing but a watchdog counts them: without a user
    /// id of its own, and without a control group that does.
    pub fn threads_to_watch(&self) -> Option<u64> {
        let exact = self.layers.own_user.is_ok() || self.layers.cgroup.clone().unwrap_or_default().pids;
        let asked = self.sandbox.processes.filter(|_| self.sandbox.level != Level::Off && !exact);
        asked.map(u64::from)
    }

    /// Kills the bot's group and control group at once. To be called before the child is reaped.
    pub fn kill(&self) {
        self.traces.kill();
    }

    /// Lists the bot's processes that are still alive.
    pub fn survivors(&self) -> Vec<Survivor> {
        self.traces.survivors().into_iter().map(Survivor::of).collect()
    }

    /// Kills everything that is left, removes the control group and the scratch directory, and gives the user id back.
    ///
    /// Blocks for 3 s at most, normally for about a millisecond. To be called when the child is reaped. An empty
    /// list is the promise kept.
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
        // Without seccomp, or when the bot was told to be free, it can leave its group.
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

/// How many processes and threads one user's bots may have together before the kernel refuses more: a bot that starts them
/// as fast as it can does not get there before the watchdog looks.
const ROOM: u64 = 16_384;

/// Returns after how many seconds of processor time the kernel kills a process of a bot: as the settings say, or the
/// launcher's limit where that is lower and the shim cannot take it away.
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
        // Runtimes map far more than they touch; the watchdog holds the limit, this stops what is faster than it.
        data_bytes: sandbox.memory_bytes.map(|bytes| bytes.saturating_add(1 << 30)),
        processes: match identity {
            Identity::Own(_) => processes,
            // All processes of the user count, the referee's and the other bots' among them.
            // A watchdog kills a bot that has too many; until it does, the others need room for theirs.
            Identity::Same => processes.map(|count| host.threads() + ROOM + 8 * count),
            // Root is not counted.
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
