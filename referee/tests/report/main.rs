//! Reports on records that were made up of real games: their numbers, their pages, and how these behave in a browser.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod browser;
mod command;
mod devtools;
mod kit;
mod numbers;
mod order;
mod page;
mod rounds;
