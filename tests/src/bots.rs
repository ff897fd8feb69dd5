//! Command lines of bots.

use crate::program;

/// A bot that plays well-behaved games, fast.
pub const CLEAN: &str = "random-bot";

/// Writes the command line of a hostile bot: `fault` names what it does, and may go on with `--at 3` (on its third
/// move), `--game 2` (only in the game of that number), `--code 7` and so on.
///
/// The mark of the test's place is put in when the referee is started.
pub fn hostile(fault: &str) -> String {
    format!("{} --mark {{mark}} --do {fault}", program("hostile").display())
}

/// Writes the command line of a bot in `tests/bots`, which Python runs.
pub fn script(name: &str, arguments: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/bots");
    format!("python3 {path}/{name} --mark {{mark}} {arguments}")
}
