//! Every way in which a game can end leaves a record that verifies.

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_referee::record::Files;
use bao_referee::record::read::Rows;
use bao_rules::Variant;

use crate::kit::{Deed, Script, plan, record};
use crate::verified;

fn check(variant: Variant, script: &Script, reason: Reason) {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(variant, 1);
    record(dir.path(), &plan, &[(1, script.clone())]);
    let mut written = Rows::open(&Files::new(dir.path()).games()).unwrap();
    let rows: Vec<GameRow> = std::iter::from_fn(|| written.next_row().unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row.reason).collect::<Vec<_>>(), [reason]);
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((findings, summary.differences), (Vec::new(), 0));
    assert_eq!((summary.games, summary.plies), (1, rows[0].plies));
}

#[test]
fn games_that_the_rules_end_verify() {
    check(Variant::Kingulu, &Vec::new(), Reason::NoMoves);
    check(Variant::Kigogo, &Vec::new(), Reason::MaxPlies);
}

#[test]
fn games_that_conduct_ends_verify() {
    let says = |line: &[u8]| vec![(4, Deed::Says(line.to_vec()))];
    for variant in Variant::ALL {
        check(variant, &says(b"{\"type\":\"move\",\"id\":5,\"move\":7}"), Reason::BadMessage);
        check(variant, &says(b"{\"type\": \xff\xfe}"), Reason::BadMessage);
        check(variant, &says(b"{'type':'move'}"), Reason::BadMessage);
        check(variant, &vec![(3, Deed::Sleeps)], Reason::Time);
        check(variant, &vec![(3, Deed::Thinks(2_100_000))], Reason::Time);
        check(variant, &vec![(6, Deed::Resigns)], Reason::Resign);
        check(variant, &vec![(5, Deed::Crashes)], Reason::Crash);
    }
    check(Variant::Kingulu, &illegal(), Reason::IllegalMove);
}

fn illegal() -> Script {
    // The ids of South's requests: two for the options, one for the game, then one a move.
    vec![(1, Deed::Says(b"{\"type\":\"move\",\"id\":4,\"move\":\"a1\"}".to_vec()))]
}

#[test]
fn what_a_bot_says_beside_its_moves_verifies() {
    let lines: [&[u8]; 5] = [
        b"a banner \xff that is no message",
        b"",
        b"{\"type\":\"log\",\"level\":\"info\",\"text\":\"\\u0007\"}",
        b"{\"type\":\"move\",\"id\":1,\"move\":\"A1\"}",
        b"{\"type\":\"news\",\"x\":[1,2]}",
    ];
    let mut script: Script =
        lines.iter().zip(2..).map(|(line, ply)| (ply, Deed::SaysAndMoves(line.to_vec()))).collect();
    script.push((9, Deed::Thinks(1_234_567)));
    check(Variant::Kingulu, &script, Reason::NoMoves);
}

#[test]
fn games_in_the_same_processes_verify_and_the_standings_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let games: Vec<(u64, Script)> = [1, 3, 2, 4, 6, 5]
        .into_iter()
        .map(|game| (game, if game == 3 { vec![(4, Deed::Resigns)] } else { Vec::new() }))
        .collect();
    record(dir.path(), &plan(Variant::Kingulu, 6), &games);
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!(findings, Vec::new());
    assert_eq!((summary.games, summary.planned, summary.void), (6, None, 0));
    let [ant, bee] = &summary.bots[..] else { panic!("two bots") };
    assert_eq!((ant.wins, ant.draws, ant.losses), (bee.losses, bee.draws, bee.wins));
    assert_eq!(ant.wins + ant.draws + ant.losses, 6);
}
