//! Bots that take memory without end.

use std::fs;
use std::path::{Path, PathBuf};

use bao_protocol::{Reason, VoidCause};
use bao_rules::Side;
use bao_tests::bots::{CLEAN, hostile};
use bao_tests::{Place, Referee, program, skip};

use super::{play, python_intruder};

/// Checks that the bot loses by its limit, that its opponent is unharmed, and that the next game is played.
fn check(bot: &str) {
    let ended = play(bot, &["--first-sandbox", "memory=128MiB"]);
    let row = ended.verdict(1);
    assert_eq!(row.reason, Reason::MemoryLimit, "{bot}: {:?}", row.detail);
    assert_eq!(row.fault.map(Side::from), Some(Side::South));
    assert!(row.detail.is_some_and(|detail| detail.contains("128 MiB") || detail.contains("134217728")));
    assert_eq!(ended.games().len(), 2);
}

#[test]
fn private_memory_without_end_loses_by_the_limit() {
    check(&hostile("mem_bomb"));
}

#[test]
fn shared_memory_without_end_loses_by_the_limit() {
    check(&python_intruder("shared_memory"));
}

#[test]
fn memory_in_files_is_refused_or_loses_by_the_limit() {
    let bot = python_intruder("memfd");
    let attempt = super::tell(&play(&bot, &["--first-sandbox", "memory=128MiB"]));
    if !matches!(attempt, super::Attempt::Refused(why) if why.starts_with("memfd: refused")) {
        check(&bot);
    }
}

#[test]
fn a_limit_that_is_not_reached_is_not_felt() {
    let ended = play(&hostile("nothing"), &["--sandbox", "memory=128MiB"]);
    assert!(ended.games().iter().all(|row| !row.reason.is_fault()));
}

/// A group of this machine with too little memory for a bot, removed at the end.
struct Narrow(PathBuf);

impl Narrow {
    /// Makes one below this process's own; `None` where that cannot be had.
    fn new(name: &str) -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let find = |sign: &str| groups.lines().find_map(|line| line.split_once(sign)).map(|(_, own)| own);
        let (mount, own, limit) = match find(":memory:") {
            Some(own) => ("/sys/fs/cgroup/memory", own, "memory.limit_in_bytes"),
            None => ("/sys/fs/cgroup", find("0::")?, "memory.max"),
        };
        let own = Path::new(mount).join(own.trim_start_matches('/'));
        let found = if own.exists() { own } else { PathBuf::from(mount) };
        let group = Self(found.join(name));
        fs::create_dir(&group.0).ok()?;
        fs::write(group.0.join(limit), (24 << 20).to_string()).ok()?;
        Some(group)
    }
}

impl Drop for Narrow {
    fn drop(&mut self) {
        let _gone = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_bot_that_the_kernel_kills_when_the_machines_memory_runs_out_loses_nothing() {
    let test = "a_bot_that_the_kernel_kills_when_the_machines_memory_runs_out_loses_nothing";
    let place = Place::new();
    let Some(group) = Narrow::new(place.mark()) else {
        return skip(test, "no group of this machine lets its memory be narrowed");
    };
    // Its processes find the machine without memory until a game has ended by that.
    let text = format!(
        "#!/bin/sh\nif ! grep -qs machine {0}/games.jsonl; then echo $$ >{1}/cgroup.procs; exec {2} --mark {3} --do mem_bomb; \
         fi\nexec {4}\n",
        place.record().display(),
        group.0.display(),
        program("hostile").display(),
        place.mark(),
        program(CLEAN).display(),
    );
    let bot = place.file("bot", &text);
    let bot = bot.to_str().expect("a place has a plain name").to_owned();
    let ended = Referee::plays_at(place, "bao-kingulu", &bot, CLEAN)
        .with(["--games", "2", "--max-plies", "30", "--clock", "30s", "--isolation", "off"])
        .run()
        .exits(0);
    let (void, played): (Vec<_>, Vec<_>) =
        ended.games().into_iter().partition(|row| row.reason == Reason::Void);
    assert!(!void.is_empty(), "{:?}", played[0].detail);
    for row in void {
        assert_eq!((row.void, row.fault), (Some(VoidCause::Machine), None), "{:?}", row.detail);
    }
    assert_eq!(played.len(), 2, "every game is played again");
    assert!(played.iter().all(|row| !row.reason.is_fault()));
    drop(group);
}
