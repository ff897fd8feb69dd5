//! Prints the findings of a dry run for people.

use std::io::{self, Write};

use super::findings::{BotFindings, Findings};
use super::forecast::MIB;
use crate::cli::promises::what;
use crate::plan::{Plan, words};
use crate::text::count::count;

/// Describes a plan.
pub(super) fn plan(plan: &Plan) -> Vec<String> {
    let bots = count(plan.bots.len() as u64, "bot");
    let mut lines = vec![format!("{bots}, {}", words::format(&plan.format))];
    lines.extend(
        plan.games
            .iter()
            .map(|game| format!("openings of {}: {}", game.variant, words::openings(&game.openings))),
    );
    let mut clocks: Vec<String> = plan.bots.iter().map(|bot| words::clock(bot.clock)).collect();
    clocks.sort();
    clocks.dedup();
    lines.extend(clocks.into_iter().map(|clock| format!("clock: {clock}")));
    lines
}

/// Prints the findings.
pub(super) fn print(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    let Findings { games, games_are_exact, finished, plan, time, measured, disk, processors, .. } = findings;
    let at_most = if *games_are_exact { "" } else { "at most " };
    let done = if *finished > 0 { format!(", {finished} of them finished") } else { String::new() };
    writeln!(out, "games       {at_most}{games}{done}")?;
    for (at, line) in plan.iter().enumerate() {
        writeln!(out, "{:11} {line}", if at == 0 { "plan" } else { "" })?;
    }
    let spans = [time.least_s, time.likely_s, time.most_s].map(span);
    writeln!(out, "time        {at_most}{}; at least {}, at most {}", spans[1], spans[0], spans[2])?;
    let from = match measured {
        Some(trial) if trial.all_plies > 0 => format!(
            "{} moves of {}, {:.1} ms each",
            trial.all_plies,
            trial.bots.join(" and "),
            trial.ply_us().unwrap_or(0.0) / 1000.0
        ),
        Some(_) | None => "the clocks".to_owned(),
    };
    writeln!(out, "{:11} from {from}", "")?;
    let free = disk.free_bytes.map_or(String::new(), |free| format!(", {} MiB are free", free / MIB));
    writeln!(out, "disk        about {} MiB{free}", disk.needed_bytes.div_ceil(MIB))?;
    writeln!(out, "processors  {}; {} at once", processors.available, count(processors.concurrency, "game"))?;
    if let Some(pinning) = &processors.pinning {
        writeln!(out, "{:11} {pinning}", "")?;
    }
    for (at, bot) in findings.bots.iter().enumerate() {
        writeln!(out, "{:11} {}", if at == 0 { "bots" } else { "" }, about(bot))?;
    }
    for warning in &findings.warnings {
        writeln!(out, "warning     {warning}")?;
    }
    for problem in &findings.problems {
        writeln!(out, "problem     {problem}")?;
    }
    Ok(())
}

fn about(bot: &BotFindings) -> String {
    let ready = match (bot.ready_ms, bot.problems.is_empty()) {
        (Some(ms), _) => format!("ready after {ms} ms"),
        (None, true) => "not started".to_owned(),
        (None, false) => "cannot play".to_owned(),
    };
    let gaps: Vec<&str> = bot
        .isolation
        .iter()
        .filter(|promise| promise.gap.is_some())
        .map(|promise| what(promise.name))
        .collect();
    let isolation = match (bot.isolation.is_empty(), gaps.is_empty()) {
        (true, _) => String::new(),
        (false, true) => "; isolation: everything that was asked for".to_owned(),
        (false, false) => format!("; isolation: not kept: {}", gaps.join(", ")),
    };
    format!("{}: {ready}{isolation}", bot.name)
}

/// Writes a time for people.
fn span(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match whole {
        0..=90 => format!("{seconds} s"),
        91..=5400 => format!("{} min", whole.div_ceil(60)),
        5401..=172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days", whole.div_ceil(86_400)),
    }
}
