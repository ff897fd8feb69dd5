//! Starts this program again in a hidden mode.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::step_error::StepError;

/// The first argument of the hidden modes.
pub(crate) const MODE: &str = "--bao-isolation";
/// Set for every process in a hidden mode, so that a program without [`run_if_asked`] does not start itself
/// endlessly.
pub(crate) const AGAIN: &str = "BAO_REFEREE_SHIM";
/// The exit code of a shim that could not become its bot.
pub(crate) const COULD_NOT: i32 = 125;

/// Makes the command that starts this program again in a hidden mode.
pub(crate) fn again(mode: &str) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("bao-referee").args([MODE, mode]).env_clear().env(AGAIN, "1");
    command
}

/// Stops a program that started itself without [`crate::run_if_asked`].
pub(crate) fn assert_asked() {
    assert!(std::env::var_os(AGAIN).is_none(), "main must call bao_jail::run_if_asked() first");
}

/// Closes every inherited descriptor except the first three and one more.
pub(crate) fn close_others(kept: i32) -> Result<(), StepError> {
    let entries = fs::read_dir("/proc/self/fd")?;
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers {
        if number > 2 && number != kept {
            // The listing's own descriptor is among them and closed already.
            let _ = nix::unistd::close(number);
        }
    }
    Ok(())
}
