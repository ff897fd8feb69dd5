//! The board on which the script shows games, what is beside it, and how to read it all.

use bao_rules::Variant;
use maud::{Markup, html};

use super::boards;
use crate::text::lang::Lang;

/// The board with its buttons: empty and hidden until the script fills it.
pub(super) fn board(lang: Lang) -> Markup {
    let t = |key| lang.text(key);
    let button = |name: &str, sign: &str, what: &str| {
        html! { button type="button" id=(name) title=(what) aria-label=(what) { (sign) } }
    };
    let player = |id: &str| {
        html! {
            div.player id={ (id) "-player" } {
                b id={ (id) "-name" } {}
                span.clock id={ (id) "-clock" } {}
                span id={ (id) "-seeds" } {}
            }
        }
    };
    html! {
        div #replay hidden role="group" aria-labelledby="replay-title" {
            div.heading {
                h3 #replay-title {}
                div.choose {
                    (button("previous-game", "‹", t("previous game")))
                    (button("next-game", "›", t("next game")))
                }
            }
            div.table {
                p #turn {}
                (player("north"))
                div #board {}
                (player("south"))
                p #caption aria-live="polite" {}
                p #said {}
                div.buttons {
                    (button("first", "|‹", t("to the start")))
                    (button("back", "‹‹", t("back")))
                    (button("back-lap", &format!("‹ {}", t("lap")), t("back lap")))
                    (button("back-seed", "‹", t("back seed")))
                    button #play type="button" title=(t("play the game")) {}
                    (button("forward-seed", "›", t("forward seed")))
                    (button("forward-lap", &format!("{} ›", t("lap")), t("forward lap")))
                    (button("forward", "››", t("forward")))
                    (button("last", "›|", t("to the end")))
                }
                input #slider type="range" min="0" value="0" aria-label=(t("move"));
                div.settings {
                    label for="pace" { (t("step"))
                        select #pace {
                            option value="seed" { (t("seed")) } option value="lap" { (t("lap")) }
                            option value="move" { (t("move")) }
                        }
                    }
                    label for="speed" { (t("speed")) input #speed type="range" min="1" max="6" step="0.5" value="3"; }
                    label.check for="anywhere" { input #anywhere type="checkbox" checked; (t("keys everywhere")) }
                    button #copy type="button" { (t("copy")) }
                    output #copied {}
                }
            }
            div.aside {
                div #curve hidden {
                    h4 { (t("expected")) }
                    figure {}
                    ul.legend {
                        li.S { (t("South")) } li.N { (t("North")) } li.P { (t("perfect play")) }
                    }
                    p.label { (t("as South sees it")) }
                }
                h4 { (t("moves")) }
                ol #moves {}
                h4 #laps-title { (t("laps of this move")) }
                ol #laps {}
                p.label { (t("position")) }
                pre tabindex="0" { code #position {} }
            }
        }
    }
}

/// How the games are played, each with an example, and how moves and boards are read.
pub(super) fn key(variants: impl Iterator<Item = Variant>, lang: Lang) -> Markup {
    let t = |key| lang.text(key);
    html! {
        @for variant in variants {
            @if let Some(text) = boards::explained(variant, lang) {
                details.key {
                    summary { (lang.fill("rules of", &[("title", variant.info().title)])) }
                    @for paragraph in text.split("\n\n") { p { (paragraph) } }
                    button type="button" hidden data-example=(variant.name()) { (t("show example")) }
                }
            }
        }
        details.key {
            summary { (t("how to read")) }
            p { (t("read moves")) }
            p { (t("read boards")) }
            p { (t("keys")) }
        }
    }
}
