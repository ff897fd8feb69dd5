//! Under which conditions a run was played, in words.

use std::collections::BTreeMap;

use bao_protocol::record::{Deed, Level, Machine, Measure, Plan, Promise};
use bao_rules::Variant;

use crate::arbiter::Rulings;
use crate::plan::words;
use crate::report::contents::Report;
use crate::report::page::{Block, Grid, Section};
use crate::report::words::{clean, plural};

/// Shows the conditions.
pub(super) fn conditions(report: &Report) -> Section {
    let run = &report.run;
    let mut table = Grid::new("The conditions of this run", &["what", "value"]);
    let mut row = |what: &str, value: String| table.row([what.to_owned(), clean(&value, 600)]);
    // A plan of a later version may say what this one does not understand; then only what is plain is shown.
    let plan: Option<Plan> = serde_json::from_value(run.plan.clone()).ok();
    match &plan {
        Some(plan) => planned(plan, &mut row),
        None => unplanned(report, &mut row),
    }
    row("begun", run.started.clone());
    if let Some([_, last]) = &report.results.started {
        row("last game begun", last.clone());
    }
    row("seed", run.seed.to_string());
    row("referee", run.referee.clone());
    row("versions", format!("rules {}, protocol {}, record {}", run.rules, run.protocol, run.record));
    for (machine, _) in run.machines() {
        let memory =
            machine.memory_bytes.map_or(String::new(), |bytes| format!(", {} MiB of memory", bytes >> 20));
        let Machine { system, architecture, cpus, .. } = machine;
        row("machine", format!("{system}, {architecture}, {cpus} processors{memory}"));
    }
    for pinning in run.hosts.iter().filter_map(|host| host.pinning.as_ref()) {
        row("processors", clean(&pinning.to_string(), 300));
    }
    let mut blocks = vec![Block::Grid(table)];
    blocks.extend(withdrawals(report));
    blocks.extend(isolation(report));
    let text = "Everything here was computed only from the run's record. Anyone who has the record can check it: \
                \"referee verify\" replays every game, recomputes every verdict and clock and follows the chain of hashes; \
                \"referee report\" makes this report again.";
    blocks.push(Block::Text(text.to_owned()));
    Section { id: "conditions", title: "Conditions".to_owned(), blocks }
}

fn unplanned(report: &Report, row: &mut impl FnMut(&str, String)) {
    if let Some(format) = &report.about.format {
        row("format", format.clone());
    }
    if !report.about.clocks.is_empty() {
        row("clocks", report.about.clocks.join(", "));
    }
}

fn planned(plan: &Plan, row: &mut impl FnMut(&str, String)) {
    row("format", words::format(&plan.format));
    for game in &plan.games {
        let variant: Option<Variant> = game.variant.parse().ok();
        let title = variant.map_or(game.variant.as_str(), |variant| variant.info().title);
        row(&format!("openings of {title}"), words::openings(&game.openings));
    }
    let mut clocks: BTreeMap<String, (String, Vec<&str>)> = BTreeMap::new();
    for bot in &plan.bots {
        let clock =
            clocks.entry(bot.clock.to_string()).or_insert_with(|| (words::clock(bot.clock), Vec::new()));
        clock.1.push(&bot.name);
    }
    let alike = clocks.len() == 1;
    for (words, bots) in clocks.into_values() {
        row("clock", if alike { words } else { format!("{words} ({})", names(&bots)) });
    }
    row(
        "grace",
        match plan.grace_us {
            0 => "none: a bot that exceeds its clock loses".to_owned(),
            us => format!("a bot may exceed its clock by {}", words::span(us)),
        },
    );
    row(
        "what the clocks measure",
        match plan.measure {
            Measure::Wall => "the time that passes".to_owned(),
            Measure::Cpu => "processor time".to_owned(),
        },
    );
    row("longest game", plural(plan.max_plies, "move", "moves"));
    let start = if plan.restart { "again for every game" } else { "once, for all games at a table" };
    row("programs are started", start.to_owned());
    let (hello, ready) = (words::span(plan.handshake_us), words::span(plan.ready_us));
    row("time to get ready", format!("{hello} to say hello, {ready} before a game"));
    row("adjudication", words::adjudication(plan.adjudication));
    row(
        "withdrawal",
        match plan.withdraw_after {
            None => "no bot is withdrawn".to_owned(),
            Some(games) => {
                format!("a bot that fails in {} in a row", plural(games, "game", "games"))
            }
        },
    );
    for level in [Level::Off, Level::BestEffort, Level::Strict] {
        let bots: Vec<&str> =
            plan.bots.iter().filter(|bot| bot.sandbox.level == level).map(|bot| bot.name.as_str()).collect();
        let words = match level {
            Level::Off => "none asked for",
            Level::BestEffort => "as much as the machine can give",
            Level::Strict => "full isolation, or the bot does not start",
        };
        match bots.len() {
            0 => {}
            all if all == plan.bots.len() => row("isolation", words.to_owned()),
            _ => row("isolation", format!("{words} ({})", names(&bots))),
        }
    }
    if plan.bots.iter().any(|bot| bot.sandbox.freeze) {
        row("out of turn", "a bot is stopped while it is not on turn".to_owned());
    }
}

fn names(bots: &[&str]) -> String {
    bots.iter().map(|name| clean(name, 40)).collect::<Vec<_>>().join(", ")
}

/// Shows the bots that were withdrawn, and why.
fn withdrawals(report: &Report) -> Option<Block> {
    let mut table = Grid::new("Withdrawn bots", &["bot", "why"]);
    for bot in report.ranking.withdrawn() {
        let losses = report.results.losses_of(bot);
        let faults: Vec<String> = report.results.faults.iter().filter(|fault| fault.bot == bot).fold(
            Vec::new(),
            |mut reasons, fault| {
                let name = fault.reason.name();
                let times = losses.get(name).copied().unwrap_or(1);
                let said = format!("{name} in {}", plural(times, "game", "games"));
                if !reasons.contains(&said) {
                    reasons.push(said);
                }
                reasons
            },
        );
        let name = &report.run.bots[bot].name;
        let acts = report.rulings.iter().flat_map(Rulings::active);
        let disqualified =
            acts.filter(|act| matches!(&act.deed, Deed::Disqualify { bot } if bot == name)).last();
        let why = if let Some(act) = disqualified {
            format!("disqualified by the arbiter: {}", clean(&act.reason, 200))
        } else if faults.is_empty() {
            "its program could not be started".to_owned()
        } else {
            faults.join(", ")
        };
        table.row([report.results.bots[bot].clone(), why]);
    }
    (!table.rows.is_empty()).then_some(Block::Grid(table))
}

/// Shows what the bots could not do, and what prevented it; leaves out what was not asked for.
fn isolation(report: &Report) -> Option<Block> {
    let mut kept: Vec<(String, String, Vec<&str>)> = Vec::new();
    let machines = report.run.machines();
    for (bot, promises) in machines.iter().filter_map(|(_, isolation)| *isolation).flatten() {
        for (name, how) in promises.iter().filter_map(told) {
            match kept.iter_mut().find(|(known, by, _)| (known, by) == (&name, &how)) {
                Some((_, _, bots)) if bots.contains(&&**bot) => {}
                Some((_, _, bots)) => bots.push(bot),
                None => kept.push((name, how, vec![bot])),
            }
        }
    }
    let mut table = Grid::new("What the bots were kept from", &["promise", "how", "bots"]);
    for (name, how, bots) in kept {
        let bots = if bots.len() == report.run.bots.len() { "all".to_owned() } else { names(&bots) };
        table.row([clean(&name, 80), clean(&how, 300), bots]);
    }
    (!table.rows.is_empty()).then_some(Block::Grid(table))
}

fn told(promise: &Promise) -> Option<(String, String)> {
    match (&promise.kept_by, &promise.gap) {
        (Some(by), _) => Some((promise.name.clone(), by.clone())),
        (None, Some(why)) => Some((promise.name.clone(), format!("not kept: {why}"))),
        (None, None) => None,
    }
}
