//! The hidden modes of this program: its `main` first checks whether it was started for one of them.

use std::ffi::OsStr;

use crate::again::{COULD_NOT, MODE, close_others};
use crate::{janitor, kill_user, orders, shim};

/// Runs a hidden mode, and does not return, if this process was started for one.
///
/// `main` must call this first: the shim needs to be alone, with one thread and no open files.
pub fn run_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if args.next().as_deref() != Some(OsStr::new(MODE)) {
        return;
    }
    let mode = args.next();
    match mode.as_deref().and_then(OsStr::to_str) {
        Some(orders::MODE) => shim::run(args),
        Some(janitor::MODE) => {
            // Otherwise it would keep open what another start has just opened for its own shim.
            let _ = close_others(0);
            janitor::run();
        }
        Some(kill_user::MODE) => {
            let _ = close_others(0);
            kill_user::run(args.next());
        }
        Some(_) | None => std::process::exit(COULD_NOT),
    }
    std::process::exit(0);
}
