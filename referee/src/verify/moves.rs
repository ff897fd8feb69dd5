//! Reads the rows of `moves.jsonl`, game by game.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::context::io_error;
use super::seen::game_of;
use crate::open;
use crate::record::Files;
use crate::record::read::{LINE_BYTES, ReadError};

/// The most bytes of rows that one game can have; even long games have far less.
const MOST: u64 = 16 << 20;

/// Reads the rows of one game after the other, in the order in which the games finished.
#[derive(Debug)]
pub(super) struct Moves {
    path: PathBuf,
    file: Option<BufReader<File>>,
    length: u64,
    at: u64,
    line: u64,
    // How far the rows are after the places that the games' rows name: before, and as the last misfit suggests.
    // Bytes that are missing or added move all later rows; a wrong `moves_end` moves none.
    shifts: [i128; 2],
}

/// The rows of one game.
#[derive(Debug, Default)]
pub(super) struct GameMoves {
    /// The rows as they are in the file, newlines included.
    pub(super) bytes: Vec<u8>,
    /// The number of their first line.
    pub(super) first_line: u64,
    /// The correct `moves_end` of the game's row, if it has another one.
    pub(super) should_end: Option<u64>,
}

impl Moves {
    /// Opens the file; without a file, all rows are missing.
    pub(super) fn open(files: &Files) -> Result<Self, ReadError> {
        let path = files.moves();
        let file = match open::file(&path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(io_error(&path, source)),
        };
        let length = match &file {
            Some(file) => file.metadata().map_err(|source| io_error(&path, source))?.len(),
            None => 0,
        };
        let file = file.map(|file| BufReader::with_capacity(64 << 10, file));
        Ok(Self { path, file, length, at: 0, line: 1, shifts: [0; 2] })
    }

    /// Takes the rows of the next game, which end at `moves_end` according to its row. After a row of `games.jsonl`
    /// that could not be read, the rows of other games are skipped first.
    pub(super) fn take(&mut self, game: u64, moves_end: u64, skip: bool) -> Result<GameMoves, ReadError> {
        let path = self.path.clone();
        self.take_rows(game, moves_end, skip).map_err(|source| io_error(&path, source))
    }

    /// Returns how many bytes have not been taken.
    pub(super) fn rest(&self) -> u64 {
        self.length.saturating_sub(self.at)
    }

    fn take_rows(&mut self, game: u64, moves_end: u64, skip: bool) -> io::Result<GameMoves> {
        if skip {
            let mut others = Vec::new();
            while self.next_line(&mut others, |of| of != Some(game))? {
                others.clear();
            }
        }
        let first_line = self.line;
        let mut bytes = Vec::new();
        let fits = |length: &u64| *length <= MOST;
        let mut should_end = None;
        let mut found = false;
        for shift in self.shifts {
            let end = u64::try_from(i128::from(moves_end) + shift).ok().filter(|end| *end <= self.length);
            let length = end.and_then(|end| end.checked_sub(self.at)).filter(fits);
            if let Some(length) = length
                && self.exactly(length, game, &mut bytes)?
            {
                found = true;
                self.shifts = [shift; 2];
                break;
            }
        }
        if !found {
            while self.next_line(&mut bytes, |of| of.is_none_or(|of| of == game))? {}
            should_end = u64::try_from(i128::from(self.at) - self.shifts[0]).ok();
            self.shifts[1] = i128::from(self.at) - i128::from(moves_end);
        }
        Ok(GameMoves { bytes, first_line, should_end })
    }

    /// Reads a number of bytes; takes none if they do not end with a row of the game.
    fn exactly(&mut self, length: u64, game: u64, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let Some(file) = &mut self.file else { return Ok(length == 0) };
        bytes.reserve_exact(length as usize);
        let read = file.by_ref().take(length).read_to_end(bytes)? as u64;
        let last = bytes.strip_suffix(b"\n").and_then(|rows| rows.rsplit(|byte| *byte == b'\n').next());
        if read == length
            && (length == 0 || last.is_some_and(|last| game_of(last).is_none_or(|of| of == game)))
        {
            self.at += length;
            #[expect(
                clippy::naive_bytecount,
                reason = "the compiler vectorises it; a crate would save nothing"
            )]
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            self.line += lines;
            return Ok(true);
        }
        bytes.clear();
        file.seek(SeekFrom::Start(self.at))?;
        Ok(false)
    }

    /// Adds the next line to `bytes` if it is complete and its game is wanted.
    fn next_line(&mut self, bytes: &mut Vec<u8>, wanted: impl Fn(Option<u64>) -> bool) -> io::Result<bool> {
        let Some(file) = &mut self.file else { return Ok(false) };
        let start = bytes.len();
        let read = file.by_ref().take(LINE_BYTES as u64).read_until(b'\n', bytes)? as u64;
        let line = &bytes[start..];
        if line.ends_with(b"\n") && bytes.len() as u64 <= MOST && wanted(game_of(line)) {
            self.at += read;
            self.line += 1;
            return Ok(true);
        }
        bytes.truncate(start);
        file.seek(SeekFrom::Start(self.at))?;
        Ok(false)
    }
}
