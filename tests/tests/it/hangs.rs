//! No command hangs: whatever lies where a file or a directory is expected, a command ends, says what it found, and stays
//! small; what waits for a person's pipe can be interrupted.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bao_protocol::Reason;
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Chance, Place, Referee, number};
use rustix::process::Signal;

/// What can lie where a file is expected, and never ends or is not one.
const STRANGE: [&str; 12] = [
    "pipe",
    "folder",
    "empty",
    "sparse",
    "long",
    "deep",
    "loop",
    "socket",
    "noise",
    "missing",
    "/dev/zero",
    "/dev/random",
];
/// The codes with which a command may end: those of the help, without the one for a bug.
const CODES: [i32; 9] = [0, 2, 3, 4, 5, 6, 7, 8, 75];
/// Far more than any of these takes on a busy machine.
const BOUND: Duration = Duration::from_secs(60);
/// A text of 64 MiB is read as a whole, once as bytes and once as what it means.
const MEMORY_KIB: u64 = 400 << 10;

/// Makes one of the strange things; returns its path.
fn make(thing: &str, place: &Place) -> PathBuf {
    if thing.starts_with('/') {
        return PathBuf::from(thing);
    }
    let path = place.dir().join(thing);
    let text = |text: String| fs::write(&path, text).expect("the test's directory is writable");
    match thing {
        "pipe" => {
            let made =
                std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo can be started");
            assert!(made.success());
        }
        "folder" => fs::create_dir(&path).expect("a folder"),
        "empty" => text(String::new()),
        "sparse" => File::create(&path).and_then(|file| file.set_len(8 << 30)).expect("a sparse file"),
        "long" => text("x".repeat(30_000_000)),
        "deep" => text("[".repeat(2_000_000)),
        "loop" => symlink(&path, &path).expect("a link"),
        "socket" => drop(UnixListener::bind(&path).expect("a socket")),
        "noise" => fs::write(
            &path,
            (0..100_000_u32)
                .flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes())
                .collect::<Vec<u8>>(),
        )
        .expect("a file"),
        "missing" => {}
        other => panic!("nothing is called {other}"),
    }
    path
}

/// Every argument of every command that names a file or a directory to read or write; `@` is the strange thing.
const ARGUMENTS: [&[&str]; 28] = [
    &["verify", "@"],
    &["show", "@"],
    &["show", "@", "1"],
    &["export", "@"],
    &["report", "@"],
    &["wire", "@", "1"],
    &["logs", "@", "--bot", "one", "--out", "{place}/logs"],
    &["ratings", "@"],
    &["tournament", "@"],
    &["tournament", "@", "--dry-run"],
    &["tournament", "{place}/cup.toml", "--out", "@"],
    &["match", "bao-kingulu", CLEAN, CLEAN, "--openings", "@"],
    &["match", "bao-kingulu", CLEAN, CLEAN, "--out", "@"],
    &["match", "bao-kingulu", "@", CLEAN],
    &["check", "@"],
    &["play", "bao-kingulu", "@"],
    &["doctor", "@"],
    &["rerun", "@", "1", "--reason", "x"],
    &["correct", "@", "1", "draw", "--reason", "x"],
    &["disqualify", "@", "one", "--reason", "x"],
    &["extend", "@", "{place}/cup.toml", "--reason", "x"],
    &["undo", "@", "1", "--reason", "x"],
    &["farm", "@", "--out", "{place}/farm"],
    &["farm", "{place}/cup.toml", "--out", "@"],
    &["wave", "@"],
    &["gather", "@"],
    &["task", "@"],
    &["logs", "{place}/none", "--bot", "one", "--out", "@"],
];

/// Files of a record, each of which may be something strange.
const FILES: [&str; 6] =
    ["run.json", "acts.jsonl", "games.jsonl", "moves.jsonl", "stderr.jsonl", "wire/1.jsonl.gz"];

/// What is done with such a record.
const USES: [&[&str]; 10] = [
    &["verify", "{place}/record"],
    &["show", "{place}/record", "1"],
    &["export", "{place}/record"],
    &["report", "{place}/record"],
    &["wire", "{place}/record", "1"],
    &["logs", "{place}/record", "--bot", "first", "--out", "{place}/logs"],
    &["ratings", "{place}/record"],
    &["undo", "{place}/record", "1", "--reason", "x"],
    &["gather", "{place}/record"],
    &["match", "bao-kingulu", CLEAN, CLEAN, "--first-name", "first", "--out", "{place}/record", "--quiet"],
];

/// Whether a thing may be read from a pipe that a person has made, and so is waited for.
fn waits(arguments: &[&str], thing: &str) -> bool {
    thing == "pipe"
        && arguments
            .iter()
            .any(|word| matches!(*word, "ratings" | "tournament" | "--openings" | "farm" | "task"))
        && arguments.last() != Some(&"--out")
}

fn ends(place: Place, arguments: &[&str], path: &Path) {
    let path = path.to_str().expect("a plain name");
    let filled: Vec<String> = arguments.iter().map(|word| word.replace('@', path)).collect();
    let ended = Referee::at(place, filled.iter().map(String::as_str))
        .within(BOUND)
        .memory_kib(MEMORY_KIB)
        .unverified()
        .run();
    let code = ended.code();
    assert!(CODES.contains(&code), "{filled:?}: exit code {code}: {}", ended.stderr);
    assert!(ended.stderr.len() < 20_000, "{filled:?}: {} bytes of messages", ended.stderr.len());
}

#[test]
fn a_command_ends_whatever_is_named() {
    for arguments in ARGUMENTS {
        for thing in STRANGE.into_iter().filter(|thing| !waits(arguments, thing)) {
            let place = Place::new();
            place.file("cup.toml", &format!("[format.round_robin]\n[[game]]\nname = \"bao-kingulu\"\n[[bot]]\ncommand = \"{CLEAN}\"\n[[bot]]\ncommand = \"{CLEAN}\"\n"));
            let path = make(thing, &place);
            ends(place, arguments, &path);
        }
    }
}

#[test]
fn a_command_ends_whatever_is_in_a_record() {
    let played = Referee::plays("bao-kingulu", CLEAN, CLEAN).with(["--first-name", "first"]).run().exits(0);
    for file in FILES {
        for thing in STRANGE {
            for arguments in USES {
                let place = Place::new();
                copy(&played.place.record(), &place.record());
                let strange = make(thing, &place);
                let file = place.record().join(file);
                if file.exists() {
                    fs::remove_file(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                }
                symlink(&strange, &file).expect("a link");
                ends(place, arguments, &strange);
            }
        }
    }
}

#[test]
fn what_waits_for_a_pipe_is_interrupted_at_once() {
    for arguments in ARGUMENTS.into_iter().filter(|arguments| waits(arguments, "pipe")) {
        let place = Place::new();
        let path = make("pipe", &place);
        let path = path.to_str().expect("a plain name");
        let filled: Vec<String> = arguments.iter().map(|word| word.replace('@', path)).collect();
        let running =
            Referee::at(place, filled.iter().map(String::as_str)).within(BOUND).unverified().start();
        running.signal(Signal::INT);
        let ended = running.finish();
        assert!(matches!(ended.code(), -2 | 7), "{filled:?}: {}", ended.code());
    }
}

/// Whatever is going on, two signals end a run soon, and the same command ends it as if nobody had stopped it.
/// `BAO_SIGNALS` and `BAO_SEED` choose how often and when.
#[test]
fn two_signals_end_a_run_at_any_moment_and_the_same_command_goes_on() {
    let seed = number("BAO_SEED", 3);
    let mut chance = Chance::new(seed);
    let slow = hostile("slow --ms 2");
    let run = |place| {
        Referee::plays_at(place, "bao-kingulu", &slow, CLEAN).with(["--games", "6", "--concurrency", "2"])
    };
    let mut place = Place::new();
    for round in 0..number("BAO_SIGNALS", 12) {
        let mut running = run(place).within(BOUND).start();
        let moment = chance.below(60);
        let mut seen = 0;
        running.until(|event| {
            seen += 1;
            seen > moment || event["event"] == "end"
        });
        for _ in 0..2 {
            running.signal(chance.of(&[Signal::INT, Signal::TERM]));
        }
        let ended = running.finish();
        assert!(matches!(ended.code(), 0 | 7), "BAO_SEED={seed}, round {round}: exit code {}", ended.code());
        // One that ended before the signals begins again.
        place = if ended.code() == 0 { Place::new() } else { ended.place };
    }
    let ended = run(place).run().exits(0);
    let counted = ended.games().into_iter().filter(|row| row.reason != Reason::Void).count();
    assert_eq!(counted, 6, "BAO_SEED={seed}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a record") {
        let entry = entry.expect("a record");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file");
        }
    }
}
