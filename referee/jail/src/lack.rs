//! Why a layer of isolation is missing, and which promise is not kept for that reason.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::rights::Closed;

/// A layer of isolation that a machine may not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Layer {
    /// A user id of its own for each bot.
    OwnUser,
    /// Landlock altogether.
    Landlock,
    /// Landlock's scopes, for signals and abstract sockets (Linux 6.12).
    LandlockScopes,
    /// seccomp filters.
    Seccomp,
}

/// Why a layer of isolation is missing, on this machine or for one bot.
///
/// Many bots share one reason: errors of the system are reference-counted, not copied.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Lack {
    /// The settings ask for no isolation.
    #[error("isolation is off")]
    Off,
    /// The test of the machine ended without a report.
    #[error("the test of this machine reported nothing")]
    NoReport,
    /// The test of the machine could not be run.
    #[error("the test of this machine failed: {0}")]
    Trial(Arc<io::Error>),
    /// [`Host::lacking`](crate::Host::lacking) pretends that it is missing.
    #[error("{0:?} is assumed to be missing")]
    Pretended(Layer),
    /// The reason in the shim's report.
    #[error("{0}")]
    Shim(String),
    /// Only root can give bots user ids.
    #[error("the referee is not root (as root, it gives each bot its own user id)")]
    NotRoot,
    /// No user id could be taken.
    #[error("user ids: {0}")]
    UserIds(Arc<io::Error>),
    /// Another user could not run the bot.
    #[error("{0}; move it or open it to other users, so that the bot gets its own user id")]
    Closed(Closed),
    /// The place of the control groups could not be read.
    #[error("cannot find the control groups: {0}")]
    Unreadable(Arc<io::Error>),
    /// There are no control groups of version 2.
    #[error("no control groups of version 2 are mounted here")]
    NoGroups,
    /// The referee may create no group in its own.
    #[error(
        "control group {} is not delegated to this user ({}); start with `systemd-run --user --scope -p Delegate=yes -- \
         referee ...`, or Delegate=yes in the unit", .0.display(), .1
    )]
    NotDelegated(PathBuf, Arc<io::Error>),
    /// The group of a bot could not be created.
    #[error("control group: {0}")]
    Group(Arc<io::Error>),
    /// Groups can limit nothing here, so joining one is not worth the time.
    #[error("the control groups here have no memory, pids and cpu controllers, so the referee uses none")]
    NoControllers,
    /// The kernel divides processor time by process.
    #[error(
        "the kernel divides processor time by process, not by session; set kernel.sched_autogroup_enabled=1 with sysctl"
    )]
    NoAutogroup,
    /// Sessions do not matter in a control group.
    #[error(
        "in a control group the kernel divides processor time by process, and the referee may create no groups"
    )]
    NotRootGroup,
    /// The settings refuse control groups.
    #[error("the settings forbid control groups")]
    GroupRefused,
    /// Files of bots take memory that no limit counts.
    #[error("bots' directories are in memory ({} is a tmpfs), and files there are not counted", .0.display())]
    InMemory(PathBuf),
}

/// Why a promise is not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Gap {
    /// The only layer that would keep it is missing.
    #[error(transparent)]
    Layer(#[from] Lack),
    /// Two layers are missing; each alone would keep it.
    #[error("{0}; {1}")]
    Both(Lack, Lack),
    /// A bot can leave its process group.
    #[error(
        "processes are found only by their group or a marker in their environment; a bot that drops both escapes: {0}"
    )]
    Escape(Lack),
    /// A bot can start processes faster than they are counted.
    #[error(
        "a watchdog counts them every few milliseconds, and RLIMIT_NPROC counts all processes of the user: {0}; or set single-process=yes"
    )]
    Counted(Lack),
    /// No resource limit is set.
    #[error("resource limits were not set: {0}")]
    Limits(Lack),
    /// The processor time of short-lived children is lost.
    #[error("children that live only for milliseconds are not counted: {0}")]
    ShortChildren(Lack),
    /// A bot can evade SIGSTOP.
    #[error("SIGSTOP stops only the process group, and a bot can leave it or resume itself: {0}")]
    Wakes(Lack),
    /// Protocols other than TCP are open.
    #[error("only TCP is refused (Landlock): {0}")]
    OnlyTcp(Lack),
    /// Files that every user may read are open.
    #[error("even with its own user id, a bot can read what every user may read: {0}")]
    OpenToAll(Lack),
    /// This version of Landlock lets a bot empty files.
    #[error("Landlock {0} (Linux 6.2 or newer has 3) does not stop a bot from emptying files: {1}")]
    Truncation(u32, Lack),
    /// Modes and owners of files can be changed.
    #[error("Landlock does not stop changes of mode and owner: {0}")]
    Modes(Lack),
    /// Other processes can be looked at.
    #[error("/proc shows other processes: {0}; {1}")]
    Proc(Lack, Lack),
}

impl Lack {
    /// Wraps an error of the system.
    pub(crate) fn of(kind: fn(Arc<io::Error>) -> Self) -> impl FnOnce(io::Error) -> Self {
        move |error| kind(Arc::new(error))
    }
}
