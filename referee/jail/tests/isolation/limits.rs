//! Bots that take more than they may in ways that are hard to see.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use bao_jail::measure::{Census, Meter};
use bao_jail::{ControlGroup, Guard, Host, Layer, Sandbox};

use crate::kit::{Running, Skip, Test, finish, kept_by, program, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a_first_thread_that_ends_hides_neither_memory_nor_processor_time", lost_first_thread),
    ("a_child_whose_first_thread_ends_at_once_is_found", lost_first_thread_of_a_child),
    ("page_tables_count_as_memory", page_tables),
    ("many_mappings_count_as_memory", mappings),
    ("what_may_wait_in_sockets_counts_as_memory", sockets),
    ("the_files_of_many_processes_are_not_kept_open", open_files),
    ("a_look_at_many_processes_takes_bounded_time", bounded_looks),
    ("threads_are_counted_where_the_limit_is_the_whole_users", threads),
    ("a_user_id_comes_back_without_its_dead", dead_children),
];

const MIB: u64 = 1 << 20;

/// Lets the first thread of a program end while another continues. 60 ends a thread, not the process.
const LOSE_FIRST_THREAD: &str = "
import ctypes, os, threading, time
libc = ctypes.CDLL(None)
def go_on():
    block = b'x' * (100 << 20)
    print('full', flush=True)
    while True: pass
def lose_first_thread():
    threading.Thread(target=go_on).start()
    libc.syscall(60, 0)
";

fn python(host: &Host, sandbox: &Sandbox, code: &str) -> Result<(Running, Meter), Skip> {
    program("/usr/bin/python3")?;
    let running = start(host, sandbox, "/usr/bin/python3", &["-c", code]);
    let running = running.unwrap_or_else(|error| panic!("{error}"));
    let meter = running.jail.meter();
    Ok((running, meter))
}

fn lost_first_thread(host: &Host) -> Result<(), Skip> {
    let (running, meter) =
        python(host, &Sandbox::default(), &format!("{LOSE_FIRST_THREAD}lose_first_thread()"))?;
    assert_is_seen(running, meter)
}

fn lost_first_thread_of_a_child(host: &Host) -> Result<(), Skip> {
    let code = format!(
        "{LOSE_FIRST_THREAD}
if os.fork() == 0: lose_first_thread()
time.sleep(1000)"
    );
    let (running, meter) = python(host, &Sandbox::default(), &code)?;
    assert_is_seen(running, meter)
}

fn assert_is_seen(mut running: Running, mut meter: Meter) -> Result<(), Skip> {
    assert_eq!(read_line(&mut running.child), "full");
    // The first thread ends a moment after the line.
    let lost = || {
        let stat = |pid: i32| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let group = i32::try_from(running.child.id()).unwrap();
        let own = numbers("/proc").into_iter().map(stat).filter(|stat| {
            let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
            after.split_whitespace().nth(2) == Some(&group.to_string())
        });
        own.filter(|stat| stat.contains(") Z ")).count() > 0
    };
    while !lost() {
        std::thread::yield_now();
    }
    assert!(meter.over(64 * MIB).is_some(), "{}", meter.memory_bytes());
    assert_eq!(meter.over(400 * MIB), None);
    let before = meter.cpu_us();
    while meter.cpu_us() < before + 20_000 {}
    assert!(!running.jail.survivors().is_empty());
    finish(running);
    Ok(())
}

fn page_tables(host: &Host) -> Result<(), Skip> {
    let code = "
import mmap, time
# Reading a page of a mapping that nobody has written to costs a page table and no page.
m = mmap.mmap(-1, 1 << 36, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
m.madvise(15)
for at in range(0, 1 << 36, 2 << 20): m[at]
print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, &Sandbox::default(), code)?;
    assert_eq!(read_line(&mut running.child), "full");
    assert!(meter.rss_bytes() < 64 * MIB, "nothing is resident: {}", meter.rss_bytes());
    assert!(meter.over(100 * MIB).is_some(), "{}", meter.memory_bytes());
    assert_eq!(meter.over(300 * MIB), None);
    finish(running);
    Ok(())
}

fn mappings(host: &Host) -> Result<(), Skip> {
    let code = "
import ctypes, os, time
libc = ctypes.CDLL(None)
print('up', flush=True)
input()
# Neighbours with different rights stay apart.
def fill():
    for i in range(60000): libc.mmap(None, 4096, 1 << i % 2, 0x22, -1, 0)
for _ in range(9):
    if os.fork() == 0:
        fill()
        print('full', flush=True)
        time.sleep(1000)
time.sleep(1000)
";
    let sandbox = Sandbox { control_group: ControlGroup::Never, ..Sandbox::default() };
    let (mut running, mut meter) = python(host, &sandbox, code)?;
    assert_eq!(read_line(&mut running.child), "up");
    assert_eq!(meter.over(100 * MIB), None);
    std::io::Write::write_all(running.child.stdin.as_mut().unwrap(), b"\n").unwrap();
    for _ in 0..9 {
        assert_eq!(read_line(&mut running.child), "full");
    }
    assert!(meter.over(100 * MIB).is_some(), "{}", meter.memory_bytes());
    assert_eq!(meter.over(400 * MIB), None);
    finish(running);
    Ok(())
}

fn sockets(host: &Host) -> Result<(), Skip> {
    let code = "
import socket, time
pairs = [socket.socketpair() for _ in range(200)]
for pair in pairs:
    for one in pair:
        try: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30); print('larger')
        except OSError: pass
        one.setblocking(False)
        try:
            while True: one.send(b'x' * 65536)
        except BlockingIOError: pass
print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, &Sandbox::default(), code)?;
    if !running.started.promises.iter().any(|promise| {
        promise.name == Guard::Network && promise.kept_by.as_ref().is_some_and(|by| by.contains("seccomp"))
    }) {
        finish(running);
        return Err(Skip("no seccomp here".into()));
    }
    if kept_by(&running.started.promises, Guard::Memory).is_some_and(|by| by.contains("memory.max")) {
        finish(running);
        return Err(Skip("the control group counts what waits in sockets".into()));
    }
    assert_eq!(read_line(&mut running.child), "full", "the size of buffers cannot be changed");
    assert!(meter.over(64 * MIB).is_some(), "{}", meter.memory_bytes());
    finish(running);
    Ok(())
}

fn open_files(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time
for _ in range(100):
    if os.fork() == 0: time.sleep(1000)
print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, &Sandbox::default(), code)?;
    assert_eq!(read_line(&mut running.child), "full");
    while meter.processes() < 101 {}
    assert_eq!(meter.over(16 << 40), None);
    let group = i32::try_from(running.child.id()).unwrap();
    let open =
        fs::read_dir("/proc/self/fd").unwrap().flatten().filter_map(|file| fs::read_link(file.path()).ok());
    let of_children = open.filter(|path| {
        let number = path
            .strip_prefix("/proc")
            .ok()
            .and_then(|rest| rest.iter().next()?.to_str()?.parse::<i32>().ok());
        number.is_some_and(|pid| pid > group && pid <= group + 200) && path.ends_with("statm")
    });
    assert!(of_children.count() < 50, "one file for each child would be a hundred");
    finish(running);
    Ok(())
}

fn bounded_looks(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time
block = bytearray(150 << 20)
for at in range(0, len(block), 4096): block[at] = 1
for _ in range(120):
    if os.fork() == 0: time.sleep(1000)
print('full', flush=True)
time.sleep(1000)
";
    let (mut running, mut meter) = python(host, &Sandbox::default(), code)?;
    assert_eq!(read_line(&mut running.child), "full");
    while meter.processes() < 121 {}
    let whole = busy(|| assert!(meter.memory_bytes() > 0));
    let mut census = Census::default();
    census.refresh();
    let longest =
        (0..100).map(|_| busy(|| assert_eq!(meter.over_by(&census, 1024 * MIB), None))).max().unwrap();
    finish(running);
    if whole < Duration::from_millis(60) {
        return Err(Skip(format!("an exact look takes only {whole:?} here")));
    }
    assert!(longest < whole / 2, "{longest:?} of {whole:?}");
    Ok(())
}

/// Measures the processor time of this thread.
fn busy(run: impl FnOnce()) -> Duration {
    let now = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let before = now();
    run();
    Duration::try_from(now() - before).unwrap()
}

fn threads(host: &Host) -> Result<(), Skip> {
    let code = "
import threading, time
threading.stack_size(65536)
for _ in range(100): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
print('full', flush=True)
time.sleep(1000)
";
    let sandbox = Sandbox { processes: Some(64), control_group: ControlGroup::Never, ..Sandbox::default() };
    let host = host.lacking(&[Layer::OwnUser]);
    let (mut running, mut meter) = python(&host, &sandbox, code)?;
    assert_eq!(read_line(&mut running.child), "full");
    let mut census = Census::default();
    census.refresh();
    assert_eq!(meter.threads_by(&census), 101);
    assert_eq!(running.jail.threads_to_watch(), Some(64));
    finish(running);
    Ok(())
}

fn dead_children(host: &Host) -> Result<(), Skip> {
    let code = "
import os, time
# Children that nobody waits for, and orphans of theirs.
for _ in range(50):
    if os.fork() == 0:
        if os.fork() == 0: os._exit(0)
        os._exit(0)
print(os.getuid(), flush=True)
time.sleep(1000)
";
    if !host.gives_users() {
        return Err(Skip("bots get no user ids of their own here".into()));
    }
    let (mut running, _) = python(host, &Sandbox::default(), code)?;
    let user: u32 = read_line(&mut running.child).parse().unwrap();
    let of_user = || {
        let mine = |pid: &i32| fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == user);
        numbers("/proc").into_iter().filter(mine).count()
    };
    assert!(of_user() > 50);
    finish(running);
    // Another test's bot may have the id now, but the dead would be many.
    assert!(of_user() < 40, "{}", of_user());
    Ok(())
}

fn numbers(directory: &str) -> Vec<i32> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}
