//! The same command continues after any death: tournaments killed at random moments, and started again at once,
//! while another referee plays beside them undisturbed.
//!
//! `BAO_KILLS=1000 cargo test -p bao-tests --test tournament kills` tries more often; `BAO_SEED` gives other moments.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_tests::{Chance, Ended, Place, number, program};

use super::{BOTH_GAMES, SAMPLE_BOTS, TWO_BOTS, check_verifies, courses, end, tournament};

/// How many kills are tried without `BAO_KILLS`.
const KILLS: u64 = 24;
/// How many kills a tournament lives through before it is left in peace.
const KILLS_EACH: u64 = 6;
/// A kill comes within this time after the start: before `run.json`, in the middle of games, at their end.
const WITHIN_MS: u64 = 400;

const FORMATS: [&str; 6] = [
    "[format.round_robin]\ncycles = 1",
    "[format.gauntlet]\nchallengers = 2\ncycles = 1",
    "[format.swiss]\nrounds = 3",
    "[format.knockout]\nbest_of = 2",
    "[format.sprt]\nelo0 = 0\nelo1 = 200\nmax_pairs = 12",
    "withdraw_after = 2\n[format.round_robin]\ncycles = 1",
];

#[test]
fn kills_at_any_moment_lose_nothing_and_touch_nobody_else() {
    let (kills, seed) = (number("BAO_KILLS", KILLS), number("BAO_SEED", 1));
    let mut chance = Chance::new(seed);
    for round in 0..kills.div_ceil(KILLS_EACH) {
        let format = chance.of(&FORMATS);
        // A sequential test is about two bots.
        let bots = if format.contains("sprt") { TWO_BOTS } else { SAMPLE_BOTS };
        let file = format!("seed = {seed}\n{format}\n{BOTH_GAMES}\n{bots}");
        let context = format!("BAO_SEED={seed}, round {round}:\n{format}");
        let undisturbed = tournament(Place::new(), &file, "2").start();
        let killed = live_through_kills(&mut chance, &file);
        let whole = undisturbed.finish().exits(0);
        assert_blameless(&whole, &context);
        assert_blameless(&killed, &context);
        // Which games were being played when a sequential test was decided is chance, and they do not count.
        if !format.contains("sprt") {
            assert_eq!(courses(&killed), courses(&whole), "{context}");
            assert_eq!(end(&killed)["rows"], end(&whole)["rows"], "{context}");
        }
        assert_eq!(check_verifies(killed), check_verifies(whole), "{context}");
    }
}

/// Starts a tournament and kills it, again and again and without a pause between, then lets it end.
fn live_through_kills(chance: &mut Chance, file: &str) -> Ended {
    let place = Place::new();
    place.file("cup.toml", file);
    for _ in 0..KILLS_EACH {
        let tables = (1 + chance.below(4)).to_string();
        let mut referee = Command::new(program("referee"))
            .args(["tournament", "cup.toml", "--out", "record", "--concurrency", &tables])
            .current_dir(place.dir())
            .env("BAO_TEST_MARK", place.mark())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the referee can be started");
        // The moment of the kill is what is drawn; nothing is waited for.
        std::thread::sleep(Duration::from_millis(chance.below(WITHIN_MS)));
        referee.kill().expect("a child that is not reaped can be killed");
        referee.wait().expect("a child can be waited for");
    }
    tournament(place, file, "2").run().exits(0)
}

/// Sample bots make no mistakes: a fault in a record of theirs is the referee's own. No game is there twice.
fn assert_blameless(ended: &Ended, context: &str) {
    let rows = ended.games();
    let blamed: Vec<&GameRow> = rows.iter().filter(|row| row.fault.is_some()).collect();
    assert!(blamed.is_empty(), "{context}\n{blamed:?}");
    let counted = rows.iter().filter(|row| row.reason != Reason::Void).map(|row| row.game);
    let numbers: Vec<u64> = counted.collect();
    let different: BTreeSet<u64> = numbers.iter().copied().collect();
    assert_eq!(numbers.len(), different.len(), "{context}");
}
