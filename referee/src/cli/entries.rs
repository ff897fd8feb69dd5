//! Reports the result of the preflight: refuses a run with all problems at once, or continues with warnings.

use super::failure::Failure;
use crate::plan::{Absent, Plan};
use crate::run::{Entry, Problem, preflight};
use crate::text::loss::stderr_lines;
use bao_jail::Host;

/// Starts these bots once and decides whether a run may begin with them; `games` are played at once.
///
/// # Errors
/// [`Failure::Entries`] with everything that is wrong; if absent bots are allowed, only if the fault is not in a
/// bot's program.
pub(super) fn admit(
    plan: &Plan,
    bots: &[usize],
    host: &Host,
    games: usize,
    absent: Absent,
) -> Result<Vec<Entry>, Failure> {
    let entries = start(plan, bots, host, games)?;
    for warning in options_without_effect(plan, &entries) {
        tracing::warn!("{warning}");
    }
    let lame: Vec<&Entry> = entries.iter().filter(|entry| !entry.problems.is_empty()).collect();
    let ours = lame.iter().any(|entry| entry.problems.iter().any(Problem::is_ours));
    if !lame.is_empty() && (absent == Absent::Refuse || ours) {
        let machine = lame.iter().any(|entry| entry.problems.iter().any(Problem::is_the_machines));
        return Err(Failure::Entries { lines: lines(plan, &lame), machine });
    }
    for line in lines(plan, &lame) {
        tracing::warn!("{line}");
    }
    Ok(entries)
}

/// Starts these bots once; `games` are played at once.
///
/// # Errors
/// The referee itself cannot run.
pub(super) fn start(plan: &Plan, bots: &[usize], host: &Host, games: usize) -> Result<Vec<Entry>, Failure> {
    let runtime = crate::play::driver::runtime()?;
    Ok(runtime.block_on(preflight(plan, bots, host.clone(), 2 * games)))
}

/// Returns a warning for each option that a bot gets and does not know, which is allowed if all bots get it.
pub(super) fn options_without_effect(plan: &Plan, entries: &[Entry]) -> Vec<String> {
    let of = |entry: &Entry| {
        let name = plan.bots[entry.bot].name.clone();
        let warning = move |option: &String| {
            format!("bot {name}: option `{option}` is not in its hello, so setting it has no effect")
        };
        entry.unknown.iter().map(warning).collect::<Vec<_>>()
    };
    entries.iter().flat_map(of).collect()
}

/// Describes the problems of bots that cannot play, one per line.
fn lines(plan: &Plan, entries: &[&Entry]) -> Vec<String> {
    let lines = entries.iter().flat_map(|entry| {
        let name = &plan.bots[entry.bot].name;
        let problems = entry.problems.iter().map(move |problem| format!("bot {name} {problem}"));
        let stderr = entry.stderr.iter().flat_map(|text| stderr_lines(text));
        let advice = entry.advice.iter().map(|advice| format!("  to do: {advice}"));
        problems.chain(advice).chain(stderr.map(|line| format!("  on its standard error: {line}")))
    });
    lines.collect()
}
