//! Kills every process of a user with one call.

use std::ffi::OsString;
use std::io;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};

use crate::again::again;
use crate::identity::become_user;

/// The name of the hidden mode.
pub(crate) const MODE: &str = "kill-user";

/// Kills every process of a user, through a process of that user.
pub(crate) fn kill_user(uid: u32) -> io::Result<()> {
    let nothing = Stdio::null;
    let mut command = again(MODE);
    command.arg(uid.to_string()).stdin(nothing()).stdout(nothing()).stderr(nothing()).status().map(drop)
}

/// Becomes the user that the argument names, and kills everything that this user may kill.
pub(crate) fn run(uid: Option<OsString>) {
    let uid = uid.and_then(|uid| uid.to_str()?.parse().ok());
    // Only after the change of user: -1 means every process that this user may kill.
    if uid.is_some_and(|uid| uid != 0 && become_user(uid).is_ok()) {
        let _ = kill(nix::unistd::Pid::from_raw(-1), Signal::SIGKILL);
    }
}
