//! The shim: the referee's own program, started again in a hidden mode, which restricts itself and becomes a bot.
//!
//! The order matters. Each step needs rights that a later one gives up, and seccomp comes last because it refuses
//! what the others use.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use rustix::fs::Mode;
use rustix::process::{
    Gid, Resource, Rlimit, Uid, getpgid, getppid, getrlimit, set_parent_process_death_signal, setpgid,
    setrlimit, setsid, umask,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};
use serde::{Deserialize, Serialize};

use super::files::{self, Grants, WITH_SCOPES};
use super::janitor;
use super::report::{Line, Outcome, Step};
use super::syscalls::{self, Refusals};

/// The first argument of the hidden modes.
const MODE: &str = "--bao-isolation";
/// Set for every process that is a hidden mode, so that a program without [`run_if_asked`] does not start itself for ever.
const AGAIN: &str = "BAO_REFEREE_SHIM";
/// Holds the orders of a shim, as JSON: unlike arguments, only the same user can look at the environment.
const ORDERS: &str = "BAO_REFEREE_ORDERS";
/// The exit code of a shim that could not become its bot.
const COULD_NOT: i32 = 125;

/// Runs a hidden mode if this process was started for one, and does not return then.
///
/// Must be the very first act of `main`: the shim counts on being alone, with one thread and no files open.
pub fn run_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if args.next().as_deref() != Some(OsStr::new(MODE)) {
        return;
    }
    let mode = args.next();
    match mode.as_deref().and_then(OsStr::to_str) {
        Some("run") => run(args),
        Some("janitor") => {
            // It would keep open for ever what another start has just left open for its own shim.
            let _ = close_others(0);
            janitor::run();
        }
        Some("kill-user") => {
            let _ = close_others(0);
            kill_all_of(args.next());
        }
        Some(_) | None => std::process::exit(COULD_NOT),
    }
    std::process::exit(0);
}

/// What the shim is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The pid of the referee.
    pub(crate) parent: u32,
    /// The number of the inherited descriptor for the report.
    pub(crate) status: i32,
    /// A step that cannot be taken ends the shim.
    pub(crate) strict: bool,
    /// What to restrict; `None` restricts nothing.
    pub(crate) restrict: Option<Restrictions>,
    /// The bot's whole environment, or what to add to the referee's.
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) clear_env: bool,
}

/// The restrictions of one bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Restrictions {
    pub(crate) cgroup: Option<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) identity: Identity,
    /// What Landlock leaves; `None` where there is none.
    pub(crate) grants: Option<Grants>,
    /// Landlock is to keep signals inside, where it can.
    pub(crate) scopes: bool,
    /// Apply seccomp.
    pub(crate) seccomp: bool,
    pub(crate) network: bool,
    pub(crate) single_process: bool,
    pub(crate) unmapped_memory: bool,
}

/// Resource limits; each is lowered to the hard limit that is already there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) open_files: u64,
    pub(crate) file_bytes: u64,
    pub(crate) data_bytes: Option<u64>,
    pub(crate) processes: Option<u64>,
    pub(crate) cpu_seconds: Option<u64>,
}

/// Who the bot will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Identity {
    /// The referee's own, ordinary user.
    Same,
    /// A user of its own; the group has the same number.
    Own(u32),
    /// Root without its powers; `reads` leaves the one to read what is closed to root.
    Powerless { reads: bool },
}

/// Makes the command that starts this program again in a hidden mode.
pub(crate) fn again(mode: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("bao-referee").args([MODE, mode]).env_clear().env(AGAIN, "1");
    command
}

/// Makes the command for a shim. Its program and arguments are to be added; without them it is a trial.
pub(crate) fn with_orders(orders: &Orders) -> io::Result<Command> {
    let mut command = again("run");
    command.env(ORDERS, serde_json::to_string(orders)?);
    Ok(command)
}

/// Stops a program that started itself without [`run_if_asked`].
pub(crate) fn assert_asked() {
    assert!(std::env::var_os(AGAIN).is_none(), "main must call isolation::shim::run_if_asked() first");
}

/// Kills every process of a user with one call, through a process that is that user.
pub(crate) fn kill_user(uid: u32) -> io::Result<()> {
    let nothing = Stdio::null;
    let mut command = again("kill-user");
    command.arg(uid.to_string()).stdin(nothing()).stdout(nothing()).stderr(nothing()).status().map(drop)
}

fn kill_all_of(uid: Option<OsString>) {
    let uid = uid.and_then(|uid| uid.to_str()?.parse().ok());
    // Only after the change of user: -1 means everything that this user may kill.
    if uid.is_some_and(|uid| uid != 0 && become_user(uid).is_ok()) {
        let _ = kill(nix::unistd::Pid::from_raw(-1), Signal::SIGKILL);
    }
}

fn run(mut args: impl Iterator<Item = OsString>) {
    let orders = std::env::var(ORDERS).ok().and_then(|text| serde_json::from_str::<Orders>(&text).ok());
    // Without orders there is nobody to report to: the referee sees the pipe end.
    let Some(orders) = orders else { std::process::exit(COULD_NOT) };
    let Ok(report) = Report::open(&orders) else { std::process::exit(COULD_NOT) };
    if obey(&orders, &report).is_err() {
        std::process::exit(COULD_NOT);
    }
    // Without a program this was a trial of what the machine can do.
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

/// The bot does not start; the report says why.
struct GivenUp;

fn obey(orders: &Orders, report: &Report) -> Result<(), GivenUp> {
    report.must(Step::Descriptors, close_others(report.pipe.as_raw_fd()))?;
    report.must(Step::Parent, tie_to(orders.parent))?;
    report.may(Step::Session, own_session())?;
    let Some(restrict) = &orders.restrict else { return Ok(()) };
    report.may(Step::Manners, manners())?;
    if let Some(group) = &restrict.cgroup {
        report.may(Step::Cgroup, join(group))?;
    }
    report.may(Step::Limits, limit(&restrict.limits))?;
    let own_user = report.may(Step::Identity, identify(restrict.identity))?.is_some()
        && matches!(restrict.identity, Identity::Own(_));
    // A change of user clears the parent-death signal.
    report.must(Step::Parent, tie_to(orders.parent))?;
    let mut landlock = 0;
    if let Some(grants) = &restrict.grants {
        let version = files::restrict(grants, restrict.network, restrict.scopes);
        let version = report.may(Step::Landlock, version.map(|version| version.to_string()))?;
        landlock = version.map_or(0, |version| version.parse().unwrap_or(0));
    }
    let refusals = Refusals {
        sockets: !restrict.network,
        processes: restrict.single_process,
        shared_user: !own_user,
        signals: !own_user && landlock < WITH_SCOPES,
        unmapped_memory: restrict.unmapped_memory,
    };
    if restrict.seccomp {
        report.may(Step::Seccomp, syscalls::refuse(&refusals, std::process::id()).map(|()| String::new()))?;
    }
    Ok(())
}

fn tie_to(parent: u32) -> Result<String, String> {
    set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|error| error.to_string())?;
    // The referee may have died before the signal was set.
    let now = getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    if now.unsigned_abs() == parent { Ok(String::new()) } else { Err("the referee is gone".to_owned()) }
}

/// Leaves the referee's session: the terminal, and those to whom anybody of the same session may send SIGCONT.
///
/// The leader of a group, which the spawner has made of us so that the keyboard does not reach us, cannot do that;
/// for the moment between two calls it goes back to where it came from.
fn own_session() -> Result<String, String> {
    let group = getpgid(getppid()).map_err(|error| format!("getpgid: {error}"))?;
    setpgid(None, Some(group)).map_err(|error| format!("setpgid: {error}"))?;
    setsid().map(|_| String::new()).map_err(|error| format!("setsid: {error}"))
}

fn manners() -> Result<String, String> {
    umask(Mode::RWXG | Mode::RWXO);
    // When memory runs out, a bot goes before the referee.
    fs::write("/proc/self/oom_score_adj", "500").map_err(|error| format!("oom_score_adj: {error}"))?;
    Ok(String::new())
}

fn join(group: &std::path::Path) -> Result<String, String> {
    fs::write(group.join("cgroup.procs"), "0").map_err(|error| format!("{}: {error}", group.display()))?;
    Ok(String::new())
}

fn limit(limits: &Limits) -> Result<String, String> {
    let all = [
        (Resource::Core, Some(0)),
        (Resource::Nofile, Some(limits.open_files)),
        (Resource::Fsize, Some(limits.file_bytes)),
        (Resource::Data, limits.data_bytes),
        (Resource::Nproc, limits.processes),
        (Resource::Cpu, limits.cpu_seconds),
    ];
    for (resource, value) in all {
        let Some(value) = value else { continue };
        let hard = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
        setrlimit(resource, Rlimit { current: Some(hard), maximum: Some(hard) })
            .map_err(|error| format!("{resource:?}: {error}"))?;
    }
    Ok(String::new())
}

fn identify(identity: Identity) -> Result<String, String> {
    let result = match identity {
        Identity::Same => Ok(()),
        Identity::Own(uid) => give_pipes(uid).and_then(|()| become_user(uid)),
        Identity::Powerless { reads } => lose_powers(reads),
    };
    result.and_then(|()| set_no_new_privs(true)).map_err(|error| error.to_string())?;
    Ok(String::new())
}

/// Gives the three pipes to the bot's user: programs open `/dev/stdin` and the like by name.
fn give_pipes(uid: u32) -> rustix::io::Result<()> {
    let (user, group) = (Some(Uid::from_raw(uid)), Some(Gid::from_raw(uid)));
    for file in
        [fs::metadata("/proc/self/fd/0"), fs::metadata("/proc/self/fd/1"), fs::metadata("/proc/self/fd/2")]
            .iter()
            .zip([rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()])
            .filter_map(|(meta, file)| meta.as_ref().is_ok_and(is_pipe).then_some(file))
    {
        rustix::fs::fchown(file, user, group)?;
    }
    Ok(())
}

/// Tells pipes from files and terminals, which stay whose they are.
fn is_pipe(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&meta.file_type())
}

/// Changes this thread's user, which is the process's since it has no other thread.
fn become_user(uid: u32) -> rustix::io::Result<()> {
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(uid));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    set_thread_res_uid(user, user, user)
}

/// Gives up the capabilities of root, for good.
fn lose_powers(reads: bool) -> rustix::io::Result<()> {
    let kept = if reads { CapabilitySet::DAC_READ_SEARCH } else { CapabilitySet::empty() };
    for bit in 0..64 {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        if kept.contains(one) {
            continue;
        }
        match remove_capability_from_bounding_set(one) {
            // Beyond the last capability of this kernel.
            Err(rustix::io::Errno::INVAL) => break,
            result => result?,
        }
    }
    clear_ambient_capability_set()?;
    set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    )
}

/// Closes every inherited descriptor but the first three and one more.
fn close_others(kept: i32) -> Result<String, String> {
    let entries = fs::read_dir("/proc/self/fd").map_err(|error| error.to_string())?;
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers {
        if number > 2 && number != kept {
            // The listing's own descriptor is among them and closed already.
            let _ = nix::unistd::close(number);
        }
    }
    Ok(String::new())
}

/// The way back to the referee; it closes itself when the shim becomes the bot.
struct Report {
    pipe: File,
    strict: bool,
}

impl Report {
    fn open(orders: &Orders) -> io::Result<Self> {
        // The inherited descriptor would stay open in the bot; one that is opened here does not.
        let pipe = File::options().write(true).open(format!("/proc/self/fd/{}", orders.status))?;
        Ok(Self { pipe, strict: orders.strict })
    }

    fn line(&self, step: Step, outcome: Outcome) -> io::Result<()> {
        (&self.pipe).write_all(Line { step, outcome }.to_string().as_bytes())
    }

    /// Reports a step without which no bot starts.
    fn must(&self, step: Step, result: Result<String, String>) -> Result<(), GivenUp> {
        result.map(drop).map_err(|why| {
            let _ = self.line(step, Outcome::Failed(why));
            GivenUp
        })
    }

    /// Reports a step that only strict isolation insists on.
    fn may(&self, step: Step, result: Result<String, String>) -> Result<Option<String>, GivenUp> {
        let (outcome, result) = match result {
            Ok(detail) => (Outcome::Done(detail.clone()), Ok(Some(detail))),
            Err(why) if self.strict => (Outcome::Failed(why), Err(GivenUp)),
            Err(why) => (Outcome::Skipped(why), Ok(None)),
        };
        let _ = self.line(step, outcome);
        result
    }
}
