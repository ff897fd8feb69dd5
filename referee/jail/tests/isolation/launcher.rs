//! What the referee inherits from its launcher, and referees that are killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bao_jail::{Host, Sandbox, launcher};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::kit::{Skip, Test, finish, live, program, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("what_the_launcher_ignores_and_blocks_reaches_no_bot", signals),
    ("the_launchers_limits_are_raised_or_named", limits),
    (
        "a_user_id_stays_taken_until_the_janitor_of_a_killed_referee_has_swept",
        killed_with_its_janitor_stopped,
    ),
    ("a_stopped_janitor_does_not_hold_up_the_end", stopped_janitor),
    ("a_janitor_that_was_killed_is_replaced", killed_janitor),
];

/// The arguments with which this binary plays a referee.
const REPORT: &str = "--play-settled-referee";
const PLAY: &str = "--play-referee-with-a-bot";

/// Plays a referee if this binary was started for it.
pub(crate) fn run_as_referee_if_asked() -> bool {
    match std::env::args().nth(1).as_deref() {
        Some(REPORT) => report(),
        Some(PLAY) => play(),
        _ => return false,
    }
    true
}

/// Puts in order what was inherited, and prints what a bot gets of it.
fn report() {
    launcher::settle();
    let host = Host::probe();
    let gaps = bao_jail::strict_would_start(&host.promises(&Sandbox::default())).err().unwrap_or_default();
    println!("gaps {}", gaps.len());
    println!("files {}", launcher::open_files());
    println!("interrupt {}", launcher::ignores(rustix::process::Signal::INT));
    println!("narrow {}", launcher::narrow_limits().join(" / "));
    // By the shell itself: a child's own directory in /proc is another one, and closed.
    let looks =
        "for file in status limits; do while read -r line; do echo \"$line\"; done < /proc/self/$file; done";
    print!("{}", live(&host, &Sandbox::default(), "/bin/sh", &["-c", looks], "").out);
}

/// Starts bots for as long as somebody writes lines; the last line is the end.
fn play() {
    launcher::settle();
    let host = Host::probe();
    for _ in std::io::stdin().lock().lines().map_while(Result::ok).take_while(|line| line != "end") {
        let bot = start(&host, &Sandbox::default(), "/bin/sh", &["-c", "sleep 1000 & id -u; wait"]);
        let mut bot = bot.unwrap_or_else(|error| panic!("{error}"));
        println!("{}", read_line(&mut bot.child));
        // A killed referee does not finish; one that continues does when its memory is freed.
        std::mem::forget(bot);
    }
    drop(host);
    println!("ended");
}

/// Starts this binary as a referee by way of a program that leaves something behind.
fn launched(prepare: &str) -> Result<String, Skip> {
    let python = program("/usr/bin/python3")?;
    let own = std::env::current_exe().unwrap();
    let code = format!(
        "import os, resource, signal\n{prepare}\nos.execv({own:?}, [{own:?}, {REPORT:?}])",
        own = own.display().to_string()
    );
    let output = Command::new(python).args(["-c", &code]).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(told)
}

fn field<'a>(told: &'a str, name: &str) -> &'a str {
    let line = told.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("{name} in {told}")).trim()
}

fn signals(_: &Host) -> Result<(), Skip> {
    let plain = launched("")?;
    let told = launched(
        "
for number in signal.valid_signals():
    # The C library keeps 32 and 33 to itself; 9 and 19 cannot be changed.
    if number not in (9, 19, 32, 33): signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
    )?;
    assert_eq!(field(&told, "gaps"), field(&plain, "gaps"), "isolation is what it is without");
    assert_eq!(field(&told, "SigBlk:"), "0000000000000000");
    let ignored = u64::from_str_radix(field(&told, "SigIgn:"), 16).unwrap();
    // What a fault of the program itself raises the kernel does not let be ignored: SIGILL, SIGFPE, SIGSEGV. And the
    // C library keeps the first two real-time signals to itself.
    assert_eq!(ignored & !(1 << 3 | 1 << 7 | 1 << 10 | 3 << 31), 0, "{ignored:x}");
    assert_eq!([field(&plain, "interrupt"), field(&told, "interrupt")], ["false", "true"]);
    Ok(())
}

fn limits(_: &Host) -> Result<(), Skip> {
    let told = launched(
        "
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(100, hard), hard))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, 1 << 24))
resource.setrlimit(resource.RLIMIT_CPU, (500, 500))",
    )?;
    assert!(field(&told, "files").parse::<u64>().unwrap() > 100, "the soft limit is raised: {told}");
    let narrow = field(&told, "narrow");
    assert!(narrow.contains("16777216 bytes (ulimit -f)") && narrow.contains("500 s"), "{narrow}");
    let limit = |name: &str| field(&told, name).split_whitespace().next().unwrap().to_owned();
    // Zero would let the kernel start what core dumps are piped to.
    assert_eq!(limit("Max core file size"), "1");
    assert_eq!(limit("Max open files"), Sandbox::default().open_files.to_string());
    let rights = rustix::thread::capabilities(None).unwrap().effective;
    if rights.contains(rustix::thread::CapabilitySet::SYS_RESOURCE) {
        assert_eq!(
            limit("Max cpu time"),
            "unlimited",
            "with the right to do it, the launcher's limit is taken away"
        );
        assert_eq!(limit("Max file size"), Sandbox::default().file_bytes.to_string());
    }
    Ok(())
}

/// A referee in a process of its own, and its janitor.
struct Referee {
    child: Child,
    told: BufReader<std::process::ChildStdout>,
}

impl Referee {
    fn start() -> Self {
        let mut command = Command::new("/proc/self/exe");
        let mut child = command.arg(PLAY).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(child.stdout.take().unwrap());
        Self { child, told }
    }

    fn say(&mut self, line: &str) -> String {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let mut told = String::new();
        self.told.read_line(&mut told).unwrap();
        told.trim().to_owned()
    }

    fn janitor(&self) -> Pid {
        let children = fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let own = format!(" {} ", self.child.id());
        let is_janitor = |pid: &i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
            after.get(1..).is_some_and(|parent| parent.starts_with(&own)) && command.contains("janitor")
        };
        Pid::from_raw({ children }.find(is_janitor).expect("a referee with a bot has a janitor"))
    }
}

fn killed_with_its_janitor_stopped(host: &Host) -> Result<(), Skip> {
    if !host.gives_users() {
        return Err(Skip("bots get no user ids of their own here".into()));
    }
    let mut referee = Referee::start();
    let user = referee.say("bot");
    let janitor = referee.janitor();
    kill(janitor, Signal::SIGSTOP).unwrap();
    referee.child.kill().unwrap();
    referee.child.wait().unwrap();
    // What its parent-death signal does not reach is killed, so that nothing but the janitor knows of the id.
    let of_user = || processes_of(user.parse().unwrap());
    while !of_user().is_empty() {
        for pid in of_user() {
            let _gone = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
    let next = Host::probe();
    let bots: Vec<_> = (0..3)
        .map(|_| start(&next, &Sandbox::default(), "/bin/sh", &["-c", "id -u; sleep 1000"]))
        .map(|bot| bot.unwrap_or_else(|error| panic!("{error}")))
        .collect();
    kill(janitor, Signal::SIGCONT).unwrap();
    let is_there = || kill(janitor, None).is_ok() && !is_dead(janitor);
    while is_there() {
        std::thread::yield_now();
    }
    for mut bot in bots {
        assert_ne!(read_line(&mut bot.child), user);
        assert_eq!(bot.child.try_wait().unwrap(), None, "the janitor of the other referee has not killed it");
        finish(bot);
    }
    Ok(())
}

fn stopped_janitor(_: &Host) -> Result<(), Skip> {
    let mut referee = Referee::start();
    assert!(!referee.say("bot").is_empty());
    let janitor = referee.janitor();
    kill(janitor, Signal::SIGSTOP).unwrap();
    let before = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    assert_eq!(referee.say("end"), "ended");
    let after = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    assert!(Duration::try_from(after - before).unwrap() < Duration::from_secs(20));
    referee.child.wait().unwrap();
    Ok(())
}

fn killed_janitor(_: &Host) -> Result<(), Skip> {
    let mut referee = Referee::start();
    referee.say("bot");
    let first = referee.janitor();
    kill(first, Signal::SIGKILL).unwrap();
    let user = referee.say("bot");
    assert!(!user.is_empty(), "bots can still be started");
    referee.child.kill().unwrap();
    referee.child.wait().unwrap();
    Ok(())
}

fn processes_of(user: u32) -> Vec<i32> {
    use std::os::unix::fs::MetadataExt;
    let all =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let own = |pid: &i32| fs::metadata(format!("/proc/{pid}")).is_ok_and(|meta| meta.uid() == user);
    all.filter(own).filter(|pid| !is_dead(Pid::from_raw(*pid))).collect()
}

fn is_dead(pid: Pid) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z "))
}
