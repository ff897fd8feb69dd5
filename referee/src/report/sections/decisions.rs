//! What the arbiter decided.

use crate::report::contents::Report;
use crate::report::page::{Block, Grid, Section};
use crate::report::words::clean;

/// Lists the acts with their reasons; nothing where there are none.
pub(super) fn decisions(report: &Report) -> Option<Section> {
    let rulings = report.rulings.as_ref().filter(|rulings| !rulings.acts.acts.is_empty())?;
    let mut table = Grid::new("What the arbiter decided", &["act", "date", "decision", "reason"]);
    let words = rulings.words(&report.run.plan);
    for ((act, words), in_force) in rulings.acts.acts.iter().zip(words).zip(&rulings.in_force) {
        let undone = if *in_force { "" } else { " (undone)" };
        let decision = format!("{}{undone}", clean(&words, 300));
        let date = act.at.get(..10).unwrap_or(&act.at);
        table.row([act.act.to_string(), clean(date, 40), decision, clean(&act.reason, 300)]);
    }
    let text = "The standings, the ratings and the results of games above follow these decisions. The evidence shows the games \
                as they were played.";
    let blocks = vec![Block::Grid(table), Block::Text(text.to_owned())];
    Some(Section { id: "decisions", title: "Decisions of the arbiter".to_owned(), blocks })
}
