//! The boards of all games as data for the script, which knows none of them.

use std::collections::BTreeMap;

use bao_rules::{Pit, Position, Side, Variant};
use serde::Serialize;

use crate::report::replay::example;
use crate::text::lang::Lang;

/// A game's board and words.
#[derive(Serialize)]
struct Board {
    title: &'static str,
    /// The position in which a game starts, as text.
    start: String,
    /// The names of the pits, as they are drawn.
    rows: Vec<Vec<&'static str>>,
    /// The names of the pits in the order in which a side sows; null is its bank.
    tracks: BTreeMap<char, Vec<Option<&'static str>>>,
    gained: &'static str,
    /// The moves of an example, in the notation of the page.
    #[serde(skip_serializing_if = "String::is_empty")]
    example: String,
}

/// Returns the boards by the names of their games, as a JSON object.
pub(super) fn json() -> String {
    let boards: BTreeMap<&str, Board> =
        Variant::ALL.into_iter().map(|variant| (variant.name(), board(variant))).collect();
    serde_json::to_string(&boards).expect("strings and lists can be written as JSON")
}

fn board(variant: Variant) -> Board {
    let names = |row: &[Pit]| row.iter().map(|pit| pit.name()).collect();
    let track = |side: Side| variant.track(side).map(|pit| pit.map(Pit::name)).collect();
    Board {
        title: variant.info().title,
        start: Position::start(variant).to_string(),
        rows: variant.rows().map(names).collect(),
        tracks: Side::BOTH.map(|side| (side.letter(), track(side))).into(),
        gained: variant.info().gained,
        example: example(variant),
    }
}

/// Returns how a game is played, in a language or else in English.
pub(super) fn explained(variant: Variant, lang: Lang) -> Option<&'static str> {
    let texts = variant.info().explained;
    let of = |lang: Lang| texts.iter().find(|(code, _)| *code == lang.code());
    of(lang).or_else(|| of(Lang::En)).map(|(_, text)| *text)
}
