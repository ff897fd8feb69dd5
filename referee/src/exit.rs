//! The exit codes of the program `referee`, for scripts.
//!
//! A bot that loses, by whatever fault, is a result and not an error: the code is then [`DONE`].

/// The command did what it was asked to do.
pub const DONE: u8 = 0;
/// The referee itself failed.
pub const BUG: u8 = 1;
/// The command cannot be carried out as given: bad arguments, a bad file, a program that is missing.
pub const USAGE: u8 = 2;
/// The run cannot go on, or no game of it counted.
pub const NO_RESULT: u8 = 3;
/// `verify` found a difference.
pub const DIFFERENT: u8 = 4;
/// `check` found a bot that does not comply.
pub const NOT_COMPLIANT: u8 = 5;
/// A record or a page, or standard output, cannot be read or written.
pub const FILES: u8 = 6;
/// The operator stopped the run.
pub const STOPPED: u8 = 7;
/// `doctor` found that strict isolation would not start.
pub const NOT_STRICT: u8 = 8;

/// `task` cannot play its bundle on this machine; another one should try.
pub const ELSEWHERE: u8 = 75;

/// Every code with its meaning, in the order in which they are listed for people.
pub const MEANINGS: [(u8, &str); 10] = [
    (DONE, "success; a game that a bot lost by a fault is a result"),
    (USAGE, "the command cannot start: bad arguments, a bad file, a missing program"),
    (NO_RESULT, "the run cannot continue: a bot does not start or has disappeared, or no game counted"),
    (DIFFERENT, "verify: the record differs from what it should be"),
    (NOT_COMPLIANT, "check: the bot does not comply"),
    (FILES, "a record, a page or standard output cannot be read or written"),
    (STOPPED, "stopped by the operator; the same command continues the run"),
    (NOT_STRICT, "doctor: --isolation strict would not start here"),
    (ELSEWHERE, "task: this machine cannot play the bundle; another one should try"),
    (BUG, "a bug in the referee"),
];

/// Returns the list of the codes that `referee --help` ends with.
pub fn help() -> String {
    let lines = MEANINGS.map(|(code, meaning)| format!("  {code}  {meaning}"));
    format!("Exit codes:\n{}", lines.join("\n"))
}
