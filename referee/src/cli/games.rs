//! The parts of the help that name games, made from the list of games.

use bao_rules::Variant;
use bao_solver::SOLVED;

/// Returns what the program is for.
pub(super) fn about() -> String {
    format!("Referee matches of {} between bot programs", titles(|_| true))
}

/// Returns what the program is for, and how to begin.
pub(super) fn long_about() -> String {
    let [first, ..] = Variant::NAMES;
    format!(
        "{}.

A bot is a program that reads and writes one JSON object per line, as described in PROTOCOL.md. The referee starts \
         the bots, checks every move against the rules, keeps the clocks, and records every line that was exchanged.

A first match:  referee match {first} random-bot greedy-bot",
        about()
    )
}

/// Explains `--max-plies`.
pub(super) fn max_plies() -> String {
    let drawn = titles(|variant| !variant.info().counted);
    let counted = titles(|variant| variant.info().counted);
    format!("End a game after N moves: a draw in {drawn}, decided by the seeds in {counted}")
}

/// Explains `--annotate` of a command that shows games.
pub(super) fn annotate(more: &str) -> String {
    let solved = SOLVED.info().title;
    format!("Show how many seeds each move gave away against perfect play ({solved} only{more})")
}

/// Joins the titles of some games with "and".
fn titles(which: impl Fn(&Variant) -> bool) -> String {
    let titles: Vec<&str> =
        Variant::ALL.iter().filter(|game| which(game)).map(|game| game.info().title).collect();
    titles.join(" and ")
}
