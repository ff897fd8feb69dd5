//! What went wrong, and what was played twice.

use crate::report::contents::Report;
use crate::report::page::{Block, Cell, Grid, Section};
use crate::report::words::{clean, count, plural};

/// How many kinds of games that came again are listed.
const MOST_REPEATS: usize = 10;

/// Shows the games that were lost by a fault, with the evidence.
pub(super) fn faults(report: &Report) -> Option<Section> {
    let all: u64 = report.standings.iter().map(|standing| standing.faults).sum();
    let shown = report.exhibits.len() as u64;
    let text = if shown < all {
        format!(
            "{} lost by a fault; the first of each bot and reason {} shown here.",
            plural(all, "game was", "games were"),
            if shown == 1 { "is" } else { "are" }
        )
    } else {
        format!("{} lost by a fault.", plural(all, "game was", "games were"))
    };
    let exhibits = report.exhibits.iter().cloned().map(Block::Exhibit);
    let blocks = std::iter::once(Block::Text(text)).chain(exhibits).collect();
    let title = "Faults and their evidence".to_owned();
    (shown > 0).then_some(Section { id: "faults", title, blocks })
}

/// Shows the games that were played before, move for move.
pub(super) fn repeats(report: &Report) -> Option<Section> {
    let repeats = &report.results.repeats;
    let again: u64 = repeats.games().values().map(|times| times - 1).sum();
    if again == 0 {
        return None;
    }
    let held = match repeats.held_pairs() {
        0 => "They all count, because the bots also played other moves from the same openings: chance plays a part."
            .to_owned(),
        held => format!(
            "{} not counted in ratings and error bars: if two bots always play the same pair from an opening, it counts \
             once.",
            plural(held, "repeated pair is", "repeated pairs are")
        ),
    };
    let text = format!(
        "{} the same moves as an earlier game of the same bots on the same sides. {held}",
        plural(again, "game has", "games have")
    );
    let mut kinds: Vec<(&u64, &u64)> = repeats.games().iter().collect();
    kinds.sort_by_key(|(game, times)| (std::cmp::Reverse(**times), **game));
    let caption = match kinds.len().saturating_sub(MOST_REPEATS) {
        0 => "Repeated games".to_owned(),
        left => format!("Repeated games; {} more are not listed", count(left as u64)),
    };
    let mut table = Grid::new(caption, &["first played as game", "times played#"]);
    for (game, times) in kinds.into_iter().take(MOST_REPEATS) {
        table.rows.push(vec![Cell::game(*game), Cell::from(count(*times))]);
    }
    let blocks = vec![Block::Text(text), Block::Grid(table)];
    Some(Section { id: "repeats", title: "Identical games".to_owned(), blocks })
}

/// Shows the games that did not count.
pub(super) fn voids(report: &Report) -> Option<Section> {
    let results = &report.results;
    let text = format!(
        "{} without a result because of a problem of the referee or its machine. They do not count and are played again.",
        plural(results.voids, "game was", "games were")
    );
    let mut table = Grid::new("What happened", &["game", "why it did not count"]);
    for (game, detail) in &results.void_details {
        table.row([game.to_string(), clean(detail, 300)]);
    }
    let blocks = vec![Block::Text(text), Block::Grid(table)];
    let title = "Games that did not count".to_owned();
    (results.voids > 0).then_some(Section { id: "voids", title, blocks })
}
