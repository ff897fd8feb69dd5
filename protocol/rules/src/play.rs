//! The effect of a move.

use core::fmt::Debug;

use crate::outcome::Outcome;
use crate::pit::Pit;

/// A legal move and its effect; `P` is the type of the position after it.
///
/// ```
/// use bao_rules::{Pit, Position, Variant};
///
/// let pit = |name| Pit::parse(Variant::Kingulu, name).unwrap();
/// let play = Position::start(Variant::Kingulu).play(pit("A3")).unwrap();
/// assert_eq!((play.laps, play.last, play.captured, play.over), (Some(5), Some(pit("A5")), 7, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Play<P> {
    /// The number of laps; `None` if the sowing would never end, which Bao Kigogo draws at once.
    pub laps: Option<u64>,
    /// The pit of the last seed; `None` if the sowing would never end, or the last seed went into a bank.
    pub last: Option<Pit>,
    /// The number of seeds that the mover gained: captured in Bao Kigogo, banked in Bao Kingulu.
    pub captured: u32,
    /// The position after the move, with the other side to move; `None` if the sowing would never end.
    pub after: Option<P>,
    /// The result, if the move ended the game by the rules that a position alone decides.
    pub over: Option<Outcome>,
}

impl<P> Play<P> {
    /// Changes the type of the position.
    pub(crate) fn map<Q>(self, wrap: impl FnOnce(P) -> Q) -> Play<Q> {
        let Self { laps, last, captured, after, over } = self;
        Play { laps, last, captured, after: after.map(wrap), over }
    }
}

/// A move under way, which is sown piece by piece.
///
/// ```
/// use bao_rules::{Pit, Position, Variant};
///
/// let (start, pit) = (Position::start(Variant::Kigogo), Pit::parse(Variant::Kigogo, "B1").unwrap());
/// let mut sowing = start.begin(pit).unwrap();
/// assert_eq!(sowing.go_on(5), None, "there are eight laps");
/// assert_eq!(sowing.go_on(5), start.play(pit).ok());
/// ```
pub trait Sow<P>: Copy + Debug {
    /// Sows at most `laps` laps more; returns the effect of the move once it is known.
    fn go_on(&mut self, laps: u64) -> Option<Play<P>>;
}

/// A move that is sown already, for games whose sowings are short.
impl<P: Copy + Debug> Sow<P> for Play<P> {
    fn go_on(&mut self, _laps: u64) -> Option<Play<P>> {
        Some(*self)
    }
}
