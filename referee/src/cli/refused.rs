//! Why an arbiter's decision is not possible.

use std::path::PathBuf;

use super::difference::Differences;
use crate::schedule::Stray;
use crate::text::suggest::did_you_mean;

/// Why a decision is not possible.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("{} is a record of version 1, which has no room for decisions; play the event again", .0.display())]
    OldVersion(PathBuf),
    #[error("game {0} has no result that counts: it is not finished, or it must be played again")]
    NoResult(u64),
    #[error("game {0} has this result already")]
    Already(u64),
    #[error(
        "`{wanted}` is no result of this game; write south, north, draw or the name of the winner ({south} or {north})"
    )]
    Result { wanted: String, south: String, north: String },
    #[error("no bot {wanted} in this record{}; there are: {}", did_you_mean(.wanted, .names.iter().map(String::as_str)), .names.join(", "))]
    NoBot { wanted: String, names: Vec<String> },
    #[error("{0} is withdrawn already")]
    Out(String),
    #[error("there is no act {act} that can be undone; `referee show` lists the {acts} acts of this record")]
    NoAct { act: u64, acts: usize },
    #[error("write why, in one line without control characters: --reason \"...\"")]
    Reason,
    #[error("only a tournament can be extended, and this record is of a match")]
    Match,
    #[error(
        "the file differs from the record in more than cycles, rounds, title and bots at the end of the list:{0}\nUndo these changes; to change them, begin another event"
    )]
    Other(Differences),
    #[error(
        "{kind} with {then} in the record and {now} in the file cannot be extended that way; only a round robin, a gauntlet and a Swiss can get more bots, cycles or rounds, and none can get fewer"
    )]
    Fewer { kind: &'static str, then: String, now: String },
    #[error(
        "the file says nothing new: raise cycles or rounds, add a [[bot]] at the end, or change the title"
    )]
    NothingNew,
    #[error(
        "this cannot be decided any more: {0}. What was played since depends on the result as it was; `referee correct` or \
         `referee disqualify` may still be possible"
    )]
    TooLate(Stray),
}
