//! Who is the better bot, and how surely.

use crate::report::contents::Report;
use crate::report::order::Standing;
use crate::report::page::{Block, Cell, Column, Figure, Grid, Kind, Plot, Section};
use crate::report::words::{count, elo, interval, likelihood, percent, plural, points, quarters, record};
use crate::schedule::Place;
use bao_stats::{Counts, Decision, Summary, summary};

/// How many bots a table of all against all shows: those that lead.
const MOST_CROSSED: usize = 40;

/// Shows the order of the bots.
pub(super) fn standings(report: &Report) -> Option<Section> {
    if report.results.counted() == 0 {
        return None;
    }
    let mut blocks = Vec::new();
    let title = if report.standings.len() == 2 {
        blocks.push(Block::Grid(two(report)));
        blocks.extend(contest(report));
        "Comparison"
    } else {
        blocks.push(Block::Text(order(report)));
        blocks.extend(picture(report));
        blocks.push(Block::Grid(many(report)));
        "Standings"
    };
    Some(Section { id: "standings", title: title.to_owned(), blocks })
}

fn order(report: &Report) -> String {
    let place = report.standings.first().and_then(|standing| standing.place.as_ref());
    let order = match place {
        Some(Place { buchholz: Some(_), .. }) => {
            "Points in complete pairs decide the order, then the points of all opponents (Buchholz), then the points of the \
             opponents against which a bot scored (Sonneborn-Berger). "
        }
        Some(Place { reached: Some(_), .. }) => "Bots that got further come first. ",
        Some(_) => {
            "Points in complete pairs decide the order, then the points of the opponents against which a bot scored \
             (Sonneborn-Berger). "
        }
        None if report.about.by_points => "The points decide the order. ",
        None => "",
    };
    let mut places = report.standings.iter().filter_map(|standing| standing.place.as_ref());
    let walkovers = if places.any(|place| place.walkovers > 0) {
        "A walkover is a point for a game that was not played because the opponent's program could not be started; it \
         does not count in ratings. "
    } else {
        ""
    };
    format!(
        "{order}{walkovers}Ratings are Bradley-Terry; the mean of all bots is 0. A bot that is 100 Elo stronger is expected to \
         score 64 %, and 91 % with 400 Elo. Intervals are quantiles of {} random samples of all ratings, given the results. A \
         bot that lost no points has no upper end; a bot that won no points has no lower end.",
        report.replicates
    )
}

/// The two bots of a match.
fn two(report: &Report) -> Grid {
    let mut table = Grid::new(
        "Games won, drawn and lost",
        &["bot", "points#", "games#", "won#", "drawn#", "lost#", "score#", "faults#"],
    );
    for standing in &report.standings {
        let [losses, draws, wins] = standing.results;
        table.row([
            report.results.bots[standing.bot].clone(),
            points(standing.results),
            count(standing.games()),
            count(wins),
            count(draws),
            count(losses),
            score(standing.results),
            count(standing.faults),
        ]);
    }
    table
}

fn many(report: &Report) -> Grid {
    let extra: Vec<&Extra> = EXTRAS.iter().filter(|extra| extra.is_wanted(report)).collect();
    let mut heads = vec!["bot", "points#"];
    heads.extend(extra.iter().map(|extra| extra.head));
    heads.extend(["rating#", "95 % interval#", "games#", "won–drawn–lost#", "score#", "faults#"]);
    let mut table = Grid::new("Standings", &heads);
    for (number, standing) in report.standings.iter().enumerate() {
        let Standing { bot, place, rating, results, faults } = standing;
        let shown = place.as_ref().map_or(*results, |place| place.results);
        let mut cells = vec![
            format!("{} {}", rank(number, place.as_ref()), report.results.bots[*bot]),
            standing.shown_points(),
        ];
        cells.extend(extra.iter().map(|extra| place.as_ref().and_then(extra.value).unwrap_or_default()));
        cells.extend([
            rating.elo.map_or("–".to_owned(), elo),
            interval(rating.elo_low, rating.elo_high),
            count(shown.iter().sum()),
            record(shown),
            score(shown),
            count(*faults),
        ]);
        table.rows.push(cells.into_iter().map(Cell::from).collect());
    }
    table
}

/// A column that only some formats have.
struct Extra {
    head: &'static str,
    value: fn(&Place) -> Option<String>,
}

const EXTRAS: [Extra; 5] = [
    Extra { head: "walkovers#", value: |place| (place.walkovers > 0).then(|| count(place.walkovers)) },
    Extra { head: "byes#", value: |place| place.buchholz.map(|_| count(place.byes)) },
    Extra { head: "Buchholz#", value: |place| place.buchholz.map(quarters) },
    Extra { head: "Sonneborn-Berger#", value: |place| place.sonneborn_berger.map(quarters) },
    Extra { head: "reached round#", value: |place| place.reached.map(count) },
];

impl Extra {
    fn is_wanted(&self, report: &Report) -> bool {
        let mut places = report.standings.iter().filter_map(|standing| standing.place.as_ref());
        places.any(|place| (self.value)(place).is_some())
    }
}

/// Shows a bot's rank, or that it was withdrawn.
fn rank(number: usize, place: Option<&Place>) -> String {
    match place {
        Some(place) if place.withdrawn => "(withdrawn)".to_owned(),
        Some(place) => format!("{}.", place.rank),
        None => format!("{}.", number + 1),
    }
}

fn score([losses, draws, wins]: [u64; 3]) -> String {
    let games = losses + draws + wins;
    if games == 0 { "–".to_owned() } else { percent((wins as f64 + draws as f64 / 2.0) / games as f64) }
}

fn picture(report: &Report) -> Option<Block> {
    let rows = report.standings.iter().filter_map(|Standing { rating, bot, .. }| {
        // An interval without an end is drawn as far as the rating.
        let elo = rating.elo.filter(|_| rating.elo_low.or(rating.elo_high).is_some())?;
        let bar = [rating.elo_low.unwrap_or(elo), elo, rating.elo_high.unwrap_or(elo)];
        Some((report.results.bots[*bot].clone(), bar))
    });
    let rows: Vec<_> = rows.take(MOST_CROSSED).collect();
    (!rows.is_empty()).then(|| {
        Block::Figure(Figure {
            title: "Ratings with their 95 % intervals; one without an end stops at the rating".to_owned(),
            plot: Plot::Intervals { unit: "Elo", rows },
        })
    })
}

/// The pairs of the first bot against the second that count: those that a sequential test has looked at, if there is one.
fn tested(report: &Report) -> Counts {
    let test = report.ranking.test.map(|test| Counts::Pentanomial(test.counts));
    test.unwrap_or_else(|| report.results.table.contest(0, 1))
}

/// What the pairs say of the leader against the other bot.
fn contest(report: &Report) -> Vec<Block> {
    let [leader, other] = [report.standings[0].bot, report.standings[1].bot];
    let counts = if leader == 0 { tested(report) } else { tested(report).mirrored() };
    let [name, against] = [leader, other].map(|bot| report.results.bots[bot].as_str());
    if counts.units() == 0 {
        return vec![Block::Text(
            "There is no complete pair yet, so there is nothing to compute.".to_owned(),
        )];
    }
    let summary = summary(&counts, None);
    let mut table =
        Grid::new(format!("{name} compared with {against}"), &["measure", "value#", "95 % interval#"]);
    for (measure, value, spread) in measures(&summary) {
        table.row([measure.to_owned(), value, spread]);
    }
    let mut blocks = vec![Block::Grid(table)];
    if summary.nelo.is_none() {
        let text = "So far, all pairs that count have the same result. They do not show how much results vary. So the \
                    interval assumes independent games, and there is no likelihood of being the better bot.";
        blocks.push(Block::Text(text.to_owned()));
    } else if let (Some(low), Some(middle), Some(high)) = (summary.elo_low, summary.elo, summary.elo_high) {
        let plot = Plot::Intervals {
            unit: "Elo",
            rows: vec![(format!("{name} over {against}"), [low, middle, high])],
        };
        blocks.push(Block::Figure(Figure {
            title: "Difference in strength with its 95 % interval".to_owned(),
            plot,
        }));
    }
    blocks.extend(pentanomial(name, &counts));
    blocks
}

fn measures(summary: &Summary) -> [(&'static str, String, String); 3] {
    let missing = || "–".to_owned();
    let spread = interval(summary.elo_low, summary.elo_high);
    let normalized = summary.nelo.zip(summary.nelo_error);
    [
        ("Elo difference", summary.elo.map_or_else(missing, elo), spread),
        (
            "normalized Elo difference",
            summary.nelo.map_or_else(missing, elo),
            normalized.map_or_else(missing, |(nelo, error)| interval(Some(nelo - error), Some(nelo + error))),
        ),
        ("likelihood of being the better bot", summary.los.map_or_else(missing, likelihood), missing()),
    ]
}

fn pentanomial(name: &str, counts: &Counts) -> Vec<Block> {
    let title = format!("Pairs by the points of {name} in them");
    let labels = ["0", "½", "1", "1½", "2"];
    let mut table = Grid::new(title.clone(), &["points", "pairs#", "share#"]);
    for (label, pairs) in labels.iter().zip(counts.cells()) {
        let share = *pairs as f64 / counts.units() as f64;
        table.row([(*label).to_owned(), count(*pairs), percent(share)]);
    }
    let columns = labels.iter().zip(counts.cells()).map(|(label, pairs)| ((*label).to_owned(), *pairs));
    let plot = Plot::Columns { axes: ["points in a pair", "pairs"], columns: columns.collect() };
    vec![Block::Figure(Figure { title, plot }), Block::Grid(table)]
}

/// Shows how a sequential test went.
pub(super) fn sequential(report: &Report) -> Option<Section> {
    let sequential = report.about.sprt.as_ref()?;
    let [first, second] = [report.results.bots.first()?, report.results.bots.get(1)?];
    let test = &sequential.test;
    let counts = tested(report);
    let state = test.judge(&counts);
    let over = report.ranking.test.is_some_and(|test| test.over);
    let verdict = match state.decision {
        Decision::AcceptH0 => "H0 is accepted: the first bot is not better by as much as H1 says.",
        Decision::AcceptH1 => "H1 is accepted: the first bot is better.",
        Decision::Continue if over => "Neither bound was reached before the test ended.",
        Decision::Continue => "Neither bound is reached: the test has not decided yet.",
    };
    let mut facts = Grid::new("The sequential test", &["measure", "value#"]);
    for (measure, value) in [
        ("log-likelihood ratio", state.llr),
        ("H0 is accepted at or below", state.lower),
        ("H1 is accepted at or above", state.upper),
    ] {
        facts.row([measure.to_owned(), format!("{value:.3}")]);
    }
    facts.row(["pairs counted".to_owned(), count(counts.units())]);
    let text = format!("Is {first} better than {second}? {}. {verdict}", sequential.question);
    let mut pairs_seen = report.results.curve.items().to_vec();
    // Pairs that were being played when the test decided come too late.
    pairs_seen.retain(|cells| Counts::Pentanomial(*cells).units() < counts.units());
    if let Counts::Pentanomial(cells) = counts {
        pairs_seen.push(cells);
    }
    let points = pairs_seen.into_iter().map(|cells| {
        let counts = Counts::Pentanomial(cells);
        (counts.units() as f64, test.llr(&counts))
    });
    let plot = Plot::Lines {
        axes: ["complete pairs", "log-likelihood ratio"],
        times: false,
        lines: vec![("log-likelihood ratio".to_owned(), std::iter::once((0.0, 0.0)).chain(points).collect())],
        marks: vec![
            (state.lower, format!("H0: {:.2}", state.lower)),
            (state.upper, format!("H1: {:.2}", state.upper)),
        ],
    };
    let figure = Figure { title: "How the log-likelihood ratio went, pair by pair".to_owned(), plot };
    let blocks = vec![Block::Text(text), Block::Figure(figure), Block::Grid(facts)];
    Some(Section { id: "sprt", title: "Sequential test".to_owned(), blocks })
}

/// Shows all bots against all.
pub(super) fn cross_table(report: &Report) -> Option<Section> {
    // The bracket says it all.
    let shown = crossed(report).filter(|_| !report.about.is_knockout)?;
    let cells = report.results.played.cross_table();
    let table = matrix(
        report,
        shown,
        "Won–drawn–lost by the bot of the row against that of the column",
        |a, b| {
            let cell = cells[a][b].as_ref()?;
            Some((record([cell.losses, cell.draws, cell.wins]), cell.score * 2.0 - 1.0))
        },
    );
    let text = "All complete pairs.";
    let blocks = vec![Block::Text(text.to_owned() + &cut(report, shown)), Block::Grid(table)];
    Some(Section { id: "cross-table", title: "Cross table".to_owned(), blocks })
}

/// Shows how surely each bot is better than each other.
pub(super) fn superiority(report: &Report) -> Option<Section> {
    let shown = crossed(report)?;
    let table = matrix(
        report,
        shown,
        "Likelihood that the bot of the row is better than that of the column",
        |a, b| {
            let share = report.ratings.superiority[a][b]?;
            Some((likelihood(share), share * 2.0 - 1.0))
        },
    );
    let text = "How often one bot was above the other in random samples of all ratings. Near 50 % the games played so far \
                do not show which bot is better.";
    let blocks = vec![Block::Text(text.to_owned() + &cut(report, shown)), Block::Grid(table)];
    Some(Section { id: "superiority", title: "Likelihood of superiority".to_owned(), blocks })
}

fn crossed(report: &Report) -> Option<&[Standing]> {
    let shown = &report.standings[..report.standings.len().min(MOST_CROSSED)];
    (report.standings.len() > 2 && report.results.counted() > 0).then_some(shown)
}

fn cut(report: &Report, shown: &[Standing]) -> String {
    match report.standings.len() - shown.len() {
        0 => String::new(),
        left => format!(" The table leaves out the last {}.", plural(left as u64, "bot", "bots")),
    }
}

fn matrix(
    report: &Report,
    shown: &[Standing],
    caption: &str,
    cell: impl Fn(usize, usize) -> Option<(String, f64)>,
) -> Grid {
    let mut table = Grid::new(caption, &["bot"]);
    table
        .columns
        .extend((1..=shown.len()).map(|place| Column { head: place.to_string(), kind: Kind::Numbers }));
    for (place, row) in shown.iter().enumerate() {
        let name = format!("{}. {}", place + 1, report.results.bots[row.bot]);
        let cells = shown.iter().map(|column| match cell(row.bot, column.bot) {
            Some((text, shade)) => Cell { text, game: None, shade: Some(shade) },
            None => Cell::from(if row.bot == column.bot { "×" } else { "" }.to_owned()),
        });
        table.rows.push(std::iter::once(Cell::from(name)).chain(cells).collect());
    }
    table
}
