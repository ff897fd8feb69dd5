//! Time trouble: moves that came only just before the flag.

use super::report::Finding;
use crate::game::clock::TimeControl;

/// The moves for which a bot took nearly all the time that it had.
#[derive(Debug, Default)]
pub(super) struct Tight {
    moves: u64,
    /// The first of them.
    first: Option<(String, u64, u64)>,
}

impl Tight {
    /// A move that leaves less than this is tight where it also took most of the time, in microseconds.
    const LEFT_US: u64 = 30_000;

    /// Adds a move that took so long after this request.
    pub(super) fn moved(&mut self, asked: &str, used_us: u64, clock: &TimeControl) {
        #[derive(serde::Deserialize)]
        struct Asked {
            deadline_ms: u64,
        }
        let Ok(Asked { deadline_ms }) = serde_json::from_str(asked) else { return };
        let left_us = (deadline_ms * 1000).saturating_sub(used_us);
        if left_us < Self::LEFT_US && used_us > 4 * left_us && used_us > Self::LEFT_US {
            self.moves += 1;
            self.first.get_or_insert_with(|| (clock.to_string(), used_us / 1000, deadline_ms));
        }
    }

    /// Makes a finding of them, if there were any.
    pub(super) fn finding(&self) -> Option<Finding> {
        let (clock, used_ms, deadline_ms) = self.first.as_ref()?;
        let count = self.moves;
        let finding = Finding::warning(
            format!(
                "time trouble: a move took {used_ms} ms of the {deadline_ms} ms that were left (clock {clock})"
            ),
            "Leave more time: use at most half of deadline_ms for a move. A busy machine takes some of it, and what is \
             used beyond it loses the game.",
        );
        Some(Finding { count, ..finding })
    }
}
