//! What a dry run found out, for people.

use std::io::{self, Write};

use super::findings::{BotFindings, Findings};
use super::forecast::MIB;
use crate::cli::promises::what;
use crate::plan::{Format, Openings, Plan};
use crate::text::count::{count, plural};

/// Says in sentences what a plan plays.
pub(super) fn plan(plan: &Plan) -> Vec<String> {
    let (bots, games) = (plan.bots.len(), plan.games.len() as u64);
    let each = if games == 1 { "" } else { " of each game" };
    let format = match plan.format {
        Format::Match { games } => format!("a match of {}", count(games, "game")),
        Format::RoundRobin { cycles } => format!(
            "a round robin of {bots} bots: every two of them play {}{each}",
            plural(cycles, "pair of games", "pairs of games")
        ),
        Format::Gauntlet { challengers, cycles } => format!(
            "a gauntlet of {bots} bots: each of the first {challengers} plays {}{each} against each of the others",
            plural(cycles, "pair of games", "pairs of games")
        ),
        Format::Swiss { rounds, pairs } => format!(
            "a Swiss of {bots} bots over {}; two bots that meet play {}{each}",
            count(rounds, "round"),
            plural(pairs, "pair of games", "pairs of games")
        ),
        Format::Knockout { best_of, extra } => format!(
            "a knockout of {bots} bots; a duel goes over {}{each}, and at most {} more break a tie",
            plural(best_of, "pair of games", "pairs of games"),
            count(extra, "pair")
        ),
        Format::Sprt { elo0, elo1, max_pairs, .. } => format!(
            "a sequential test of {elo0} against {elo1} Elo, over at most {}",
            plural(max_pairs, "pair of games", "pairs of games")
        ),
    };
    let mut lines = vec![format];
    for game in &plan.games {
        lines.push(match &game.openings {
            Openings::None {} => format!("{}, from the start", game.variant),
            Openings::Given { positions } => {
                format!("{}, from {}", game.variant, count(positions.len() as u64, "given opening"))
            }
            Openings::Generated { plies, count: None } => {
                format!(
                    "{}, each pair after another {}",
                    game.variant,
                    count(u64::from(*plies), "random move")
                )
            }
            Openings::Generated { plies, count: Some(most) } => format!(
                "{}, from {} of {}",
                game.variant,
                count(*most, "opening"),
                count(u64::from(*plies), "random move")
            ),
        });
    }
    let mut clocks: Vec<String> = plan.bots.iter().map(|bot| bot.clock.to_string()).collect();
    clocks.sort();
    clocks.dedup();
    lines.push(format!("{} {}", if clocks.len() == 1 { "clock" } else { "clocks" }, clocks.join(", ")));
    lines
}

/// Prints what was found out.
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
        (false, true) => "; isolation: all that was asked for".to_owned(),
        (false, false) => format!("; isolation: not kept: {}", gaps.join(", ")),
    };
    format!("{}: {ready}{isolation}", bot.name)
}

/// Writes a time as people say it.
fn span(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match whole {
        0..=90 => format!("{seconds} s"),
        91..=5400 => format!("{} min", whole.div_ceil(60)),
        5401..=172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days", whole.div_ceil(86_400)),
    }
}
