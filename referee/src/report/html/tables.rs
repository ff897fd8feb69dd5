//! Tables and evidence as HTML.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::report::page::{Cell, Exhibit, Grid, Kind};
use crate::report::words::signed;

/// Shows a table; one that is too wide for the screen scrolls by itself.
pub(super) fn table(table: &Grid) -> Markup {
    html! {
        div.wide role="group" aria-label=(table.caption) tabindex="0" {
            table {
                caption { (table.caption) }
                thead {
                    tr {
                        @for column in &table.columns {
                            th scope="col" .number[column.kind == Kind::Numbers] { (column.head) }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (place, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
                                @if place == 0 { th scope="row" { (content(cell, column.kind)) } }
                                @else { td class=(class(cell, column.kind)) { (content(cell, column.kind)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn content(cell: &Cell, kind: Kind) -> Markup {
    html! {
        @if let Some(game) = cell.game { a href={ "#game-" (game) } { (cell.text) } }
        @else if kind == Kind::Numbers { (signed(&cell.text)) }
        @else { bdi { (cell.text) } }
    }
}

/// The tint goes in steps, since the page's policy allows no style of a single element.
fn class(cell: &Cell, kind: Kind) -> String {
    let mut class = match kind {
        Kind::Words => String::new(),
        Kind::Numbers => "number".to_owned(),
        Kind::Digits => "hash".to_owned(),
    };
    if let Some(shade) = cell.shade {
        let step = (shade * 5.0).round().clamp(-5.0, 5.0) as i32;
        let sign = if step < 0 { "minus" } else { "plus" };
        write!(class, " {sign}{}", step.abs()).expect("a string takes everything");
    }
    class
}

/// Shows a fault with its evidence.
pub(super) fn exhibit(exhibit: &Exhibit) -> Markup {
    html! {
        article.fault {
            h3 { bdi { (exhibit.title) } }
            @if let Some(detail) = &exhibit.detail { p { bdi { (detail) } } }
            @if let Some(line) = &exhibit.line {
                p.label { "The line at fault" }
                pre tabindex="0" { code { (line) } }
            }
            @if !exhibit.stderr.is_empty() {
                p.label { "What it wrote to standard error" }
                pre tabindex="0" { code { @for line in &exhibit.stderr { (line) "\n" } } }
            }
            @if let Some(advice) = &exhibit.advice { p { "To do: " (advice) } }
            p { a href={ "#game-" (exhibit.game) } { "See game " (exhibit.game) } }
        }
    }
}
