//! The promises about bots, in words.

use bao_jail::Guard;

/// Names a promise.
pub(super) fn what(guard: Guard) -> &'static str {
    match guard {
        Guard::KillTree => "nothing outlives the bot",
        Guard::Memory => "memory is limited",
        Guard::Processes => "processes are limited",
        Guard::CpuTime => "processor time is measured",
        Guard::ProcessorShare => "many processes get one share",
        Guard::Freeze => "stopped while not on turn",
        Guard::Network => "no network",
        Guard::Files => "only its own files",
        Guard::OtherProcesses => "no access to other processes",
        Guard::Output => "output is limited",
    }
}

/// Returns what would close a gap.
pub(super) fn remedy(guard: Guard) -> &'static str {
    match guard {
        Guard::KillTree => "use a kernel with seccomp (CONFIG_SECCOMP_FILTER), or run as root",
        Guard::Memory => "set TMPDIR to a directory on a disk, or delegate a control group",
        Guard::CpuTime => {
            "--sandbox single-process=yes; or delegate a control group (systemd-run --user --scope -p Delegate=yes \
             referee ...)"
        }
        Guard::ProcessorShare => {
            "delegate a control group (systemd-run --user --scope -p Delegate=yes referee ...), or --freeze"
        }
        Guard::Output => "nothing: this promise is always kept",
        Guard::Processes => {
            "run as root; or delegate a control group (systemd-run --user --scope -p Delegate=yes referee ...); or \
             --sandbox single-process=yes; or --sandbox processes=none"
        }
        Guard::Freeze => "use a kernel with seccomp, or delegate a control group; or leave out --freeze",
        Guard::Network => {
            "use a kernel with seccomp (in a container, a profile that allows it); or, if bots may use the network, \
             --sandbox network=yes"
        }
        Guard::Files => {
            "use Linux 6.2 or newer with Landlock enabled (lsm=landlock,... on the kernel's command line; in a \
             container, a seccomp profile that allows it), or run as root"
        }
        Guard::OtherProcesses => "use Linux 5.13 or newer with Landlock and seccomp, or run as root",
    }
}
