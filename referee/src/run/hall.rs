//! What all tables of a run share.

use std::cell::Cell;

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::game::spec::GameSpec;
use crate::plan::Plan;
use crate::process::keeper::Keeper;
use crate::record::Layout;
use crate::record::events::Events;
use crate::record::outlet::Backlog;
use bao_jail::Promise;
use bao_protocol::record::Pinning;

/// What all tables share.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) plan: Plan,
    /// How the record keeps its evidence, if there is a record.
    pub(crate) layout: Option<Layout>,
    pub(crate) plan_sha256: Option<String>,
    pub(crate) pinning: Option<Pinning>,
    pub(crate) events: Option<Events>,
    pub(crate) backlog: Backlog,
    pub(crate) finish: CancellationToken,
    pub(crate) stop: CancellationToken,
    // How many times in a row each bot has failed to start.
    pub(crate) starts: Vec<Cell<u32>>,
    // Whether each bot has played.
    pub(crate) played: Vec<Cell<bool>>,
    pub(crate) keeper: Keeper,
    pub(crate) news: mpsc::UnboundedSender<News>,
}

impl Hall {
    /// Returns whether the schedule deals with a bot that cannot be started, by giving its games up or withdrawing
    /// it; in a match of two bots without such a rule, it ends the run.
    pub(crate) fn others_play_on(&self) -> bool {
        self.plan.withdraw_after.is_some() || self.plan.bots.len() > 2
    }

    /// Returns the processors of a table's bot at a place; none where all share all.
    pub(super) fn processors(&self, table: usize, place: usize) -> Vec<u32> {
        let tables = self.pinning.iter().flat_map(|pinning| &pinning.tables);
        tables.skip(table).map(|table| table[place].clone()).next().unwrap_or_default()
    }
}

/// What a table reports to the desk.
#[derive(Debug)]
pub(crate) enum News {
    /// It is free, and waits for a game or for `None`.
    Free(oneshot::Sender<Option<GameSpec>>),
    /// A bot has been started.
    Born(usize, Vec<Promise>),
    /// A bot has introduced itself.
    Greeted(usize, Box<bao_protocol::from_bot::Hello>),
}
