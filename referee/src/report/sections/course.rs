//! How the games went: endings, lengths, seats, openings, time.

use bao_protocol::Reason;

use super::variants::variants;
use crate::report::contents::Report;
use crate::report::page::{Block, Column, Figure, Grid, Kind, Plot, Section};
use crate::report::words::{count, percent, plural, record, time};
use bao_stats::LengthBucket;

/// How many openings are listed.
const MOST_OPENINGS: usize = 20;
/// About how many columns a histogram has.
const COLUMNS: u64 = 30;
/// How many curves or bars fit into a picture of times.
const MOST_CURVES: usize = 8;
/// About how many points a curve over the plies has.
const CURVE_POINTS: usize = 50;

/// Shows why games ended.
pub(super) fn endings(report: &Report) -> Option<Section> {
    let results = &report.results;
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for (reason, games) in results.tallies.iter().flat_map(bao_stats::Tally::reasons) {
        match counts.iter_mut().find(|(known, _)| known == reason) {
            Some((_, sum)) => *sum += games,
            None => counts.push((reason, *games)),
        }
    }
    counts.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let mut table = Grid::new("Why games ended", &["reason", "what it means", "games#", "share#"]);
    for (reason, games) in &counts {
        table.row([
            (*reason).to_owned(),
            meaning(reason).to_owned(),
            count(*games),
            percent(*games as f64 / results.counted() as f64),
        ]);
    }
    let mut blocks = vec![Block::Grid(table)];
    blocks.extend(losses(report));
    let title = "How games ended".to_owned();
    (!counts.is_empty()).then_some(Section { id: "endings", title, blocks })
}

/// Shows which bot lost why.
fn losses(report: &Report) -> Option<Block> {
    let results = &report.results;
    let lost: Vec<_> =
        report.standings.iter().map(|standing| (standing, results.losses_of(standing.bot))).collect();
    let mut reasons: Vec<&String> = lost.iter().flat_map(|(_, reasons)| reasons.keys()).collect();
    reasons.sort();
    reasons.dedup();
    let mut table = Grid::new("Lost games by reason", &["bot"]);
    for reason in &reasons {
        let column = Column { head: (*reason).clone(), kind: Kind::Numbers };
        table.columns.push(column);
    }
    for (standing, by_reason) in &lost {
        let name = results.bots[standing.bot].clone();
        let cells =
            reasons.iter().map(|reason| by_reason.get(*reason).map_or(String::new(), |games| count(*games)));
        table.rows.push(std::iter::once(name).chain(cells).map(Into::into).collect());
    }
    (!reasons.is_empty()).then_some(Block::Grid(table))
}

/// Returns what a reason means, for people who know neither the games nor the protocol.
fn meaning(reason: &str) -> &'static str {
    let known = Reason::ALL.into_iter().find(|known| known.name() == reason);
    match known {
        Some(Reason::CapturedAll) => "the loser's seeds are all captured",
        Some(Reason::Immobilised) => "the loser has seeds and cannot move them",
        Some(Reason::NoMoves) => "no move is left; more seeds win",
        Some(Reason::Repetition) => "a position came back",
        Some(Reason::EndlessSowing) => "a sowing that would never end: a draw",
        Some(Reason::MaxPlies) => "the agreed number of moves is reached",
        Some(Reason::Resign) => "the loser gave up",
        Some(Reason::Time) => "the loser's time ran out",
        Some(Reason::IllegalMove) => "the loser made a move that the rules forbid",
        Some(Reason::BadMessage) => "the loser sent a line that cannot be read",
        Some(Reason::LineTooLong) => "the loser sent a line that is too long",
        Some(Reason::OutputFlood) => "the loser wrote more than it may",
        Some(Reason::Crash) => "the loser's program ended",
        Some(Reason::ClosedStdout) => "the loser's program closed its output",
        Some(Reason::Stall) => "the loser's program did not get ready in time",
        Some(Reason::Handshake) => "the loser's program did not say hello properly",
        Some(Reason::MemoryLimit) => "the loser's program used too much memory",
        Some(Reason::Adjudicated) => "decided by the organiser's rule",
        Some(Reason::Void) | None => "",
    }
}

/// Shows how long games were.
pub(super) fn lengths(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    let mut table =
        Grid::new("Moves of both sides together", &["game", "games#", "mean#", "median#", "longest#"]);
    for (variant, suffix) in variants(report) {
        let lengths = report.results.tallies[variant as usize].lengths();
        table.row([
            variant.info().title.to_owned(),
            count(report.results.games[variant as usize]),
            lengths.mean().map_or(String::new(), |mean| format!("{mean:.1}")),
            lengths.median().map_or(String::new(), count),
            count(lengths.max()),
        ]);
        let width = round_up(lengths.max().min(1023) / COLUMNS + 1);
        let label = |bucket: &LengthBucket| match bucket.to {
            Some(to) if to == bucket.from => to.to_string(),
            Some(to) => format!("{}–{to}", bucket.from),
            None => format!("{}+", bucket.from),
        };
        let buckets = lengths.buckets(width);
        let columns = buckets.iter().skip_while(|bucket| bucket.games == 0);
        blocks.push(Block::Figure(Figure {
            title: format!("Games by their length{suffix}"),
            plot: Plot::Columns {
                axes: ["moves", "games"],
                columns: columns.map(|bucket| (label(bucket), bucket.games)).collect(),
            },
        }));
    }
    blocks.push(Block::Grid(table));
    let title = "Length of games".to_owned();
    (report.results.counted() > 0).then_some(Section { id: "lengths", title, blocks })
}

/// Returns the next number of 1, 2, 5, 10, 20, 50...
fn round_up(number: u64) -> u64 {
    let mut power = 1;
    loop {
        if let Some(round) = [1, 2, 5].into_iter().map(|step| step * power).find(|round| *round >= number) {
            return round;
        }
        power *= 10;
    }
}

/// Shows what the seats were worth.
pub(super) fn seats(report: &Report) -> Option<Section> {
    let mut all =
        Grid::new("All games by seat", &["game", "South won#", "drawn#", "North won#", "South's score#"]);
    let mut rows = Vec::new();
    for (variant, _) in variants(report) {
        let [lost, drawn, won] = report.results.tallies[variant as usize].seats().south;
        let name = variant.info().title.to_owned();
        all.row([name.clone(), count(won), count(drawn), count(lost), share([lost, drawn, won])]);
        rows.push((name, vec![won, drawn, lost]));
    }
    let heads = ["bot", "won–drawn–lost as South#", "score#", "as North#", "score#"];
    let mut bots = Grid::new("The bots by seat", &heads);
    for standing in &report.standings {
        let mut south = [0; 3];
        let mut north = [0; 3];
        for seats in report.results.tallies.iter().map(|tally| tally.seats_of(standing.bot)) {
            for place in 0..3 {
                south[place] += seats.south[place];
                north[place] += seats.north[place];
            }
        }
        let name = report.results.bots[standing.bot].clone();
        bots.row([name, record(south), share(south), record(north), share(north)]);
    }
    let plot = Plot::Shares { parts: vec!["South won", "drawn", "North won"], rows };
    let figure = Figure { title: "Results by seat".to_owned(), plot };
    let text = "South moves first.".to_owned();
    let blocks = vec![Block::Text(text), Block::Figure(figure), Block::Grid(all), Block::Grid(bots)];
    let title = "Seats".to_owned();
    (report.results.counted() > 0).then_some(Section { id: "seats", title, blocks })
}

/// Shows the score that these losses, draws and wins make.
fn share([losses, draws, wins]: [u64; 3]) -> String {
    let games = losses + draws + wins;
    if games == 0 { "–".to_owned() } else { percent((wins as f64 + draws as f64 / 2.0) / games as f64) }
}

/// Shows what the openings were worth.
pub(super) fn openings(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    for (variant, suffix) in variants(report) {
        let openings = report.results.tallies[variant as usize].openings();
        if openings.len() < 2 {
            continue;
        }
        let mut shown: Vec<(&String, &[u64; 3])> = openings.iter().collect();
        let all_to = |winner: usize| {
            openings.values().filter(|games| games[winner] == games.iter().sum::<u64>()).count() as u64
        };
        blocks.push(Block::Text(format!(
            "{}{suffix}. From {} of them South won every game, from {} North.",
            plural(openings.len() as u64, "opening", "openings"),
            count(all_to(2)),
            count(all_to(0))
        )));
        // Those that were played most tell most; among equals in the order of their numbers.
        let place = |name: &str| name.parse::<u64>().unwrap_or(u64::MAX);
        shown.sort_by_key(|(name, games)| (std::cmp::Reverse(games.iter().sum::<u64>()), place(name)));
        let heads = ["opening", "games#", "South won#", "drawn#", "North won#", "South's score#"];
        let caption = match shown.len().saturating_sub(MOST_OPENINGS) {
            0 => format!("Results by opening{suffix}"),
            left => format!("Results by opening{suffix}; {} more are not listed", count(left as u64)),
        };
        let mut table = Grid::new(caption, &heads);
        for (name, games) in shown.into_iter().take(MOST_OPENINGS) {
            let [lost, drawn, won] = *games;
            table.row([
                name.clone(),
                count(lost + drawn + won),
                count(won),
                count(drawn),
                count(lost),
                share(*games),
            ]);
        }
        blocks.push(Block::Grid(table));
    }
    let title = "Openings".to_owned();
    (!blocks.is_empty()).then_some(Section { id: "openings", title, blocks })
}

/// Shows what time the bots took.
pub(super) fn times(report: &Report) -> Option<Section> {
    let pace = &report.pace;
    let heads =
        ["bot", "moves#", "mean#", "median#", "95 %#", "99 %#", "longest#", "least time left#", "in all#"];
    let mut table = Grid::new("Time for a move", &heads);
    let mut spreads = Vec::new();
    for standing in &report.standings {
        let (name, bot) = (&report.results.bots[standing.bot], &pace.bots[standing.bot]);
        let mut sum = bao_stats::TimeUse::default();
        report.results.tallies.iter().for_each(|tally| sum.absorb(tally.time_of(standing.bot)));
        let at = |share: f64| bot.quantile_us(share).map_or("–".to_owned(), |us| time(us as f64));
        table.row([
            name.clone(),
            count(bot.moves),
            bot.mean_us().map_or("–".to_owned(), time),
            at(0.5),
            at(0.95),
            at(0.99),
            if bot.moves > 0 { time(bot.longest_us as f64) } else { "–".to_owned() },
            bot.least_left_us.map_or("–".to_owned(), |us| time(us as f64)),
            time(sum.total_us as f64),
        ]);
        let spread = [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| bot.quantile_us(share));
        if let [Some(a), Some(b), Some(c), Some(d), Some(e)] = spread {
            spreads.push((name.clone(), [a, b, c, d, e].map(|us| us as f64)));
        }
    }
    let seen = report.results.timed.seen();
    let sample = if pace.games < seen {
        format!(
            " All but the sum was read from {} evenly spaced games of {}.",
            count(pace.games),
            count(seen)
        )
    } else {
        String::new()
    };
    let lag = time(report.results.max_lag_us as f64);
    let text = format!(
        "A move takes from just before the referee writes the request until it has read the answer. The referee itself \
         was late by at most {lag}.{sample}"
    );
    let mut blocks = vec![Block::Text(text)];
    spreads.truncate(MOST_CURVES * 2);
    if !spreads.is_empty() {
        let title =
            "Time for a move: half of the moves lie within the thick bar, nine of ten within the thin one";
        blocks.push(Block::Figure(Figure { title: title.to_owned(), plot: Plot::Spreads { rows: spreads } }));
    }
    blocks.extend(curves(report));
    blocks.push(Block::Grid(table));
    let title = "Use of time".to_owned();
    (report.results.counted() > 0).then_some(Section { id: "times", title, blocks })
}

/// The mean time of a move over the course of a game.
fn curves(report: &Report) -> impl Iterator<Item = Block> {
    variants(report).filter_map(|(variant, suffix)| {
        let paces = report.standings.iter().map(|standing| (standing.bot, &report.pace.bots[standing.bot]));
        let paces: Vec<_> = paces.take(MOST_CURVES).collect();
        let last = paces.iter().map(|(_, pace)| pace.last_ply(variant as usize)).max()?;
        // Both sides in every group, lest the seats show as a saw.
        let width = (last / CURVE_POINTS + 1).next_multiple_of(2);
        let lines = paces
            .into_iter()
            .map(|(bot, pace)| (report.results.bots[bot].clone(), pace.by_ply(variant as usize, width)));
        let lines: Vec<_> = lines.filter(|(_, points)| points.len() > 1).collect();
        let title = format!("Mean time of a move over the course of a game{suffix}");
        let plot = Plot::Lines { axes: ["move", "time"], times: true, lines, marks: Vec::new() };
        matches!(&plot, Plot::Lines { lines, .. } if !lines.is_empty())
            .then_some(Block::Figure(Figure { title, plot }))
    })
}
