//! The command line: arguments as they were typed, turned into plans and carried out.

mod check;
mod doctor;
mod export;
mod follow;
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
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::plan::{FileError, PlanError};
use crate::record::read::ReadError;
use crate::run::RunError;

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

/// Why the program ends with another exit code than 0.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("{0}")]
    File(#[from] FileError),
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0}; {1}")]
    Gone(RunError, &'static str),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{0}")]
    Differs(String),
    #[error("{0} does not comply: {1}")]
    NotCompliant(String, String),
    #[error("--isolation strict would not start: {0} of the promises cannot be kept")]
    NotStrict(usize),
    #[error(
        "no game counted: {0} were given up after several tries; the record's rows and standard error say why"
    )]
    Nothing(u64),
    #[error("stopped by the operator; {0}")]
    Stopped(String),
    #[error("cannot write the page {}: {source}", path.display())]
    Page { path: PathBuf, source: io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Self::Run(RunError::Spawn { source, .. }) if !source.is_the_programs() => 3,
            Self::Plan(_) | Self::File(_) | Self::Usage(_) | Self::Run(RunError::Spawn { .. }) => 2,
            Self::Run(RunError::NeverStarts { .. }) | Self::Gone(..) | Self::Nothing(_) => 3,
            Self::Run(RunError::Record(_)) | Self::Read(_) | Self::Page { .. } | Self::Output(_) => 6,
            Self::Differs(_) => 4,
            Self::NotCompliant(..) => 5,
            Self::NotStrict(_) => 8,
            Self::Stopped(_) => 7,
        }
    }
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

/// Writes a value as one line of JSON.
fn json_line(out: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
