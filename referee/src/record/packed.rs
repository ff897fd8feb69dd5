//! Evidence in the format of version 2: one gzip member per attempt, many in a file.
//!
//! During a game its lines go to a small separate file, unless the game is over very soon. If a killed
//! referee leaves such a file, the continued run packs it: such an attempt has no row.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bao_protocol::Reason;
use bao_protocol::record::{Packed as Place, StderrRow};
use bao_rules::Side;
use sha2::{Digest, Sha256};

use super::append::{Append, RecordError, failed};
use super::finished::Finished;
use super::unpack::{self, Hashed, Members};
use super::{Files, Tail, hex};

use crate::open;

/// A file of packed evidence is full when it has this many attempts or bytes.
const FULL: (u64, u64) = (1000, 64 << 20);

/// The evidence of a run.
#[derive(Debug)]
pub(super) struct Packed {
    files: Files,
    host: u64,
    segment: Segment,
    stderr: Append,
    stderr_waiting: Vec<u8>,
    // The current games that have a separate file.
    spools: BTreeMap<u64, File>,
    // The games whose file has been packed.
    spent: Vec<u64>,
    // The attempts at each game that has no result yet.
    attempts: BTreeMap<u64, u64>,
}

/// The file to which evidence is added.
#[derive(Debug)]
struct Segment {
    number: u64,
    file: Append,
    attempts: u64,
    waiting: Vec<u8>,
}

impl Packed {
    /// Opens the evidence of a run after its existing evidence, and packs what a killed referee has left.
    pub(super) fn open(files: &Files, tail: Tail) -> Result<Self, RecordError> {
        fs::create_dir_all(files.spools()).map_err(failed(files.spools()))?;
        let (mut number, mut from) = (tail.segment.max(1), tail.segment_end);
        let mut known = Vec::new();
        let end = loop {
            let path = files.segment(number);
            let end = whole_members(&path, from, &mut known).map_err(failed(path))?;
            if !files.segment(number + 1).exists() {
                break end;
            }
            (number, from) = (number + 1, 0);
        };
        let file = Append::open(files.segment(number), end)?;
        let mut packed = Self {
            files: files.clone(),
            host: tail.host,
            segment: Segment { number, file, attempts: tail.segment_attempts, waiting: Vec::new() },
            stderr: Append::open(files.stderr(), tail.stderr_end)?,
            stderr_waiting: Vec::new(),
            spools: BTreeMap::new(),
            spent: Vec::new(),
            attempts: tail.attempts,
        };
        packed.rescue(&known)?;
        sync_dir(&files.wires())?;
        Ok(packed)
    }

    /// Packs the evidence of games that a killed referee was playing, unless it is packed already.
    fn rescue(&mut self, known: &[[u8; 32]]) -> Result<(), RecordError> {
        let dir = self.files.spools();
        let listed = fs::read_dir(&dir).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<PathBuf>>>()
        });
        let mut left = listed.map_err(failed(dir))?;
        left.sort();
        for path in &left {
            let mut lines = Vec::new();
            let read = open::file(path).and_then(|mut file| file.read_to_end(&mut lines));
            read.map_err(failed(path.clone()))?;
            let sha256: [u8; 32] = Sha256::digest(&lines).into();
            if !lines.is_empty() && !known.contains(&sha256) {
                self.segment.add(&self.files, &mut &lines[..])?;
            }
        }
        self.segment.sync()?;
        for path in left {
            fs::remove_file(&path).map_err(failed(path))?;
        }
        Ok(())
    }

    /// Writes more lines of a game.
    pub(super) fn more(&mut self, game: u64, lines: &[u8]) -> Result<(), RecordError> {
        let path = self.files.spool(game);
        let spool = match self.spools.entry(game) {
            std::collections::btree_map::Entry::Occupied(open) => open.into_mut(),
            std::collections::btree_map::Entry::Vacant(none) => {
                none.insert(File::create(&path).map_err(failed(path.clone()))?)
            }
        };
        spool.write_all(lines).map_err(failed(path))
    }

    /// Packs the evidence of a game that is over, and completes its row.
    pub(super) fn close(&mut self, finished: &mut Finished) -> Result<(), RecordError> {
        let row = &mut finished.row;
        let attempt = self.attempts.remove(&row.game).unwrap_or(0) + 1;
        if row.reason == Reason::Void {
            self.attempts.insert(row.game, attempt);
        }
        let mut place = Place { attempt, host: finished.host.unwrap_or(self.host), ..Place::default() };
        let spool = self.files.spool(row.game);
        let begun = match self.spools.remove(&row.game) {
            Some(_) => {
                self.spent.push(row.game);
                Some(File::open(&spool).map_err(failed(spool))?)
            }
            None => None,
        };
        match (begun, finished.wire.take()) {
            (begun, Some(rest)) => {
                let mut lines: Box<dyn Read> = match begun {
                    Some(begun) => Box::new(begun.chain(&rest[..])),
                    None => Box::new(&rest[..]),
                };
                let mut hashed = Hashed { lines: &mut lines, sha256: Sha256::new() };
                (place.wire_segment, place.wire_start, place.wire_length) =
                    self.segment.add(&self.files, &mut hashed)?;
                row.wire_sha256 = hex(&hashed.sha256.finalize());
            }
            // A fault of the referee: there is evidence, but no row names it.
            (Some(mut begun), None) => {
                let _of_no_row = self.segment.add(&self.files, &mut begun)?;
            }
            (None, None) => {}
        }
        for side in Side::BOTH {
            let Some(text) = &finished.stderr[side] else { continue };
            let line = StderrRow { game: row.game, attempt, side: side.into(), text: text.into() };
            serde_json::to_writer(&mut self.stderr_waiting, &line).expect("a row always serialises");
            self.stderr_waiting.push(b'\n');
        }
        place.stderr_end = self.stderr.end() + self.stderr_waiting.len() as u64;
        row.packed = Some(place);
        Ok(())
    }

    /// Syncs packed evidence to the disk.
    pub(super) fn sync(&mut self) -> Result<(), RecordError> {
        self.segment.sync()?;
        self.stderr.append(&std::mem::take(&mut self.stderr_waiting))
    }

    /// Removes the files of games whose rows are on the disk.
    pub(super) fn tidy(&mut self) {
        for game in self.spent.drain(..) {
            // If a file stays, the continued run recognises it.
            let _stays = fs::remove_file(self.files.spool(game));
        }
    }
}

impl Segment {
    /// Packs evidence; returns its file, its start and its length.
    fn add(&mut self, files: &Files, lines: &mut impl Read) -> Result<(u64, u64, u64), RecordError> {
        let mut start = self.file.end() + self.waiting.len() as u64;
        if self.attempts >= FULL.0 || start >= FULL.1 {
            self.sync()?;
            self.number += 1;
            (self.file, self.attempts) = (Append::open(files.segment(self.number), 0)?, 0);
            sync_dir(&files.wires())?;
            start = 0;
        }
        let before = self.waiting.len();
        unpack::pack(lines, &mut self.waiting).map_err(failed(files.segment(self.number)))?;
        self.attempts += 1;
        Ok((self.number, start, (self.waiting.len() - before) as u64))
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        self.file.append(&std::mem::take(&mut self.waiting))
    }
}

/// Finds the end of the last whole member after a place; adds the SHA-256 of each member.
fn whole_members(path: &Path, from: u64, known: &mut Vec<[u8; 32]>) -> io::Result<u64> {
    let length = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(from),
        Err(error) => return Err(error),
    };
    let mut members = Members::new(path, from, length);
    while let Some(member) = members.next_whole()? {
        known.push(member.sha256);
    }
    Ok(members.end())
}

fn sync_dir(dir: &Path) -> Result<(), RecordError> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(failed(dir.to_owned()))
}
