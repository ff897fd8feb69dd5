//! The program `referee`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A bot is started by this program once more, which then turns into the bot.
    bao_jail::run_if_asked();
    bao_jail::launcher::settle();
    bao_referee::cli::main()
}
