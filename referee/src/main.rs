//! The program `referee`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bao_referee::cli::main()
}
