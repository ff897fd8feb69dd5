//! Why the program ends with another exit code than 0.

use std::fmt;
use std::io;
use std::path::PathBuf;

use bao_jail::Promise;
use bao_jail::launcher::TooFewFiles;
use bao_rules::{PositionError, Variant};
use bao_stats::SprtError;

use super::changed::Change;
use super::difference::Differences;
use super::promises::what;
use super::refused::Refused;
use crate::exit;
use crate::export::logs::LogsError;
use crate::plan::{FileError, OpeningError, PlanError};
use crate::processors::TooFewCores;
use crate::record::Broken;
use crate::record::read::ReadError;
use crate::results::sources::SourceError;
use crate::run::RunError;
use crate::text::cause::cause;
use crate::text::count::{count, plural};
use crate::text::suggest::did_you_mean;

/// Why the program ends with another exit code than 0.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    #[error("standard input, line {line}: bad position: {problem}")]
    Line { line: usize, problem: OpeningError },
    #[error("bad position: {0}")]
    Unreachable(OpeningError),
    #[error("no schema is called `{wanted}`{}; choose one of {}", did_you_mean(.wanted, .names.iter().copied()), .names.join(", "))]
    Schema { wanted: String, names: Vec<&'static str> },
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("--anchor: no bot {name} in these results{}; there are: {}", did_you_mean(.name, .names.iter().map(String::as_str)), first_of(.names))]
    Anchor { name: String, names: Vec<String> },
    #[error("bad sequential test: {0}")]
    Test(SprtError),
    #[error("nothing was started, because a bot's command names a file that is missing:{}", Lines(.0))]
    MissingScripts(Vec<MissingScript>),
    #[error("--sandbox names {}, which cannot be used: {}; check the path", path.display(), cause(source))]
    Given { path: PathBuf, source: io::Error },
    #[error("--isolation strict is not possible on this machine: {}; see `referee doctor`", Gaps(.0))]
    Gaps(Vec<Promise>),
    #[error(
        "--clock-measure cpu needs an exact measure of processor time: {}; add --sandbox single-process=yes, or \
         delegate a control group",
        Gaps(.0)
    )]
    InexactClock(Vec<Promise>),
    #[error("{0}")]
    TooFewFiles(TooFewFiles),
    #[error(
        "--concurrency {concurrency} needs about {needed} open files, and the limit is {limit}; raise it (ulimit -n) \
         or play fewer games at once"
    )]
    Files { concurrency: u64, needed: u64, limit: u64 },
    #[error("{0}")]
    TooFewCores(#[from] TooFewCores),
    #[error("--pin: the processors of this machine cannot be found out or chosen: {}; leave --pin out", cause(.0))]
    Processors(io::Error),
    #[error("another referee is writing to {}; wait for it to end, or choose another directory", .0.display())]
    Locked(PathBuf),
    #[error("{} is not empty and has no record (run.json); choose a new directory", .0.display())]
    NotARecord(PathBuf),
    #[error(
        "{} holds another {what}. Differences:{differences}\nRepeat the recorded command, or choose another directory",
        dir.display()
    )]
    OtherRun { dir: PathBuf, what: &'static str, differences: Differences },
    #[error("bot {bot}: {file} {change} ({}); restore it, or choose another directory", dir.display())]
    Changed { dir: PathBuf, bot: String, file: String, change: Change },
    #[error("cannot continue the record: {0}; restore it, or choose another directory")]
    Broken(Broken),
    #[error("game {0} has no result yet: it is not finished, or its row is missing from games.jsonl")]
    Unfinished(u64),
    #[error("this record has no game {number}; `referee show` lists its {}", count(*.total, "game"))]
    NoGame { number: u64, total: u64 },
    #[error(
        "game {number} has {attempts} attempts in this record: give --attempt a number from 1 to {attempts}, not {attempt}"
    )]
    NoAttempt { number: u64, attempt: u64, attempts: u64 },
    #[error("there is no evidence of this attempt at game {0}: it was never played, or its file is missing")]
    NoEvidence(u64),
    #[error("--annotate needs a solved game, and {0} is not solved; leave out --annotate")]
    NotAnnotated(Variant),
    #[error("game {game} has {}: give --ply a number from 1 to {} (the end)", plural(*.plies as u64, "ply", "plies"), .plies + 1)]
    NoPly { game: u64, plies: usize },
    #[error("bot {name} cannot play: {detail}{}", .stderr.as_ref().map_or(String::new(), |text| format!("; on standard error: {text}")))]
    Absent { name: String, detail: String, stderr: Option<String> },
    #[error("the run is not started, because not every bot can play:{}", Lines(.lines))]
    Entries { lines: Vec<String>, machine: bool },
    #[error("the run would be refused: {}", count(*.problems, "problem"))]
    WouldBeRefused { problems: u64 },
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Logs(#[from] LogsError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0}; {1}")]
    Gone(RunError, Kept),
    #[error(
        "no game counted: {} given up after several attempts; games.jsonl and the messages above say why",
        count(*.0, "game")
    )]
    Nothing(u64),
    #[error("stopped by the operator: {0}; {1}")]
    Stopped(Progress, Kept),
    #[error("{}{}", .0, hint(.0))]
    Read(#[from] ReadError),
    #[error("{}: {}", dir.display(), count(*.differences, "difference"))]
    Differs { dir: PathBuf, differences: u64 },
    #[error("{name} does not comply: {} failed", .failed.join(", "))]
    NotCompliant { name: String, failed: Vec<&'static str> },
    #[error("--isolation strict would not start: {} cannot be kept", count(*.0 as u64, "promise"))]
    NotStrict(usize),
    #[error("this machine cannot play the bundle: {0}")]
    Elsewhere(String),
    #[error("{} is the directory of a wave: give the number of the bundle (--index)", .0.display())]
    NoIndex(PathBuf),
    #[error(
        "pair {pair} went out {times} times and never came home; the last worker's messages are in {}",
        log.display()
    )]
    Hopeless { pair: u64, times: u64, log: PathBuf },
    #[error("nothing can be played, and the event is not over; `referee verify` says what is missing")]
    NothingToPlay,
    #[error("the record's writer has ended")]
    LedgerGone,
    #[error("a verified game does not fit the schedule: {0}; please report this")]
    Misplaced(String),
    #[error("cannot write {}: {}", path.display(), cause(source))]
    Page { path: PathBuf, source: io::Error },
    #[error("cannot write to standard output: {}", cause(.0))]
    Output(#[from] io::Error),
}

/// A missing script that a bot's command names.
#[derive(Debug, thiserror::Error)]
#[error("bot {bot}: {file} not found in {}", directory.display())]
pub(super) struct MissingScript {
    pub(super) bot: String,
    pub(super) file: String,
    pub(super) directory: PathBuf,
}

/// Lists some names.
fn first_of(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}

/// A list with one item per line.
struct Lines<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Lines<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// Returns what to do if a directory has no record.
fn hint(error: &ReadError) -> String {
    match error {
        ReadError::Io { path, source }
            if path.ends_with("run.json") && source.kind() == io::ErrorKind::NotFound =>
        {
            "; give the directory of a record (--out of a match or tournament)".to_owned()
        }
        ReadError::Io { .. } | ReadError::Line { .. } => String::new(),
    }
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(super) enum Progress {
    #[error("{games} of {} finished", count(*.total, "game"))]
    Of { games: u64, total: u64 },
    #[error("{games} of at most {} finished", count(*.total, "game"))]
    OfAtMost { games: u64, total: u64 },
}

/// Whether a run that ended early can be continued.
#[derive(Debug, Clone, Copy, thiserror::Error)]
pub(super) enum Kept {
    #[error("the same command continues from here")]
    Recorded,
    #[error("nothing was recorded, because --out was not given")]
    Lost,
}

impl Failure {
    /// Returns the exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Run(RunError::Spawn { source, .. }) if !source.is_the_programs() => exit::NO_RESULT,
            Self::Plan(_)
            | Self::File(_)
            | Self::Position(_)
            | Self::Line { .. }
            | Self::Unreachable(_)
            | Self::Schema { .. }
            | Self::Test(_)
            | Self::Anchor { .. }
            | Self::MissingScripts(_)
            | Self::Given { .. }
            | Self::Gaps(_)
            | Self::InexactClock(_)
            | Self::TooFewFiles(_)
            | Self::Files { .. }
            | Self::TooFewCores(_)
            | Self::Processors(_)
            | Self::Locked(_)
            | Self::NotARecord(_)
            | Self::OtherRun { .. }
            | Self::Changed { .. }
            | Self::Broken(Broken::OtherReferee { .. })
            | Self::Unfinished(_)
            | Self::NoGame { .. }
            | Self::NoAttempt { .. }
            | Self::NoEvidence(_)
            | Self::NotAnnotated(_)
            | Self::NoPly { .. }
            | Self::Absent { .. }
            | Self::Entries { machine: false, .. }
            | Self::WouldBeRefused { .. }
            | Self::Refused(_)
            | Self::NoIndex(_)
            | Self::Logs(LogsError::NoBot { .. } | LogsError::NotEmpty(_) | LogsError::Exists(_))
            | Self::Run(RunError::Spawn { .. }) => exit::USAGE,
            Self::Entries { machine: true, .. }
            | Self::Run(RunError::NeverStarts { .. })
            | Self::Gone(..)
            | Self::Nothing(_)
            | Self::Hopeless { .. }
            | Self::NothingToPlay => exit::NO_RESULT,
            Self::Differs { .. } => exit::DIFFERENT,
            Self::NotCompliant { .. } => exit::NOT_COMPLIANT,
            Self::Broken(
                Broken::Read(_) | Broken::Missing { .. } | Broken::Cut { .. } | Broken::AfterEnd { .. },
            )
            | Self::Run(RunError::Record(_))
            | Self::Read(_)
            | Self::Source(_)
            | Self::Logs(LogsError::Read(_) | LogsError::Write { .. })
            | Self::Page { .. }
            | Self::LedgerGone
            | Self::Output(_) => exit::FILES,
            Self::Stopped(..) => exit::STOPPED,
            Self::NotStrict(_) => exit::NOT_STRICT,
            Self::Elsewhere(_) => exit::ELSEWHERE,
            Self::Misplaced(_) => exit::BUG,
        }
    }
}

/// The promises that are not kept, with the reasons.
#[derive(Debug)]
pub(super) struct Gaps<'a>(pub(super) &'a [Promise]);

impl fmt::Display for Gaps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, promise) in self.0.iter().enumerate() {
            let (before, why) = (if at > 0 { "; " } else { "" }, promise.gap.as_deref().unwrap_or_default());
            write!(f, "{before}not kept: {} ({why})", what(promise.name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::exit;

    #[test]
    fn the_readme_lists_the_exit_codes_as_the_help_does() {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
        let readme = std::fs::read_to_string(readme).expect("the README is beside the referee");
        let rows =
            readme.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
        let listed: Vec<(u8, &str)> = rows
            .filter_map(|(code, meaning)| Some((code.trim_matches('`').parse().ok()?, meaning)))
            .collect();
        assert_eq!(listed, exit::MEANINGS);
    }
}
