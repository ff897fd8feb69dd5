//! The games of a page: tables that are read without script, and the board on which the script shows them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};

use bao_protocol::record::GameRow;
use bao_protocol::{Reason, Seat};
use bao_rules::{Position, Variant};
use maud::{Markup, PreEscaped, html};

use crate::annotate::Annotator;
use crate::report::contents::Report;
use crate::report::replay::notation;
use crate::report::words::{clean, count, plural};

/// Writes the board and the table of games, row by row.
///
/// # Errors
/// Whatever `out` says, and where a game's row cannot be read.
pub(super) fn write(
    out: &mut impl Write,
    report: &Report,
    mut annotator: Option<&mut Annotator>,
) -> io::Result<()> {
    let chosen = &report.chosen;
    let shown = chosen.offsets.len() as u64;
    let extent = if shown == chosen.of {
        format!("All {} of this run.", plural(shown, "game", "games"))
    } else {
        format!(
            "{} of {}: those lost by a fault first, the others evenly spaced. The record has them all.",
            plural(shown, "game", "games"),
            count(chosen.of)
        )
    };
    let several = report.results.variants().count() > 1;
    let opening = html! {
        section #games aria-labelledby="games-title" {
            h2 #games-title { "Games" }
            p { (extent) " Choose a game by its number to step through it." }
            noscript { p.label { "Stepping through games and choosing among them need JavaScript; the moves stand in the tables all the same." } }
            (board())
            (key())
            (filter())
            div #list { (CUT) }
        }
    }
    .into_string();
    let (before, after) = opening.split_once(CUT.0).expect("the mark stands in the list");
    out.write_all(before.as_bytes())?;
    let mut rows = if shown > 0 { Some(BufReader::new(File::open(report.files.games())?)) } else { None };
    let mut line = String::new();
    let mut open: Option<Batch> = None;
    for offset in &chosen.offsets {
        let Some(rows) = &mut rows else { break };
        line.clear();
        rows.seek(SeekFrom::Start(*offset))?;
        rows.read_line(&mut line)?;
        let row: GameRow = serde_json::from_str(&line).map_err(io::Error::from)?;
        let batch = Batch::of(&row);
        if open.as_ref() != Some(&batch) {
            if open.is_some() {
                out.write_all(TABLE_END.as_bytes())?;
            }
            out.write_all(batch.begin(open.is_none(), several).as_bytes())?;
            open = Some(batch);
        }
        out.write_all(game(&row, several, annotator.as_deref_mut()).into_string().as_bytes())?;
    }
    if open.is_some() {
        out.write_all(TABLE_END.as_bytes())?;
    }
    out.write_all(after.as_bytes())?;
    writeln!(out)
}

/// Where the tables go.
const CUT: PreEscaped<&str> = PreEscaped("<!--rows-->");
/// What ends a table of games: tables are written row by row, so they are opened and closed by hand.
const TABLE_END: &str = "</tbody></table></div></details>\n";
/// How many games are folded together in a format without rounds.
const BATCH: u64 = 100;

/// Games that are folded together.
#[derive(Debug, PartialEq, Eq)]
enum Batch {
    /// Those of a round.
    Round(u64),
    /// Those up to this number.
    UpTo(u64),
}

impl Batch {
    fn of(row: &GameRow) -> Self {
        match row.round {
            Some(round) => Self::Round(round),
            None => Self::UpTo(row.game.div_ceil(BATCH).saturating_mul(BATCH)),
        }
    }

    /// Begins the table of these games.
    fn begin(&self, open: bool, several: bool) -> String {
        let title = match self {
            Self::Round(round) => format!("Round {round}"),
            Self::UpTo(last) => format!("Games {} to {last}", last.saturating_sub(BATCH - 1)),
        };
        let table = html! {
            details.batch open[open] {
                summary { (title) " " span.found {} }
                div.wide role="region" aria-label=(title) tabindex="0" {
                    table {
                        caption { (title) }
                        thead {
                            tr {
                                th.number scope="col" { "game" } th.number scope="col" { "pair" }
                                @if several { th scope="col" { "rules" } }
                                th scope="col" { "South" } th scope="col" { "North" }
                                th scope="col" { "result" } th scope="col" { "reason" }
                                th.number scope="col" { "moves" } th scope="col" { "the moves" }
                            }
                        }
                        tbody { (CUT) }
                    }
                }
            }
        }
        .into_string();
        table.split_once(CUT.0).map(|(before, _)| before.to_owned()).expect("the mark stands in the table")
    }
}

/// The choices among the games: hidden until the script fills and serves them.
fn filter() -> Markup {
    let choice = |id: &str, label: &str, all: &str| {
        html! { label for=(id) { (label) select id=(id) { option value="" { (all) } } } }
    };
    html! {
        form #filter hidden role="search" aria-label="Choose among the games" {
            (choice("filter-bot", "bot", "any"))
            (choice("filter-opponent", "opponent", "any"))
            label for="filter-result" { "result"
                select #filter-result {
                    option value="" { "any" }
                    option value="won" { "won" } option value="drawn" { "drawn" } option value="lost" { "lost" }
                }
            }
            (choice("filter-reason", "reason", "any"))
            label for="filter-least" { "moves from" input #filter-least type="number" min="0" inputmode="numeric"; }
            label for="filter-most" { "to" input #filter-most type="number" min="0" inputmode="numeric"; }
            button #filter-clear type="reset" { "all games" }
            output #filter-count for="filter-bot filter-opponent filter-result filter-reason filter-least filter-most" {}
        }
    }
}

/// A row of the table; the script reads it too.
fn game(row: &GameRow, several: bool, annotator: Option<&mut Annotator>) -> Markup {
    let variant: Option<Variant> = row.variant.parse().ok();
    let from_start = variant.is_some_and(|variant| Position::start(variant).to_string() == row.position);
    let position = (!from_start).then_some(&row.position);
    let result = match (row.reason, row.winner) {
        (Reason::Void, _) => "–",
        (_, Some(Seat::South)) => "1–0",
        (_, None) => "½–½",
        (_, Some(Seat::North)) => "0–1",
    };
    let title = variant.map_or("", |variant| variant.info().title);
    html! {
        tr id={ "game-" (row.game) } data-game=(row.variant) data-position=[position] data-plies=(row.plies) data-fault[row.fault.is_some()] {
            th.number scope="row" { a href={ "#game-" (row.game) } { (row.game) } }
            td.number { (row.pair) }
            @if several { td { (title) } }
            td.south { bdi { (clean(&row.south, 80)) } }
            td.north { bdi { (clean(&row.north, 80)) } }
            td.result { (result) }
            td.reason { (row.reason.name()) @if let Some(side) = row.fault { " (" (bao_rules::Side::from(side).word()) ")" } }
            td.number { (row.plies) }
            td {
                @match notation(row, annotator) {
                    Ok(moves) => details { summary { "moves" } code { (moves) } },
                    Err(why) => { "cannot be replayed: " (clean(&why.to_string(), 200)) }
                }
            }
        }
        "\n"
    }
}

/// The board with its buttons: empty and hidden until the script fills it.
fn board() -> Markup {
    let button = |name: &str, sign: &str, what: &str| {
        html! { button type="button" id=(name) title=(what) aria-label=(what) { (sign) } }
    };
    html! {
        div #replay hidden role="group" aria-labelledby="replay-title" {
            div.heading {
                h3 #replay-title { "Replay" }
                div.choose {
                    (button("previous-game", "‹", "previous game"))
                    (button("next-game", "›", "next game"))
                }
            }
            div.table {
                div.player #north-player { b #north-name {} span #north-seeds {} }
                div #board {}
                div.player #south-player { b #south-name {} span #south-seeds {} }
                p #caption aria-live="polite" {}
                div.buttons {
                    (button("first", "|‹", "to the start"))
                    (button("back", "‹", "one move back (left arrow)"))
                    (button("back-lap", "‹ lap", "one lap back (down arrow)"))
                    (button("play", "play", "play the game"))
                    (button("forward-lap", "lap ›", "one lap on (up arrow)"))
                    (button("forward", "›", "one move on (right arrow)"))
                    (button("last", "›|", "to the end"))
                }
                input #slider type="range" min="0" value="0" aria-label="move";
            }
            div.aside {
                h4 { "Moves" }
                ol #moves {}
                h4 #laps-title { "Laps of this move" }
                ol #laps {}
                p.label { "Position" }
                pre tabindex="0" { code #position {} }
            }
        }
    }
}

fn key() -> Markup {
    html! {
        details.key {
            summary { "How to read moves and boards" }
            p {
                "A pit is named by its row and its number from its owner's left: " code { "A" } " is the front row, "
                code { "B" } " the back row; capital letters are South's, small ones North's. A move is the pit that it "
                "lifts. " code { ":9" } " says that it went on for nine laps (a lap lifts a pit and sows its seeds one by "
                "one into the following pits), " code { ":~" } " that it would go on for ever, " code { "xa3,b3" }
                " that the seeds of these pits were taken off the board, " code { "*a4" } " that this pit was reserved, and "
                code { "<a5" } " that a seed of that pit was added to it."
            }
            p {
                "On the board a broken ring marks the pit that was lifted, a full one the pit of the last seed, thin ones "
                "those that were sown, a red one those that were taken. A pit with a white rim is reserved, in the colour "
                "of the side that has it."
            }
            p { "Keys: left and right for moves, down and up for laps, Home and End, the space bar plays." }
        }
    }
}
