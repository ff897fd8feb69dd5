//! A run: tables that play a schedule's games until it is over, one thread for all of them.

mod desk;
mod error;
mod hall;
mod preflight;
mod table;

pub use desk::Follower;
pub use error::RunError;
pub use preflight::{Entry, Failed, Problem, preflight};

use std::cell::Cell;
use std::rc::Rc;

use tokio::sync::mpsc;
use tokio::task::{JoinSet, LocalSet};
use tokio_util::sync::CancellationToken;

use crate::plan::Plan;
use crate::process::keeper::Keeper;
use crate::record::events::Events;
use crate::record::outlet::Backlog;
use crate::record::{Files, Ledger, Tail};
use crate::schedule::Schedule;
use bao_jail::Host;
use bao_protocol::record::Pinning;
use desk::Desk;
use hall::Hall;

/// How a run is carried out. Nothing here changes what is played.
#[derive(Debug)]
pub struct Conditions {
    /// What this machine can do to isolate bots.
    pub host: Host,
    /// Where the record goes, and where its rows end so far.
    pub record: Option<(Files, Tail)>,
    /// The SHA-256 of the plan in the record, which all evidence names, if there is a record.
    pub plan_sha256: Option<String>,
    /// How many games are played at once.
    pub concurrency: usize,
    /// The processors of each table's bots, for as many tables as there are; `None`: all processes share all processors.
    pub pinning: Option<Pinning>,
    /// Where to send an event for every move.
    pub events: Option<Events>,
    /// The bytes of this run's record, events and messages that wait to be written.
    pub backlog: Backlog,
    /// No new game is started once this is cancelled.
    pub finish: CancellationToken,
    /// Running games are ended once this is cancelled; they do not count.
    pub stop: CancellationToken,
}

/// Plays a schedule to its end, or until the operator or an error ends it. Finished games are durable either way.
///
/// # Errors
/// [`RunError`]; the games that were running have been ended, no bot is left.
pub async fn run(
    plan: &Plan,
    schedule: &mut Schedule,
    conditions: Conditions,
    follower: &mut dyn Follower,
) -> Result<(), RunError> {
    let record = conditions.record;
    let layout = record.as_ref().map(|(_, tail)| tail.layout);
    let mut ledger = Ledger::open(record, &conditions.backlog)?;
    let (news, mut heard) = mpsc::unbounded_channel();
    let hall = Rc::new(Hall {
        plan: plan.clone(),
        layout,
        plan_sha256: conditions.plan_sha256,
        pinning: conditions.pinning,
        events: conditions.events,
        backlog: conditions.backlog,
        finish: conditions.finish,
        stop: conditions.stop,
        starts: plan.bots.iter().map(|_| Cell::new(0)).collect(),
        played: plan.bots.iter().map(|_| Cell::new(false)).collect(),
        keeper: Keeper::new(conditions.host),
        news,
    });
    let local = LocalSet::new();
    let outcome = local
        .run_until(async {
            let mut tables = JoinSet::new();
            let mut desk = Desk::new(schedule, follower, &hall, ledger.entries.clone());
            for number in 0..conditions.concurrency {
                tables.spawn_local(table::play(number, Rc::clone(&hall), ledger.entries.clone()));
            }
            loop {
                tokio::select! {
                    Some(news) = heard.recv() => desk.hear(news),
                    Some(finished) = ledger.durable.recv() => desk.durable(finished),
                    joined = tables.join_next() => match joined {
                        Some(Ok(Ok(()))) => {}
                        Some(Ok(Err(error))) => desk.fail(error),
                        Some(Err(panic)) => std::panic::resume_unwind(panic.into_panic()),
                        None => break,
                    },
                }
            }
            desk.leave_ledger();
            let mut durable = ledger.close();
            while let Ok(finished) = durable.try_recv() {
                desk.durable(finished);
            }
            while let Ok(news) = heard.try_recv() {
                desk.hear(news);
            }
            desk.close()
        })
        .await;
    local.await;
    outcome
}
