//! Removes private data from a record: what bots wrote to standard error, their commands, and paths of the
//! organiser's machine.

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, Run};
use serde_json::Value;

/// The readers of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The organiser, who may see everything.
    #[default]
    Organiser,
    /// The public.
    Public,
}

impl Audience {
    /// Removes from a row what this audience may not see: quotations of what a bot wrote, and details that may
    /// contain them or a path.
    pub fn row(self, row: &mut GameRow) {
        if self == Self::Organiser {
            return;
        }
        row.stderr = None;
        row.line = None;
        if row.reason == Reason::Void || (row.fault.is_some() && !is_plain(row.reason)) {
            row.detail = None;
        }
    }

    /// Removes from a record's head what this audience may not see.
    pub fn run(self, run: &mut Run) {
        if self == Self::Organiser {
            return;
        }
        for bot in &mut run.bots {
            bot.command.clear();
            bot.files_sha256.clear();
        }
        let only = run.only.iter_mut().map(|only| &mut only.isolation);
        let reached = only.chain(run.hosts.iter_mut().map(|host| &mut host.isolation)).flatten();
        // Why a promise is not kept may name a file.
        for promise in reached.flat_map(|bots| bots.values_mut()).flatten() {
            if promise.gap.is_some() {
                promise.gap = Some("not on this machine, or not for this bot".to_owned());
            }
        }
        let bots = run.plan.get_mut("bots").and_then(Value::as_array_mut);
        for bot in bots.into_iter().flatten().filter_map(Value::as_object_mut) {
            bot.insert("command".to_owned(), Value::Array(Vec::new()));
            if let Some(Value::Object(sandbox)) = bot.get_mut("sandbox") {
                sandbox.insert("directory".to_owned(), Value::Null);
                for paths in ["readable", "writable", "env"] {
                    sandbox.insert(paths.to_owned(), Value::Array(Vec::new()));
                }
            }
        }
    }
}

/// Returns whether the detail of a loss for this reason contains only numbers and names of pits.
fn is_plain(reason: Reason) -> bool {
    matches!(reason, Reason::IllegalMove | Reason::MemoryLimit)
}
