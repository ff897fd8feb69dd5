//! What of a record may be published: not what bots wrote to their standard errors, nor their commands, nor paths of the
//! organiser's machine.

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, Run};
use serde_json::Value;

/// For whom something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// For the organiser, who may see everything.
    #[default]
    Organiser,
    /// For everybody.
    Public,
}

impl Audience {
    /// Takes out of a row what is not for this audience: quotations of what a bot wrote, and details that may hold them or
    /// a path.
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

    /// Takes out of a record's head what is not for this audience.
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

/// Returns whether the detail of a loss for this reason holds numbers and names of pits alone.
fn is_plain(reason: Reason) -> bool {
    matches!(reason, Reason::IllegalMove | Reason::MemoryLimit)
}
