//! The sections of a report, from what was read of a run's record.

mod conditions;
mod contest;
mod course;
mod decisions;
mod each;
mod programs;
mod rounds;
mod trouble;
mod variants;
mod winner;

use super::contents::Report;
use super::page::Section;

/// Makes every section that the record has something for, in the order of the page.
pub(super) fn all(report: &Report) -> Vec<Section> {
    let sections = [
        Some(winner::winner(report)),
        contest::standings(report),
        contest::sequential(report),
        rounds::rounds(report),
        contest::cross_table(report),
        contest::superiority(report),
        decisions::decisions(report),
        // The page has its games here.
        each::bots(report),
        course::endings(report),
        course::lengths(report),
        course::seats(report),
        course::openings(report),
        course::times(report),
        trouble::faults(report),
        trouble::repeats(report),
        trouble::voids(report),
        Some(programs::programs(report)),
        Some(conditions::conditions(report)),
    ];
    sections.into_iter().flatten().collect()
}
