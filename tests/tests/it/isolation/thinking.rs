//! Bots that think on their opponent's time.

use bao_protocol::Seat;
use bao_protocol::record::{Channel, Event};
use bao_tests::bots::hostile;
use bao_tests::{Ended, Referee, skip};

/// Plays against an opponent that sleeps 50 ms a move; returns what the first bot used of the opponent's time.
fn ponder_us(fault: &str, arguments: &[&str]) -> (u64, Ended) {
    let ended = Referee::plays("bao-kingulu", &hostile(fault), &hostile("slow --ms 50"))
        .with(["--games", "1", "--max-plies", "20", "--clock", "30s"])
        .with(arguments.iter().copied())
        .run()
        .exits(0);
    let rows = ended.moves().into_iter().filter(|row| row["side"] == "N");
    let used = rows.map(|row| row["ponder_cpu_us"].as_u64().expect("it is measured")).sum();
    (used, ended)
}

#[test]
fn thinking_on_the_opponents_time_is_reported_for_each_move() {
    let (still, _) = ponder_us("nothing", &[]);
    let (busy, _) = ponder_us("ponderer", &[]);
    assert!(busy > 10 * still.max(5_000), "{busy} us while pondering, {still} us while not");
}

#[test]
fn a_bot_that_runs_although_it_was_stopped_pays_and_is_stopped_again() {
    // Without the filter of system calls, a process of its own session wakes it.
    let ended = Referee::plays("bao-kingulu", &hostile("unfreezes_once"), &hostile("slow --ms 600"))
        .with(["--games", "1", "--max-plies", "8", "--clock", "30s", "--freeze", "--isolation", "off"])
        .run()
        .exits(0);
    let events = ended.said(1, Channel::Event);
    let events = events.iter().map(|event| serde_json::from_str(event).expect("an event"));
    let ran_us: Vec<u64> = events
        .filter_map(|event| if let Event::Ran { side: Seat::South, us } = event { Some(us) } else { None })
        .collect();
    // Awake for 500 of 600 ms, were it not stopped again.
    assert!(!ran_us.is_empty() && ran_us.iter().all(|us| (1_001..300_000).contains(us)), "{ran_us:?}");
    let rows: Vec<_> = ended.moves().into_iter().filter(|row| row["side"] == "S").collect();
    let used_us: u64 = rows.iter().map(|row| row["used_us"].as_u64().expect("it is measured")).sum();
    let left_us = rows.last().and_then(|row| row["clock_us"].as_u64());
    assert_eq!(left_us, Some(30_000_000 - used_us - ran_us.iter().sum::<u64>()));
}

#[test]
fn a_frozen_bot_does_not_think() {
    for fault in ["ponderer", "unfreezer"] {
        let (used, ended) = ponder_us(fault, &["--freeze"]);
        if let Some(why) = ended.gap("freeze") {
            return skip(
                "a_frozen_bot_does_not_think",
                &format!("the promise freeze is not kept here: {why}"),
            );
        }
        assert!(used < 50_000, "{fault}: {used} us in ten moves of 50 ms");
        assert!(!ended.verdict(1).reason.is_fault());
    }
}
