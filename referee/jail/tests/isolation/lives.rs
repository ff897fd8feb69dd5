//! Bots that start, run and end, or do not.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bao_jail::{Guard, Host, Layer, Level, Sandbox, SetupError};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::kit::{Skip, Test, finish, live, need, program, read_line, start};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("bots_in_bash_python_node_and_java_say_hello", languages),
    ("they_say_hello_as_root_without_its_powers_too", languages_without_user),
    ("a_bot_from_the_search_path_runs_wherever_its_interpreter_lies", search_path),
    ("a_bot_sees_the_listed_variables_and_three_descriptors_only", clean_start),
    ("a_bot_can_open_its_pipes_by_name", pipes_by_name),
    ("a_script_named_by_a_relative_path_runs_in_its_scratch_directory", relative_script),
    ("a_missing_bot_is_a_set_up_error", missing),
    ("a_bot_that_cannot_be_executed_is_a_set_up_error", not_executable),
    ("a_missing_interpreter_is_a_set_up_error", missing_interpreter),
    ("a_step_that_fails_in_the_shim_is_a_set_up_error", shim_failure),
    ("strict_starts_exactly_when_no_promise_has_a_gap", strict),
    ("without_isolation_a_bot_keeps_environment_and_directory", off),
    ("a_launch_that_is_never_spawned_leaves_nothing", never_spawned),
    ("two_referees_never_give_one_user_to_two_bots", two_referees),
    ("a_dropped_jail_kills_its_bot", dropped),
    ("when_the_referee_is_killed_no_bot_and_no_child_of_one_is_left", referee_killed),
];

fn languages(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox::default();
    let mut missing = Vec::new();
    let node =
        "require('fs').readSync(0, Buffer.alloc(9)); console.log('hello ' + require('os').tmpdir().length)";
    for (path, args) in [
        ("/bin/bash", ["-c", "read line; echo hello $(echo from a child) > copy; cat copy"]),
        ("/usr/bin/python3", ["-c", "import json, random, threading; input(); print('hello', flush=True)"]),
        ("/usr/bin/node", ["-e", node]),
    ] {
        if let Err(Skip(reason)) = program(path) {
            missing.push(reason);
            continue;
        }
        let life = live(host, &sandbox, path, &args, "line\n");
        assert!(life.out.starts_with("hello"), "{path}: {} {}", life.out, life.err);
        assert_eq!((life.err.as_str(), life.status.code()), ("", Some(0)), "{path}");
    }
    match program("/usr/bin/java") {
        Err(Skip(reason)) => missing.push(reason),
        Ok(_) => java(host, &sandbox),
    }
    if missing.is_empty() { Ok(()) } else { Err(Skip(missing.join(", "))) }
}

fn languages_without_user(host: &Host) -> Result<(), Skip> {
    languages(&host.lacking(&[Layer::OwnUser]))
}

/// A source file alone needs a compiler in the JVM, many threads, class data and a scratch: more than most bots.
fn java(host: &Host, sandbox: &Sandbox) {
    let source = r#"
        public class Hello {
            public static void main(String[] args) throws Exception {
                var line = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine();
                var thread = new Thread(() -> System.out.println("hello " + line));
                thread.start();
                thread.join();
            }
        }"#;
    let directory = open_directory("java");
    fs::write(directory.join("Hello.java"), source).unwrap();
    let file = directory.join("Hello.java");
    let life = live(host, sandbox, "/usr/bin/java", &[file.to_str().unwrap()], "line\n");
    assert_eq!(life.out, "hello line\n", "{}", life.err);
    // It says so when it reads what it may take.
    let of_limits = |line: &str| line.starts_with("NOTE: Picked up JDK_JAVA_OPTIONS: -XX:MaxRAM=1073741824 ");
    assert!(life.err.lines().all(of_limits), "{}", life.err);
    fs::remove_dir_all(directory).unwrap();
}

fn search_path(host: &Host) -> Result<(), Skip> {
    let found = std::env::var("PATH").unwrap_or_default();
    if !found.split(':').any(|directory| Path::new(directory).join("python3").exists()) {
        return Err(Skip("no python3 in the search path".into()));
    }
    let life = live(host, &Sandbox::default(), "python3", &["-c", "print('hello')"], "");
    assert_eq!((life.out.as_str(), life.err.as_str()), ("hello\n", ""));
    Ok(())
}

fn clean_start(host: &Host) -> Result<(), Skip> {
    let mut sandbox = Sandbox::default();
    sandbox.env.insert("DEPTH".into(), "3".into());
    let script = "echo /proc/self/fd/*; export -p | sed 's/declare -x //;s/=.*//' | tr '\\n' ' '; pwd";
    let life = live(host, &sandbox, "/bin/bash", &["-c", script], "");
    let mut lines = life.out.lines();
    // The listing itself has one open.
    assert_eq!(lines.next().unwrap(), "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3");
    let second = lines.next().unwrap();
    let (variables, directory) = second.rsplit_once(' ').unwrap();
    let shells = ["OLDPWD", "PWD", "SHLVL", "_"];
    let allowed = ["BAO_REFEREE_BOT", "DEPTH", "HOME", "LANG", "LANGUAGE", "PATH", "TMPDIR", "TZ"];
    let limits = ["DOTNET_GCHeapHardLimit", "GOMEMLIMIT", "JDK_JAVA_OPTIONS", "NODE_OPTIONS"];
    for name in variables.split(' ') {
        let fine = name.starts_with("LC_") || [&shells[..], &allowed, &limits].concat().contains(&name);
        assert!(fine, "{name} of {variables}");
    }
    assert!(variables.contains("DEPTH"));
    assert!(directory.contains("bao-bot-"), "{directory}");
    Ok(())
}

fn pipes_by_name(host: &Host) -> Result<(), Skip> {
    let script = "read line < /dev/stdin; echo $line > /dev/stdout; echo oops > /dev/stderr";
    let life = live(host, &Sandbox::default(), "/bin/bash", &["-c", script], "line\n");
    assert_eq!((life.out.as_str(), life.err.as_str()), ("line\n", "oops\n"));
    Ok(())
}

fn relative_script(host: &Host) -> Result<(), Skip> {
    let directory = open_directory("script");
    fs::write(directory.join("bot.sh"), "cat \"$(dirname \"$0\")/weights\"; echo; pwd").unwrap();
    fs::write(directory.join("weights"), "0.5").unwrap();
    let sandbox = Sandbox { directory: Some(directory.clone()), ..Sandbox::default() };
    let life = live(host, &sandbox, "sh", &["./bot.sh"], "");
    assert!(life.out.starts_with("0.5\n") && life.out.contains("bao-bot-"), "{} {}", life.out, life.err);
    fs::remove_dir_all(directory).unwrap();
    Ok(())
}

fn error_of(host: &Host, sandbox: &Sandbox, program: &str) -> SetupError {
    start(host, sandbox, program, &[]).err().expect("the bot must not start")
}

fn missing(host: &Host) -> Result<(), Skip> {
    for name in ["no-such-bot-anywhere", "./no-such-bot", "/no/such/bot"] {
        let error = error_of(host, &Sandbox::default(), name);
        assert!(matches!(&error, SetupError::NotFound(path) if path == Path::new(name)), "{error}");
    }
    Ok(())
}

fn not_executable(host: &Host) -> Result<(), Skip> {
    let directory = open_directory("plain");
    let bot = executable(&directory, "data", b"\x01\x00\x03");
    let error = error_of(host, &Sandbox::default(), bot.to_str().unwrap());
    assert!(matches!(error, SetupError::NotExecutable(..)), "{error}");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o644)).unwrap();
    let error = error_of(host, &Sandbox::default(), bot.to_str().unwrap());
    assert!(matches!(error, SetupError::NotExecutable(..)), "{error}");
    fs::remove_dir_all(directory).unwrap();
    Ok(())
}

fn missing_interpreter(host: &Host) -> Result<(), Skip> {
    let directory = open_directory("shebang");
    let bot = executable(&directory, "bot", b"#!/no/such/interpreter\n");
    let error = error_of(host, &Sandbox::default(), bot.to_str().unwrap());
    assert!(matches!(error, SetupError::NotFound(_)), "{error}");
    fs::remove_dir_all(directory).unwrap();
    Ok(())
}

fn shim_failure(host: &Host) -> Result<(), Skip> {
    // No process has room for its program in no memory at all, and no limit of files allows for a restriction.
    let sandbox = Sandbox { open_files: 0, level: Level::Strict, ..Sandbox::default() };
    need(host, &sandbox, Guard::Files)?;
    let error = error_of(host, &sandbox, "/bin/true");
    assert!(matches!(error, SetupError::Step(..) | SetupError::Gaps(_)), "{error}");
    Ok(())
}

fn strict(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox { level: Level::Strict, ..Sandbox::default() };
    match bao_jail::strict_would_start(&host.promises(&sandbox)) {
        Ok(()) => {
            let life = live(host, &sandbox, "/bin/sh", &["-c", "echo hello"], "");
            assert_eq!(life.out, "hello\n");
            assert!(life.started.promises.iter().all(|promise| promise.gap.is_none()));
        }
        Err(_) => assert!(matches!(error_of(host, &sandbox, "/bin/sh"), SetupError::Gaps(_))),
    }
    Ok(())
}

fn off(host: &Host) -> Result<(), Skip> {
    let sandbox = Sandbox { level: Level::Off, ..Sandbox::default() };
    let life = live(host, &sandbox, "/bin/sh", &["-c", "pwd; echo ${CARGO_MANIFEST_DIR-$HOME}"], "");
    let here = std::env::current_dir().unwrap();
    let variable = std::env::var("CARGO_MANIFEST_DIR").or_else(|_| std::env::var("HOME")).unwrap();
    assert_eq!(life.out, format!("{}\n{variable}\n", here.display()));
    assert_eq!(life.kept_by(Guard::Network), None);
    Ok(())
}

fn never_spawned(host: &Host) -> Result<(), Skip> {
    let launch = bao_jail::Launch::prepare(host, &Sandbox::default(), Path::new("/bin/true"), &[]);
    let scratch = launch.as_ref().unwrap().scratch().unwrap().to_owned();
    assert!(scratch.exists());
    drop(launch);
    assert!(!scratch.exists());
    Ok(())
}

fn two_referees(host: &Host) -> Result<(), Skip> {
    let mut users = std::collections::BTreeSet::new();
    let mut bots = Vec::new();
    for host in [host.clone(), host.clone(), Host::probe(), Host::probe()] {
        let running = start(&host, &Sandbox::default(), "/bin/sh", &["-c", "id -u; sleep 1000"]);
        let mut running = running.unwrap_or_else(|error| panic!("{error}"));
        users.insert(read_line(&mut running.child));
        bots.push(running);
    }
    for bot in bots {
        finish(bot);
    }
    let keeps = crate::kit::kept_by(&host.promises(&Sandbox::default()), Guard::OtherProcesses)
        .unwrap_or_default()
        .contains("own user id");
    if !keeps {
        return Err(Skip("bots get no user ids of their own here".into()));
    }
    assert_eq!(users.len(), 4, "{users:?}");
    Ok(())
}

fn dropped(host: &Host) -> Result<(), Skip> {
    let running = start(host, &Sandbox::default(), "/bin/sh", &["-c", "echo up; sleep 1000"]);
    let mut running = running.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read_line(&mut running.child), "up");
    drop(running.jail);
    assert!(!running.child.wait().unwrap().success());
    Ok(())
}

/// The argument with which this binary plays a referee that will be killed.
const REFEREE: &str = "--play-referee";

/// Plays a referee with one bot that has a child; ends only by being killed.
pub(crate) fn run_as_referee_if_asked() -> bool {
    if std::env::args().nth(1).as_deref() != Some(REFEREE) {
        return false;
    }
    let host = Host::probe();
    let running = start(&host, &Sandbox::default(), "/bin/sh", &["-c", "sleep 1000 & echo $$ $!; wait"]);
    let mut running = running.unwrap_or_else(|error| panic!("{error}"));
    println!("{} {}", read_line(&mut running.child), running.jail.scratch().unwrap().display());
    std::thread::sleep(Duration::from_secs(60));
    finish(running);
    true
}

fn referee_killed(_: &Host) -> Result<(), Skip> {
    let mut referee = Command::new("/proc/self/exe").arg(REFEREE).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(referee.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let mut words = line.split_whitespace();
    let pids: Vec<i32> = (0..2).map(|_| words.next().unwrap().parse().unwrap()).collect();
    let scratch = PathBuf::from(words.next().unwrap());
    assert!(pids.iter().all(|pid| kill(Pid::from_raw(*pid), None).is_ok()));
    kill(Pid::from_raw(i32::try_from(referee.id()).unwrap()), Signal::SIGKILL).unwrap();
    referee.wait().unwrap();
    // The janitor works on its own; this is a bound on an endless wait.
    let gone = || pids.iter().all(|pid| !is_alive(*pid)) && !scratch.exists();
    assert!((0..1000).any(|_| gone() || wait_a_moment()), "{pids:?} or {} is left", scratch.display());
    Ok(())
}

fn wait_a_moment() -> bool {
    std::thread::sleep(Duration::from_millis(10));
    false
}

fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|text| !text.contains(") Z "))
}

/// Makes a directory that every user can read, as a bot's own should be.
fn open_directory(name: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("bao-test-{name}-{}-{number}", std::process::id()));
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn executable(directory: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
