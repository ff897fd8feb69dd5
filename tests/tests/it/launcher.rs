//! What the launcher of the referee left behind: it is put in order, or named.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use bao_tests::{Place, program};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Makes a command that starts the referee by way of a shell that does something first.
fn after(place: &Place, before: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{before}; exec \"$0\" \"$@\"")])
        .arg(program("referee"))
        .args(arguments)
        .current_dir(place.dir())
        .env("BAO_TEST_MARK", place.mark())
        .env_remove("REFEREE_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

const MATCH: [&str; 4] = ["match", "bao-kingulu", "random-bot", "greedy-bot"];

fn plays(before: &str, more: &[&str]) -> (Place, Output) {
    let place = Place::new();
    let output = after(&place, before, &[&MATCH, more].concat()).output().expect("there is a shell");
    (place, output)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_ignored_death_of_children_takes_no_isolation_away() {
    let isolation = |before: &str| {
        let (place, output) = plays(before, &["--games", "1", "--out", "record"]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let run = std::fs::read_to_string(place.dir().join("record/run.json")).expect("there is a record");
        let run: Value = serde_json::from_str(&run).expect("it is JSON");
        run["isolation"].clone()
    };
    assert_eq!(isolation("trap '' CHLD"), isolation(":"));
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_death() {
    let (_place, output) = plays("ulimit -f 8", &["--games", "40", "--quiet", "--out", "record"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(6), "{said}");
    assert!(said.contains("ulimit -f") && said.contains("too large"), "{said}");
}

#[test]
fn too_few_open_files_are_named_before_anything_is_started() {
    let (_place, output) = plays("ulimit -n 8", &["--games", "2"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("the limit of open files is 8"), "{}", said(&output));
    let (_place, output) = plays("ulimit -n 100", &["--games", "400", "--concurrency", "200"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--concurrency 200 needs"), "{}", said(&output));
}

#[test]
fn the_soft_limit_of_open_files_limits_nothing() {
    let (_place, output) = plays("ulimit -S -n 60", &["--games", "8", "--concurrency", "4", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn signals_that_the_launcher_ignores_stay_ignored() {
    let place = Place::new();
    let arguments = [&MATCH[..], &["--games", "6", "--quiet"]].concat();
    let mut child =
        after(&place, "trap '' INT TERM; echo ready", &arguments).spawn().expect("there is a shell");
    let mut told = BufReader::new(child.stdout.take().expect("it is piped"));
    told.read_line(&mut String::new()).expect("the shell is ready");
    let code = loop {
        if let Some(status) = child.try_wait().expect("it is a child of ours") {
            break status.code();
        }
        let _ended = kill_process(Pid::from_child(&child), Signal::INT);
        let _ended = kill_process(Pid::from_child(&child), Signal::TERM);
        std::thread::yield_now();
    };
    assert_eq!(code, Some(0));
}
