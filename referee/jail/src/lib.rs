//! Isolation of bots: starts untrusted programs so that they can hurt neither the machine nor each other.
//!
//! A bot is never started directly. The referee starts *itself* again in a hidden mode, a shim: a process
//! with one thread that gives up every right which a bot does not need and then becomes the bot by `exec`. That is
//! how a set-up of many system calls works without `unsafe` and without root.
//!
//! The way through this crate: [`Host::probe`] once; [`Launch::prepare`] for each start; [`Launch::command`], to
//! which the caller adds the three pipes and which it spawns *from a permanent thread* (the kernel's parent-death
//! signal follows the thread); [`Launch::spawned`] returns a [`Jail`]; [`Jail::started`] returns the promises that
//! are kept, or why the bot did not start; [`Jail::meter`] measures; [`Jail::kill`] before the child is reaped;
//! [`Jail::sweep`] after it.
//!
//! The `main` of every program that uses this crate must call [`run_if_asked`] first.

mod again;
mod census;
mod cgroup;
mod channel;
mod command;
mod env;
mod error;
mod files;
mod grant;
mod host;
mod identity;
mod janitor;
mod kill_user;
mod killings;
mod lack;
mod launch;
pub mod launcher;
pub mod measure;
mod modes;
mod orders;
mod places;
mod procfs;
mod promise;
mod quarters;
mod reach;
mod report;
mod rights;
mod runtimes;
mod sandbox;
mod scratch;
mod setting;
mod share;
mod shim;
mod step_error;
mod sweep;
mod syscalls;
mod uids;
mod weigh;
mod words;

pub use command::NotExecutable;
pub use error::SetupError;
pub use files::SYSTEM;
pub use grant::{Grant, Refused, Why};
pub use host::Host;
pub use lack::Layer;
pub use launch::{Jail, Launch, Leftover, Started};
pub use modes::run_if_asked;
pub use promise::{Guard, Promise, strict_would_start};
pub use quarters::{Quarters, named_files};
pub use rights::Closed;
pub use runtimes::{Runtime, out_of_memory};
pub use sandbox::{BadLevel, ControlGroup, Level, Sandbox};
pub use setting::{BadSetting, Setting};
pub use sweep::Survivor;
pub use words::{Given, given_to_runtime};
