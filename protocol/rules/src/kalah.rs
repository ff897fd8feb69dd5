//! A small Kalah: two rows of four pits, 24 seeds.
//!
//! It proves that a game is one module and one line, and is written to be read rather than to be fast. One rule of Kalah is
//! left out: a last seed in the bank gives no second turn, because sides take turns in every game of this crate.

pub(crate) mod info;

use crate::illegal::Illegal;
use crate::moves::Moves;
use crate::outcome::{Ending, Outcome};
use crate::pit::Pit;
use crate::play::Play;
use crate::rules::{Rules, Seeds, Setup};
use crate::seen::{Remember, Seen, mix};
use crate::side::Side;
use crate::trace::{Step, Trace};
use crate::variant::Variant;

const VARIANT: Variant = Variant::Kalah;
/// The pits of a side.
const ROW: usize = 4;

/// The positions of a game of Kalah that were seen.
pub type History = Seen<Position>;

/// A position of Kalah: the seeds of each pit, the banks, the side to move.
// Invariant: pits and banks hold 24 seeds together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pits: [[u8; ROW]; 2],
    banks: [u8; 2],
    side: Side,
}

/// A move that was played, with all that it did.
struct Sown {
    after: Position,
    /// The pit of the last seed; `None`: the bank.
    last: Option<Pit>,
    lifted: u8,
    /// The seeds that went into the bank as they were sown.
    banked: u8,
    /// The pits that were captured, with their seeds.
    taken: [(Pit, u8); 2],
}

impl Rules for Position {
    const VARIANT: Variant = Variant::Kalah;

    /// Three seeds in every pit, South to move.
    const START: Self = Self { pits: [[3; ROW]; 2], banks: [0; 2], side: Side::South };

    type Sowing = Play<Self>;

    fn side(&self) -> Side {
        self.side
    }

    fn with_side(&self, side: Side) -> Self {
        Self { side, ..*self }
    }

    fn captured(&self, side: Side) -> u32 {
        self.banks[side as usize].into()
    }

    fn seeds(&self, pit: Pit) -> u8 {
        if pit.is_of(VARIANT) { self.pits[pit.owner() as usize][pit.index()] } else { 0 }
    }

    fn legal_moves(&self) -> Moves {
        let own = self.pits[self.side as usize];
        let occupied = (0..ROW).filter(|pit| own[*pit] > 0).fold(0, |set, pit| set | 1 << pit);
        Moves::from_bits(VARIANT, self.side, occupied)
    }

    fn check(&self, pit: Pit) -> Result<(), Illegal> {
        Illegal::by_owner(VARIANT, self.side, pit)?;
        if self.seeds(pit) == 0 { Err(Illegal::EmptyPit { pit }) } else { Ok(()) }
    }

    fn play(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        let Sown { after, last, .. } = self.sown(pit)?;
        let captured = after.captured(self.side) - self.captured(self.side);
        Ok(Play { laps: Some(1), last, captured, after: Some(after), over: after.over() })
    }

    fn begin(&self, pit: Pit) -> Result<Play<Self>, Illegal> {
        self.play(pit)
    }

    fn trace(&self, pit: Pit) -> Result<Trace, Illegal> {
        let Sown { after, last, lifted, banked, taken } = self.sown(pit)?;
        let mut trace = Trace::new();
        trace.lap(pit, lifted, last);
        trace.total = Some(1);
        let taken = taken.into_iter().filter(|(_, seeds)| *seeds > 0);
        trace.steps.extend(taken.map(|(pit, seeds)| Step::Take { pit, seeds }));
        if banked > 0 {
            trace.steps.push(Step::Bank { side: self.side, seeds: banked.into() });
        }
        trace.over = after.over();
        Ok(trace)
    }

    /// Returns the result if the side to move has no seed in its pits; the seeds are counted then.
    fn over(&self) -> Option<Outcome> {
        let empty = self.pits[self.side as usize] == [0; ROW];
        empty.then(|| Outcome { winner: self.scored(), reason: Ending::NoMoves })
    }

    /// Returns the seeds of a side's bank and pits.
    fn score(&self, side: Side) -> u32 {
        self.captured(side) + self.pits[side as usize].map(u32::from).iter().sum::<u32>()
    }
}

impl Position {
    fn sown(&self, pit: Pit) -> Result<Sown, Illegal> {
        self.check(pit)?;
        let (me, they) = (self.side as usize, self.side.other() as usize);
        let Self { mut pits, mut banks, .. } = *self;
        let lifted = core::mem::take(&mut pits[me][pit.index()]);
        let (mut last, mut banked) = (None, 0);
        // `Variant::track` begins with the first pit of the side.
        let track = VARIANT.track(self.side).cycle().skip(pit.index() + 1);
        for stop in track.take(lifted.into()) {
            match stop {
                Some(pit) => pits[pit.owner() as usize][pit.index()] += 1,
                None => banked += 1,
            }
            last = stop;
        }
        banks[me] += banked;
        let mut taken = [(pit, 0); 2];
        if let Some(last) = last.filter(|last| last.owner() == self.side && pits[me][last.index()] == 1) {
            let facing = Pit::known(VARIANT, self.side.other(), ROW - 1 - last.index());
            if pits[they][facing.index()] > 0 {
                taken = [(facing, pits[they][facing.index()]), (last, 1)];
                (pits[they][facing.index()], pits[me][last.index()]) = (0, 0);
                banks[me] += taken[0].1 + taken[1].1;
            }
        }
        let after = Self { pits, banks, side: self.side.other() };
        Ok(Sown { after, last, lifted, banked, taken })
    }
}

impl Setup for Position {
    fn set_up(seeds: &Seeds) -> Self {
        let pits = seeds.pits.map(|pits| core::array::from_fn(|pit| pits[pit]));
        Self { pits, banks: seeds.captured, side: seeds.side }
    }
}

impl Remember for Position {
    fn fingerprint(&self) -> u64 {
        let [south, north] = self.pits.map(u32::from_le_bytes);
        mix([u64::from(south) | u64::from(north) << 32, self.side as u64])
    }

    fn same(&self, other: &Self) -> bool {
        (self.pits, self.side) == (other.pits, other.side)
    }

    fn gone(&self) -> u32 {
        self.captured(Side::South) + self.captured(Side::North)
    }
}
