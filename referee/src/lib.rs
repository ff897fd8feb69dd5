//! The referee: matches between bot programs, their clocks, verdicts and records.
//!
//! Data flows one way: a [`plan`] says what is played, a [`schedule`] hands out its games, a [`run`] plays them at its
//! tables, each game a pure state machine ([`game`]) that one thin file ([`driver`]) connects to the two processes
//! ([`bot`]); what happened goes into the [`record`], and everything that comes later reads the record and nothing
//! else.

pub mod adjudication;
pub mod annotate;
pub mod board;
pub mod bot;
pub mod bout;
pub mod check;
pub mod cli;
pub mod clock;
pub mod driver;
pub mod events;
pub mod export;
pub mod game;
pub mod isolation;
pub mod keeper;
pub mod lag;
pub mod plan;
pub mod record;
mod repeats;
pub mod report;
pub mod run;
pub mod schedule;
pub mod setup;
pub mod shown;
pub mod standings;
pub mod stats;
mod table;
pub mod talk;
pub mod verdict;
pub mod verify;

/// The referee's name and version, as it stands in `hello` and in records.
pub const NAME: &str = concat!("bao-referee ", env!("CARGO_PKG_VERSION"));
