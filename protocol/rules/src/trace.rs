//! A move step by step, for people.

use alloc::vec::Vec;
use core::fmt;

use crate::outcome::Outcome;
use crate::pit::Pit;
use crate::side::Side;

/// A legal move as the list of its steps: laps first, then what was taken, reserved and banked.
///
/// ```
/// use bao_rules::{Pit, Position, Step, Variant};
///
/// let start = Position::start(Variant::Kigogo);
/// let trace = start.trace(Pit::parse(Variant::Kigogo, "B1").unwrap()).unwrap();
/// assert_eq!((trace.total, trace.laps().count(), trace.taken().count()), (Some(8), 8, 2));
/// assert!(matches!(trace.steps[0], Step::Lap(lap) if lap.seeds == 2));
/// assert!(trace.to_string().starts_with("B1 lifts 2 to B3, B3 lifts 3 to B6, "));
/// assert!(trace.to_string().ends_with(", A4 lifts 3 to A1; takes a12 (2), b12 (2)"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// The steps in order; of the laps at most [`Trace::MOST_LAPS`].
    pub steps: Vec<Step>,
    /// The number of laps, listed or not; `None` if the sowing would never end.
    pub total: Option<u64>,
    /// The result, if the move ended the game.
    pub over: Option<Outcome>,
}

/// A step of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A pit is lifted and its seeds are sown.
    Lap(Lap),
    /// The mover takes the seeds of a pit off the board.
    ///
    /// Bao Kigogo: the facing front pit, then the back pit behind it if occupied. Bao Kingulu: the facing pit, then
    /// the pit with the capturing seed.
    Take {
        /// The pit.
        pit: Pit,
        /// Its seeds.
        seeds: u8,
    },
    /// A pit becomes its opponent's for good.
    Reserve(Reservation),
    /// Seeds went into a bank as they were sown.
    Bank {
        /// The side whose bank it is.
        side: Side,
        /// The number of seeds, in all laps together.
        seeds: u32,
    },
}

/// One lap: a pit lifted and its seeds sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// The pit that was lifted.
    pub from: Pit,
    /// The number of its seeds.
    pub seeds: u8,
    /// The pit of the last of them; `None` if that went into the mover's bank.
    pub last: Option<Pit>,
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

    pub(crate) const fn new() -> Self {
        Self { steps: Vec::new(), total: None, over: None }
    }

    /// Adds a lap if there is room; laps come before all other steps.
    pub(crate) fn lap(&mut self, from: Pit, seeds: u8, last: Option<Pit>) {
        if self.steps.len() < Self::MOST_LAPS {
            self.steps.push(Step::Lap(Lap { from, seeds, last }));
        }
    }

    /// Returns the laps that are listed.
    pub fn laps(&self) -> impl Iterator<Item = Lap> {
        // Laps come first.
        self.steps.iter().map_while(|step| match step {
            Step::Lap(lap) => Some(*lap),
            Step::Take { .. } | Step::Reserve(_) | Step::Bank { .. } => None,
        })
    }

    /// Returns the number of laps that are not listed; 0 for a sowing that would never end.
    pub fn unlisted(&self) -> u64 {
        self.total.map_or(0, |total| total - self.laps().count() as u64)
    }

    /// Returns the pits whose seeds were taken off the board at the end, with the seeds of each.
    pub fn taken(&self) -> impl Iterator<Item = (Pit, u8)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Take { pit, seeds } => Some((*pit, *seeds)),
            Step::Lap(_) | Step::Reserve(_) | Step::Bank { .. } => None,
        })
    }

    /// Returns the pit that the move reserved.
    pub fn reserved(&self) -> Option<Reservation> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Reserve(reservation) => Some(*reservation),
            Step::Lap(_) | Step::Take { .. } | Step::Bank { .. } => None,
        })
    }

    /// Returns the number of seeds that went into a side's bank as they were sown.
    pub fn banked(&self, side: Side) -> u32 {
        let bank = self.steps.iter().rev().find_map(|step| match step {
            Step::Bank { side: bank, seeds } if *bank == side => Some(*seeds),
            Step::Bank { .. } | Step::Lap(_) | Step::Take { .. } | Step::Reserve(_) => None,
        });
        bank.unwrap_or(0)
    }

    /// Shortens the list to its first `most` laps and the steps after the laps.
    pub fn truncate_laps(&mut self, most: usize) {
        let listed = self.laps().count();
        self.steps.drain(most.min(listed)..listed);
    }
}

impl fmt::Display for Trace {
    /// Writes one line, such as `B1 lifts 2 to B3, B3 lifts 3 to B6; takes a4 (3), b4 (2)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Lap { from, seeds, last }) in self.laps().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{from} lifts {seeds} to ")?;
            match last {
                Some(last) => write!(f, "{last}")?,
                None => f.write_str("the bank")?,
            }
        }
        match (self.total, self.unlisted()) {
            (None, _) => f.write_str(", and so on for ever")?,
            (Some(_), 0) => {}
            (Some(_), laps) => write!(f, ", and {laps} more laps")?,
        }
        let mut takes = "; takes";
        for step in &self.steps {
            match step {
                Step::Lap(_) => {}
                Step::Take { pit, seeds } => {
                    write!(f, "{takes} {pit} ({seeds})")?;
                    takes = ",";
                }
                Step::Reserve(Reservation { pit, added_from: None }) => write!(f, "; reserves {pit}")?,
                Step::Reserve(Reservation { pit, added_from: Some(from) }) => {
                    write!(f, "; reserves {pit} and adds a seed from {from}")?;
                }
                Step::Bank { side, seeds } => {
                    write!(f, "; {seeds} into {}'s bank on the way", side.word())?;
                }
            }
        }
        Ok(())
    }
}
