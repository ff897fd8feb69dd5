//! A part for every bot: its opponents, its seats, its faults, its time.

use std::borrow::Cow;

use bao_protocol::Reason;

use crate::report::contents::Report;
use crate::report::order::Standing;
use crate::report::page::{Block, Grid, Part, Section};
use crate::report::words::{clean, count, percent, plural, record, time};
use bao_stats::TimeUse;

/// How many bots have a part of their own: those that lead.
const MOST_BOTS: usize = 100;

/// Shows the bots one by one.
pub(super) fn bots(report: &Report) -> Option<Section> {
    if report.results.counted() == 0 {
        return None;
    }
    let shown = &report.standings[..report.standings.len().min(MOST_BOTS)];
    let crossed = report.results.played.cross_table();
    let mut blocks = Vec::new();
    if shown.len() < report.standings.len() {
        let left = (report.standings.len() - shown.len()) as u64;
        blocks.push(Block::Text(format!("The last {} are left out.", plural(left, "bot", "bots"))));
    }
    for standing in shown {
        let mut parts = vec![Block::Facts(facts(report, standing))];
        let mut opponents =
            Grid::new("Opponents, complete pairs", &["opponent", "won–drawn–lost#", "score#"]);
        for other in &report.standings {
            if let Some(cell) = &crossed[standing.bot][other.bot] {
                let results = [cell.losses, cell.draws, cell.wins];
                opponents.row([report.results.bots[other.bot].clone(), record(results), percent(cell.score)]);
            }
        }
        if !opponents.rows.is_empty() {
            parts.push(Block::Grid(opponents));
        }
        parts.extend(losses(report, standing.bot));
        let title = report.results.bots[standing.bot].clone();
        blocks.push(Block::Part(Part { title, blocks: parts }));
    }
    Some(Section { id: "bots", title: "Bot by bot".to_owned(), blocks })
}

fn facts(report: &Report, standing: &Standing) -> Vec<(Cow<'static, str>, String)> {
    let bot = standing.bot;
    let (mut south, mut north, mut used) = ([0; 3], [0; 3], TimeUse::default());
    for tally in &report.results.tallies {
        let seats = tally.seats_of(bot);
        for place in 0..3 {
            south[place] += seats.south[place];
            north[place] += seats.north[place];
        }
        used.absorb(tally.time_of(bot));
    }
    let pace = &report.pace.bots[bot];
    let mut facts: Vec<(Cow<'static, str>, String)> = vec![
        ("points".into(), standing.shown_points()),
        ("games".into(), count(standing.games())),
        ("won–drawn–lost".into(), record(standing.results)),
        ("as South".into(), record(south)),
        ("as North".into(), record(north)),
        ("lost by a fault".into(), count(standing.faults)),
    ];
    facts.extend(used.mean_us().map(|mean| ("mean time of a move".into(), time(mean))));
    if pace.moves > 0 {
        facts.push(("longest move".into(), time(pace.longest_us as f64)));
    }
    facts.extend(pace.least_left_us.map(|left| ("least time left".into(), time(left as f64))));
    facts
}

/// Shows why a bot lost, and the first faults.
fn losses(report: &Report, bot: usize) -> Option<Block> {
    let lost = report.results.losses_of(bot);
    let mut table = Grid::new("Lost games by reason", &["reason", "games#", "its fault"]);
    for (name, games) in &lost {
        let fault = Reason::ALL.iter().any(|reason| reason.name() == name && reason.is_fault());
        let first =
            report.results.faults.iter().find(|fault| fault.bot == bot && fault.reason.name() == name);
        let detail = first.and_then(|fault| fault.detail.as_deref()).map(|detail| clean(detail, 160));
        let told = match (fault, detail) {
            (false, _) => "no".to_owned(),
            (true, None) => "yes".to_owned(),
            (true, Some(detail)) => format!("yes: {detail}"),
        };
        table.row([name.clone(), count(*games), told]);
    }
    (!lost.is_empty()).then_some(Block::Grid(table))
}
