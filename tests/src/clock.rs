//! The one place of this crate where time is read.

use std::time::{Duration, Instant};

/// A moment by which something must have happened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn after(bound: Duration) -> Self {
        Self(now() + bound)
    }

    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(now())
    }

    pub(crate) fn is_over(self) -> bool {
        self.left().is_zero()
    }
}

#[expect(clippy::disallowed_methods, reason = "a test must end even where the referee would not")]
fn now() -> Instant {
    Instant::now()
}
