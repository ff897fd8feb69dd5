//! Real processes under isolation. A test that this machine cannot keep prints `SKIPPED name: reason`.
//!
//! This binary has a main of its own because the shim is the binary itself, started again.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::unnecessary_wraps,
    reason = "tests that clippy does not see as such, and that are all of one type"
)]

mod attacks;
mod groups;
mod kit;
mod launcher;
mod limits;
mod lives;
mod measures;

use bao_jail::{Host, run_if_asked};
use libtest_mimic::{Arguments, Trial};

fn main() {
    run_if_asked();
    if lives::run_as_referee_if_asked() || launcher::run_as_referee_if_asked() {
        return;
    }
    let host = Host::probe();
    let tests: Vec<(&'static str, kit::Test)> =
        [lives::TESTS, attacks::TESTS, measures::TESTS, limits::TESTS, launcher::TESTS, groups::TESTS]
            .concat();
    let trials = tests
        .into_iter()
        .map(|(name, test)| {
            let host = host.clone();
            Trial::test(name, move || {
                if let Err(kit::Skip(reason)) = test(&host) {
                    bao_tests::skip(name, &reason);
                }
                Ok(())
            })
        })
        .collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    // Before the exit, which drops nothing: the janitor and the control group go.
    drop(host);
    conclusion.exit();
}
