//! What a report shows of rounds: a bracket, pairings, byes, and whether a run is finished.

use std::collections::BTreeMap;

use bao_referee::report::Replays;
use serde_json::json;

use super::kit::{html, markdown};
use super::numbers::table;
use super::order::played;

fn points(text: &str) -> f64 {
    match text {
        "" | "–" => 0.0,
        "full" => 2.0,
        text => text.replace('½', ".5").parse().unwrap(),
    }
}

#[test]
fn a_bracket_leads_from_duel_to_duel_to_the_winner() {
    for bots in [2, 3, 5, 7, 8] {
        let format = json!({ "kind": "knockout", "best_of": 2, "extra": 1 });
        let (record, standings) = played(&format!("bracket-{bots}"), &format, bots);
        let report = record.report(Replays::Fitting);
        let (text, page) = (markdown(&report), html(&report));
        let names: Vec<&str> =
            ["Final", "Semifinals", "Quarterfinals"][..bots.next_power_of_two().ilog2() as usize].into();
        // From the final back: the winners of the round before play in it, in this order.
        let mut wanted: Vec<String> = vec![standings[0].name.clone()];
        for name in names {
            let duels = table(&text, name);
            let mut through: Vec<&String> = duels.iter().map(|duel| &duel[4]).collect();
            through.sort();
            wanted.sort();
            assert_eq!(through, wanted.iter().collect::<Vec<_>>(), "{bots} {name}");
            for duel in &duels {
                assert!(duel[4] == duel[0] || duel[4] == duel[2], "{duel:?}");
                let other = if duel[4] == duel[0] { [1, 3] } else { [3, 1] };
                assert!(points(&duel[other[0]]) >= points(&duel[other[1]]), "{duel:?}");
            }
            wanted = duels
                .iter()
                .flat_map(|duel| [duel[0].clone(), duel[2].clone()])
                .filter(|bot| bot != "–")
                .collect();
        }
        let mut first: Vec<&String> = wanted.iter().collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), bots, "everybody is in the first round, once");
        if bots > 2 {
            assert!(
                text.contains(&format!("{} won the final against {}.", standings[0].name, standings[1].name)),
                "{text}"
            );
        }
        assert_eq!(page.matches("<div class=\"duel\">").count(), bots.next_power_of_two() - 1);
    }
}

#[test]
fn the_rounds_of_a_swiss_add_up_to_its_standings() {
    let (record, standings) = played("rounds", &json!({ "kind": "swiss", "rounds": 4, "pairs": 1 }), 7);
    let text = markdown(&record.report(Replays::Fitting));
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for round in 1..=4 {
        let rows = table(&text, &format!("Round {round}"));
        let mut met: Vec<&String> = rows.iter().flat_map(|row| [&row[0], &row[2]]).collect();
        let free = met.iter().filter(|bot| bot.starts_with("bye")).count();
        assert_eq!((met.len(), free), (8, 1), "seven bots: three meetings and one that is free");
        met.sort();
        met.dedup();
        assert_eq!(met.len(), 8, "nobody plays twice in a round");
        for row in &rows {
            *sums.entry(row[0].clone()).or_default() += points(&row[1]);
            *sums.entry(row[2].clone()).or_default() += points(&row[3]);
        }
    }
    for row in &standings {
        assert!((sums[&row.name] - row.points).abs() < 1e-9, "{}: {sums:?}", row.name);
    }
}

#[test]
fn a_report_says_whether_the_run_is_finished() {
    for (name, format, most) in [
        ("swiss", json!({ "kind": "swiss", "rounds": 3, "pairs": 1 }), "18"),
        ("knockout", json!({ "kind": "knockout", "best_of": 2, "extra": 0 }), "at most 24"),
        ("robin", json!({ "kind": "round_robin", "cycles": 1 }), "42"),
    ] {
        let (mut record, standings) = played(&format!("extent-{name}"), &format, 7);
        let finished = markdown(&record.report(Replays::Fitting));
        let games = record.rows.len();
        assert!(
            finished.contains(&format!("The run is finished, with {games} games that count.")),
            "{finished}"
        );
        let winner = &standings[0].name;
        assert!(finished.contains(&format!("\n{winner} won ")) || standings[1].rank == 1, "{finished}");
        record.rows.truncate(5);
        let running = markdown(&record.report(Replays::Fitting));
        assert!(running.contains(&format!("Not finished: 5 of {most} games.")), "{running}");
        assert!(!running.contains(&format!("\n{winner} won ")), "nobody has won yet");
    }
}

#[test]
fn conditions_are_words() {
    let (record, _) = played("conditions", &json!({ "kind": "gauntlet", "challengers": 1, "cycles": 2 }), 3);
    let text = markdown(&record.report(Replays::Fitting));
    let conditions: BTreeMap<String, String> = table(&text, "The conditions of this run")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    for (what, words) in [
        ("format", "gauntlet: the first bot plays 2 pairs of each game against every other bot"),
        ("openings of Bao Kingulu", "a new position for every pair, after 2 random moves"),
        ("clock", "1 s for the whole game"),
        ("grace", "none: a bot that exceeds its clock loses"),
        ("longest game", "1000 moves"),
        ("adjudication", "none: every game is played to its end"),
        ("withdrawal", "no bot is withdrawn"),
        ("isolation", "none asked for"),
    ] {
        assert_eq!(conditions[what], words, "{what}");
    }
    assert!(!text.contains('{') && !text.contains("null"), "{text}");
}
