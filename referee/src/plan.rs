//! What is to be played, validated: a plan that exists can be started.

use std::path::{Path, PathBuf};

use bao_rules::{Pit, Position, Variant};
use serde::{Deserialize, Serialize};

use crate::clock::TimeControl;
use crate::setup::Measure;

/// The most plies that a game may be planned for: a request that lists them all still fits into a line.
pub const MOST_PLIES: u64 = 10_000;

/// What a run plays and under which conditions: all that decides what happens, and nothing else.
///
/// It stands in `run.json`; a run is resumed only under the same plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// `bao-kigogo` or `bao-kingulu`.
    pub variant: String,
    /// The position from which every game starts.
    pub position: String,
    /// Whether that is another position than the rules' own start.
    pub opening: bool,
    /// How many games.
    pub games: u64,
    /// The bots.
    pub bots: Vec<BotPlan>,
    /// How far a clock may be overstepped, in microseconds.
    pub grace_us: u64,
    /// What the clocks measure.
    pub measure: Measure,
    /// The ply after which a game is ended.
    pub max_plies: u64,
    /// Whether the bots are started anew for every game.
    pub restart: bool,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// The seed from which everything random follows.
    pub seed: u64,
}

/// A bot of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotPlan {
    /// Its name in this run, unlike every other's.
    pub name: String,
    /// The program, found, and its arguments.
    pub command: Vec<String>,
    /// Its clock.
    pub clock: TimeControl,
    /// The options to set, in order.
    pub options: Vec<(String, String)>,
}

/// Says why a run cannot be planned as asked.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A bot's command line cannot be taken apart.
    #[error("bad command line for a bot: {text}: {problem}")]
    Command {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A bot's program is not there.
    #[error("no program for the bot \"{text}\": {name} was looked for {places}; give a path, as in ./{name}")]
    NotFound {
        /// The command line as it was given.
        text: String,
        /// The program's name.
        name: String,
        /// Where it was looked for.
        places: String,
    },
    /// A bot's program is there and cannot be run.
    #[error("the bot's program {path} cannot be run: {problem}")]
    NotExecutable {
        /// The program.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An opening is neither a position nor legal moves.
    #[error(
        "bad opening \"{text}\": {problem}; an opening is a list of moves (\"A3 a2\") or a position text"
    )]
    Opening {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Anything else that was asked for and cannot be.
    #[error("{0}")]
    Other(String),
}

/// Reads an opening: moves from the start position, or a position text; the game must go on from there.
///
/// # Errors
/// [`PlanError::Opening`] with the place that is wrong.
pub fn opening(variant: Variant, text: &str) -> Result<Position, PlanError> {
    let bad = |problem: String| PlanError::Opening { text: text.to_owned(), problem };
    let position = if text.contains('/') {
        Position::parse(variant, text.trim()).map_err(|error| bad(error.to_string()))?
    } else {
        let mut position = Position::start(variant);
        for (index, word) in text.split_whitespace().enumerate() {
            let at = |problem: String| bad(format!("move {}, {word}: {problem}", index + 1));
            let pit = Pit::parse(variant, word).map_err(|error| at(error.to_string()))?;
            let play = position.play(pit).map_err(|illegal| at(illegal.to_string()))?;
            position = play.after.ok_or_else(|| at("its sowing never ends".to_owned()))?;
            if let Some(outcome) = play.over {
                return Err(at(format!("the game is over ({})", outcome.reason.name())));
            }
        }
        position
    };
    match position.over() {
        Some(outcome) => Err(bad(format!("the game is over there ({})", outcome.reason.name()))),
        None => Ok(position),
    }
}

/// Takes a bot's command line apart and finds its program: a bare name beside this program, then in PATH.
///
/// # Errors
/// [`PlanError`] where there is no such program, or none that can be run.
pub fn command(text: &str) -> Result<Vec<String>, PlanError> {
    let bad = |problem: &str| PlanError::Command { text: text.to_owned(), problem: problem.to_owned() };
    let mut words = shell_words::split(text).map_err(|_| bad("a quote is not closed"))?;
    let Some(name) = words.first().cloned() else { return Err(bad("it is empty")) };
    let program = find(text, &name)?;
    let path = || program.to_string_lossy().into_owned();
    if let Err(error) = rustix::fs::access(&program, rustix::fs::Access::EXEC_OK) {
        let problem =
            format!("{}; chmod +x makes it a program, or name its interpreter first", io_text(error));
        return Err(PlanError::NotExecutable { path: path(), problem });
    }
    if program.is_dir() {
        return Err(PlanError::NotExecutable { path: path(), problem: "it is a directory".to_owned() });
    }
    words[0] = path();
    Ok(words)
}

/// Makes a name for a bot from its command: the script's or the program's file name, without its ending.
pub fn bot_name(command: &[String]) -> String {
    let stem = |word: &String| Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let interpreters = ["python", "python3", "node", "java", "bash", "sh", "perl", "ruby"];
    let program = command.first().and_then(stem).unwrap_or_default();
    let script = command.iter().skip(1).find(|word| !word.starts_with('-')).and_then(stem);
    match script {
        Some(script) if interpreters.contains(&program.as_str()) => script,
        Some(_) | None => program,
    }
}

/// Makes names unlike each other by numbering the later ones.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}

fn find(text: &str, name: &str) -> Result<PathBuf, PlanError> {
    let missing = |places: &str| PlanError::NotFound {
        text: text.to_owned(),
        name: name.trim_start_matches("./").to_owned(),
        places: places.to_owned(),
    };
    if name.contains('/') {
        let path = std::path::absolute(name).map_err(|_| missing("as a path"))?;
        return if path.exists() { Ok(path) } else { Err(missing("as a path from this directory")) };
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(name)));
    if let Some(beside) = beside.filter(|path| path.is_file()) {
        return Ok(beside);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| missing("beside the referee and in PATH"))
}

fn io_text(error: rustix::io::Errno) -> String {
    let text = std::io::Error::from(error).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
