//! The referee: matches between bot programs, their clocks, verdicts and records.
//!
//! Data flows one way: a [`plan`] says what is played, a [`schedule`] decides which game is next, a [`run`] plays
//! the games at its tables, each game a pure state machine ([`game`]) that one thin file ([`play`]) connects to the
//! two processes ([`process`]); what happened goes into the [`record`], and everything that comes later reads the
//! record and nothing else.

pub mod annotate;
pub mod arbiter;
pub mod check;
pub mod cli;
pub mod exit;
pub mod export;
pub mod farm;
pub mod game;
pub mod open;
pub mod plan;
pub mod play;
pub mod process;
pub mod processors;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod schedule;
pub mod text;
pub mod verify;

/// The referee's name and version, as `hello` has it and in records.
pub const NAME: &str = concat!("bao-referee ", env!("CARGO_PKG_VERSION"));
