//! The games that were played, in headings.

use bao_rules::Variant;

use crate::report::contents::Report;

/// Returns a game's name for headings.
pub(super) fn title_of(variant: Variant) -> &'static str {
    match variant {
        Variant::Kigogo => "Bao Kigogo",
        Variant::Kingulu => "Bao Kingulu",
    }
}

/// Returns the variants that were played, each with what to put behind a heading so that they can be told apart.
pub(super) fn variants(report: &Report) -> impl Iterator<Item = (Variant, String)> {
    let played = report.results.games;
    let several = played.iter().all(|games| *games > 0);
    Variant::ALL.into_iter().filter(move |variant| played[*variant as usize] > 0).map(move |variant| {
        (variant, if several { format!(", {}", title_of(variant)) } else { String::new() })
    })
}
