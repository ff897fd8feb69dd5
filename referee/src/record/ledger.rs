//! The only writer of a run's record.
//!
//! Evidence arrives during games, and finished games when they finish. A separate thread writes everything. It has
//! a game on the disk before it reports it. What has arrived while it waited for the disk is written in one batch.

use std::fs::File;
use std::io::Write;
use std::thread::JoinHandle;

use bao_protocol::record::Run;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::apart::Apart;
use super::append::{Append, RecordError, failed};
use super::finished::Finished;
use super::outlet::{Backlog, Inlet, Outlet, outlet};
use super::packed::Packed;
use super::{Files, Layout, Tail, hex};

/// What goes into a record.
#[derive(Debug)]
pub enum Entry {
    /// A game begins.
    Begun(u64),
    /// More of a game's evidence: whole lines.
    Wire(u64, Vec<u8>),
    /// A game is over.
    Finished(Box<Finished>),
    /// The head of the record has changed.
    Head(Box<Run>),
}

/// Sends entries to a run's record.
#[derive(Debug)]
pub struct Ledger {
    /// Takes entries to write.
    pub entries: Outlet<Entry>,
    /// Gives back each game once it is durable, or the error after which nothing more is written.
    pub durable: mpsc::UnboundedReceiver<Result<Finished, RecordError>>,
    thread: JoinHandle<()>,
}

impl Ledger {
    /// Opens a run's record, if there is one, after its existing rows: what a killed referee left after its tail
    /// is cut off.
    ///
    /// # Errors
    /// [`RecordError`] where a file cannot be made or cut, or is shorter than it should be.
    pub fn open(record: Option<(Files, Tail)>, backlog: &Backlog) -> Result<Self, RecordError> {
        let (entries, queue) = outlet(backlog);
        let (answers, durable) = mpsc::unbounded_channel();
        let book = record.map(|(files, tail)| Book::open(files, tail)).transpose()?;
        let thread = std::thread::spawn(move || keep(book, queue, &answers));
        Ok(Self { entries, durable, thread })
    }

    /// Waits until all entries are written.
    pub fn close(self) -> mpsc::UnboundedReceiver<Result<Finished, RecordError>> {
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
            Entry::Finished(finished) => {
                let wire = finished.wire.as_ref().map_or(0, Vec::len);
                let stderr = finished
                    .stderr
                    .iter()
                    .filter_map(|(_, text)| text.as_ref())
                    .map(String::len)
                    .sum::<usize>();
                finished.moves.len() + wire + stderr + ROW_BYTES
            }
            Entry::Head(_) => ROW_BYTES,
        };
        self.send(entry, bytes);
    }
}

/// How many entries, after the first, are written in one batch.
const BATCH: usize = 256;
/// The size of a row in the queue's count, in bytes.
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
        // Half a head is useless, and the disk may need its space.
        let _never_made = std::fs::remove_file(&draft);
        RecordError { path: path.clone(), source }
    })
}

#[derive(Debug)]
struct Book {
    files: Files,
    games: Append,
    moves: Append,
    evidence: Keeping,
    last_sha256: String,
}

/// How the evidence is kept.
#[derive(Debug)]
enum Keeping {
    Apart(Apart),
    Packed(Box<Packed>),
}

impl Book {
    fn open(files: Files, tail: Tail) -> Result<Self, RecordError> {
        let wires = files.wires();
        std::fs::create_dir_all(&wires).map_err(failed(wires))?;
        let games = Append::open(files.games(), tail.games_end)?;
        let moves = Append::open(files.moves(), tail.moves_end)?;
        let last_sha256 = tail.last_sha256.clone();
        let evidence = match tail.layout {
            Layout::Apart => Keeping::Apart(Apart::open(&files)?),
            Layout::Packed => Keeping::Packed(Box::new(Packed::open(&files, tail)?)),
        };
        // From here on, every file of rows must exist.
        let dir = File::open(files.dir()).and_then(|dir| dir.sync_all());
        dir.map_err(failed(files.dir().to_owned()))?;
        Ok(Self { files, games, moves, evidence, last_sha256 })
    }

    /// Writes an entry that does not wait for the end of a game.
    fn write_at_once(&mut self, entry: &Entry) -> Result<(), RecordError> {
        match (entry, &mut self.evidence) {
            (Entry::Begun(game), Keeping::Apart(apart)) => apart.begin(*game),
            (Entry::Wire(game, lines), Keeping::Apart(apart)) => apart.more(*game, lines),
            (Entry::Wire(game, lines), Keeping::Packed(packed)) => packed.more(*game, lines),
            // If it cannot be written now, the end of the run tries again and reports the error.
            (Entry::Head(run), _) => {
                let _again_later = write_run(&self.files, run);
                Ok(())
            }
            (Entry::Begun(_), Keeping::Packed(_)) | (Entry::Finished(_), _) => Ok(()),
        }
    }

    /// Makes a batch durable: the evidence first, the rows of games last, so that the evidence of every row is
    /// complete.
    fn write(&mut self, batch: &mut [Finished]) -> Result<(), RecordError> {
        let (mut moves, mut games) = (Vec::new(), Vec::new());
        for finished in batch {
            match &mut self.evidence {
                Keeping::Apart(apart) => apart.close(finished)?,
                Keeping::Packed(packed) => packed.close(finished)?,
            }
            moves.append(&mut finished.moves);
            finished.row.moves_end = self.moves.end() + moves.len() as u64;
            finished.row.prev_sha256 = Some(std::mem::take(&mut self.last_sha256));
            let start = games.len();
            serde_json::to_writer(&mut games, &finished.row).expect("a row always serialises");
            games.push(b'\n');
            self.last_sha256 = hex(&Sha256::digest(&games[start..]));
        }
        match &mut self.evidence {
            Keeping::Apart(apart) => apart.sync()?,
            Keeping::Packed(packed) => packed.sync()?,
        }
        self.moves.append(&moves)?;
        self.games.append(&games)?;
        if let Keeping::Packed(packed) = &mut self.evidence {
            packed.tidy();
        }
        Ok(())
    }
}

fn keep(
    mut book: Option<Book>,
    mut queue: Inlet<Entry>,
    answers: &mpsc::UnboundedSender<Result<Finished, RecordError>>,
) {
    while let Some(first) = queue.take() {
        let more = std::iter::from_fn(|| queue.take_now()).take(BATCH);
        let entries = std::iter::once(first).chain(more).collect();
        match deal_with(book.as_mut(), entries) {
            Ok(finished) => {
                for finished in finished {
                    let _nobody_listens = answers.send(Ok(finished));
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
