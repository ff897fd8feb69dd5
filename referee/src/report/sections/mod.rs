//! The sections of a report, from what was read of a run's record.

mod contest;
mod course;
mod setup;
mod trouble;
mod variants;

use std::borrow::Cow;

use super::contents::Report;
use super::page::{Block, Section};
use super::words::{count, plural};
use bao_rules::Variant;

/// Makes every section that the record has something for, in the order of the page.
pub(super) fn all(report: &Report) -> Vec<Section> {
    let sections = [
        Some(overview(report)),
        contest::standings(report),
        contest::sequential(report),
        contest::cross_table(report),
        contest::superiority(report),
        course::endings(report),
        course::lengths(report),
        course::seats(report),
        course::openings(report),
        course::times(report),
        trouble::faults(report),
        trouble::repeats(report),
        trouble::voids(report),
        Some(setup::bots(report)),
        Some(setup::conditions(report)),
    ];
    sections.into_iter().flatten().collect()
}

fn overview(report: &Report) -> Section {
    let results = &report.results;
    let mut facts: Vec<(Cow<'static, str>, String)> = vec![
        ("bots".into(), count(report.run.bots.len() as u64)),
        ("games".into(), count(results.counted())),
        ("complete pairs".into(), count(results.pairs)),
    ];
    for variant in Variant::ALL {
        let games = results.games[variant as usize];
        if games > 0 && games < results.counted() {
            facts.push((format!("games of {}", variant.info().title).into(), count(games)));
        }
    }
    let drawn: u64 = results.tallies.iter().map(|tally| tally.seats().south[1]).sum();
    facts.push(("drawn".into(), count(drawn)));
    let faults: u64 = (0..results.bots.len()).map(|bot| results.faults_of(bot)).sum();
    facts.push(("lost by a fault".into(), count(faults)));
    if results.voids > 0 {
        facts.push(("did not count".into(), count(results.voids)));
    }
    if report.ranking.given_up > 0 {
        facts.push(("given up".into(), count(report.ranking.given_up)));
    }
    let mut blocks = vec![Block::Text(headline(report)), Block::Facts(facts)];
    if let Some(stray) = &report.ranking.stray {
        blocks.push(Block::Text(format!(
            "The record does not follow its own plan: {stray}. So the order below is not that of the format; \
             \"referee verify\" tells more."
        )));
    }
    if results.counted() > 0 {
        blocks.push(Block::Text(
            "Two games from the same opening with the seats swapped are a pair; error bars come from how whole \
             pairs vary. An interval holds the true value in 95 of 100 cases."
                .to_owned(),
        ));
    }
    Section { id: "overview", title: "At a glance".to_owned(), blocks }
}

/// Says in a sentence how it went.
fn headline(report: &Report) -> String {
    let results = &report.results;
    let games = plural(results.counted(), "game", "games");
    let [first, second, ..] = report.standings.as_slice() else {
        return "There is nothing to compare yet.".to_owned();
    };
    if results.counted() == 0 {
        return "No game is finished yet.".to_owned();
    }
    let (ours, theirs) = (first.shown_points(), second.shown_points());
    let (leader, other) = (&results.bots[first.bot], &results.bots[second.bot]);
    match (report.standings.len(), ours == theirs) {
        (2, true) => format!("{leader} and {other} are level after {games}: {ours} points each."),
        (2, false) => format!("{leader} is ahead of {other} by {ours} to {theirs} points after {games}."),
        _ => {
            format!("{leader} leads with {ours} points, before {other} with {theirs}, after {games} in all.")
        }
    }
}
