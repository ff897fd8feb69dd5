//! Who won, in a sentence, and how far the run has come.

use std::borrow::Cow;

use bao_rules::Variant;
use bao_stats::{Counts, Decision};

use crate::report::contents::Report;
use crate::report::order::{Extent, Standing};
use crate::report::page::{Block, Section};
use crate::report::words::{count, plural};

/// Makes the first section.
pub(super) fn winner(report: &Report) -> Section {
    let mut blocks = vec![Block::Text(headline(report)), Block::Facts(facts(report))];
    if let Some(stray) = &report.ranking.stray {
        blocks.push(Block::Text(format!(
            "The record does not follow its own plan: {stray}. So the order below is not that of the format; \
             \"referee verify\" says more."
        )));
    }
    Section { id: "overview", title: "Result".to_owned(), blocks }
}

fn facts(report: &Report) -> Vec<(Cow<'static, str>, String)> {
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
    facts
}

/// Says in a sentence or two how it went, and whether it is over.
fn headline(report: &Report) -> String {
    let counted = report.results.counted();
    if report.standings.len() < 2 {
        return "There is nothing to compare yet.".to_owned();
    }
    if counted == 0 {
        return "No game is finished yet.".to_owned();
    }
    let over = matches!(report.ranking.extent, Some(Extent::Over { .. }));
    let extent = match report.ranking.extent {
        Some(Extent::Over { games }) => {
            format!("The run is finished, with {} that count.", plural(games, "game", "games"))
        }
        Some(Extent::Running { done, at_most: false, games }) => {
            format!("Not finished: {} of {} games.", count(done), count(games))
        }
        Some(Extent::Running { done, at_most: true, games }) => {
            format!("Not finished: {} of at most {} games.", count(done), count(games))
        }
        None => format!("The record has {}.", plural(counted, "game", "games")),
    };
    let sentence = match test(report) {
        Some(sentence) => sentence,
        None if report.standings.len() == 2 => contest(report, over),
        None => field(report, over),
    };
    format!("{sentence} {extent}")
}

/// Says what a sequential test found.
fn test(report: &Report) -> Option<String> {
    let state = report.ranking.test?;
    let sequential = report.about.sprt.as_ref()?;
    let [first, second] = [report.results.bots.first()?, report.results.bots.get(1)?];
    let pairs = plural(state.pairs, "pair", "pairs");
    Some(match sequential.test.judge(&Counts::Pentanomial(state.counts)).decision {
        Decision::AcceptH1 => format!("{first} is better than {second}: the test has decided after {pairs}."),
        Decision::AcceptH0 => {
            format!("{first} has not proved to be better than {second}: the test has decided after {pairs}.")
        }
        Decision::Continue if state.over => {
            format!(
                "Whether {first} is better than {second} stays open: the test ended undecided after {pairs}."
            )
        }
        Decision::Continue => {
            format!("Whether {first} is better than {second} is not decided yet, after {pairs}.")
        }
    })
}

/// Says how two bots stand.
fn contest(report: &Report, over: bool) -> String {
    let [first, second] = [&report.standings[0], &report.standings[1]];
    let (ours, theirs) = (first.shown_points(), second.shown_points());
    let [leader, other] = [first, second].map(|standing| &report.results.bots[standing.bot]);
    match (ours == theirs, over) {
        (true, true) => format!("{leader} and {other} drew: {ours} points each."),
        (true, false) => format!("{leader} and {other} are level: {ours} points each."),
        (false, true) => format!("{leader} won against {other}, {ours} points to {theirs}."),
        (false, false) => format!("{leader} leads {other}, {ours} points to {theirs}."),
    }
}

/// Says how the first of many stand.
fn field(report: &Report, over: bool) -> String {
    let name = |standing: &Standing| report.results.bots[standing.bot].as_str();
    let [first, second] = [&report.standings[0], &report.standings[1]];
    if over && let Some(sentence) = last_duel(report) {
        return sentence;
    }
    let rank = |standing: &Standing| standing.place.as_ref().map(|place| place.rank);
    let shared =
        report.standings.iter().filter(|one| rank(one).is_some() && rank(one) == rank(first)).count();
    let points = first.shown_points();
    if shared > 1 {
        let names: Vec<&str> = report.standings.iter().take(shared).map(name).collect();
        let (last, others) = names.split_last().expect("there are two at least");
        let verb = if over { "share" } else { "currently share" };
        return format!("{} and {last} {verb} first place with {points} points each.", others.join(", "));
    }
    let verb = if over { "won" } else { "leads" };
    format!(
        "{} {verb} with {points} points, ahead of {} with {}.",
        name(first),
        name(second),
        second.shown_points()
    )
}

/// Says who won the last duel of a knockout.
fn last_duel(report: &Report) -> Option<String> {
    let last = report.ranking.rounds.last()?;
    let [meeting] = last.meetings.as_slice() else { return None };
    let through = meeting.through?;
    let other = if meeting.bot == through { meeting.other? } else { meeting.bot };
    let [winner, loser] = [through, other].map(|bot| &report.results.bots[bot]);
    Some(format!("{winner} won the final against {loser}."))
}
