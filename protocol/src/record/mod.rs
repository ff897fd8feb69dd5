//! The formats of what a run leaves on disk, version 2; the types read version 1 too.
//!
//! | file | read as |
//! |---|---|
//! | `run.json` | [`Run`], and its plan as [`Plan`] |
//! | a line of `games.jsonl` | [`GameRow`] |
//! | a line of `moves.jsonl` | [`MoveRow`] |
//! | a line of `stderr.jsonl` | [`StderrRow`] |
//! | a line of `acts.jsonl` | [`Act`] |
//! | a line of `wire/<segment>.jsonl.gz`, or `wire/<game>.jsonl` in version 1 | [`WireLine`], and in it [`Start`], [`Event`], [`WireStderr`] and [`WireVerdict`] |
//!
//! A row always has the same keys (null where there is nothing), so that jq, DuckDB and pandas read the files as they
//! are; only `void` is left out of the rows of games that count. A game's row and its plies' rows can be recomputed from its wire file, which is the evidence.

mod acts;
mod clock;
mod edition;
mod plan;
mod rows;
mod run;
mod wire;

pub use acts::{Act, Deed};
pub use clock::{BadClock, BadTime, TimeControl, above_zero, span};
pub use edition::{Edition, UnknownEdition};
pub use plan::{
    Adjudication, BotPlan, ControlGroup, DrawRule, Format, GamePlan, Level, Measure, Model, Openings,
    OpeningsPer, Plan, ResignRule, Sandbox, Size, Tiebreak, UnknownMeasure,
};
pub use rows::{GameRow, MoveRow, Packed, StderrRow};
pub use run::{End, Host, Isolation, Machine, OnlyHost, Pinning, Promise, Run, RunBot};
pub use wire::{
    Channel, Event, Greeted, Loss, Start, StartPosition, StartSeat, WireLine, WireStderr, WireVerdict,
};

/// The version of the formats in which new records are written.
pub const VERSION: u32 = 2;
/// The oldest version that is read, verified and continued.
pub const OLDEST: u32 = 1;
