//! Results from files: the record of a run, its `games.jsonl` alone, or a table of pairs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bao_protocol::record::GameRow;

use super::halves::{Half, Halves};
use super::pool::{Pool, Unrated};
use super::standings::Standings;
use crate::arbiter::Rulings;
use crate::record::Files;
use crate::record::read::{self, BadLine, GameBrief, ReadError, Rows};
use crate::schedule::planned::Planned;
use crate::schedule::repeats::{self, Repeats};
use crate::text::cause::cause;

/// How many bytes of a table of pairs are read: some ten million lines.
const MOST_BYTES: u64 = 512 << 20;
/// How long a line of such a table may be, in bytes: names have 100 characters.
const LINE_BYTES: usize = 64 << 10;
/// The columns of a table of pairs.
const COLUMNS: [&str; 4] = ["a", "b", "points_a", "points_b"];

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A record or a part of it cannot be read.
    #[error(transparent)]
    Record(#[from] ReadError),
    /// A file cannot be read.
    #[error("cannot read {}: {}; give the directory of a record, a games.jsonl or a CSV file", path.display(), cause(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A table of pairs is too large.
    #[error("{} has more than {MOST_BYTES} bytes; split it into several files", .0.display())]
    TooLarge(PathBuf),
    /// A table of pairs has no header, or another one.
    #[error("{}, line 1: the header has no column \"{column}\"; the first line must be: a,b,points_a,points_b", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The first column that is missing.
        column: &'static str,
    },
    /// A line of a table of pairs is wrong.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong.
        problem: BadPair,
    },
}

/// What is wrong with a line of a table of pairs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadPair {
    /// It cannot be split into columns, or is not UTF-8.
    #[error(
        "{0}; write a name with a comma or a quotation mark in quotation marks, and double each quotation mark in it"
    )]
    Csv(csv::Error),
    /// A column is empty.
    #[error("{0} has no value; give one")]
    Missing(&'static str),
    /// Points that are impossible in two games.
    #[error("{column} is \"{value}\"; give the points of both games of a pair together: 0, 0.5, 1, 1.5 or 2")]
    Points {
        /// The column.
        column: &'static str,
        /// Its value.
        value: String,
    },
    /// The points of both do not add up.
    #[error("{a} and {b} points add up to {}; the two games of a pair have 2 points in total", a + b)]
    Sum {
        /// The points of the first bot.
        a: f64,
        /// The points of the second.
        b: f64,
    },
    /// The bots cannot be rated.
    #[error(transparent)]
    Unrated(#[from] Unrated),
}

/// Adds the results of a directory or file to a pool.
///
/// # Errors
/// [`SourceError`] if they cannot be read; the pool may then have a part of them.
pub fn add(pool: &mut Pool, path: &Path) -> Result<(), SourceError> {
    if path.is_dir() {
        return record(pool, &Files::new(path));
    }
    let io = |source| SourceError::Io { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(io)?;
    let file = File::open(path).map_err(io)?;
    let is_rows = path.extension().is_some_and(|extension| extension == "jsonl");
    if is_rows && metadata.is_file() {
        return rows(pool, path);
    }
    if metadata.len() > MOST_BYTES {
        return Err(SourceError::TooLarge(path.to_owned()));
    }
    table(pool, path, Bounded { file, line: 0, all: 0 })
}

/// Adds the pairs of a record that count by its plan; if the plan cannot be used any more, all complete pairs.
fn record(pool: &mut Pool, files: &Files) -> Result<(), SourceError> {
    let run = read::run(files)?;
    if !files.games().exists() {
        return Ok(());
    }
    let planned = Rulings::read(files, &run).ok().and_then(|rulings| Planned::new(rulings).ok());
    let Some(mut planned) = planned else { return rows(pool, &files.games()) };
    let mut standings = Standings::new(planned.plan());
    let mut read = Rows::open(&files.games())?;
    while let Some(row) = read.next_row::<GameRow>()? {
        let brief = planned.rule(&row);
        let result = planned.continue_with(&brief).map_err(|stray| read.bad(BadLine::misfit(stray)))?;
        standings.add(&brief, &result);
    }
    let path = files.games();
    let misfit =
        |problem: Unrated| SourceError::Line { path: path.clone(), line: 1, problem: problem.into() };
    for (names, pairs) in standings.telling_pairs(planned.schedule()) {
        let bots = [pool.bot(names[0]).map_err(misfit)?, pool.bot(names[1]).map_err(misfit)?];
        pool.add(bots, pairs).map_err(misfit)?;
    }
    Ok(())
}

/// Adds the complete pairs of a file of rows; repeated pairs count once.
fn rows(pool: &mut Pool, path: &Path) -> Result<(), SourceError> {
    let mut read = Rows::open(path)?;
    let (mut halves, mut repeats) = (Halves::default(), Repeats::default());
    let mut pairs: BTreeMap<[usize; 2], [u64; 5]> = BTreeMap::new();
    while let Some(row) = read.next_row::<GameRow>()? {
        let misfit = |problem: Unrated, read: &Rows| SourceError::Line {
            path: path.to_owned(),
            line: read.number(),
            problem: problem.into(),
        };
        let seats = [pool.bot(&row.south), pool.bot(&row.north)];
        let [south, north] = seats;
        let seats = [south.map_err(|why| misfit(why, &read))?, north.map_err(|why| misfit(why, &read))?];
        if seats[0] == seats[1] {
            return Err(misfit(Unrated::Itself(row.south.clone()), &read));
        }
        let brief = GameBrief::from(&row);
        let Some(outcome) = brief.outcome() else { continue };
        let (moves, start) = (repeats::moves(&brief), repeats::start(&brief));
        if let Some((start, pair)) =
            halves.add(row.pair, Half { game: row.game, seats, outcome, moves, start })
        {
            repeats.pair(start, pair, |pair| {
                let points = pair.outcomes.map(bao_stats::Outcome::half_points);
                pairs.entry([pair.a, pair.b]).or_default()[points[0] + points[1]] += 1;
            });
        }
    }
    for (bots, pairs) in pairs {
        // The two were distinguished above.
        let _never_one = pool.add(bots, pairs);
    }
    Ok(())
}

/// Adds a table of pairs.
/// A table that ends with an error if it has too many bytes, or too many without the end of a line: a
/// pipe or a device may be endless.
struct Bounded {
    file: File,
    line: usize,
    all: u64,
}

impl Read for Bounded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.all += read as u64;
        match into[..read].iter().rposition(|byte| *byte == b'\n') {
            Some(end) => self.line = read - end - 1,
            None => self.line += read,
        }
        if self.line > LINE_BYTES {
            return Err(io::Error::other(format!("a line is longer than {} KiB", LINE_BYTES >> 10)));
        }
        if self.all > MOST_BYTES {
            return Err(io::Error::other(format!("more than {} MiB; split the table", MOST_BYTES >> 20)));
        }
        Ok(read)
    }
}

fn table(pool: &mut Pool, path: &Path, source: impl Read) -> Result<(), SourceError> {
    let at = |line: u64, problem: BadPair| SourceError::Line { path: path.to_owned(), line, problem };
    // Trimming takes the other half of a Windows line's end; the crate's own way of doing so miscounts lines.
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .terminator(csv::Terminator::Any(b'\n'))
        .flexible(true)
        .from_reader(source);
    let broken = |error: csv::Error| {
        if error.is_io_error() {
            return SourceError::Io { path: path.to_owned(), source: error.into() };
        }
        at(error.position().map_or(1, csv::Position::line), BadPair::Csv(error))
    };
    let header = reader.headers().map_err(broken)?.clone();
    let mut places = [0; 4];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let found = header.iter().position(|name| name == column);
        *place = found.ok_or_else(|| SourceError::Header { path: path.to_owned(), column })?;
    }
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(broken)? {
        if record.iter().all(str::is_empty) {
            continue;
        }
        let line = record.position().map_or(0, csv::Position::line);
        pair(pool, &record, places).map_err(|problem| at(line, problem))?;
    }
    Ok(())
}

fn pair(pool: &mut Pool, record: &csv::StringRecord, places: [usize; 4]) -> Result<(), BadPair> {
    let value = |column: usize| {
        let value = record.get(places[column]).filter(|value| !value.is_empty());
        value.ok_or(BadPair::Missing(COLUMNS[column]))
    };
    let points = |column: usize| {
        let value = value(column)?;
        let bad = || BadPair::Points { column: COLUMNS[column], value: value.chars().take(40).collect() };
        let points: f64 = value.parse().map_err(|_| bad())?;
        let fits = [0.0, 0.5, 1.0, 1.5, 2.0].contains(&points);
        if fits { Ok(points) } else { Err(bad()) }
    };
    let (a, b) = (points(2)?, points(3)?);
    if (a + b - 2.0).abs() > f64::EPSILON {
        return Err(BadPair::Sum { a, b });
    }
    let bots = [pool.bot(value(0)?)?, pool.bot(value(1)?)?];
    let mut pairs = [0; 5];
    pairs[(2.0 * a) as usize] = 1;
    Ok(pool.add(bots, pairs)?)
}
