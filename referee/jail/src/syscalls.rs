//! seccomp: the system calls that no bot needs and that could hurt others.
//!
//! It is a list of refusals, not of permissions, because runtimes use many calls. Refused calls return an error
//! that runtimes can handle; no process is killed for a call.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};
use serde::{Deserialize, Serialize};

use crate::step_error::StepError;

/// The refusals that depend on the bot's settings and on the other layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refusals {
    /// Refuse sockets.
    pub(crate) sockets: bool,
    /// Refuse new processes.
    pub(crate) processes: bool,
    /// The bot has the same user as others: refuse what the kernel allows between processes of one user.
    pub(crate) shared_user: bool,
    /// Landlock does not stop signals to others, so refuse them by process id.
    pub(crate) signals: bool,
    /// Landlock does not stop the bot from emptying files that it may not write.
    pub(crate) truncation: bool,
    /// Refuse memory that no process maps, which the memory watchdog cannot see.
    pub(crate) unmapped_memory: bool,
    /// The bot is stopped by a signal while it is not on turn: refuse calls that send the signal to resume it.
    pub(crate) alarms: bool,
    /// The bot runs on given processors: refuse calls that change them.
    pub(crate) other_processors: bool,
}

/// Always refused with "operation not permitted".
const FORBIDDEN: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // Leaving the process group, by which the whole bot is killed, stopped and measured.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    // Large attack surfaces in the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    // What others do in directories that the bot cannot open.
    libc::SYS_inotify_init1,
    // System V and POSIX objects that outlive their creator.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];

/// Refused as unknown to the kernel, so that libraries use the older call, whose arguments can be checked.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_secret,
    // Resources of which the whole machine has a fixed number.
    libc::SYS_io_setup,
    // Attributes of files that the bot cannot open, which Landlock does not guard.
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
];

/// Changes to files that their owner may make and that Landlock does not guard.
const OWNER_ONLY: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
    // setxattrat, removexattrat, file_setattr: one number on all architectures, too new for the list of names.
    463,
    466,
    469,
];

/// Calls that exist only on x86-64, in addition to their newer forms above.
#[cfg(target_arch = "x86_64")]
mod old {
    use libc::c_long;

    pub(super) const FORBIDDEN: &[c_long] =
        &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load, libc::SYS_inotify_init];
    pub(super) const OWNER_ONLY: &[c_long] = &[
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
    ];
    pub(super) const FORK: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
}

/// The other architectures have the newer forms only.
#[cfg(not(target_arch = "x86_64"))]
mod old {
    use libc::c_long;

    pub(super) const FORBIDDEN: &[c_long] = &[];
    pub(super) const OWNER_ONLY: &[c_long] = &[];
    pub(super) const FORK: &[c_long] = &[];
}

/// Calls with a separate number for x32: `ptrace`, `rt_sigqueueinfo`, `kexec_load`, `move_pages`,
/// `rt_tgsigqueueinfo`, `process_vm_readv`, `process_vm_writev`, and `ioctl`.
const X32_ONLY: [i64; 8] = [521, 524, 528, 533, 536, 539, 540, 514];

/// Flags of `clone` that create a namespace.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Restricts this thread and the program that it becomes. `me` is the pid of this process, which the bot keeps.
///
/// # Errors
/// [`StepError`] if the kernel has no seccomp or the architecture is unknown.
pub(crate) fn refuse(refusals: &Refusals, me: u32) -> Result<(), StepError> {
    let mut unknown = Table::default();
    unknown.always(UNKNOWN);
    if refusals.unmapped_memory {
        unknown.always(&[libc::SYS_memfd_create]);
    }
    if refusals.truncation {
        // Its flags are in memory, where no filter can see them.
        unknown.always(&[libc::SYS_openat2]);
    }
    unknown.install(libc::ENOSYS)?;
    if refusals.sockets {
        let mut sockets = Table::default();
        sockets.always(&[libc::SYS_socket]);
        // Pairs stay allowed, because runtimes use them to talk to their children; but not datagrams, which can be
        // sent anywhere.
        sockets.when(libc::SYS_socketpair, &[not(0, libc::AF_UNIX as u32)]);
        sockets.when(libc::SYS_socketpair, &[bits(1, 0xf, libc::SOCK_DGRAM as u32)]);
        sockets.when(libc::SYS_socketpair, &[bits(1, 0xf, libc::SOCK_RAW as u32)]);
        sockets.install(libc::EACCES)?;
    }
    forbidden(refusals, me).install(libc::EPERM)
}

fn forbidden(refusals: &Refusals, me: u32) -> Table {
    let mut table = Table::default();
    table.always(FORBIDDEN);
    table.always(old::FORBIDDEN);
    for flag in NAMESPACES {
        table.when(libc::SYS_clone, &[bits(0, flag as u32, flag as u32)]);
    }
    // Typing into a terminal.
    table.when(libc::SYS_ioctl, &[is(1, libc::TIOCSTI as u32)]);
    table.when(libc::SYS_ioctl, &[is(1, libc::TIOCLINUX as u32)]);
    // Preventing others from opening a file for up to 45 s, and getting signals about what they do with it.
    table.when(libc::SYS_fcntl, &[is(1, F_SETLEASE)]);
    table.when(libc::SYS_fcntl, &[is(1, F_NOTIFY)]);
    // Watching the clock of another process (not of a thread). The kernel encodes the
    // number of the process, inverted, above three bits for the kind of clock.
    for call in [libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep] {
        let [own, by_number] = [0, me].map(|pid| (!pid << 3) | 2);
        table.when(call, &[bits(0, 0x8000_0004, 0x8000_0000), not(0, own), not(0, by_number)]);
    }
    // Outliving the referee; blocking the second thread of a processor core for others.
    table.when(libc::SYS_prctl, &[is(0, libc::PR_SET_PDEATHSIG as u32)]);
    table.when(libc::SYS_prctl, &[is(0, libc::PR_SCHED_CORE as u32)]);
    // A larger pipe uses memory that is not counted, and hides output that was written too early.
    table.when(libc::SYS_fcntl, &[is(1, libc::F_SETPIPE_SZ as u32)]);
    if refusals.unmapped_memory {
        // Data in a socket is counted with the default size of its buffer.
        for option in [libc::SO_SNDBUF, libc::SO_SNDBUFFORCE] {
            table.when(libc::SYS_setsockopt, &[is(1, libc::SOL_SOCKET as u32), is(2, option as u32)]);
        }
    }
    if refusals.other_processors {
        table.always(&[libc::SYS_sched_setaffinity]);
    }
    if refusals.processes {
        table.always(old::FORK);
        table.when(libc::SYS_clone, &[bits(0, libc::CLONE_THREAD as u32, 0)]);
    }
    if refusals.shared_user {
        shared_user(&mut table, me, refusals.other_processors);
    }
    if refusals.signals {
        signals(&mut table, me);
    }
    if refusals.alarms {
        alarms(&mut table);
    }
    if refusals.truncation {
        truncation(&mut table);
    }
    table
}

/// Refuses to empty a file by its name, which old versions of Landlock do not check. Opening it for reading is
/// enough for the kernel to empty it.
fn truncation(table: &mut Table) {
    let asked = (libc::O_TRUNC | libc::O_ACCMODE) as u32;
    let emptied = (libc::O_TRUNC | libc::O_RDONLY) as u32;
    table.always(&[libc::SYS_truncate]);
    table.when(libc::SYS_openat, &[bits(2, asked, emptied)]);
    #[cfg(target_arch = "x86_64")]
    table.when(libc::SYS_open, &[bits(1, asked, emptied)]);
}

/// Refuses calls that let the kernel signal a stopped process: for a timer, a file that becomes ready, a child that
/// dies.
fn alarms(table: &mut Table) {
    table.always(&[libc::SYS_timer_create]);
    table.when(libc::SYS_fcntl, &[is(1, F_SETSIG)]);
    // The lowest byte is the signal with which a child reports its death.
    table.when(libc::SYS_clone, &[bits(0, 0xff, libc::SIGCONT as u32)]);
}

/// Commands of `fcntl` that `libc` does not have for every C library.
const F_SETSIG: u32 = 10;
const F_SETLEASE: u32 = 1024;
const F_NOTIFY: u32 = 1026;

/// The kind "process" for the two calls about priorities; the types of the constants differ between C libraries.
const PRIO_PROCESS: u32 = 0;
const IOPRIO_WHO_PROCESS: u32 = 1;

/// Refuses what one user's processes may do to each other and to their files.
fn shared_user(table: &mut Table, me: u32, other_processors: bool) {
    table.always(OWNER_ONLY);
    table.always(old::OWNER_ONLY);
    for call in [
        libc::SYS_prlimit64,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
    ] {
        table.when(call, &[not(0, 0), not(0, me)]);
    }
    if !other_processors {
        table.when(libc::SYS_sched_setaffinity, &[not(0, 0), not(0, me)]);
    }
    // Priorities can be set for a process, a group or a user: allow only the own process.
    for (call, process) in [(libc::SYS_setpriority, PRIO_PROCESS), (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS)]
    {
        table.when(call, &[not(0, process)]);
        table.when(call, &[not(1, 0), not(1, me)]);
    }
}

/// Refuses every way to send a signal to another process; the own group (0) contains only the bot.
fn signals(table: &mut Table, me: u32) {
    table.when(libc::SYS_kill, &[not(0, 0), not(0, me)]);
    for call in [libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        table.when(call, &[not(0, me)]);
    }
    table.always(&[libc::SYS_pidfd_send_signal]);
    // Asynchronous I/O can signal any process. 15 is F_SETOWN_EX.
    table.when(libc::SYS_fcntl, &[is(1, libc::F_SETOWN as u32)]);
    table.when(libc::SYS_fcntl, &[is(1, 15)]);
}

/// One condition on an argument: its index, the comparison and the value.
type Condition = (u8, SeccompCmpOp, u32);

fn is(argument: u8, value: u32) -> Condition {
    (argument, SeccompCmpOp::Eq, value)
}

fn not(argument: u8, value: u32) -> Condition {
    (argument, SeccompCmpOp::Ne, value)
}

fn bits(argument: u8, mask: u32, value: u32) -> Condition {
    (argument, SeccompCmpOp::MaskedEq(mask.into()), value)
}

/// The calls that one filter refuses; an empty list of rules refuses always.
#[derive(Default)]
struct Table {
    rules: BTreeMap<i64, Vec<SeccompRule>>,
}

impl Table {
    fn always(&mut self, calls: &[c_long]) {
        for call in calls {
            self.rules.insert(*call, Vec::new());
        }
    }

    /// Refuses a call if all conditions are true. All checked arguments have 32 bits.
    fn when(&mut self, call: c_long, all: &[Condition]) {
        let conditions = all.iter().map(|(argument, operator, value)| {
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operator.clone(), u64::from(*value))
                .expect("a system call has six arguments")
        });
        let rule = SeccompRule::new(conditions.collect()).expect("every rule here has a condition");
        self.rules.entry(call).or_default().push(rule);
    }

    fn install(mut self, errno: i32) -> Result<(), StepError> {
        if cfg!(target_arch = "x86_64") {
            // The x32 form of a call has the same number with this bit set.
            let x32: Vec<_> =
                self.rules.iter().map(|(call, rules)| (call | 0x4000_0000, rules.clone())).collect();
            self.rules.extend(x32);
            self.rules.extend(X32_ONLY.iter().map(|call| (call | 0x4000_0000, Vec::new())));
        }
        let architecture = std::env::consts::ARCH.try_into().map_err(|_| StepError::UnknownProcessor)?;
        let refuse = SeccompAction::Errno(errno.unsigned_abs());
        let filter = SeccompFilter::new(self.rules, SeccompAction::Allow, refuse, architecture)
            .map_err(StepError::Filter)?;
        let program: BpfProgram = filter.try_into().map_err(StepError::Filter)?;
        apply_filter(&program).map_err(StepError::Seccomp)
    }
}
