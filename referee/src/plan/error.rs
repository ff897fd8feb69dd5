//! Why a run cannot be planned.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use bao_rules::{Ending, Illegal, PitError, PositionError, UnknownName, Variant};
use bao_stats::SprtError;

use super::bounds::MOST_BOTS;
use crate::text::cause::cause;
use crate::text::suggest::did_you_mean;

/// Why a run cannot be planned as asked.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A bot's command line cannot be read.
    #[error("bad command line for a bot: {problem}{}", if .text.is_empty() { String::new() } else { format!(": {text}") })]
    Command {
        /// The command line as given.
        text: String,
        /// What is wrong with it.
        problem: CommandError,
    },
    /// A bot's program does not exist.
    #[error(transparent)]
    NotFound(NotFound),
    /// A bot's program exists, but cannot be run.
    #[error("bot `{}` cannot be run: {problem}", path.display())]
    NotExecutable {
        /// The program.
        path: PathBuf,
        /// What is wrong with it.
        problem: NotExecutable,
    },
    /// A path that cannot be written into a record.
    #[error("{} is not UTF-8: rename it, or start from a directory whose path is UTF-8", path.display())]
    NotUtf8 {
        /// The path.
        path: PathBuf,
    },
    /// A name that cannot be shown.
    #[error("bad name for {what}: \"{name}\" {problem}; use 1 to {} visible characters", NameError::LONGEST)]
    Name {
        /// The thing with this name.
        what: &'static str,
        /// The name as it can be shown.
        name: String,
        /// What is wrong with it.
        problem: NameError,
    },
    /// An opening is neither a position nor legal moves.
    #[error("bad opening \"{text}\": {problem}; give legal moves (\"A3 a2\") or a position")]
    Opening {
        /// The opening as given.
        text: String,
        /// What is wrong with it.
        problem: OpeningError,
    },
    /// A file of openings cannot be read, or a line of it is not an opening.
    #[error("openings file {}{}: {problem}", path.display(), line.map_or(String::new(), |line| format!(", line {line}")))]
    OpeningsFile {
        /// The file.
        path: PathBuf,
        /// The line at fault, from 1.
        line: Option<u64>,
        /// What is wrong.
        problem: Box<OpeningsFileError>,
    },
    /// A list of openings is empty.
    #[error("the list of openings is empty; add an opening, or remove the list")]
    NoOpening,
    /// Random openings of no moves.
    #[error("random openings need at least 1 move; set plies above 0, or remove the openings")]
    NoPlies,
    /// Fewer different openings exist than are wanted.
    #[error(
        "{variant} has only {found} different openings of {plies} moves, but {wanted} are needed; raise plies or lower \
         count"
    )]
    FewOpenings {
        /// The game.
        variant: Variant,
        /// How many moves an opening has.
        plies: u32,
        /// How many there are.
        found: u64,
        /// How many are wanted.
        wanted: u64,
    },
    /// A game that this referee does not know.
    #[error(transparent)]
    Game(#[from] UnknownName),
    /// A sequential test with impossible numbers.
    #[error("bad sequential test: {0}")]
    Test(#[from] SprtError),
    /// A plan read from a record that no referee writes.
    #[error("the plan has a number that is out of bounds, or fewer than 2 or more than {} bots", MOST_BOTS)]
    OutOfBounds,
}

/// What is wrong with a bot's command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// A quote is not closed.
    #[error("a quote is not closed")]
    OpenQuote,
    /// It has no word.
    #[error("it is empty; write a program and its arguments")]
    Empty,
    /// It begins with `~`, and there is no home directory.
    #[error("HOME is not set, so `~` is unknown; write the whole path")]
    NoHome,
}

/// A program that does not exist.
#[derive(Debug)]
pub struct NotFound {
    /// The program as named.
    pub name: String,
    /// Where it was looked for: this directory, or, for a bare name, beside the referee and in PATH.
    pub directory: Option<PathBuf>,
    /// Whether a file of this name is in the current directory.
    pub is_here: bool,
    /// The programs that were probably meant.
    pub known: Vec<String>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, directory, is_here, known } = self;
        match directory {
            Some(directory) => write!(f, "bot `{name}` not found in {}", directory.display())?,
            None => write!(f, "bot `{name}` not found beside the referee or in PATH")?,
        }
        if *is_here {
            return write!(f, "; to use the file in the current directory, write ./{name}");
        }
        let meant = did_you_mean(name, known.iter().map(String::as_str));
        match directory {
            None if meant.is_empty() => {
                f.write_str("; give its path (./bot), or its interpreter first (python3 bot.py)")
            }
            Some(_) | None => f.write_str(&meant),
        }
    }
}

impl std::error::Error for NotFound {}

/// Why a program that exists cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum NotExecutable {
    /// It is a directory.
    #[error("it is a directory; give the path of a program in it")]
    Directory,
    /// The system refuses.
    #[error("{}; run chmod +x on it, or name its interpreter first (python3 bot.py)", cause(.0))]
    Refused(io::Error),
}

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It has no visible character.
    #[error("is empty")]
    Empty,
    /// It is too long.
    #[error("has {0} characters")]
    Long(usize),
    /// A character of it is invisible, or controls a terminal.
    #[error("contains the invisible character {}", .0.escape_default())]
    Hidden(char),
}

impl NameError {
    /// The longest name, in characters.
    pub const LONGEST: usize = 100;
}

/// What is wrong with an opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It is not a position.
    #[error("{0}")]
    Position(#[from] PositionError),
    /// No game reaches it.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    /// A move of it cannot be made.
    #[error("move {number}, {word}: {problem}")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The move as given.
        word: String,
        /// What is wrong with it.
        problem: MoveError,
    },
    /// No move can be made after it.
    #[error("the game is already over in this position ({})", .0.name())]
    Over(Ending),
}

/// A position that no game reaches, so its sowings may be longer than any in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{side} has {seeds} seeds, but a side of {} never has more than the {most} that it starts with; no game can reach this position",
    .variant.info().title
)]
pub struct Unreachable {
    /// The game.
    pub variant: Variant,
    /// The side that has too many seeds: `South` or `North`.
    pub side: &'static str,
    /// How many it has.
    pub seeds: u32,
    /// How many it can have.
    pub most: u32,
}

/// What is wrong with a move of an opening.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// It does not name a pit.
    #[error(transparent)]
    Pit(#[from] PitError),
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// Its sowing has no end.
    #[error("the sowing never ends")]
    Endless,
    /// It ends the game.
    #[error("it ends the game ({})", .0.name())]
    Ends(Ending),
}

/// What is wrong with a file of openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsFileError {
    /// It cannot be read.
    #[error("{}; check the path", cause(.0))]
    Io(#[from] io::Error),
    /// It has no line with an opening.
    #[error("the file has no openings; write moves or a position on each line")]
    Empty,
    /// A line is not an opening.
    #[error("{0}")]
    Opening(#[from] PlanError),
}

impl PlanError {
    pub(super) fn command(text: &str, problem: CommandError) -> Self {
        Self::Command { text: text.to_owned(), problem }
    }

    pub(super) fn not_executable(path: &Path, problem: NotExecutable) -> Self {
        Self::NotExecutable { path: path.to_owned(), problem }
    }
}
