//! Why a run ends before its schedule does.

use bao_jail::SetupError;

use crate::record::RecordError;

/// How often running a bot may fail to start before the run is given up.
pub(crate) const STARTS: u32 = 3;

/// Why a run ended before its schedule did, without a fault of a bot in a game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A bot's program cannot be started at all.
    #[error("bot {name} cannot be started: {source}")]
    Spawn {
        /// The bot.
        name: String,
        /// The cause.
        source: SetupError,
    },
    /// A bot failed several times in a row before it could play.
    #[error("bot {name} failed to start a game {STARTS} times in a row; the last failure: {detail}")]
    NeverStarts {
        /// The bot.
        name: String,
        /// The reason and the details of its last failure.
        detail: String,
    },
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}
