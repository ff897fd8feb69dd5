//! The shim: the referee's own program, started again in a hidden mode, which restricts itself and becomes a bot.
//!
//! The order matters. Each step needs rights that a later step gives up, and seccomp comes last because it refuses
//! calls that the other steps use.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::Mode;
use rustix::process::{
    Pid, Resource, Rlimit, getppid, getrlimit, set_parent_process_death_signal, setpgid, setrlimit, setsid,
    umask,
};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::again::{AGAIN, COULD_NOT, close_others};
use crate::files::{self, WITH_SCOPES, WITH_TRUNCATE};
use crate::identity::{Identity, identify};
use crate::launcher::let_signals_through;
use crate::orders::{Limits, ORDERS, Orders};
use crate::report::{Line, Outcome, Step};
use crate::step_error::StepError;
use crate::syscalls::{self, Refusals};

/// Carries out its orders, then becomes the bot that the arguments name.
pub(crate) fn run(mut args: impl Iterator<Item = OsString>) {
    let orders = std::env::var(ORDERS).ok().and_then(|text| serde_json::from_str::<Orders>(&text).ok());
    // Without orders there is no pipe for a report: the referee sees that the pipe ends.
    let Some(orders) = orders else { std::process::exit(COULD_NOT) };
    let Ok(report) = Report::open(&orders) else { std::process::exit(COULD_NOT) };
    if obey(&orders, &report).is_err() {
        std::process::exit(COULD_NOT);
    }
    // Without a program this was a test of the machine.
    let Some(program) = args.next() else { return };
    let mut command = Command::new(program);
    if orders.clear_env {
        command.env_clear();
    }
    command.env_remove(AGAIN).env_remove(ORDERS).args(args).envs(&orders.env);
    let _ = report.line(Step::Exec, Outcome::Done(String::new()));
    let error = command.exec();
    let _ =
        report.line(Step::Exec, Outcome::Failed(format!("{} {error}", error.raw_os_error().unwrap_or(0))));
    std::process::exit(COULD_NOT);
}

/// The bot does not start; the report has the reason.
struct GivenUp;

fn obey(orders: &Orders, report: &Report) -> Result<(), GivenUp> {
    report.must(Step::Descriptors, close_others(report.pipe.as_raw_fd()))?;
    let_signals_through();
    report.must(Step::Parent, tie_to(orders.parent))?;
    let own_session = report.can(Step::Session, own_session());
    if !orders.processors.is_empty() {
        report.must(Step::Processors, stay_on(&orders.processors))?;
    }
    let Some(restrict) = &orders.restrict else {
        if let Some(count) = orders.open_files {
            let hard = getrlimit(Resource::Nofile).maximum;
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(count), maximum: hard });
        }
        return Ok(());
    };
    report.may(Step::Manners, manners())?;
    if let Some(group) = &restrict.cgroup {
        report.may(Step::Cgroup, join(group))?;
    }
    report.may(Step::Limits, limit(&restrict.limits))?;
    let own_user = report.may(Step::Identity, identify(restrict.identity))?
        && matches!(restrict.identity, Identity::Own(_));
    // A change of user clears the parent-death signal.
    report.must(Step::Parent, tie_to(orders.parent))?;
    let mut landlock = 0;
    if let Some(grants) = &restrict.grants {
        let version = files::restrict(grants, restrict.network, restrict.scopes);
        landlock = report.may_with(Step::Landlock, version, u32::to_string)?.unwrap_or(0);
    }
    let refusals = Refusals {
        sockets: !restrict.network,
        processes: restrict.single_process,
        shared_user: !own_user,
        // Any process of the same session may send SIGCONT, whatever its user.
        signals: !(own_user && own_session) && landlock < WITH_SCOPES,
        truncation: (1..WITH_TRUNCATE).contains(&landlock),
        unmapped_memory: restrict.unmapped_memory,
        alarms: restrict.alarms,
        other_processors: !orders.processors.is_empty(),
    };
    if restrict.seccomp {
        report.may(Step::Seccomp, syscalls::refuse(&refusals, std::process::id()))?;
    }
    Ok(())
}

fn tie_to(parent: u32) -> Result<(), StepError> {
    set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // The referee may have died before the signal was set.
    let now = getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    if now.unsigned_abs() == parent { Ok(()) } else { Err(StepError::Orphaned) }
}

/// Leaves the referee's session: its terminal, and processes of the same session that may send SIGCONT.
///
/// The leader of a group cannot do this, and the spawner has made this process a leader, so that the keyboard does
/// not reach it. So for the moment between two calls the process goes back to its old group.
fn own_session() -> Result<(), StepError> {
    let parent = getppid().map(|pid| nix::unistd::Pid::from_raw(pid.as_raw_nonzero().get()));
    let group = nix::unistd::getpgid(parent).map_err(StepError::call("getpgid"))?;
    // 0 is a group outside this namespace of processes.
    let group = Pid::from_raw(group.as_raw()).ok_or(StepError::HiddenGroup)?;
    setpgid(None, Some(group)).map_err(StepError::call("setpgid"))?;
    setsid().map(drop).map_err(StepError::call("setsid"))
}

fn stay_on(processors: &[u32]) -> Result<(), StepError> {
    let mut set = CpuSet::new();
    for processor in processors.iter().map(|processor| *processor as usize) {
        if processor >= CpuSet::MAX_CPU {
            return Err(StepError::NoProcessor(processor));
        }
        set.set(processor);
    }
    sched_setaffinity(None, &set).map_err(StepError::call("sched_setaffinity"))
}

fn manners() -> Result<(), StepError> {
    umask(Mode::RWXG | Mode::RWXO);
    // If memory runs out, the kernel kills a bot before the referee.
    fs::write("/proc/self/oom_score_adj", "500").map_err(StepError::call("oom_score_adj"))
}

fn join(group: &std::path::Path) -> Result<(), StepError> {
    fs::write(group.join("cgroup.procs"), "0").map_err(|error| StepError::Join(group.to_owned(), error))
}

fn limit(limits: &Limits) -> Result<(), StepError> {
    let all = [
        // If core dumps go to a program, the kernel starts it, as root, at any other limit.
        (Resource::Core, Some(1)),
        (Resource::Nofile, Some(limits.open_files)),
        (Resource::Fsize, Some(limits.file_bytes)),
        (Resource::Data, limits.data_bytes),
        (Resource::As, None),
        (Resource::Nproc, limits.processes),
        (Resource::Cpu, limits.cpu_seconds),
        // The launcher may have a realtime priority.
        (Resource::Rtprio, Some(0)),
        (Resource::Nice, Some(0)),
    ];
    for (resource, value) in all {
        set_limit(resource, value).map_err(|error| StepError::Limit(resource, error.into()))?;
    }
    Ok(())
}

/// Sets a limit, or removes it if it is `None`, as far as the launcher's hard limit allows.
fn set_limit(resource: Resource, value: Option<u64>) -> rustix::io::Result<()> {
    let both = |value| setrlimit(resource, Rlimit { current: value, maximum: value });
    both(value).or_else(|_| {
        let hard = getrlimit(resource).maximum;
        both(value.into_iter().chain(hard).min())
    })
}

/// The pipe to the referee; it closes when the shim becomes the bot.
struct Report {
    pipe: File,
    strict: bool,
}

impl Report {
    fn open(orders: &Orders) -> io::Result<Self> {
        // The inherited descriptor would stay open in the bot; a descriptor that is opened here does not.
        let pipe = File::options().write(true).open(format!("/proc/self/fd/{}", orders.status))?;
        Ok(Self { pipe, strict: orders.strict })
    }

    fn line(&self, step: Step, outcome: Outcome) -> io::Result<()> {
        (&self.pipe).write_all(Line { step, outcome }.to_string().as_bytes())
    }

    /// Reports a necessary step: if it fails, the bot does not start.
    fn must(&self, step: Step, result: Result<(), StepError>) -> Result<(), GivenUp> {
        result.map_err(|why| {
            let _ = self.line(step, Outcome::Failed(why.to_string()));
            GivenUp
        })
    }

    /// Reports an additional step, whose promise other steps also keep; returns whether it succeeded.
    fn can(&self, step: Step, result: Result<(), StepError>) -> bool {
        let taken = result.is_ok();
        let outcome = match result {
            Ok(()) => Outcome::Done(String::new()),
            Err(why) => Outcome::Skipped(why.to_string()),
        };
        let _ = self.line(step, outcome);
        taken
    }

    /// Reports a step that only strict isolation requires; returns whether it succeeded.
    fn may(&self, step: Step, result: Result<(), StepError>) -> Result<bool, GivenUp> {
        Ok(self.may_with(step, result, |()| String::new())?.is_some())
    }

    /// Reports such a step with a detail of its result.
    fn may_with<T>(
        &self,
        step: Step,
        result: Result<T, StepError>,
        detail: impl FnOnce(&T) -> String,
    ) -> Result<Option<T>, GivenUp> {
        let (outcome, result) = match result {
            Ok(reached) => (Outcome::Done(detail(&reached)), Ok(Some(reached))),
            Err(why) if self.strict => (Outcome::Failed(why.to_string()), Err(GivenUp)),
            Err(why) => (Outcome::Skipped(why.to_string()), Ok(None)),
        };
        let _ = self.line(step, outcome);
        result
    }
}
