//! The command line of the sample bots.

use std::env;

use crate::{OptionKind, OptionSpec};

/// Reads `--seed N` from the program's arguments: 0 where it is not given.
///
/// # Errors
/// Anything else on the command line, with a sentence that says what would be right.
pub fn seed_argument() -> Result<u64, String> {
    seed_in(env::args().skip(1))
}

/// The option `seed`, with the meaning of the argument.
pub fn seed_option() -> OptionSpec {
    OptionSpec {
        name: "seed".to_owned(),
        kind: OptionKind::Integer,
        default: "0".to_owned(),
        min: Some(0),
        max: Some(i64::MAX),
        choices: Vec::new(),
    }
}

fn seed_in(mut arguments: impl Iterator<Item = String>) -> Result<u64, String> {
    let mut seed = 0;
    while let Some(argument) = arguments.next() {
        if argument != "--seed" {
            return Err(format!("unknown argument {argument:?}; the only one is --seed N"));
        }
        let value = arguments.next().unwrap_or_default();
        seed = value.parse().map_err(|_| format!("--seed needs a number from 0 up, found {value:?}"))?;
    }
    Ok(seed)
}
