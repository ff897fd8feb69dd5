//! The thread that keeps the clocks waits for no reader and no disk.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bao_protocol::record::GameRow;
use bao_tests::bots::hostile;
use bao_tests::{Place, program, skip};
use rustix::process::{Pid, Signal};

/// Returns a pipe that is full to the last byte.
fn full_pipe() -> (File, OwnedFd) {
    let (reader, writer) = rustix::pipe::pipe().expect("a pipe can be made");
    rustix::io::ioctl_fionbio(&writer, true).expect("a pipe's end can be set not to block");
    for block in [&[b'.'; 4096][..], b"."] {
        while rustix::io::write(&writer, block).is_ok() {}
    }
    rustix::io::ioctl_fionbio(&writer, false).expect("a pipe's end can be set to block");
    (File::from(reader), writer)
}

fn plays(place: &Place, stderr: Stdio) -> Child {
    let bot = hostile("slow --ms 5").replace("{mark}", place.mark());
    Command::new(program("referee"))
        .args(["match", "bao-kingulu", &bot, &bot, "--games", "10", "--concurrency", "2"])
        .args(["--clock", "1s/move", "--max-plies", "20", "--out", "record"])
        .current_dir(place.dir())
        .env("BAO_TEST_MARK", place.mark())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .expect("the referee can be started")
}

/// Waits until as many games are recorded.
fn recorded(place: &Place, games: usize) -> Vec<GameRow> {
    loop {
        let text = fs::read_to_string(place.record().join("games.jsonl")).unwrap_or_default();
        let rows: Vec<GameRow> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if rows.len() >= games {
            return rows;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_screen_that_nobody_reads_costs_no_bot_time() {
    let place = Place::new();
    let (mut reader, writer) = full_pipe();
    let mut referee = plays(&place, writer.into());
    let rows = recorded(&place, 10);
    assert!(rows.iter().all(|row| !row.reason.is_fault()), "{rows:?}");
    // It ends as soon as somebody reads.
    let mut said = Vec::new();
    reader.read_to_end(&mut said).expect("a pipe can be read");
    assert!(referee.wait().expect("a child can be waited for").success());
    assert!(String::from_utf8_lossy(&said).contains("[10 of 10]"));
}

#[test]
fn a_second_signal_ends_a_run_that_waits_for_its_reader() {
    let place = Place::new();
    let (_unread, writer) = full_pipe();
    let mut referee = plays(&place, writer.into());
    recorded(&place, 10);
    for _ in 0..2 {
        rustix::process::kill_process(Pid::from_child(&referee), Signal::INT).expect("it is there");
        std::thread::sleep(Duration::from_millis(100));
    }
    let ended = referee.wait().expect("a child can be waited for");
    assert_eq!(ended.code(), Some(7));
}

/// The system calls with which something is written, made or made durable in files.
const WRITING: &str =
    "trace=write,writev,pwrite64,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2,openat,creat";

#[test]
fn the_thread_of_the_clocks_writes_to_pipes_of_bots_alone() {
    if !traces("the_thread_of_the_clocks_writes_to_pipes_of_bots_alone") {
        return;
    }
    let place = Place::new();
    let bot = hostile("nothing").replace("{mark}", place.mark());
    let [out, err] = ["out", "err"].map(|name| File::create(place.dir().join(name)).expect("it is writable"));
    let traced = Command::new("strace")
        .args(["-ff", "-y", "-e", WRITING, "-e", "signal=none", "-o", "trace"])
        .arg(program("referee"))
        .args(["match", "bao-kingulu", &bot, &bot, "--games", "8", "--concurrency", "2", "--json"])
        .args(["--isolation", "off", "--out", "record"])
        .current_dir(place.dir())
        .env("BAO_TEST_MARK", place.mark())
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .status();
    assert!(traced.expect("strace is there").success());
    // The thread of the clocks is the one that says hello.
    let traces = fs::read_dir(place.dir()).expect("it is there").flatten();
    let texts = traces.filter(|entry| entry.file_name().to_string_lossy().starts_with("trace."));
    let clocks = texts.map(|entry| fs::read_to_string(entry.path()).unwrap_or_default());
    let clocks = clocks.into_iter().find(|text| text.contains(r#"{\"type\":\"hello\",\"protocol\":[1]"#));
    let clocks = clocks.expect("some thread says hello");
    let lines: Vec<&str> = clocks.lines().collect();
    let says = |line: &&str, what: &str| line.contains(&format!(r#"{{\"type\":\"{what}\""#));
    // Before the record is opened, every bot is started once, and nothing has a clock.
    let opened = lines.iter().position(|line| line.contains("games.jsonl")).expect("the record is opened");
    let hello = lines[opened..].iter().position(|line| says(line, "hello")).expect("it says hello");
    let first = opened + hello;
    let last = lines.iter().rposition(|line| says(line, "bye")).expect("it says goodbye");
    let odd: Vec<&&str> = lines[first..last].iter().filter(|line| !is_harmless(line)).collect();
    assert!(lines[first..last].len() > 200 && odd.is_empty(), "{odd:#?}");
}

/// Returns whether this machine can trace system calls; the test is skipped where it cannot.
fn traces(test: &str) -> bool {
    let tries = Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let can = tries.is_ok_and(|status| status.success());
    if !can {
        skip(test, "strace is not there, or may not trace");
    }
    can
}

#[test]
fn a_disk_that_is_slow_to_take_evidence_costs_no_bot_time() {
    if !traces("a_disk_that_is_slow_to_take_evidence_costs_no_bot_time") {
        return;
    }
    let place = Place::new();
    let bot = hostile("slow --ms 5").replace("{mark}", place.mark());
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "trace", "-e", "inject=write,fdatasync:delay_enter=600000"]);
    for file in ["wire/1.jsonl.gz", "wire/open/1.jsonl", "wire/open/2.jsonl", "moves.jsonl", "games.jsonl"] {
        command.arg("-P").arg(place.record().join(file));
    }
    let status = command
        .arg(program("referee"))
        .args(["match", "bao-kingulu", &bot, &bot, "--games", "4", "--concurrency", "2", "--quiet"])
        .args(["--isolation", "off", "--clock", "400ms/move", "--max-plies", "40", "--out", "record"])
        .current_dir(place.dir())
        .env("BAO_TEST_MARK", place.mark())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("strace is there").success());
    let trace = fs::read_to_string(place.dir().join("trace")).unwrap_or_default();
    assert!(trace.contains("(DELAYED)"), "nothing was slow: {trace}");
    let rows = recorded(&place, 4);
    assert!(rows.iter().all(|row| row.fault.is_none()), "{rows:?}");
}

/// Returns whether a call is one that never waits: to a bot's pipe, to another thread, or a look at `/proc`.
fn is_harmless(line: &str) -> bool {
    let to = |what: &str| line.starts_with("write(") && line.contains(what);
    to("<pipe:") || to("<anon_inode:[eventfd]>") || to("<socket:") || line.contains("O_RDONLY")
}
