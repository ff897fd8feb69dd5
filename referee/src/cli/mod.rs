//! The command line: turns arguments into plans and carries them out.

mod arbiter;
mod changed;
mod check;
mod difference;
mod doctor;
mod dry_run;
mod entries;
mod export;
mod failure;
mod farm;
mod follow;
mod games;
mod json;
mod log;
mod logs;
mod r#match;
mod may;
mod perft;
mod play;
mod positions;
mod promises;
mod ratings;
mod recorded;
mod refused;
mod report;
mod sandbox;
mod screen;
mod seed;
mod session;
mod show;
mod signals;
mod statistics;
mod tables;
mod tournament;
mod values;
mod verify;
mod wire;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::exit;
use failure::Failure;

/// The program's arguments as typed.
#[derive(Debug, Parser)]
#[command(name = "referee", version, max_term_width = 110, after_help = exit::help())]
#[command(about = games::about(), long_about = games::long_about())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Match(Box<r#match::Match>),
    Check(check::Check),
    Play(play::Play),
    Verify(verify::Verify),
    Show(show::Show),
    Wire(wire::Wire),
    Tournament(tournament::Tournament),
    Stats(statistics::Statistics),
    Ratings(ratings::RatingsOf),
    Export(export::Export),
    Farm(farm::Farm),
    Task(farm::Task),
    Wave(farm::Wave),
    Gather(farm::Gather),
    Logs(logs::Logs),
    Rerun(arbiter::Rerun),
    Correct(arbiter::Correct),
    Disqualify(arbiter::Disqualify),
    Extend(arbiter::Extend),
    Undo(arbiter::Undo),
    Perft(perft::Perft),
    Moves(positions::MovesOf),
    Schema(positions::Schema),
    Report(report::Reported),
    Doctor(doctor::Doctor),
}

/// Runs the program on its own arguments.
pub fn main() -> ExitCode {
    log::start();
    let outcome = match Arguments::parse().command {
        Command::Match(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Wire(command) => command.run(),
        Command::Tournament(command) => command.run(),
        Command::Stats(command) => command.run(),
        Command::Ratings(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Farm(command) => command.run(),
        Command::Task(command) => command.run(),
        Command::Wave(command) => command.run(),
        Command::Gather(command) => command.run(),
        Command::Logs(command) => command.run(),
        Command::Rerun(command) => command.run(),
        Command::Correct(command) => command.run(),
        Command::Disqualify(command) => command.run(),
        Command::Extend(command) => command.run(),
        Command::Undo(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Moves(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Doctor(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::from(exit::DONE),
        // The reader of our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(exit::DONE)
        }
        Err(failure) => {
            let _nobody_reads = writeln!(io::stderr(), "error: {failure}");
            ExitCode::from(failure.code())
        }
    }
}
