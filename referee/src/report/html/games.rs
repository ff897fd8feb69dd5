//! The games of a page: tables that are read without script, and the board on which the script shows them.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};

use bao_protocol::record::GameRow;
use bao_protocol::{Reason, Seat};
use bao_rules::{Position, Variant};
use maud::{Markup, PreEscaped, html};

use super::replay;

use crate::annotate::Annotator;
use crate::open;
use crate::report::contents::Report;
use crate::report::replay::Whereabouts;
use crate::report::replay::{Notation, Perfect, notation};
use crate::report::said::{Said, Saying};
use crate::report::words::{clean, count};
use crate::text::lang::Lang;

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
    let shown = chosen.places.len() as u64;
    let lang = report.lang;
    let t = |key| lang.text(key);
    let extent = match (count(shown), count(chosen.of)) {
        (n, of) if n == of => lang.fill("all games", &[("n", &n)]),
        (n, of) => lang.fill("some games", &[("n", &n), ("of", &of)]),
    };
    let several = report.results.variants().count() > 1;
    let opening = html! {
        section #games aria-labelledby="games-title" {
            h2 #games-title { (t("games")) }
            p { (extent) " " (t("choose")) }
            noscript { p.label { (t("no script")) } }
            (replay::board(lang))
            (replay::key(report.results.variants(), lang))
            (filter(lang))
            div #list { (CUT) }
        }
    }
    .into_string();
    let (before, after) = opening.split_once(CUT.0).expect("the mark stands in the list");
    out.write_all(before.as_bytes())?;
    let mut rows = if shown > 0 { Some(BufReader::new(open::file(&report.files.games())?)) } else { None };
    let mut line = String::new();
    let mut open: Option<Batch> = None;
    let mut saying = Saying::new(&report.files, chosen.places.len());
    for Whereabouts { offset, moves_start, ruling } in &chosen.places {
        let Some(rows) = &mut rows else { break };
        line.clear();
        rows.seek(SeekFrom::Start(*offset))?;
        rows.read_line(&mut line)?;
        let mut row: GameRow = serde_json::from_str(&line).map_err(io::Error::from)?;
        report.audience.row(&mut row);
        if let Some(ruling) = ruling {
            ruling.apply(&mut row);
        }
        let batch = Batch::of(&row);
        if open.as_ref() != Some(&batch) {
            if open.is_some() {
                out.write_all(TABLE_END.as_bytes())?;
            }
            out.write_all(batch.begin(open.is_none(), several, lang).as_bytes())?;
            open = Some(batch);
        }
        let said = saying.of(&row, &(*moves_start..row.moves_end));
        let ruled = ruling.is_some();
        let markup = game(&row, ruled, said, several, annotator.as_deref_mut(), lang);
        out.write_all(markup.into_string().as_bytes())?;
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
    fn begin(&self, open: bool, several: bool, lang: Lang) -> String {
        let t = |key| lang.text(key);
        let title = match self {
            Self::Round(round) => lang.fill("round", &[("n", &round.to_string())]),
            Self::UpTo(last) => {
                let from = last.saturating_sub(BATCH - 1).to_string();
                lang.fill("games from to", &[("from", &from), ("to", &last.to_string())])
            }
        };
        let table = html! {
            details.batch open[open] {
                summary { (title) " " span.found {} }
                div.wide role="group" aria-label=(title) tabindex="0" {
                    table {
                        caption { (title) }
                        thead {
                            tr {
                                th.number scope="col" { (t("game")) } th.number scope="col" { (t("pair")) }
                                @if several { th scope="col" { (t("rules")) } }
                                th scope="col" { (t("South")) } th scope="col" { (t("North")) }
                                th scope="col" { (t("result")) } th scope="col" { (t("reason")) }
                                th.number scope="col" { (t("moves")) } th scope="col" { (t("the moves")) }
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
fn filter(lang: Lang) -> Markup {
    let t = |key| lang.text(key);
    let choice = |id: &str, label: &str| {
        html! { label for=(id) { (label) select id=(id) { option value="" { (t("any")) } } } }
    };
    html! {
        form #filter hidden role="search" aria-label=(t("filter")) {
            (choice("filter-bot", t("bot")))
            (choice("filter-opponent", t("opponent")))
            label for="filter-result" { (t("result"))
                select #filter-result {
                    option value="" { (t("any")) }
                    option value="won" { (t("won")) } option value="drawn" { (t("drawn")) }
                    option value="lost" { (t("lost")) }
                }
            }
            (choice("filter-reason", t("reason")))
            label for="filter-least" { (t("moves from")) input #filter-least type="number" min="0" inputmode="numeric"; }
            label for="filter-most" { (t("to")) input #filter-most type="number" min="0" inputmode="numeric"; }
            button #filter-clear type="reset" { (t("every game")) }
            output #filter-count for="filter-bot filter-opponent filter-result filter-reason filter-least filter-most" {}
        }
    }
}

/// A row of the table; the script reads it too.
fn game(
    row: &GameRow,
    ruled: bool,
    mut said: Vec<Said>,
    several: bool,
    annotator: Option<&mut Annotator>,
    lang: Lang,
) -> Markup {
    let moves = notation(row, annotator);
    for Perfect { ply, best, moves } in moves.iter().flat_map(|notation| &notation.perfect) {
        if let Some(said) = said.get_mut(*ply) {
            said.add_perfect(*best, moves.clone());
        }
    }
    let said = Said::write(&said);
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
        tr id={ "game-" (row.game) } data-game=(row.variant) data-position=[position] data-plies=(row.plies) data-said=[said] data-fault[row.fault.is_some()] {
            th.number scope="row" { a href={ "#game-" (row.game) } { (row.game) } }
            td.number { (row.pair) }
            @if several { td { (title) } }
            td.south { bdi { (clean(&row.south, 80)) } }
            td.north { bdi { (clean(&row.north, 80)) } }
            td.result { (result) }
            td.reason { (row.reason.name()) @if let Some(side) = row.fault { " (" (bao_rules::Side::from(side).word()) ")" } @if ruled { " (" (lang.text("arbiter")) ")" } }
            td.number { (row.plies) }
            td {
                @match moves {
                    Ok(Notation { text, .. }) => details { summary { (lang.text("moves")) } code { (text) } },
                    Err(why) => { "cannot be replayed: " (clean(&why.to_string(), 200)) }
                }
            }
        }
        "\n"
    }
}
