//! A report as one page of HTML: no network, no script but one small one for stepping through games.

mod boards;
mod bracket;
mod charts;
mod games;
mod replay;
mod scale;
mod tables;

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::contents::Report;
use super::page::{AFTER_GAMES, Block, Section};
use super::words::clean;
use crate::annotate::Annotator;
use crate::text::lang::Lang;

const STYLE: &str = include_str!("style.css");
/// One script of several files, since the policy names a script by its hash.
const SCRIPT: &str = concat!(
    include_str!("script/texts.js"),
    include_str!("script/course.js"),
    include_str!("script/board.js"),
    include_str!("script/curve.js"),
    include_str!("script/replay.js"),
    include_str!("script/filter.js"),
);
/// A pit with seeds in it.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle \
                    cx='8' cy='8' r='8' fill='%238a4b21'/%3E%3Cg fill='%23f6e7cf'%3E%3Ccircle cx='6' cy='6' r='2'/%3E\
                    %3Ccircle cx='11' cy='7' r='2'/%3E%3Ccircle cx='7' cy='11' r='2'/%3E%3C/g%3E%3C/svg%3E";

/// Writes a report as a page.
///
/// # Errors
/// Whatever `out` says, and where a game's row cannot be read.
pub(super) fn write(
    out: &mut impl Write,
    report: &Report,
    sections: &[Section],
    mut annotator: Option<&mut Annotator>,
) -> io::Result<()> {
    let title = report.title();
    write_markup(out, html! { (DOCTYPE) })?;
    // The elements that hold everything are opened and closed by hand: the games between are too many for one string.
    writeln!(out, "<html lang=\"{}\">", report.lang.code())?;
    write_markup(out, head(&title))?;
    writeln!(out, "<body>")?;
    write_markup(out, top(report, &title, sections))?;
    writeln!(out, "<main>")?;
    let after_games = after_games(sections);
    for (number, section) in sections.iter().enumerate() {
        if number == after_games {
            games::write(out, report, annotator.as_deref_mut())?;
        }
        write_markup(out, self::section(section, report.lang))?;
        writeln!(out)?;
    }
    writeln!(out, "</main>")?;
    let maker = clean(&report.run.referee, 60);
    let end = html! {
        footer { p { (report.lang.fill("made by", &[("maker", &maker)])) } }
        script type="application/json" #boards { (PreEscaped(boards::json())) }
        script type="application/json" #texts { (PreEscaped(report.lang.script())) }
        script { (PreEscaped(SCRIPT)) }
    };
    write_markup(out, end)?;
    writeln!(out, "\n</body>\n</html>")
}

/// Returns the place of the section before which the games stand.
fn after_games(sections: &[Section]) -> usize {
    sections.iter().position(|section| AFTER_GAMES.contains(&section.id)).unwrap_or(sections.len())
}

fn write_markup(out: &mut impl Write, markup: Markup) -> io::Result<()> {
    out.write_all(markup.into_string().as_bytes())
}

/// The head, with a policy that lets the page's own style and script in and nothing else: not even a foreign text
/// that escaped its escaping could run or fetch anything.
fn head(title: &str) -> Markup {
    let hash = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())));
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title { (title) " – Bao" }
            link rel="icon" href=(PreEscaped(ICON));
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn top(report: &Report, title: &str, sections: &[Section]) -> Markup {
    let lang = report.lang;
    let played: Vec<&str> = report.results.variants().map(|variant| variant.info().title).collect();
    let played = if played.is_empty() { "Bao".to_owned() } else { played.join(" and ") };
    html! {
        header {
            p.kicker { (played) @if let Some(format) = &report.about.format { " · " (clean(format, 40)) } }
            h1 { bdi { (title) } }
            p.meta { (lang.text("begun")) " " time datetime=(report.run.started) { (day(&report.run.started)) } }
            nav aria-label=(lang.text("sections")) {
                ul {
                    @for (number, section) in sections.iter().enumerate() {
                        @if number == after_games(sections) { li { a href="#games" { (lang.text("games")) } } }
                        li { a href={ "#" (section.id) } { (title_of(section, lang)) } }
                    }
                }
            }
        }
    }
}

/// Shortens a time in RFC 3339 to day and minute; leaves anything else as it is.
fn day(time: &str) -> String {
    match (time.get(..10), time.get(10..11), time.get(11..16)) {
        (Some(day), Some("T"), Some(minute)) if time.ends_with('Z') => format!("{day}, {minute} UTC"),
        _ => clean(time, 40),
    }
}

/// Returns the heading of a section in the page's language.
fn title_of(section: &Section, lang: Lang) -> &str {
    if lang == Lang::En { &section.title } else { lang.title(section.id).unwrap_or(&section.title) }
}

/// A section; its text is English in every language.
fn section(section: &Section, lang: Lang) -> Markup {
    let english = (lang != Lang::En).then_some("en");
    html! {
        section id=(section.id) aria-labelledby={ (section.id) "-title" } {
            h2 id={ (section.id) "-title" } { (title_of(section, lang)) }
            div lang=[english] { @for block in &section.blocks { (self::block(block)) } }
        }
    }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Text(text) => html! { p { (text) } },
        Block::Facts(facts) => html! {
            dl.facts {
                @for (what, fact) in facts { div { dt { (what) } dd { (fact) } } }
            }
        },
        Block::Grid(table) => tables::table(table),
        Block::Figure(figure) => charts::figure(figure),
        Block::Exhibit(exhibit) => tables::exhibit(exhibit),
        Block::Bracket(bracket) => bracket::bracket(bracket),
        Block::Part(part) => html! {
            details.part {
                summary { bdi { (part.title) } }
                @for block in &part.blocks { (self::block(block)) }
            }
        },
    }
}

/// Writes bytes in base 64 (RFC 4648), as policies want hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= group.len() { digit as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let words = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|word| base64(word.as_bytes()));
        assert_eq!(words, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
