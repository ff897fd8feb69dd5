//! Games against an opponent who does anything at all: nothing he does makes an honest bot lose by conduct, and nothing
//! brings the machine down.
//!
//! `BAO_FUZZ=1000000 cargo test --release -p bao-referee --test game chance` plays a million; `BAO_SEED=2` draws others.

use bao_protocol::{Reason, ToBot};
use bao_rules::Side;
use bao_tests::{Chance, number};

use crate::script::Play;

/// How many games are played without `BAO_FUZZ`.
const GAMES: u64 = 4_000;
/// No game takes this many steps: a bot that does anything at all soon does something that ends it.
const STEPS: u32 = 2_000;

const TERMS: [&str; 8] = [
    "fresh clock=1s",
    "greeted clock=1s grace=50ms",
    "clock=100ms/move",
    "clock=5s+100ms history",
    "clock=none plies=30",
    "kigogo clock=1s plies=40",
    "fresh kigogo clock=200ms/move",
    "edition=1 clock=300ms",
];

/// What the opponent does; most of it is allowed, at the wrong moment or in the wrong number.
const ACTS: [&str; 30] = [
    "N move",
    "N move",
    "N move",
    "N move",
    "N move",
    "N +3ms move",
    "N +90ms move",
    "N +151ms move",
    "N ready",
    "N hello",
    "N hello games=chess",
    "N hello protocol=2",
    "N move pit=Z9",
    "N move pit=A1",
    "N move id=0",
    "N move id=9007199254740993",
    "N info",
    "N log bytes=3000 x5",
    "N noise x7",
    "N noise bytes=9000",
    "N half {\"type\":\"move\"",
    "N resign",
    "N crashes",
    "N silence",
    "N tick",
    "N line {\"type\":\"move\",\"id\":1",
    "N line []",
    "N line {\"type\":\"pong\",\"id\":1}",
    "N line {\"type\":\"zzz\"}",
    "N move score=999999999999",
];

/// South answers whatever it is asked, at once and rightly.
fn be_honest(play: &mut Play, hello: &'static str, script: &mut Vec<&'static str>) {
    while play.game.awaited(Side::South).is_some() {
        let asked = play.heard.said.iter().rev().find_map(|(side, line)| {
            let read = ToBot::read(line.as_bytes()).ok().flatten();
            read.filter(|_| *side == Side::South).map(|message| match message {
                ToBot::Hello(_) => hello,
                ToBot::NewGame(_) => "S ready",
                ToBot::SetOption(_)
                | ToBot::Go(_)
                | ToBot::Ping(_)
                | ToBot::Verify(_)
                | ToBot::Fault(_)
                | ToBot::GameOver(_)
                | ToBot::Bye(_) => "S move",
            })
        });
        let act = asked.expect("who is awaited was asked");
        script.push(act);
        play.run(act);
    }
}

#[test]
fn nothing_that_an_opponent_does_makes_an_honest_bot_lose_by_conduct() {
    let (games, seed) = (number("BAO_FUZZ", GAMES), number("BAO_SEED", 1));
    let mut chance = Chance::new(seed);
    let mut reasons = std::collections::BTreeSet::new();
    for game in 0..games {
        let terms = chance.of(&TERMS);
        let hello = if terms.contains("kigogo") { "S hello games=bao-kigogo" } else { "S hello" };
        let mut script = Vec::new();
        let mut play = Play::of(terms, "");
        let mut steps = 0;
        while play.game.verdict().is_none() {
            be_honest(&mut play, hello, &mut script);
            if play.game.verdict().is_some() {
                break;
            }
            // Time goes by on the opponent's own clock only.
            let act = chance.of(&ACTS);
            script.push(act);
            play.run(act);
            steps += 1;
            assert!(steps < STEPS, "game {game} under `{terms}` does not end: {}", script.join("; "));
        }
        let verdict = play.game.verdict().expect("the game is over").clone();
        assert_ne!(verdict.fault, Some(Side::South), "{verdict:?} under `{terms}`: {}", script.join("; "));
        for (side, line) in &play.heard.said {
            let read = ToBot::read(line.as_bytes());
            assert!(matches!(read, Ok(Some(_))), "{side} was sent {line}");
        }
        let said = play.heard.said.len();
        for act in ["N move", "N crashes", "N tick", "S move", "S crashes"] {
            play.run(act);
        }
        assert_eq!(
            play.heard.said.len(),
            said,
            "something was said after the verdict: {}",
            script.join("; ")
        );
        assert_eq!(play.game.verdict(), Some(&verdict));
        reasons.insert(verdict.reason.name());
    }
    let seen = [
        Reason::Time,
        Reason::IllegalMove,
        Reason::BadMessage,
        Reason::Crash,
        Reason::Resign,
        Reason::Handshake,
    ];
    let unseen: Vec<_> = seen.iter().filter(|reason| !reasons.contains(reason.name())).collect();
    assert!(unseen.is_empty(), "no game ended by {unseen:?}, only by {reasons:?}");
}
