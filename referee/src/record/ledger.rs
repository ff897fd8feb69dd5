//! The one writer of a run's record.
//!
//! Evidence comes in as it is made, finished games as they finish; a thread of its own writes it all and has a game on
//! the disk before it says so. Whatever has gathered while it waited for the disk goes in one batch.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::thread::JoinHandle;

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, Run};
use tokio::sync::mpsc;

use super::Files;
use super::outlet::{Backlog, Inlet, Outlet, outlet};
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
    /// Its row; the ledger fills in `moves_end`.
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
    /// Opens a run's record behind what it already holds; `moves_end` is the length that counts of `moves.jsonl` and
    /// `games_end` that of `games.jsonl`: what a killed referee left behind them is cut off.
    ///
    /// # Errors
    /// [`RecordError`] where a file cannot be made or cut.
    pub fn open(
        files: Option<&Files>,
        [games_end, moves_end]: [u64; 2],
        backlog: &Backlog,
    ) -> Result<Self, RecordError> {
        let (entries, queue) = outlet(backlog);
        let (answers, durable) = mpsc::unbounded_channel();
        let book = match files {
            Some(files) => Some(Book::open(files, games_end, moves_end)?),
            None => None,
        };
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
    let draft = files.dir().join("run.json.new");
    let write = || {
        let mut text = serde_json::to_vec_pretty(run)?;
        text.push(b'\n');
        let mut file = File::create(&draft)?;
        file.write_all(&text)?;
        file.sync_all()?;
        std::fs::rename(&draft, &path)?;
        File::open(files.dir())?.sync_all()
    };
    write().map_err(|source| RecordError { path: path.clone(), source })
}

#[derive(Debug)]
struct Book {
    files: Files,
    games: File,
    moves: File,
    wires: File,
    // The wire files of the games that are played.
    open: BTreeMap<u64, File>,
    moves_end: u64,
}

impl Book {
    fn open(files: &Files, games_end: u64, moves_end: u64) -> Result<Self, RecordError> {
        let open = |path: PathBuf, end: u64| {
            let open = || {
                let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
                file.set_len(end)?;
                file.seek(SeekFrom::End(0))?;
                Ok(file)
            };
            open().map_err(failed(path.clone()))
        };
        let wires = files.wires();
        let dir = || {
            std::fs::create_dir_all(&wires)?;
            File::open(&wires)
        };
        let wires = dir().map_err(failed(wires.clone()))?;
        Ok(Self {
            games: open(files.games(), games_end)?,
            moves: open(files.moves(), moves_end)?,
            wires,
            open: BTreeMap::new(),
            moves_end,
            files: files.clone(),
        })
    }

    /// Writes what does not wait for the end of a game.
    fn write_at_once(&mut self, entry: &Entry) -> Result<(), RecordError> {
        match entry {
            Entry::Begun(game) => {
                let path = self.files.wire(*game);
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
                    std::fs::rename(&path, self.files.void_wire(game)).map_err(failed(path))?;
                }
            }
            moves.extend_from_slice(&finished.moves);
            finished.row.moves_end = self.moves_end + moves.len() as u64;
            serde_json::to_writer(&mut games, &finished.row).expect("a row always serialises");
            games.push(b'\n');
        }
        self.wires.sync_data().map_err(failed(self.files.wires()))?;
        let append = |file: &mut File, bytes: &[u8]| file.write_all(bytes).and_then(|()| file.sync_data());
        append(&mut self.moves, &moves).map_err(failed(self.files.moves()))?;
        append(&mut self.games, &games).map_err(failed(self.files.games()))?;
        self.moves_end += moves.len() as u64;
        Ok(())
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
    while let Some(first) = queue.next() {
        let more = std::iter::from_fn(|| queue.next_now()).take(BATCH);
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
