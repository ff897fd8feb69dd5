//! Reports on records that were made up of real games: their numbers, their pages, and how these behave in a browser.

mod browser;
mod devtools;
mod kit;
mod numbers;
mod page;
