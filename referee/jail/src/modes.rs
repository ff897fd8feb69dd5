//! The hidden modes of this program: the first thing that its `main` does is to look whether it was started for one.

use std::ffi::OsStr;

use crate::again::{COULD_NOT, MODE, close_others};
use crate::{janitor, kill_user, orders, shim};

/// Runs a hidden mode if this process was started for one, and does not return then.
///
/// Must be the very first act of `main`: the shim counts on being alone, with one thread and no files open.
pub fn run_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if args.next().as_deref() != Some(OsStr::new(MODE)) {
        return;
    }
    let mode = args.next();
    match mode.as_deref().and_then(OsStr::to_str) {
        Some(orders::MODE) => shim::run(args),
        Some(janitor::MODE) => {
            // It would keep open for ever what another start has just left open for its own shim.
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
