//! The one writer of a run's rows.
//!
//! Finished games come in through a bounded queue; a thread of its own appends their rows and has them on the disk
//! before it says so. Whatever has gathered while it waited for the disk goes in one batch.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::thread::JoinHandle;

use bao_protocol::record::{GameRow, Run};
use tokio::sync::mpsc;

use super::Files;

/// How many finished games may wait for the disk.
const QUEUE: usize = 64;

/// Says that the record could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record: {path}: {source}")]
pub struct RecordError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// A game that is over and wants to be durable.
#[derive(Debug)]
pub struct Finished {
    /// Its row; the ledger fills in `moves_end`.
    pub row: GameRow,
    /// The rows of its plies.
    pub moves: Vec<u8>,
    /// Its wire file, where there is one.
    pub wire: Option<File>,
}

/// The way into a run's record.
#[derive(Debug)]
pub struct Ledger {
    /// Takes finished games.
    pub games: mpsc::Sender<Finished>,
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
    pub fn open(files: Option<&Files>, games_end: u64, moves_end: u64) -> Result<Self, RecordError> {
        let (games, queue) = mpsc::channel(QUEUE);
        let (answers, durable) = mpsc::unbounded_channel();
        let book = match files {
            Some(files) => Some(Book::open(files, games_end, moves_end)?),
            None => None,
        };
        let thread = std::thread::spawn(move || keep(book, queue, &answers));
        Ok(Self { games, durable, thread })
    }

    /// Waits until everything that was handed in has been dealt with.
    pub fn close(self) -> mpsc::UnboundedReceiver<Result<GameRow, RecordError>> {
        drop(self.games);
        let _panicked = self.thread.join();
        self.durable
    }
}

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
            open().map_err(|source| RecordError { path: path.clone(), source })
        };
        let wires = files.wires();
        let dir = || {
            std::fs::create_dir_all(&wires)?;
            File::open(&wires)
        };
        let wires = dir().map_err(|source| RecordError { path: wires.clone(), source })?;
        Ok(Self {
            games: open(files.games(), games_end)?,
            moves: open(files.moves(), moves_end)?,
            wires,
            moves_end,
            files: files.clone(),
        })
    }

    /// Makes a batch durable: the evidence first, the rows of games last, so that a row that is there is whole.
    fn write(&mut self, batch: &mut [Finished]) -> Result<(), RecordError> {
        let failed = |path: PathBuf| move |source| RecordError { path, source };
        let (mut moves, mut games) = (Vec::new(), Vec::new());
        for finished in batch {
            if let Some(wire) = &finished.wire {
                wire.sync_data().map_err(failed(self.files.wire(finished.row.game)))?;
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

fn keep(
    mut book: Option<Book>,
    mut queue: mpsc::Receiver<Finished>,
    answers: &mpsc::UnboundedSender<Result<GameRow, RecordError>>,
) {
    let mut batch = Vec::new();
    while queue.blocking_recv_many(&mut batch, QUEUE) > 0 {
        if let Some(book) = &mut book
            && let Err(error) = book.write(&mut batch)
        {
            let _nobody_listens = answers.send(Err(error));
            return;
        }
        for finished in batch.drain(..) {
            let _nobody_listens = answers.send(Ok(finished.row));
        }
    }
}
