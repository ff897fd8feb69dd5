//! What all tables of a run share, and why a run ends before its schedule does.

use std::cell::Cell;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::game::spec::GameSpec;
use crate::plan::Plan;
use crate::process::keeper::Keeper;
use crate::record::events::Events;
use crate::record::{Files, RecordError};
use bao_jail::{Promise, SetupError};

/// How often running a bot may fail to start before the run is given up.
pub(crate) const STARTS: u32 = 3;

/// Why a run ended before its schedule did, through nobody's misconduct in a game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A bot's program cannot be started at all.
    #[error("the bot {name} cannot be started: {source}")]
    Spawn {
        /// The bot.
        name: String,
        /// What stands against it.
        source: SetupError,
    },
    /// A bot failed several times running before it could play.
    #[error("the bot {name} could not start a game {STARTS} times running; the last time: {detail}")]
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

/// What all tables share.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) plan: Plan,
    pub(crate) files: Option<Files>,
    pub(crate) events: Option<Events>,
    pub(crate) finish: CancellationToken,
    pub(crate) stop: CancellationToken,
    // How often each bot has failed to start, running.
    pub(crate) starts: Vec<Cell<u32>>,
    // Whether each bot has played.
    pub(crate) played: Vec<Cell<bool>>,
    pub(crate) keeper: Keeper,
    pub(crate) news: mpsc::UnboundedSender<News>,
}

/// What a table tells the desk.
#[derive(Debug)]
pub(crate) enum News {
    /// It is free; it wants a game, or to hear that there is none.
    Free(oneshot::Sender<Option<GameSpec>>),
    /// A bot has been started.
    Born(usize, Vec<Promise>),
    /// A bot has introduced itself.
    Greeted(usize, Box<bao_protocol::from_bot::Hello>),
}
