//! Tables and evidence as HTML.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::report::page::{Cell, Exhibit, Grid};

/// Shows a table; one that is too wide for the screen scrolls by itself.
pub(super) fn table(table: &Grid) -> Markup {
    let head = |place: usize| table.columns[place].head.as_str();
    html! {
        div.wide role="region" aria-label=(table.caption) tabindex="0" {
            table {
                caption { (table.caption) }
                thead {
                    tr { @for column in &table.columns { th scope="col" .number[column.numbers] { (column.head) } } }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (place, cell) in row.iter().enumerate() {
                                @if place == 0 {
                                    th scope="row" .number[table.columns[0].numbers] { (content(cell)) }
                                } @else {
                                    td class=(class(cell, table.columns[place].numbers, head(place))) { (content(cell)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn content(cell: &Cell) -> Markup {
    html! {
        @if let Some(game) = cell.game { a href={ "#game-" (game) } { (cell.text) } }
        @else { bdi { (cell.text) } }
    }
}

/// The tint goes in steps, since the page's policy allows no style of a single element.
fn class(cell: &Cell, numbers: bool, head: &str) -> String {
    let mut class = String::new();
    if numbers {
        class.push_str("number");
    } else if head.starts_with("SHA-256") {
        class.push_str("hash");
    }
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
                p.label { (exhibit.stderr_title()) }
                pre tabindex="0" { code { @for line in &exhibit.stderr { (line) "\n" } } }
            }
            p { a href={ "#game-" (exhibit.game) } { "See game " (exhibit.game) } }
        }
    }
}
