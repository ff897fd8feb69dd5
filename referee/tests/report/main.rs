//! Reports on records that were made up of real games: their numbers, their pages, and how these behave in a browser.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

mod browser;
mod devtools;
mod kit;
mod numbers;
mod page;
