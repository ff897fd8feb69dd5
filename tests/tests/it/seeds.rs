//! The seed of a run: drawn where nobody names one, kept in the record, and no bot's to know.

use std::collections::HashSet;

use bao_protocol::record::Run;
use bao_tests::bots::CLEAN;
use bao_tests::{Ended, Place, Referee};

const CUP: &str = "
[format.round_robin]
[[game]]
name = \"bao-kigogo\"
openings = { random = { plies = 4 } }
[[bot]]
command = \"random-bot\"
[[bot]]
command = \"greedy-bot\"
";

fn seed(ended: &Ended) -> u64 {
    let text = std::fs::read_to_string(ended.place.record().join("run.json")).expect("there is a record");
    let run: Run = serde_json::from_str(&text).expect("it is the head of a record");
    assert_eq!(run.plan["seed"], run.seed, "the plan has the seed, too");
    run.seed
}

#[test]
fn without_a_seed_every_run_has_one_that_nobody_can_guess() {
    let seeds: HashSet<u64> = (0..4)
        .map(|_| seed(&Referee::plays("bao-kingulu", CLEAN, CLEAN).draws_its_seed().run().exits(0)))
        .collect();
    assert_eq!(seeds.len(), 4);
    assert!(seeds.iter().all(|seed| *seed > 1 << 32), "2^32 seeds are soon tried: {seeds:?}");
}

#[test]
fn a_match_goes_on_with_the_seed_that_it_drew() {
    let more = ["--games", "2"];
    let first = Referee::plays("bao-kingulu", CLEAN, CLEAN).with(more).draws_its_seed().run().exits(0);
    let drawn = seed(&first);
    let again = Referee::plays_at(first.place, "bao-kingulu", CLEAN, CLEAN).with(more).draws_its_seed();
    let again = again.run().exits(0);
    assert_eq!(seed(&again), drawn);

    let other = Referee::plays_at(again.place, "bao-kingulu", CLEAN, CLEAN).with(more).with(["--seed", "5"]);
    let refused = other.run();
    assert_eq!(refused.code(), 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("seed") && refused.stderr.contains('5'), "{}", refused.stderr);
}

#[test]
fn a_tournament_goes_on_with_the_seed_that_it_drew_and_its_openings_follow() {
    let play = |place: Place| {
        place.file("cup.toml", CUP);
        Referee::at(place, ["tournament", "cup.toml", "--out", "{place}/record", "--json"]).run().exits(0)
    };
    let first = play(Place::new());
    let (drawn, openings) = (seed(&first), openings(&first));
    let again = play(first.place);
    assert_eq!(seed(&again), drawn);

    let other = play(Place::new());
    assert_ne!(seed(&other), drawn);
    assert_ne!(self::openings(&other), openings, "four random moves are seldom the same");
}

fn openings(ended: &Ended) -> Vec<String> {
    ended.games().into_iter().map(|row| row.position).collect()
}
