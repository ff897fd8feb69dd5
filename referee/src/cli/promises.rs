//! The promises about bots, in words.

use bao_jail::Guard;

/// Names a promise.
pub(super) fn what(guard: Guard) -> &'static str {
    match guard {
        Guard::KillTree => "nothing of it outlives it",
        Guard::Memory => "memory is bounded",
        Guard::Processes => "processes are bounded",
        Guard::CpuTime => "processor time is measured",
        Guard::ProcessorShare => "many processes get one share",
        Guard::Freeze => "stopped while not on turn",
        Guard::Network => "no network",
        Guard::Files => "only its own files",
        Guard::OtherProcesses => "no hand on other processes",
        Guard::Output => "output is bounded",
    }
}

/// Returns what would close a gap.
pub(super) fn remedy(guard: Guard) -> &'static str {
    match guard {
        Guard::KillTree => "a kernel with seccomp (CONFIG_SECCOMP_FILTER), or run as root",
        Guard::Memory => "set TMPDIR to a directory on a disk, or delegate a control group",
        Guard::CpuTime => {
            "--sandbox single-process=yes; or delegate a control group (systemd-run --user --scope -p Delegate=yes \
             referee ...)"
        }
        Guard::ProcessorShare => {
            "delegate a control group (systemd-run --user --scope -p Delegate=yes referee ...), or --freeze"
        }
        Guard::Output => "nothing; it is always kept",
        Guard::Processes => {
            "run as root; or delegate a control group (systemd-run --user --scope -p Delegate=yes referee ...); or \
             --sandbox single-process=yes; or --sandbox processes=none"
        }
        Guard::Freeze => "a kernel with seccomp, or a delegated control group; or leave --freeze out",
        Guard::Network => {
            "a kernel with seccomp (in a container: a profile that allows it); or --sandbox network=yes if the bots \
             may"
        }
        Guard::Files => {
            "Linux 6.2 or newer with Landlock switched on (lsm=landlock,... on the kernel's command line; in a \
             container: a seccomp profile that allows it), or run as root"
        }
        Guard::OtherProcesses => "Linux 5.13 or newer with Landlock and seccomp, or run as root",
    }
}
