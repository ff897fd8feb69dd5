//! The part of a finished game that a schedule needs.

use bao_protocol::{Reason, VoidCause};
use bao_rules::BySide;
use bao_stats::Outcome;

use super::repeats;
use crate::plan::Plan;
use crate::record::read::{GameBrief, Ruling};

/// What a schedule needs to know of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// Its number.
    pub game: u64,
    /// South's and North's places in the plan's list of bots.
    pub seats: [usize; 2],
    /// How it ended, by the arbiter's ruling if there is one.
    pub end: End,
    /// How it ended before that ruling, and after how many rows of the record it was made.
    pub before: Option<(Outcome, u64)>,
    /// Whether the side's program did not run until the end of the game, or could not be started.
    pub died: BySide<bool>,
    /// A number that only games of the same bots on the same sides with the same moves share.
    pub moves: u64,
    /// A number that only games from the same position share.
    pub start: u64,
}

/// How a game ended, for a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It counts, with this outcome for South.
    Counts(Outcome),
    /// It does not count and is played again, within limits.
    Void,
    /// The operator stopped it: it is played again any number of times.
    Stopped,
    /// The referee was absent: it is played again, within separate limits.
    Absent,
}

impl GameResult {
    /// Reads a row of a plan's record.
    ///
    /// # Errors
    /// [`Stray::Bot`] if it names a bot that is not in the plan.
    pub fn of(row: &GameBrief<'_>, plan: &Plan) -> Result<Self, Stray> {
        let bot =
            |name: &str| plan.bot(name).ok_or_else(|| Stray::Bot { game: row.game, name: name.to_owned() });
        let end = match (row.outcome(), row.void_cause()) {
            (Some(outcome), _) => End::Counts(outcome),
            (None, Some(VoidCause::Operator)) => End::Stopped,
            (None, Some(VoidCause::Absent)) => End::Absent,
            (
                None,
                Some(VoidCause::Program | VoidCause::Silent | VoidCause::Internal | VoidCause::Machine)
                | None,
            ) => End::Void,
        };
        // A row of the first edition names no cause and counts as a failure of neither bot.
        let neither = row.void == Some(VoidCause::Silent);
        // In a game that does not count, a side has a fault only if its program could not be started.
        let fault = row.fault.filter(|_| row.reason.is_death() || row.reason == Reason::Void);
        let fault = fault.filter(|_| row.ruling != Some(Ruling::Annulled));
        let died = BySide::from_fn(|side| neither || fault == Some(side.into()));
        Ok(Self {
            game: row.game,
            seats: [bot(&row.south)?, bot(&row.north)?],
            end,
            before: match row.ruling {
                Some(Ruling::Result { rows, .. }) => row.as_played().map(|outcome| (outcome, rows)),
                Some(Ruling::Annulled) | None => None,
            },
            died,
            moves: repeats::moves(row),
            start: repeats::start(row),
        })
    }
}

/// Why a game in a record is not in the schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stray {
    /// No such game.
    #[error("the schedule has no game {game}, or does not have it yet")]
    Unknown {
        /// Its number.
        game: u64,
    },
    /// A finished game occurs again.
    #[error("game {game} occurs twice")]
    Twice {
        /// Its number.
        game: u64,
    },
    /// A bot that is not in the plan.
    #[error("game {game} names a bot that does not take part: {name}")]
    Bot {
        /// Its number.
        game: u64,
        /// The name.
        name: String,
    },
    /// Other bots, or other seats.
    #[error("game {game} has other bots than in the schedule")]
    Seats {
        /// Its number.
        game: u64,
    },
}
