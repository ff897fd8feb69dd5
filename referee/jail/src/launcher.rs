//! Resets what this program inherits from its launcher: ignored and blocked signals, and limits.
//!
//! Every process passes both on to its children. The referee resets its own with [`settle`], and the shim resets
//! those of the bot with `let_signals_through`, so that neither depends on a shell, a window manager or a
//! container.

use std::fs;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use nix::sys::signal::SigSet;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, capabilities};

/// The last signal of Linux.
const LAST: i32 = 64;
/// The least number of open files with which a match of two bots can be played.
const LEAST_FILES: u64 = 64;

/// The limit of open files that the launcher had set, before [`settle`] raised it.
static OPEN_FILES: OnceLock<u64> = OnceLock::new();

/// Resets what the launcher left. Call this once, before any other thread is started.
///
/// No signal stays blocked. Children can be waited for even if the launcher ignored SIGCHLD, and a file that grows
/// beyond a limit is an error and does not kill the process. Ignored signals that ask a program to end stay
/// ignored: see [`ignores`]. Every soft limit is raised to its hard limit.
pub fn settle() {
    let _ = SigSet::empty().thread_set_mask();
    if ignores(Signal::CHILD) {
        catch(Signal::CHILD.as_raw());
    }
    catch(Signal::XFSZ.as_raw());
    let soft = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    OPEN_FILES.get_or_init(|| soft);
    for resource in
        [Resource::Nofile, Resource::Nproc, Resource::Fsize, Resource::Cpu, Resource::Data, Resource::As]
    {
        let hard = getrlimit(resource).maximum;
        let _ = setrlimit(resource, Rlimit { current: hard, maximum: hard });
    }
}

/// Checks that enough files may be open to start a bot.
///
/// # Errors
/// [`TooFewFiles`] with the limit.
pub fn enough_files() -> Result<(), TooFewFiles> {
    let files = open_files();
    if files >= LEAST_FILES { Ok(()) } else { Err(TooFewFiles { files }) }
}

/// The limit of open files is too low to start a bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error(
    "the limit of open files is {files}, and starting bots needs at least {LEAST_FILES}; raise it (ulimit -n)"
)]
pub struct TooFewFiles {
    /// How many may be open.
    pub files: u64,
}

/// Returns how many files this process may open.
pub fn open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Describes the limits that the launcher has set and that may end a run or a bot; for people.
pub fn narrow_limits() -> Vec<String> {
    [
        (Resource::Fsize, "files may not grow beyond", "bytes", "ulimit -f", "the record may need more"),
        (
            Resource::Cpu,
            "a process may use",
            "s of processor time",
            "ulimit -t",
            "the kernel kills those that use more",
        ),
        (
            Resource::As,
            "a process may map",
            "bytes of memory",
            "ulimit -v",
            "programs in Java and JavaScript map gigabytes",
        ),
        (Resource::Data, "a process may have", "bytes of data", "ulimit -d", "bots may need more"),
    ]
    .into_iter()
    .filter_map(|(resource, what, unit, by, but)| {
        let limit = getrlimit(resource).maximum?;
        Some(format!("{what} {limit} {unit} ({by}); {but}"))
    })
    .collect()
}

/// Returns whether a signal is ignored; if the launcher ignored it, it must stay ignored.
pub fn ignores(signal: Signal) -> bool {
    ignored() & bit(signal.as_raw()) != 0
}

/// Resets ignored signals for the program that this process becomes: a signal that is caught here has its
/// default there. (The standard library lets blocked signals and SIGPIPE through.)
pub(crate) fn let_signals_through() {
    let ignored = ignored();
    (1..=LAST).filter(|signal| ignored & bit(*signal) != 0).for_each(catch);
}

/// Lets this process ignore requests to end.
pub(crate) fn outlive_requests_to_end() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        catch(signal.as_raw());
    }
}

/// Returns the limit of open files for a bot that is not isolated: the launcher's own, not the referee's.
pub(crate) fn launchers_open_files() -> Option<u64> {
    OPEN_FILES.get().copied()
}

/// Returns whether this process may raise hard limits: root may, unless a container has taken that right away.
pub(crate) fn may_raise_limits() -> bool {
    capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SYS_RESOURCE))
}

/// Returns the processor time in seconds after which the kernel kills any process, independently of a bot's settings.
pub(crate) fn processor_seconds() -> Option<u64> {
    getrlimit(Resource::Cpu).maximum
}

/// Catches a signal and does nothing. Signals that cannot be caught, or that a fault of the program itself raises,
/// are left: the kernel does not let them be ignored then.
fn catch(signal: i32) {
    let faults = [Signal::KILL, Signal::STOP, Signal::ILL, Signal::FPE, Signal::SEGV];
    if faults.iter().all(|fault| fault.as_raw() != signal) {
        let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// Reads which signals this process ignores.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
