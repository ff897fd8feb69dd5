//! Control groups of version 2 with controllers, the kernel's own killing, and shares of the processor.
//!
//! `.ci/machine` runs those that need controllers in a virtual machine that has them.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use bao_jail::measure::{Meter, RanOut};
use bao_jail::{ControlGroup, Guard, Host, Sandbox};

use crate::kit::{Running, Skip, Test, finish, kept_by, need, program, python, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a_control_group_holds_the_memory_of_a_whole_bot", memory),
    ("a_control_group_counts_what_the_kernel_holds", kernel_memory),
    ("a_control_group_bounds_processes_and_threads", processes),
    ("a_control_group_freezes_a_whole_tree", freezer),
    ("a_control_group_kills_a_tree_that_forks_on", killing),
    ("a_control_group_of_another_cannot_be_joined", joining),
    ("many_processes_get_no_more_of_a_processor_than_one_control_group_or_session", share),
    ("a_bot_dies_before_the_referee_when_memory_runs_out", preference),
    ("a_crash_starts_no_program_of_the_kernels", crash),
];

const MIB: u64 = 1 << 20;

fn started(host: &Host, sandbox: &Sandbox, code: &str) -> Result<(Running, Meter), Skip> {
    program("/usr/bin/python3")?;
    let running = start(host, sandbox, "/usr/bin/python3", &["-c", code]);
    let running = running.unwrap_or_else(|error| panic!("{error}"));
    let meter = running.jail.meter();
    Ok((running, meter))
}

/// Skips a test where control groups do not keep a promise.
fn by_group(host: &Host, guard: Guard, file: &str) -> Result<(), Skip> {
    let promises = host.promises(&Sandbox { freeze: true, ..Sandbox::default() });
    match kept_by(&promises, guard) {
        Some(by) if by.contains(file) => Ok(()),
        by => Err(Skip(format!("no {file} here: {}", by.unwrap_or("the promise is not kept")))),
    }
}

/// Returns the control group that a bot is in.
fn group_of(running: &Running) -> PathBuf {
    let text = fs::read_to_string(format!("/proc/{}/cgroup", running.child.id())).unwrap();
    let group = text.lines().find_map(|line| line.strip_prefix("0::/")).unwrap();
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let mount = mounts.lines().find_map(|line| line.split_once(' ')?.1.split_once(" cgroup2 ")).unwrap();
    PathBuf::from(mount.0).join(group)
}

/// The kernel kills the bot as one, says that its own limit was the reason, and harms nobody else.
fn memory(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::Memory, "memory.max")?;
    let sandbox = Sandbox { memory_bytes: Some(64 * MIB), ..Sandbox::default() };
    let (mut other, other_meter) = started(host, &Sandbox::default(), "print('up', flush=True); input()")?;
    assert_eq!(read_line(&mut other.child), "up");
    // Shared memory, of which a look at each process sees nothing that it may count.
    let code = "
import mmap, os, time
if os.fork() == 0:
    print('up', flush=True)
    time.sleep(1000)
time.sleep(0.1)
block = mmap.mmap(-1, 200 << 20)
for page in range(0, 200 << 20, 4096): block[page] = 1
print('escaped', flush=True)
";
    let (mut running, mut meter) = started(host, &sandbox, code)?;
    assert_eq!(fs::read_to_string(group_of(&running).join("memory.max")).unwrap(), format!("{}\n", 64 * MIB));
    assert_eq!(fs::read_to_string(group_of(&running).join("memory.oom.group")).unwrap(), "1\n");
    assert_eq!(read_line(&mut running.child), "up");
    assert_eq!(read_line(&mut running.child), "", "nothing more is printed before the end");
    let status = running.child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{status}");
    assert_eq!(meter.memory_killed(), Some(RanOut::Own));
    assert_eq!(meter.over(64 * MIB), Some(64 * MIB));
    let alone = || meter.processes() == 0;
    assert!(wait_until(alone), "the child goes with the first process");
    assert_eq!(running.jail.sweep(), []);
    assert_eq!(other_meter.memory_killed(), None);
    assert!(other.child.try_wait().unwrap().is_none());
    finish(other);
    Ok(())
}

/// Page tables, socket buffers, pipes, mappings and files in memory are the bot's own.
fn kernel_memory(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::Memory, "memory.max")?;
    let attempts = [
        "m = mmap.mmap(-1, 1 << 37, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
m.madvise(15)
for at in range(0, 1 << 37, 2 << 20): m[at]",
        "keep = []
while True:
    pair = socket.socketpair()
    keep.append(pair)
    for one in pair:
        one.setblocking(False)
        try:
            while True: one.send(b'x' * 65536)
        except BlockingIOError: pass",
        "fd = os.memfd_create('x')
while True: os.write(fd, b'x' * 65536)",
        "while True:
    if os.fork() == 0:
        keep = [mmap.mmap(-1, 4096, prot=mmap.PROT_READ << (i % 2)) for i in range(60000)]
        time.sleep(1000)",
    ];
    for attempt in attempts {
        let sandbox = Sandbox { memory_bytes: Some(64 * MIB), ..Sandbox::default() };
        let code = format!("import mmap, os, socket, time\n{attempt}\n");
        let (mut running, meter) = started(host, &sandbox, &code)?;
        let status = running.child.wait().unwrap();
        let err = std::io::read_to_string(running.child.stderr.take().unwrap()).unwrap();
        // An error because memory ran out is an end as good as being killed.
        assert!(
            meter.memory_killed() == Some(RanOut::Own) || err.contains("Cannot allocate memory"),
            "{attempt}: {status} {err}"
        );
        assert_eq!(running.jail.sweep(), []);
    }
    Ok(())
}

fn processes(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::Processes, "pids.max")?;
    let sandbox = Sandbox { processes: Some(20), ..Sandbox::default() };
    let code = "
import os, threading, time
threading.stack_size(65536)
count = 1
try:
    while True:
        if count % 2:
            if os.fork() == 0: time.sleep(1000)
        else:
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        count += 1
except (OSError, RuntimeError): print(count, flush=True)
time.sleep(1000)
";
    let (mut running, _) = started(host, &sandbox, code)?;
    assert_eq!(read_line(&mut running.child), "20");
    assert_eq!(running.jail.threads_to_watch(), None, "no watchdog is needed");
    finish(running);
    Ok(())
}

fn freezer(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::Freeze, "cgroup.freeze")?;
    let sandbox = Sandbox { freeze: true, control_group: ControlGroup::Always, ..Sandbox::default() };
    // Signals, timers and children that end do not undo a freezer.
    let code = "
import os, signal, time
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for _ in range(3):
    if os.fork() == 0:
        while True:
            if os.fork() == 0: os._exit(0)
            os.wait()
print('up', flush=True)
while True: os.kill(0, signal.SIGCONT)
";
    let (mut running, mut meter) = started(host, &sandbox, code)?;
    assert_eq!(read_line(&mut running.child), "up");
    let group = group_of(&running);
    for _ in 0..20 {
        meter.stop();
        let frozen = || fs::read_to_string(group.join("cgroup.events")).unwrap().contains("frozen 1");
        assert!(wait_until(frozen), "it freezes");
        // What it used last may still have to be added up.
        std::thread::sleep(Duration::from_millis(20));
        let before = meter.cpu_us();
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(meter.cpu_us(), before, "to the microsecond");
        meter.resume();
        assert!(wait_until(|| meter.cpu_us() > before + 1000), "it goes on");
    }
    finish(running);
    Ok(())
}

fn killing(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::KillTree, "cgroup.kill")?;
    let code = "
import os
print('up', flush=True)
while True:
    try: os.fork()
    except OSError: pass
";
    let sandbox = Sandbox { control_group: ControlGroup::Always, ..Sandbox::default() };
    let (mut running, _) = started(host, &sandbox, code)?;
    assert_eq!(read_line(&mut running.child), "up");
    let group = group_of(&running);
    let full = || fs::read_to_string(group.join("cgroup.procs")).is_ok_and(|text| text.lines().count() > 200);
    assert!(wait_until(full), "it forks");
    finish(running);
    assert!(wait_until(|| !group.exists()), "the group is removed");
    Ok(())
}

fn joining(host: &Host) -> Result<(), Skip> {
    by_group(host, Guard::CpuTime, "cpu.stat")?;
    need(host, &Sandbox::default(), Guard::Files)?;
    let sandbox = Sandbox { control_group: ControlGroup::Always, ..Sandbox::default() };
    let (mut other, _) = started(host, &sandbox, "print('up', flush=True); input()")?;
    assert_eq!(read_line(&mut other.child), "up");
    let theirs = group_of(&other);
    let code = format!(
        "
import os
for path in ['{}', '{}']:
    for name, value in [('cgroup.procs', '0'), ('cgroup.freeze', '1'), ('cgroup.kill', '1'), ('memory.max', '1')]:
        try:
            open(os.path.join(path, name), 'w').write(value)
            print(name, 'done')
        except OSError: pass
",
        theirs.display(),
        theirs.parent().unwrap().display()
    );
    assert_eq!(python(host, &sandbox, &code)?, Vec::<String>::new());
    assert!(other.child.try_wait().unwrap().is_none());
    finish(other);
    Ok(())
}

/// One bot spins in many processes, the other in one thread; both are held on one processor.
fn share(host: &Host) -> Result<(), Skip> {
    need(host, &Sandbox::default(), Guard::ProcessorShare)?;
    let pin = "
import os
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
";
    let hog = format!(
        "{pin}for _ in range(100):\n    if os.fork() == 0: break\nprint('up', flush=True)\nwhile True: pass"
    );
    let worker = format!("{pin}print('up', flush=True)\nwhile True: pass");
    let (mut hog, mut hogs) = started(host, &Sandbox::default(), &hog)?;
    let (mut worker, mut workers) = started(host, &Sandbox::default(), &worker)?;
    for _ in 0..101 {
        assert_eq!(read_line(&mut hog.child), "up");
    }
    assert_eq!(read_line(&mut worker.child), "up");
    let (hog_before, worker_before) = (hogs.cpu_us(), workers.cpu_us());
    // Shares even out over some of the scheduler's rounds.
    assert!(wait_until(|| hogs.cpu_us() - hog_before > 1_000_000));
    let (hog_us, worker_us) = (hogs.cpu_us() - hog_before, workers.cpu_us() - worker_before);
    finish(hog);
    finish(worker);
    println!("processor time of 101 processes and of 1: {hog_us} us, {worker_us} us");
    // By process it would be a hundredth.
    assert!(worker_us > hog_us / 3, "{worker_us} us against {hog_us} us");
    Ok(())
}

fn preference(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    need(host, &sandbox, Guard::Files)?;
    let code = "
print(open('/proc/self/oom_score_adj').read().strip())
try: open('/proc/self/oom_score_adj', 'w').write('-1')
except OSError: print('refused')
";
    assert_eq!(python(host, &sandbox, code)?, ["500", "refused"]);
    Ok(())
}

/// The kernel hands core dumps to a program, as root, unless the limit of their size is 1.
fn crash(host: &Host) -> Result<(), Skip> {
    let code = "
import os
print(open('/proc/self/limits').read(), flush=True)
os.abort()
";
    let (mut running, _) = started(host, &Sandbox::default(), code)?;
    let limits = std::io::read_to_string(running.child.stdout.take().unwrap()).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().collect::<Vec<_>>()[4..6], ["1", "1"], "{core}");
    let priorities = ["Max nice priority", "Max realtime priority"];
    for line in limits.lines().filter(|line| priorities.iter().any(|name| line.starts_with(name))) {
        assert_eq!(line.split_whitespace().skip(3).collect::<Vec<_>>(), ["0", "0"], "{line}");
    }
    let status = running.child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(6), "{status}");
    assert!(!std::os::unix::process::ExitStatusExt::core_dumped(&status), "{status}");
    assert_eq!(running.jail.sweep(), []);
    Ok(())
}

/// Waits for what happens soon or never.
fn wait_until(mut happened: impl FnMut() -> bool) -> bool {
    (0..6000).any(|_| {
        let now = happened();
        if !now {
            std::thread::sleep(Duration::from_millis(5));
        }
        now
    })
}
