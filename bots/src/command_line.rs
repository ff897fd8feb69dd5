//! The command line of a bot.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use bao_rules::{Position, UnknownName, Variant, perft};

use crate::conversation::Conversation;
use crate::options::BadOption;
use crate::turn::now;
use crate::{Bot, Identity, Settings};

/// What is wrong with a command line, or keeps its answer from being printed.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("{0}: not --OPTION VALUE")]
    NotOption(String),
    #[error("{given}: {source}")]
    Option { given: String, source: BadOption },
    #[error(transparent)]
    Game(#[from] UnknownName),
    #[error("perft: {0:?} is not a depth")]
    Depth(String),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs a bot as a program: reads its command line, then talks with the referee until it says `bye` or closes the pipe.
///
/// `--OPTION VALUE` sets an option; `perft GAME DEPTH` counts sequences of moves and plays nothing. Trouble goes to
/// standard error; a wrong command line ends with the code 2, a broken conversation with 1.
#[expect(clippy::print_stderr, reason = "standard error is where a bot reports trouble")]
pub fn run(bot: &mut impl Bot, identity: &Identity) -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [command, game, depth] = &arguments[..]
        && command == "perft"
    {
        return count(game, depth).unwrap_or_else(|error| {
            eprintln!("{}: {error}", identity.name);
            ExitCode::from(2)
        });
    }
    let settings = match settings(identity, &arguments) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("{}: {error}", identity.name);
            return ExitCode::from(2);
        }
    };
    let conversation = Conversation::new(bot, identity, settings);
    match conversation.follow(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", identity.name);
            ExitCode::FAILURE
        }
    }
}

/// Takes the options from pairs of `--OPTION` and `VALUE`.
fn settings(identity: &Identity, arguments: &[String]) -> Result<Settings, CommandError> {
    let mut settings = Settings::new(&identity.options);
    for pair in arguments.chunks(2) {
        let given = || pair.join(" ");
        let name = pair[0].strip_prefix("--").zip(pair.get(1));
        let (name, value) = name.ok_or_else(|| CommandError::NotOption(given()))?;
        settings.set(name, value).map_err(|source| CommandError::Option { given: given(), source })?;
    }
    Ok(settings)
}

/// Prints the number of sequences of moves of each length up to a depth.
fn count(game: &str, depth: &str) -> Result<ExitCode, CommandError> {
    let variant: Variant = game.parse()?;
    let depth: u32 = depth.parse().map_err(|_| CommandError::Depth(depth.to_owned()))?;
    for length in 1..=depth {
        let began = now();
        let sequences = perft(&Position::start(variant), length);
        let rate = sequences as f64 / (now() - began).as_secs_f64().max(1e-6);
        writeln!(io::stdout(), "{length} {sequences} ({rate:.0}/s)")?;
    }
    Ok(ExitCode::SUCCESS)
}
