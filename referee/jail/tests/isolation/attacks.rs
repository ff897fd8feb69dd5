//! Bots that try what they must not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

use bao_jail::{Guard, Host, Layer, Sandbox};

use crate::kit::{Skip, Test, finish, kept_by, live, need, python, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("network_and_local_sockets_are_refused", network),
    ("network_is_there_when_it_is_allowed", network_allowed),
    ("files_of_others_are_refused", files),
    ("the_scratch_directory_can_be_written", scratch),
    ("a_path_that_was_granted_can_be_read_and_written", granted),
    ("signals_to_the_referee_and_to_the_opponent_are_refused", signals),
    ("ptrace_and_memory_of_others_are_refused", ptrace),
    ("limits_and_priority_of_others_are_refused", sabotage),
    ("proc_of_others_is_refused", peek),
    ("leases_watches_attributes_and_clocks_of_others_are_refused", watching),
    ("a_bot_that_is_stopped_cannot_have_itself_woken", alarms),
    ("a_bot_on_given_processors_cannot_leave_them", processors),
    ("new_namespaces_io_uring_and_kernel_surfaces_are_refused", surfaces),
    ("a_bot_without_its_own_user_is_held_by_the_other_layers", same_user),
    ("without_landlock_scopes_signals_are_refused_by_seccomp", no_scopes),
    ("every_tier_keeps_what_it_says", tiers),
    ("one_process_means_threads_but_no_children", single_process),
    ("a_daemon_of_its_own_session_is_swept", daemon),
    ("a_fork_bomb_is_bounded_and_swept", fork_bomb),
    ("without_isolation_a_daemon_is_swept_by_its_marker", daemon_without_isolation),
];

/// Begins every attack: `attempt(name, f)` prints the error that `f` ends with, or "done".
const ATTEMPT: &str = "
import os, sys, socket, ctypes, errno, subprocess
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, f):
    try:
        print(name, 'done', f() and '')
    except OSError as e:
        print(name, errno.errorcode.get(e.errno, e.errno))
def call(*args):
    # Integers are 32 bits wide to ctypes, and the kernel looks at 64.
    if libc.syscall(*[ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]) < 0:
        raise OSError(ctypes.get_errno(), '')
";

fn attack(host: &Host, sandbox: &Sandbox, code: &str) -> Result<Vec<String>, Skip> {
    python(host, sandbox, &format!("{ATTEMPT}{code}"))
}

/// Runs attempts, all of which must end in an error that says "no".
fn refused(host: &Host, sandbox: &Sandbox, code: &str) -> Result<(), Skip> {
    let lines = attack(host, sandbox, code)?;
    assert!(!lines.is_empty());
    for line in lines {
        let (_, result) = line.split_once(' ').unwrap();
        assert!(["EPERM", "EACCES", "ENOSYS", "ESRCH"].contains(&result), "{line}");
    }
    Ok(())
}

fn network(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    need(host, &sandbox, Guard::Network)?;
    let path = std::env::temp_dir().join(format!("bao-test-socket-{}", std::process::id()));
    let _listener = UnixListener::bind(&path).unwrap();
    let code = format!(
        "
for name, family, kind in [('tcp', 2, 1), ('tcp6', 10, 1), ('udp', 2, 2), ('raw', 2, 3), ('netlink', 16, 3),
                           ('vsock', 40, 1), ('packet', 17, 3), ('unix', 1, 1), ('unix-datagram', 1, 2)]:
    attempt(name, lambda: call(41, family, kind, 0))
attempt('path', lambda: socket.socket(socket.AF_UNIX).connect('{}'))
attempt('datagram-pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
",
        path.display()
    );
    let result = refused(host, &sandbox, &code);
    fs::remove_file(path).unwrap();
    result?;
    let lines = attack(host, &sandbox, "attempt('pair', lambda: socket.socketpair())")?;
    assert_eq!(lines, ["pair done "]);
    Ok(())
}

fn network_allowed(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox { network: true, ..Sandbox::default() };
    let code = "
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
attempt('loopback', lambda: socket.create_connection(s.getsockname()))
";
    assert_eq!(attack(host, &sandbox, code)?, ["loopback done "]);
    Ok(())
}

fn files(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    need(host, &sandbox, Guard::Files)?;
    let other = std::env::temp_dir().join(format!("bao-test-other-{}", std::process::id()));
    fs::write(&other, "secret").unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o666)).unwrap();
    let result = refused(host, &sandbox, &file_attempts(&other));
    assert_eq!(fs::read_to_string(&other).unwrap(), "secret");
    assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o666);
    fs::remove_file(&other).unwrap();
    result
}

fn file_attempts(other: &std::path::Path) -> String {
    format!(
        "
p = '{}'
attempt('read', lambda: open(p).read())
attempt('write', lambda: open(p, 'w'))
attempt('truncate', lambda: os.truncate(p, 0))
attempt('remove', lambda: os.remove(p))
attempt('chmod', lambda: os.chmod(p, 0))
attempt('chown', lambda: os.chown(p, 12345, 12345))
attempt('times', lambda: os.utime(p, (1, 1)))
attempt('rename', lambda: os.rename(p, p + 'x'))
attempt('list', lambda: os.listdir(os.path.dirname(p)))
attempt('shadow', lambda: open('/etc/shadow').read())
attempt('make', lambda: open(os.path.dirname(p) + '/bao-test-made', 'w'))
attempt('system', lambda: open('/usr/bao-test-made', 'w'))
attempt('device', lambda: os.mknod('zero', 0o020666, os.makedev(1, 5)))
attempt('shm', lambda: open('/dev/shm/bao-test-made', 'w'))
",
        other.display()
    )
}

fn scratch(host: &Host) -> Result<(), Skip> {
    let code = "
os.mkdir('d'); open('d/f', 'w').write('x'); os.rename('d/f', 'f'); os.symlink('/etc', 'l'); os.mkfifo('p')
open('f', 'r+').truncate(0); os.remove('p')
import tempfile; tempfile.TemporaryFile().write(b'x')
print(os.getcwd() == os.environ['HOME'] == os.environ['TMPDIR'])
";
    assert_eq!(attack(host, &Sandbox::default(), code)?, ["True"]);
    Ok(())
}

fn granted(host: &Host) -> Result<(), Skip> {
    let directory = std::env::temp_dir().join(format!("bao-test-granted-{}", std::process::id()));
    for (name, mode) in [("", 0o755), ("read", 0o755), ("write", 0o777)] {
        fs::create_dir(directory.join(name)).unwrap();
        fs::set_permissions(directory.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::write(directory.join("read/weights"), "0.5").unwrap();
    let sandbox = Sandbox {
        readable: vec![directory.join("read")],
        writable: vec![directory.join("write")],
        ..Sandbox::default()
    };
    let script = format!("cd {}; cat read/weights > write/copy && cat write/copy", directory.display());
    let life = live(host, &sandbox, "/bin/sh", &["-c", &script], "");
    assert_eq!((life.out.as_str(), life.err.as_str()), ("0.5", ""));
    fs::remove_dir_all(directory).unwrap();
    Ok(())
}

/// Runs attempts against this process and against another bot; `pids` holds their numbers.
fn against_others(host: &Host, sandbox: &Sandbox, code: &str) -> Result<(), Skip> {
    need(host, sandbox, Guard::OtherProcesses)?;
    let opponent = start(host, &Sandbox::default(), "/bin/sh", &["-c", "echo up; sleep 1000"]);
    let mut opponent = opponent.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read_line(&mut opponent.child), "up");
    let pids = format!("pids = [{}, {}]\n", std::process::id(), opponent.child.id());
    let result = refused(host, sandbox, &format!("{pids}{code}"));
    assert!(opponent.child.try_wait().unwrap().is_none(), "the opponent lives");
    finish(opponent);
    result
}

fn signals(host: &Host) -> Result<(), Skip> {
    let code = "
for pid in pids:
    for signal in [0, 18, 19]:
        attempt('kill', lambda: os.kill(pid, signal))
    attempt('group', lambda: os.killpg(pid, 18))
    attempt('tgkill', lambda: call(234, pid, pid, 18))
    attempt('sigqueue', lambda: call(129, pid, 18, ctypes.create_string_buffer(128)))
    def pidfd():
        import signal
        signal.pidfd_send_signal(os.pidfd_open(pid), 18)
    attempt('pidfd', pidfd)
";
    against_others(host, &Sandbox::default(), code)
}

fn ptrace(host: &Host) -> Result<(), Skip> {
    let code = "
room = ctypes.create_string_buffer(8)
here = (ctypes.c_size_t * 2)(ctypes.addressof(room), 8)
for pid in pids:
    attempt('attach', lambda: call(101, 16, pid, 0, 0))
    attempt('seize', lambda: call(101, 0x4206, pid, 0, 0))
    attempt('readv', lambda: call(310, pid, here, 1, here, 1, 0))
    attempt('getfd', lambda: call(438, os.pidfd_open(pid), 0, 0))
    attempt('memory', lambda: open(f'/proc/{pid}/mem', 'rb+'))
";
    against_others(host, &Sandbox::default(), code)
}

fn sabotage(host: &Host) -> Result<(), Skip> {
    let code = "
import resource
for pid in pids:
    attempt('prlimit', lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)))
    attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
    attempt('affinity', lambda: os.sched_setaffinity(pid, [0]))
    attempt('scheduler', lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)))
    attempt('oom', lambda: open(f'/proc/{pid}/oom_score_adj', 'w').write('1000'))
attempt('leave', lambda: os.setsid())
attempt('regroup', lambda: os.setpgid(0, 0))
attempt('outlive', lambda: call(157, 1, 0))
";
    against_others(host, &Sandbox::default(), code)
}

fn peek(host: &Host) -> Result<(), Skip> {
    need(host, &Sandbox::default(), Guard::Files)?;
    let code = "
for pid in pids:
    for name in ['environ', 'maps', 'cmdline', 'stat', 'status', 'fd/0', 'root/etc/passwd']:
        attempt(name, lambda: open(f'/proc/{pid}/{name}').read())
    attempt('fds', lambda: os.listdir(f'/proc/{pid}/fd'))
attempt('list', lambda: os.listdir('/proc'))
";
    against_others(host, &Sandbox::default(), code)
}

fn watching(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    need(host, &sandbox, Guard::Network)?;
    let code = format!(
        "
import fcntl, time
f = open('own', 'w+')
attempt('lease', lambda: fcntl.fcntl(f, 1024, fcntl.F_RDLCK))
attempt('notify', lambda: fcntl.fcntl(os.open('.', os.O_RDONLY), 1026, 2))
attempt('inotify', lambda: call(294, 0))
attempt('attribute', lambda: os.getxattr('/etc/shadow', 'user.x'))
attempt('attributes', lambda: os.listxattr('/etc/shadow'))
attempt('clock', lambda: time.clock_gettime((~{} << 3) | 2))
",
        std::process::id()
    );
    refused(host, &sandbox, &code)?;
    let own = "
import time
attempt('own', lambda: time.clock_gettime((~os.getpid() << 3) | 2) and None)
attempt('thread', lambda: time.clock_gettime(time.pthread_getcpuclockid(__import__('threading').get_ident())) and None)
attempt('process', lambda: time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) and None)
";
    assert!(attack(host, &sandbox, own)?.iter().all(|line| line.contains("done")));
    Ok(())
}

fn alarms(host: &Host) -> Result<(), Skip> {
    let sandbox =
        Sandbox { freeze: true, control_group: bao_jail::ControlGroup::Never, ..Sandbox::default() };
    need(host, &sandbox, Guard::Freeze)?;
    let code = "
import fcntl
r, w = os.pipe()
timer = ctypes.create_string_buffer(64)
attempt('timer', lambda: call(222, 1, None, timer))
attempt('file', lambda: fcntl.fcntl(r, 10, 18))
attempt('child', lambda: call(56, 18, 0, 0, 0, 0))
";
    refused(host, &sandbox, code)?;
    let code = "
import subprocess, threading
attempt('child', lambda: subprocess.run(['/bin/true']) and None)
attempt('thread', lambda: threading.Thread(target=int).start())
";
    assert!(attack(host, &sandbox, code)?.iter().all(|line| line.contains("done")));
    Ok(())
}

fn processors(host: &Host) -> Result<(), Skip> {
    let all = python(host, &Sandbox::default(), "import os; print(*os.sched_getaffinity(0))")?.concat();
    let last: u32 = all.split(' ').map(|number| number.parse().unwrap()).max().unwrap();
    let sandbox = Sandbox { processors: vec![last], ..Sandbox::default() };
    // A thread and a child run there, too, and none of them may move: not to all processors, nor to the same one.
    let own = "
import subprocess, threading
print(*os.sched_getaffinity(0))
threading.Thread(target=lambda: print(*os.sched_getaffinity(0))).start()
print(subprocess.run([sys.executable, '-c', 'import os; print(*os.sched_getaffinity(0))'], capture_output=True, text=True).stdout.strip())
";
    assert_eq!(attack(host, &sandbox, own)?, [last.to_string(), last.to_string(), last.to_string()]);
    need(host, &sandbox, Guard::Network)?;
    let code = format!(
        "
for name, to in {{'all': [{}], 'same': [{last}]}}.items():
    attempt(name, lambda: os.sched_setaffinity(0, to))
    attempt(name + '-by-number', lambda: os.sched_setaffinity(os.getpid(), to))
",
        all.replace(' ', ", ")
    );
    refused(host, &sandbox, &code)
}

fn surfaces(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    need(host, &sandbox, Guard::Network)?;
    let code = "
for name, args in {
    'unshare-user': (272, 0x10000000), 'unshare-net': (272, 0x40000000), 'clone-user': (56, 0x10000000 | 17, 0, 0, 0, 0),
    'clone3': (435, 0, 0), 'mount': (165, 0, 0, 0, 0, 0), 'io_uring': (425, 1, 0), 'bpf': (321, 0, 0, 0),
    'perf': (298, 0, 0, -1, -1, 0), 'keyctl': (250, 0, 0), 'userfaultfd': (323, 0), 'kexec': (246, 0, 0, 0, 0),
    'handle': (304, -1, 0, 0), 'shm': (29, 1, 4096, 0o1666), 'aio': (206, 1, b'x' * 8), 'sched-core': (157, 62, 1, 0, 0, 0),
    'semaphore': (64, 1, 1, 0o1666), 'message-queue': (68, 1, 0o1666), 'posix-queue': (240, b'bao', 0o102, 0o666, 0),
    'add-key': (248, b'user', b'bao', b'x', 1, -3), 'secret': (447, 0), 'fanotify': (300, 0, 0),
}.items():
    attempt(name, lambda: call(*args))
def larger():
    import fcntl
    fcntl.fcntl(1, 1031, 1 << 20)
attempt('larger-pipe', larger)
";
    if !cfg!(target_arch = "x86_64") {
        return Err(Skip("the numbers of system calls in this test are those of x86-64".into()));
    }
    refused(host, &sandbox, code)?;
    if kept_by(&host.promises(&sandbox), Guard::Memory).is_some_and(|by| by.contains("memory.max")) {
        // There it is counted like any other memory.
        return Ok(());
    }
    refused(host, &sandbox, "attempt('memfd', lambda: call(319, b'x', 0))")
}

/// A directory that is closed to others keeps the bot from a user of its own.
fn same_user(host: &Host) -> Result<(), Skip> {
    let closed = std::env::temp_dir().join(format!("bao-test-closed-{}", std::process::id()));
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(closed.join("mine"), "0.5").unwrap();
    let sandbox = Sandbox { readable: vec![closed.clone()], ..Sandbox::default() };
    need(host, &sandbox, Guard::OtherProcesses)?;
    let life = live(host, &sandbox, "/bin/cat", &[closed.join("mine").to_str().unwrap()], "");
    assert_eq!(life.out, "0.5", "the bot is not broken by the closed directory");
    assert!(!life.kept_by(Guard::OtherProcesses).unwrap().contains("own user id"));
    let other = std::env::temp_dir().join(format!("bao-test-closed-file-{}", std::process::id()));
    fs::write(&other, "secret").unwrap();
    let result = refused(host, &sandbox, &file_attempts(&other));
    fs::remove_file(&other).unwrap();
    result?;
    let code = "
import resource
for pid in pids:
    attempt('kill', lambda: os.kill(pid, 0))
    attempt('prlimit', lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3)))
    attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
    attempt('affinity', lambda: os.sched_setaffinity(pid, [0]))
    attempt('environ', lambda: open(f'/proc/{pid}/environ').read())
attempt('user', lambda: os.setuid(1))
attempt('hostname', lambda: call(170, b'x', 1))
";
    let result = against_others(host, &sandbox, code);
    fs::remove_dir_all(closed).unwrap();
    result
}

fn no_scopes(host: &Host) -> Result<(), Skip> {
    let host = host.lacking(&[Layer::OwnUser, Layer::LandlockScopes]);
    signals(&host)?;
    ptrace(&host)?;
    sabotage(&host)?;
    peek(&host)?;
    let code = "
import signal, threading
signal.signal(signal.SIGUSR1, lambda *_: print('own signal'))
os.kill(os.getpid(), signal.SIGUSR1)
os.kill(0, 0)
child = subprocess.Popen(['/bin/sleep', '0'])
attempt('child', lambda: os.kill(child.pid, 0))
child.wait()
";
    assert_eq!(attack(&host, &Sandbox::default(), code)?, ["own signal", "child EPERM"]);
    Ok(())
}

/// Takes the layers away one by one; each test asks for the promise that it is about, and skips where there is none.
fn tiers(host: &Host) -> Result<(), Skip> {
    let mut kept = 0;
    for lacking in [
        &[Layer::Seccomp][..],
        &[Layer::Landlock],
        &[Layer::OwnUser],
        &[Layer::OwnUser, Layer::Seccomp],
        &[Layer::OwnUser, Layer::Landlock],
        &[Layer::OwnUser, Layer::Landlock, Layer::Seccomp],
    ] {
        let host = host.lacking(lacking);
        for test in [network, files, scratch, signals, ptrace, peek, daemon] {
            kept += usize::from(test(&host).is_ok());
        }
        let life = live(&host, &Sandbox::default(), "/bin/sh", &["-c", "echo hello"], "");
        assert_eq!((life.out.as_str(), life.err.as_str()), ("hello\n", ""));
    }
    println!("{kept} of 42 tests ran in weaker tiers");
    Ok(())
}

fn single_process(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox { single_process: true, ..Sandbox::default() };
    need(host, &sandbox, Guard::Network)?;
    let code = "
import threading
thread = threading.Thread(target=lambda: print('thread done')); thread.start(); thread.join()
attempt('fork', os.fork)
attempt('spawn', lambda: subprocess.run(['/bin/true']))
";
    assert_eq!(attack(host, &sandbox, code)?, ["thread done", "fork EPERM", "spawn EPERM"]);
    Ok(())
}

const DAEMON: &str = "
import os, time
def own_session():
    try:
        os.setsid()
    except OSError:
        pass
if os.fork() == 0:
    own_session()
    if os.fork() == 0:
        print('up', os.getpid(), flush=True)
    time.sleep(1000)
time.sleep(1000)
";

/// Starts the daemon, ends the bot and checks that the sweep finds the daemon.
fn daemon_with(host: &Host, sandbox: &Sandbox) -> Result<(), Skip> {
    crate::kit::program("/usr/bin/python3")?;
    let running = start(host, sandbox, "/usr/bin/python3", &["-c", DAEMON]);
    let mut running = running.unwrap_or_else(|error| panic!("{error}"));
    let line = read_line(&mut running.child);
    let pid: u32 = line.strip_prefix("up ").unwrap().parse().unwrap();
    let alive = |pid: u32| std::path::Path::new(&format!("/proc/{pid}/statm")).exists();
    assert!(alive(pid));
    finish(running);
    // It may still be a zombie of the first process, but it runs no more.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
    Ok(())
}

fn daemon(host: &Host) -> Result<(), Skip> {
    daemon_with(host, &Sandbox::default())
}

fn daemon_without_isolation(host: &Host) -> Result<(), Skip> {
    daemon_with(host, &Sandbox { level: bao_jail::Level::Off, ..Sandbox::default() })
}

fn fork_bomb(host: &Host) -> Result<(), Skip> {
    crate::kit::program("/usr/bin/python3")?;
    let sandbox = Sandbox { processes: Some(120), ..Sandbox::default() };
    need(host, &sandbox, Guard::Processes)?;
    let code = "
import os, time
while True:
    try:
        if os.fork() == 0:
            time.sleep(1000)
    except OSError:
        print('full', flush=True)
        time.sleep(1000)
";
    let running = start(host, &sandbox, "/usr/bin/python3", &["-c", code]);
    let mut running = running.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read_line(&mut running.child), "full");
    let count = running.jail.survivors().len();
    assert!((100..=120).contains(&count), "{count}");
    let took = finish(running);
    println!("fork bomb of {count} processes swept in {took:?}");
    Ok(())
}
