//! The games that were played, in headings.

use bao_rules::Variant;

use crate::report::contents::Report;

/// Returns the variants that were played, each with what to put behind a heading so that they can be distinguished.
pub(super) fn variants(report: &Report) -> impl Iterator<Item = (Variant, String)> {
    let several = report.results.variants().count() > 1;
    report.results.variants().map(move |variant| {
        (variant, if several { format!(", {}", variant.info().title) } else { String::new() })
    })
}
