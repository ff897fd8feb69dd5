//! The one writer of a run's record.
//!
//! Evidence comes in as it is made, finished games as they finish; a thread of its own writes it all and has a game on
//! the disk before it says so. Whatever has gathered while it waited for the disk goes in one batch.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::thread::JoinHandle;

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, Run};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::outlet::{Backlog, Inlet, Outlet, outlet};
use super::{Files, Tail, hex};
use crate::text::cause::cause;

/// Says that the record could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record: {}: {}", path.display(), cause(source))]
pub struct RecordError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// What goes into a record.
#[derive(Debug)]
pub enum Entry {
    /// A game begins: its wire file is made anew.
    Begun(u64),
    /// More of a game's wire file.
    Wire(u64, Vec<u8>),
    /// A game is over.
    Finished(Box<Finished>),
    /// The head of the record has changed.
    Head(Box<Run>),
}

/// A game that is over and wants to be durable; its wire file is all handed in.
#[derive(Debug)]
pub struct Finished {
    /// Its row; the ledger fills in `moves_end` and `prev_sha256`.
    pub row: GameRow,
    /// The rows of its plies.
    pub moves: Vec<u8>,
}

/// The way into a run's record.
#[derive(Debug)]
pub struct Ledger {
    /// Takes what is to be written.
    pub entries: Outlet<Entry>,
    /// Gives back each game's row once it is durable, or the error after which nothing more is written.
    pub durable: mpsc::UnboundedReceiver<Result<GameRow, RecordError>>,
    thread: JoinHandle<()>,
}

impl Ledger {
    /// Opens a run's record, if there is one, behind what it already holds: what a killed referee left behind its tail
    /// is cut off.
    ///
    /// # Errors
    /// [`RecordError`] where a file cannot be made or cut, or is shorter than it should be.
    pub fn open(record: Option<(&Files, Tail)>, backlog: &Backlog) -> Result<Self, RecordError> {
        let (entries, queue) = outlet(backlog);
        let (answers, durable) = mpsc::unbounded_channel();
        let book = record.map(|(files, tail)| Book::open(files, tail)).transpose()?;
        let thread = std::thread::spawn(move || keep(book, queue, &answers));
        Ok(Self { entries, durable, thread })
    }

    /// Waits until everything that was handed in has been dealt with.
    pub fn close(self) -> mpsc::UnboundedReceiver<Result<GameRow, RecordError>> {
        drop(self.entries);
        let _panicked = self.thread.join();
        self.durable
    }
}

impl Outlet<Entry> {
    /// Sends an entry.
    pub fn enter(&self, entry: Entry) {
        let bytes = match &entry {
            Entry::Begun(_) => 0,
            Entry::Wire(_, bytes) => bytes.len(),
            Entry::Finished(finished) => finished.moves.len() + ROW_BYTES,
            Entry::Head(_) => ROW_BYTES,
        };
        self.send(entry, bytes);
    }
}

/// How many entries more than the first are dealt with at a time.
const BATCH: usize = 256;
/// What a row counts in the queue, in bytes.
const ROW_BYTES: usize = 1 << 10;

/// Writes `run.json`, whole or not at all.
///
/// # Errors
/// [`RecordError`] where it cannot be written.
pub fn write_run(files: &Files, run: &Run) -> Result<(), RecordError> {
    let path = files.run();
    let draft = files.run_draft();
    let write = || {
        let mut text = serde_json::to_vec_pretty(run)?;
        text.push(b'\n');
        let mut file = File::create(&draft)?;
        file.write_all(&text)?;
        file.sync_all()?;
        std::fs::rename(&draft, &path)?;
        File::open(files.dir())?.sync_all()
    };
    write().map_err(|source| {
        // Half a head is worth nothing, and its room may be what is missing.
        let _never_made = std::fs::remove_file(&draft);
        RecordError { path: path.clone(), source }
    })
}

#[derive(Debug)]
struct Book {
    files: Files,
    games: Rows,
    moves: Rows,
    wires: File,
    // The wire files of the games that are played.
    open: BTreeMap<u64, File>,
    last_sha256: String,
}

/// A file of rows that nobody else should touch.
#[derive(Debug)]
struct Rows {
    path: PathBuf,
    file: File,
    end: u64,
}

impl Rows {
    /// Opens a file and cuts off what is behind its end.
    fn open(path: PathBuf, end: u64) -> Result<Self, RecordError> {
        let open = || {
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            if file.metadata()?.len() < end {
                return Err(io::Error::other(format!(
                    "it is shorter than the {end} bytes that it should have"
                )));
            }
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(Self { path, file, end }),
            Err(source) => Err(RecordError { path, source }),
        }
    }

    /// Appends rows and has them on the disk.
    fn append(&mut self, rows: &[u8]) -> Result<(), RecordError> {
        let write = |file: &mut File| file.write_all(rows).and_then(|()| file.sync_data());
        self.untouched().and_then(|()| write(&mut self.file)).map_err(failed(self.path.clone()))?;
        self.end += rows.len() as u64;
        Ok(())
    }

    /// Makes sure that the file is what this referee has written, and where it was.
    fn untouched(&self) -> io::Result<()> {
        let (ours, there) = (self.file.metadata()?, std::fs::metadata(&self.path)?);
        if (ours.dev(), ours.ino()) != (there.dev(), there.ino()) {
            return Err(io::Error::other("another file has been put in its place"));
        }
        if ours.len() != self.end {
            let (length, end) = (ours.len(), self.end);
            return Err(io::Error::other(format!(
                "another program has changed it: it has {length} bytes, not the {end} that were written"
            )));
        }
        Ok(())
    }
}

impl Book {
    fn open(files: &Files, tail: Tail) -> Result<Self, RecordError> {
        let wires = files.wires();
        std::fs::create_dir_all(&wires).map_err(failed(wires.clone()))?;
        let book = Self {
            games: Rows::open(files.games(), tail.games_end)?,
            moves: Rows::open(files.moves(), tail.moves_end)?,
            wires: File::open(&wires).map_err(failed(wires.clone()))?,
            open: BTreeMap::new(),
            last_sha256: tail.last_sha256,
            files: files.clone(),
        };
        // From here on, a file of rows that is not there is missing.
        let dir = File::open(files.dir()).and_then(|dir| dir.sync_all());
        dir.map_err(failed(files.dir().to_owned()))?;
        Ok(book)
    }

    /// Writes what does not wait for the end of a game.
    fn write_at_once(&mut self, entry: &Entry) -> Result<(), RecordError> {
        match entry {
            Entry::Begun(game) => {
                let path = self.files.wire(*game);
                // What a killed referee left of it is evidence too.
                self.files.keep_cut(*game).map_err(failed(path.clone()))?;
                self.open.insert(*game, File::create(&path).map_err(failed(path))?);
            }
            Entry::Wire(game, bytes) => {
                if let Some(wire) = self.open.get_mut(game) {
                    wire.write_all(bytes).map_err(failed(self.files.wire(*game)))?;
                }
            }
            // Where it cannot be written now, the end of the run tries again and says so.
            Entry::Head(run) => drop(write_run(&self.files, run)),
            Entry::Finished(_) => {}
        }
        Ok(())
    }

    /// Makes a batch durable: the evidence first, the rows of games last, so that a row that is there is whole.
    fn write(&mut self, batch: &mut [Finished]) -> Result<(), RecordError> {
        let (mut moves, mut games) = (Vec::new(), Vec::new());
        for finished in batch {
            let game = finished.row.game;
            let path = self.files.wire(game);
            if let Some(wire) = self.open.remove(&game) {
                wire.sync_data().map_err(failed(path.clone()))?;
                if finished.row.reason == Reason::Void {
                    // The game will be played again under its number: its evidence must not get in the way.
                    self.files.keep_void(game).map_err(failed(path))?;
                }
            }
            moves.extend_from_slice(&finished.moves);
            finished.row.moves_end = self.moves.end + moves.len() as u64;
            finished.row.prev_sha256 = Some(std::mem::take(&mut self.last_sha256));
            let start = games.len();
            serde_json::to_writer(&mut games, &finished.row).expect("a row always serialises");
            games.push(b'\n');
            self.last_sha256 = hex(&Sha256::digest(&games[start..]));
        }
        self.wires.sync_data().map_err(failed(self.files.wires()))?;
        self.moves.append(&moves)?;
        self.games.append(&games)
    }
}

fn failed(path: PathBuf) -> impl FnOnce(io::Error) -> RecordError {
    move |source| RecordError { path, source }
}

fn keep(
    mut book: Option<Book>,
    mut queue: Inlet<Entry>,
    answers: &mpsc::UnboundedSender<Result<GameRow, RecordError>>,
) {
    while let Some(first) = queue.take() {
        let more = std::iter::from_fn(|| queue.take_now()).take(BATCH);
        let entries = std::iter::once(first).chain(more).collect();
        match deal_with(book.as_mut(), entries) {
            Ok(finished) => {
                for finished in finished {
                    let _nobody_listens = answers.send(Ok(finished.row));
                }
            }
            Err(error) => {
                let _nobody_listens = answers.send(Err(error));
                return;
            }
        }
    }
}

/// Writes entries; returns the games that are durable now.
fn deal_with(book: Option<&mut Book>, entries: Vec<Entry>) -> Result<Vec<Finished>, RecordError> {
    let (mut finished, mut book) = (Vec::new(), book);
    for entry in entries {
        if let Some(book) = &mut book {
            book.write_at_once(&entry)?;
        }
        if let Entry::Finished(game) = entry {
            finished.push(*game);
        }
    }
    if let Some(book) = book
        && !finished.is_empty()
    {
        book.write(&mut finished)?;
    }
    Ok(finished)
}
