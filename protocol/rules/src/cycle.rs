//! The exact test for a sowing that never ends.

/// Notices when a sowing comes back to a state in which it was before.
///
/// A state is the pits and the pit to lift. While every lap holds fewer seeds than the track has pits, a state after a
/// lap determines the state before it, so an endless sowing comes back to its *first* state, and that one is the mark.
/// A larger lap breaks this; from then on the mark moves to the present state at ever doubled lap counts (Brent's
/// method), so that it sooner or later stands on the cycle with a whole turn to go.
pub(crate) struct Cycle<S> {
    mark: S,
    /// The lap count at which the mark moves; never, while no lap was large.
    renew: u64,
}

impl<S: Copy + Eq> Cycle<S> {
    pub(crate) fn new(first: S) -> Self {
        Self { mark: first, renew: u64::MAX }
    }

    /// Takes the state after lap number `laps` and tells whether the sowing is endless.
    ///
    /// `large`: that lap held as many seeds as the track has pits, or more.
    #[inline]
    pub(crate) fn closes(&mut self, laps: u64, state: S, large: bool) -> bool {
        if state == self.mark {
            return true;
        }
        if large && self.renew == u64::MAX {
            self.renew = laps;
        }
        if laps == self.renew {
            self.mark = state;
            self.renew = laps * 2;
        }
        false
    }
}
