//! Attack programs in C (tests/bots/attacks), each against an honest opponent: whatever they do, the opponent loses
//! nothing, the match goes on, and nobody is left behind.

use std::path::PathBuf;
use std::process::Command;

use bao_protocol::Reason;
use bao_rules::Side;
use bao_tests::bots::CLEAN;
use bao_tests::{Ended, Place, Referee, skip};

/// Compiles an attack program or its opponent; `None` if there is no C compiler, which it prints.
fn built(place: &Place, name: &str) -> Option<String> {
    let source =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("bots/attacks").join(name).with_extension("c");
    // A directory of its own: what a command names, its bot may read.
    let folder = place.dir().join(format!("of-{name}"));
    std::fs::create_dir_all(&folder).expect("the test's directory is writable");
    let program = folder.join(name);
    match Command::new("cc").args(["-O2", "-w", "-pthread", "-o"]).arg(&program).arg(&source).status() {
        Ok(status) if status.success() => Some(program.display().to_string()),
        Ok(status) => panic!("{}: {status}", source.display()),
        Err(_) => {
            skip(&format!("the attack {name}"), "cc is not installed");
            None
        }
    }
}

/// A command: the name of a program in tests/bots/attacks, or of a bot that is built, and its arguments.
fn command(place: &Place, words: &str) -> Option<String> {
    if words == CLEAN {
        return Some(words.to_owned());
    }
    let (name, arguments) = words.split_once(' ').unwrap_or((words, ""));
    Some(format!("{} {arguments}", built(place, name)?).trim_end().to_owned())
}

/// Plays two games; the honest opponent of the attacker, which has both seats in turn, is never at fault.
fn attack(attacker: &str, honest: &str, settings: &[&str]) -> Option<Ended> {
    let place = Place::new();
    let (bad, good) = (command(&place, attacker)?, command(&place, honest)?);
    let ended = Referee::plays_at(place, "bao-kingulu", &bad, &good)
        .with(["--games", "2", "--max-plies", "20", "--clock", "30s", "--first-name", "bad"])
        .with(settings.iter().copied())
        .memory_kib(64 << 10)
        .run()
        .exits(0);
    let rows: Vec<_> = ended.games().into_iter().filter(|row| row.reason != Reason::Void).collect();
    assert_eq!(rows.len(), 2, "{attacker}: both games count");
    for row in rows {
        let names = [(Side::South, &row.south), (Side::North, &row.north)];
        let at_fault =
            row.fault.map(Side::from).map(|side| names[usize::from(side == Side::North)].1.as_str());
        assert!(
            matches!(at_fault, None | Some("bad")),
            "{attacker}: {honest} lost by {} {:?}",
            row.reason,
            row.detail
        );
    }
    Some(ended)
}

#[test]
fn memory_that_a_dead_first_thread_hides_is_counted() {
    for attacker in ["zlead 400 0", "zlead 400 2", "zlead 400 0 keep"] {
        let Some(ended) = attack(attacker, CLEAN, &["--first-sandbox", "memory=64MiB"]) else { return };
        assert_eq!(ended.verdict(1).reason, Reason::MemoryLimit, "{attacker}: {:?}", ended.verdict(1).detail);
    }
}

#[test]
fn page_tables_are_memory() {
    let Some(ended) = attack("ptmem pt 300", CLEAN, &["--first-sandbox", "memory=64MiB"]) else { return };
    assert_eq!(ended.verdict(1).reason, Reason::MemoryLimit, "{:?}", ended.verdict(1).detail);
}

#[test]
fn buffers_of_sockets_and_pipes_take_nothing_from_an_opponent_with_a_table() {
    for attacker in ["ptmem sock 300", "ptmem pipe 300"] {
        attack(attacker, "fat 300", &[]);
    }
}

#[test]
fn processes_and_threads_without_end_leave_the_opponent_its_own() {
    for attacker in ["procs 200", "threads", "procs2"] {
        attack(attacker, "threader", &["--restart"]);
    }
}

#[test]
fn a_bot_that_spins_in_its_opponents_turns_does_not_make_it_lose_on_time() {
    attack("hog 8", "worker 50", &[]);
}

#[test]
fn a_directory_deeper_than_the_referee_has_files_is_removed() {
    attack("deep2 3000", "slowpoke 5", &[]);
}

#[test]
fn what_acts_on_a_terminal_does_not_reach_it() {
    let place = Place::new();
    let Some(bad) = command(&place, "esc") else { return };
    let ended = Referee::at(place, ["match", "bao-kingulu", &bad, CLEAN, "--games", "1"]).run().exits(0);
    let printed = format!("{}{}", ended.stdout, ended.stderr);
    assert!(printed.contains("illegal_move"), "{printed}");
    assert!(!printed.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{printed:?}");
}
