//! The command line: arguments as they were typed, turned into plans and carried out.

mod check;
mod doctor;
mod export;
mod failure;
mod follow;
mod json;
mod r#match;
mod perft;
mod play;
mod positions;
mod recorded;
mod report;
mod sandbox;
mod session;
mod show;
mod statistics;
mod tables;
mod tournament;
mod verify;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use failure::Failure;

/// Referees matches of Bao Kigogo and Bao Kingulu between bot programs.
///
/// A bot is a program that reads and writes one JSON object a line; PROTOCOL.md says which. The referee starts it,
/// checks every move against the rules, keeps the clocks and writes down everything that was said.
///
/// A first match:  referee match bao-kigogo random-bot greedy-bot
#[derive(Debug, Parser)]
#[command(name = "referee", version, max_term_width = 110, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done (a bot that lost, by whatever fault, is a result and no error)
  2  the command cannot be carried out as asked: bad arguments, no such program
  3  the run cannot go on or came to nothing: a bot could not start three times running or has vanished, no game
     counted, or the machine could start no more programs
  4  verify found something that differs
  5  check found a bot that does not comply
  6  the record cannot be written or read, or a report's page or standard output not be written
  7  stopped by the operator before the end; the same command goes on
  8  doctor found that --isolation strict would not start here
  1  anything else: a fault of the referee's own";

#[derive(Debug, Subcommand)]
enum Command {
    Match(Box<r#match::Match>),
    Check(check::Check),
    Play(play::Play),
    Verify(verify::Verify),
    Show(show::Show),
    Tournament(tournament::Tournament),
    Stats(statistics::Statistics),
    Export(export::Export),
    Perft(perft::Perft),
    Moves(positions::MovesOf),
    Schema(positions::Schema),
    Report(report::Reported),
    Doctor(doctor::Doctor),
}

/// Runs the program on its own arguments.
pub fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("REFEREE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
    let outcome = match Arguments::parse().command {
        Command::Match(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Tournament(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Moves(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Doctor(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let _nobody_reads = writeln!(io::stderr(), "referee: {failure}");
            ExitCode::from(failure.code())
        }
    }
}
