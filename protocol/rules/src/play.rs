//! What a move did: in short for programs, lap by lap for people.

use std::fmt;

use crate::outcome::Outcome;
use crate::pit::Pit;
use crate::position::Position;
use crate::variant::Side;

/// A legal move and what came of it.
///
/// `laps`, `last` and `after` are `None` exactly when the sowing would never end, which Bao Kigogo draws at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play<P = Position> {
    /// How many laps were sown.
    pub laps: Option<u64>,
    /// Where the last seed fell.
    pub last: Option<Pit>,
    /// How many seeds the mover gained: captured in Bao Kigogo, banked in Bao Kingulu.
    pub captured: u32,
    /// The position after the move, with the other side to move.
    pub after: Option<P>,
    /// The result, if the move ended the game by the rules that a position alone decides.
    pub over: Option<Outcome>,
}

impl<P> Play<P> {
    /// Puts the positions of one game into the type for both.
    pub(crate) fn map<Q>(self, wrap: impl FnOnce(P) -> Q) -> Play<Q> {
        let Self { laps, last, captured, after, over } = self;
        Play { laps, last, captured, after: after.map(wrap), over }
    }
}

/// A legal move as a person would tell it, lap by lap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The laps in order, at most [`Trace::MOST_LAPS`] of them.
    pub laps: Vec<Lap>,
    /// How many laps there were, listed or not; `None` if the sowing would never end.
    pub total: Option<u64>,
    /// The pits whose seeds were taken off the board at the end, with the seeds of each.
    ///
    /// Bao Kigogo: the facing front pit, then the back pit behind it if occupied. Bao Kingulu: the facing pit, then
    /// the pit with the capturing seed.
    pub taken: Vec<(Pit, u8)>,
    /// The pit that the move reserved (Bao Kingulu).
    pub reserved: Option<Reservation>,
    /// The seeds that fell into reserved pits and so into a bank, for South and for North (Bao Kingulu).
    pub banked: [u32; 2],
    /// The result, if the move ended the game.
    pub over: Option<Outcome>,
}

/// One lap: a pit lifted and its seeds sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// The pit that was lifted.
    pub from: Pit,
    /// How many seeds it held.
    pub seeds: u8,
    /// Where the last of them fell.
    pub last: Pit,
}

/// A pit that became its opponent's for good ("kuweka mtoto", Bao Kingulu rule 3c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The reserved pit.
    pub pit: Pit,
    /// The pit from which the last seed but one was added, if it was.
    pub added_from: Option<Pit>,
}

impl Trace {
    /// The most laps that a trace lists.
    ///
    /// Sowings of more than a million laps exist; the others are counted in [`Trace::total`] only.
    pub const MOST_LAPS: usize = 1000;

    pub(crate) fn new() -> Self {
        Self { laps: Vec::new(), total: None, taken: Vec::new(), reserved: None, banked: [0; 2], over: None }
    }

    /// Adds a lap if there is room.
    pub(crate) fn lap(&mut self, lap: Lap) {
        if self.laps.len() < Self::MOST_LAPS {
            self.laps.push(lap);
        }
    }
}

impl fmt::Display for Trace {
    /// Writes one line, such as `B1 lifts 2 to B3, B3 lifts 3 to B6; takes a4 (3), b4 (2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = self.laps.len() as u64;
        for (number, Lap { from, seeds, last }) in self.laps.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{from} lifts {seeds} to {last}")?;
        }
        match self.total {
            None => f.write_str(", and so on for ever")?,
            Some(total) if total > listed => write!(f, ", and {} more laps", total - listed)?,
            Some(_) => {}
        }
        for (number, (pit, seeds)) in self.taken.iter().enumerate() {
            let before = if number == 0 { "; takes" } else { "," };
            write!(f, "{before} {pit} ({seeds})")?;
        }
        if let Some(Reservation { pit, added_from }) = self.reserved {
            write!(f, "; reserves {pit}")?;
            if let Some(from) = added_from {
                write!(f, " and adds a seed from {from}")?;
            }
        }
        for side in Side::BOTH {
            let seeds = self.banked[side as usize];
            if seeds > 0 {
                write!(f, "; {seeds} into {}'s bank on the way", side.word())?;
            }
        }
        Ok(())
    }
}
