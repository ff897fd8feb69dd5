//! A finished game, as far as a schedule cares.

use bao_protocol::{Reason, VoidCause};
use bao_rules::BySide;
use bao_stats::Outcome;

use super::repeats;
use crate::plan::Plan;
use crate::record::read::GameBrief;

/// What a schedule has to know of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// Its number.
    pub game: u64,
    /// South's and North's places in the plan's list of bots.
    pub seats: [usize; 2],
    /// How it ended.
    pub end: End,
    /// Whose program did not live to the end of it, or could not be started.
    pub died: BySide<bool>,
    /// A number that it shares only with games of the same bots in the same seats that are alike, move for move.
    pub moves: u64,
    /// A number that it shares only with games from the same position.
    pub start: u64,
}

/// How a game ended, as far as a schedule cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// So for South.
    Counts(Outcome),
    /// It does not count and is played again, within limits.
    Void,
    /// The operator stopped it: it is played again however often that was.
    Stopped,
    /// The referee was absent: it is played again, within limits of its own.
    Absent,
}

impl GameResult {
    /// Reads a row of a plan's record.
    ///
    /// # Errors
    /// [`Stray::Bot`] where it names a bot that the plan does not.
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
        // A row of the first edition, which names no cause, counted for nobody.
        let neither = row.void == Some(VoidCause::Silent);
        // A game that does not count and is somebody's fault is one whose program could not be started.
        let fault = row.fault.filter(|_| row.reason.is_death() || row.reason == Reason::Void);
        let died = BySide::from_fn(|side| neither || fault == Some(side.into()));
        Ok(Self {
            game: row.game,
            seats: [bot(&row.south)?, bot(&row.north)?],
            end,
            died,
            moves: repeats::moves(row),
            start: repeats::start(row),
        })
    }
}

/// A game in a record that the schedule cannot have ordered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stray {
    /// No such game.
    #[error("the schedule has no game {game}, or does not have it yet")]
    Unknown {
        /// Its number.
        game: u64,
    },
    /// A game that is finished comes again.
    #[error("game {game} occurs twice")]
    Twice {
        /// Its number.
        game: u64,
    },
    /// A bot that is none of the plan's.
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
