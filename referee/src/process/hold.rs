//! Whether a bot has to be stopped because it is not on turn, and whether it stays stopped.
//!
//! The table stops and resumes its bots (in [`bot`](super::bot)) and never waits; the watchdog (in
//! [`keeper`](super::keeper)) looks at those that are stopped, and stops again what runs. What a bot has used meanwhile is
//! charged to its clock ([`Input::Ran`](crate::game::Input::Ran)).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bao_jail::measure::{Census, Meter};

/// How much processor time a stopped bot may use from one look to the next, in microseconds: the end of a system call.
const BETWEEN_LOOKS_US: u64 = 500;

/// Whether a bot has to be stopped; the table sets it, and the watchdog reads it.
///
/// The count of stops and resumes: odd while the bot has to be stopped.
#[derive(Debug, Default)]
pub struct Hold(AtomicU64);

impl Hold {
    /// Notes that the bot has to be stopped from now on, or no longer.
    pub fn turn(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns the number of the present stop, if the bot has to be stopped.
    fn number(&self) -> Option<u64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|count| count % 2 == 1)
    }
}

/// A bot's stops as the watchdog sees them.
#[derive(Debug)]
pub(super) struct Held {
    hold: Arc<Hold>,
    // The stop that was seen last, and the processor time that the bot had used then, in microseconds.
    seen: Option<(u64, u64)>,
}

impl Held {
    pub(super) fn new(hold: Arc<Hold>) -> Self {
        Self { hold, seen: None }
    }

    /// Stops the bot again if it ran since the last look at the same stop.
    pub(super) fn look(&mut self, meter: &mut Meter, census: &Census) {
        let Some(stop) = self.hold.number() else {
            self.seen = None;
            return;
        };
        let used_us = meter.cpu_us_by(census);
        let before = self.seen.replace((stop, used_us));
        if before
            .is_some_and(|(earlier, before_us)| earlier == stop && used_us > before_us + BETWEEN_LOOKS_US)
        {
            meter.stop();
            // It may have got its turn meanwhile; then this was too late.
            if self.hold.number().is_none() {
                meter.resume();
            }
        }
    }
}
