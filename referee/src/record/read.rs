//! Reading a run's record.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use bao_protocol::record::{GameRow, Run};

use super::Files;

/// Says why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file cannot be opened or read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{path}, line {line}: {problem}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
}

/// Reads `run.json`.
///
/// # Errors
/// [`ReadError`] where there is none, or none that this version understands.
pub fn run(files: &Files) -> Result<Run, ReadError> {
    let path = files.run();
    let text =
        std::fs::read_to_string(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
    let bad = |line, problem: String| ReadError::Line { path: path.clone(), line, problem };
    let run: Run =
        serde_json::from_str(&text).map_err(|error| bad(error.line() as u64, error.to_string()))?;
    if run.record != bao_protocol::record::VERSION {
        let known = bao_protocol::record::VERSION;
        return Err(bad(
            1,
            format!("this record has version {}, this program reads version {known}", run.record),
        ));
    }
    Ok(run)
}

/// Reads the lines of a file of rows; the last one may lack its newline (a killed referee) and is then left out.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    lines: BufReader<File>,
    number: u64,
    end: u64,
    text: String,
}

impl Rows {
    /// Opens a file of rows.
    ///
    /// # Errors
    /// [`ReadError::Io`] where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
        Ok(Self {
            path: path.to_owned(),
            lines: BufReader::new(file),
            number: 0,
            end: 0,
            text: String::new(),
        })
    }

    /// Reads the next whole line, newline included.
    ///
    /// # Errors
    /// [`ReadError`] where the file cannot be read or the line is not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<&str>, ReadError> {
        self.text.clear();
        let read = self.lines.read_line(&mut self.text);
        self.number += 1;
        match read {
            Ok(length) if self.text.ends_with('\n') => {
                self.end += length as u64;
                Ok(Some(&self.text))
            }
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(self.bad("not UTF-8".to_owned())),
            Err(source) => Err(ReadError::Io { path: self.path.clone(), source }),
        }
    }

    /// Returns where the last whole line ended, in bytes from the start.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the number of the line last read, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Makes an error about the line last read.
    pub fn bad(&self, problem: String) -> ReadError {
        ReadError::Line { path: self.path.clone(), line: self.number, problem }
    }
}

/// Reads `games.jsonl` from its start, row by row; returns where its last whole row ends.
///
/// # Errors
/// [`ReadError`] where the file is there and cannot be read, or a row is none.
pub fn games(files: &Files, mut each: impl FnMut(GameRow)) -> Result<u64, ReadError> {
    let path = files.games();
    if !path.exists() {
        return Ok(0);
    }
    let mut rows = Rows::open(&path)?;
    while let Some(line) = rows.next_line()? {
        match serde_json::from_str(line) {
            Ok(row) => each(row),
            Err(error) => return Err(rows.bad(error.to_string())),
        }
    }
    Ok(rows.end())
}
