//! Copies one bot's data out of a record, for its author: its games, its lines, its standard error, its faults;
//! nothing of others but the moves that its games consist of.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bao_protocol::record::{Channel, Event, GameRow, WireLine, WireVerdict};
use bao_protocol::{Reason, Seat};
use serde::Deserialize;

use crate::arbiter::Rulings;
use crate::record::Files;
use crate::record::evidence::Evidence;
use crate::record::place::{Ends, Places, stderr};
use crate::record::read::{self, GameBrief, ReadError, Rows, Ruling};
use crate::text::cause::cause;
use crate::text::loss::advice;
use crate::text::shown::shown;
use crate::text::suggest::did_you_mean;

/// Why a bot's logs cannot be taken out of a record.
#[derive(Debug, thiserror::Error)]
pub enum LogsError {
    /// The record cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The record has no such bot.
    #[error("no bot `{}` in this record{}; there are: {}", shown(bot, 100), did_you_mean(bot, bots.iter().map(String::as_str)), bots.join(", "))]
    NoBot {
        /// The name that was asked for.
        bot: String,
        /// The names that there are.
        bots: Vec<String>,
    },
    /// The folder has something in it.
    #[error("{} is not empty; choose a new folder", .0.display())]
    NotEmpty(PathBuf),
    /// The archive is there already.
    #[error("{} exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {}: {}", path.display(), cause(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// How many games the bot played, those that did not count included.
    pub games: u64,
    /// How many it lost by a fault of its own.
    pub faults: u64,
}

/// Writes the logs of a bot into a folder, which is made; if its name ends with `.zip`, into an archive.
///
/// # Errors
/// [`LogsError`]; what was written so far is left in a folder, and nothing of an archive.
pub fn logs(files: &Files, bot: &str, out: &Path) -> Result<Written, LogsError> {
    if out.extension().is_none_or(|extension| extension != "zip") {
        return into_folder(files, bot, out);
    }
    let failed = |source| LogsError::Write { path: out.to_owned(), source };
    if out.exists() {
        return Err(LogsError::Exists(out.to_owned()));
    }
    let place = out.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(place).map_err(failed)?;
    let folder = tempfile::tempdir_in(place).map_err(failed)?;
    let written = into_folder(files, bot, folder.path())?;
    let draft = folder.path().with_extension("zip");
    archive(folder.path(), &draft).and_then(|()| std::fs::rename(&draft, out)).map_err(|source| {
        let _perhaps_not_made = std::fs::remove_file(&draft);
        failed(source)
    })?;
    Ok(written)
}

/// Writes the files of a folder and of the folders in it into an archive, in the order of their names.
fn archive(folder: &Path, path: &Path) -> io::Result<()> {
    let mut archive = zip::ZipWriter::new(BufWriter::new(File::create_new(path)?));
    let mut waiting = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let list = if entry.file_type()?.is_dir() { &mut waiting } else { &mut files };
            list.push(entry.path());
        }
    }
    files.sort();
    for file in files {
        let name = file.strip_prefix(folder).map_err(io::Error::other)?.to_string_lossy().into_owned();
        archive.start_file(name, zip::write::SimpleFileOptions::default().large_file(true))?;
        io::copy(&mut File::open(file)?, &mut archive)?;
    }
    archive.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

fn into_folder(files: &Files, bot: &str, folder: &Path) -> Result<Written, LogsError> {
    let run = read::run(files)?;
    if run.bots.iter().all(|known| known.name != bot) {
        let bots = run.bots.iter().map(|known| shown(&known.name, 100)).collect();
        return Err(LogsError::NoBot { bot: bot.to_owned(), bots });
    }
    let rulings = Rulings::read(files, &run).ok();
    let folder = Folder::make(folder)?;
    let mut written = Written::default();
    // The bot's side in each of its games that count.
    let (mut sides, mut places) = (BTreeMap::new(), Places::default());
    let (mut games, mut faults) = (folder.file("games.jsonl")?, folder.file("faults.txt")?);
    if files.games().exists() {
        let mut rows = Rows::open(&files.games())?;
        while let Some(row) = rows.next_row::<GameRow>()? {
            let place = places.take(Ends::from(&row));
            let Some(side) = side_of(bot, &row) else { continue };
            written.games += 1;
            let annulled =
                rulings.as_ref().and_then(|rulings| rulings.ruling(rows.number())) == Some(Ruling::Annulled);
            let name = if annulled {
                format!("{}.annulled-{}", row.game, rows.number())
            } else if row.reason == Reason::Void {
                format!("{}.void-{}", row.game, place.void)
            } else {
                sides.insert(row.game, side);
                row.game.to_string()
            };
            let evidence = Evidence::of(files, &GameBrief::from(&row), place.void);
            let row = own_row(row, side);
            games.json(&row)?;
            if row.fault == Some(side) {
                written.faults += 1;
                faults.text(&in_words(&row))?;
            }
            if let Some(mut said) = evidence.map(|evidence| evidence.lines()).transpose()?.flatten() {
                lines(&mut said, side, &folder, &name)?;
            }
            let apart = std::mem::take(&mut stderr(files, &place.stderr)[side.into()]);
            if !apart.is_empty() {
                let mut file = folder.file(&format!("stderr/{name}.txt"))?;
                file.text(&apart)?;
                file.close()?;
            }
        }
    }
    let mut moves = folder.file("moves.jsonl")?;
    if files.moves().exists() {
        let mut rows = Rows::open(&files.moves())?;
        while let Some(line) = rows.next_line()? {
            let Ok(ply) = serde_json::from_str::<Ply>(line) else { continue };
            if sides.get(&ply.game) == Some(&ply.side) {
                moves.text(line)?;
            }
        }
    }
    for file in [games, faults, moves] {
        file.close()?;
    }
    Ok(written)
}

/// The part of a row of `moves.jsonl` that says whose it is.
#[derive(Deserialize)]
struct Ply {
    game: u64,
    side: Seat,
}

fn side_of(bot: &str, row: &GameRow) -> Option<Seat> {
    if row.south == bot { Some(Seat::South) } else { (row.north == bot).then_some(Seat::North) }
}

/// Leaves out of a row what concerns the other bot alone.
fn own_row(row: GameRow, side: Seat) -> GameRow {
    if row.fault == Some(side) || (row.fault.is_none() && row.reason != Reason::Void) {
        return row;
    }
    // What the other did, or what both did.
    GameRow { detail: None, line: None, stderr: None, ..row }
}

/// Describes a game that was lost by a fault.
fn in_words(row: &GameRow) -> String {
    let mut text = format!("game {}: {} after {} moves", row.game, row.reason, row.plies);
    let mut line = |what: &str, quoted: &str| text.push_str(&format!("\n  {what}: {}", shown(quoted, 2000)));
    if let Some(detail) = &row.detail {
        line("detail", detail);
    }
    if let Some(said) = &row.line {
        line("line", said);
    }
    if let Some(advice) = advice(row.reason) {
        line("to do", advice);
    }
    text.push_str("\n\n");
    text
}

/// Writes the lines between the bot and the referee in a game, and what the bot wrote to its standard error.
fn lines(rows: &mut Rows, side: Seat, folder: &Folder, name: &str) -> Result<(), LogsError> {
    let mut said = folder.file(&format!("lines/{name}.jsonl"))?;
    let mut errors = None;
    while let Some(text) = rows.next_line()? {
        let Ok(line) = serde_json::from_str::<WireLine<'_>>(text) else { continue };
        match what(&line, side) {
            What::Own => said.text(text)?,
            What::Verdict(verdict) => {
                let verdict =
                    serde_json::to_string(&verdict).expect("a verdict of texts and numbers is JSON");
                said.json(&WireLine { text: Some(verdict.into()), ..line })?;
            }
            // Version 2 keeps the text apart.
            What::Stderr if line.text.is_none() => {}
            What::Stderr => {
                let mut file = folder.file(&format!("stderr/{name}.txt"))?;
                file.text(line.text.as_deref().unwrap_or_default())?;
                errors = Some(file);
            }
            What::Others => {}
        }
    }
    said.close()?;
    errors.map_or(Ok(()), FileOut::close)
}

/// What a line of evidence is to one of the two.
enum What {
    Own,
    Verdict(WireVerdict),
    Stderr,
    Others,
}

fn what(line: &WireLine<'_>, side: Seat) -> What {
    let json = || line.text.as_deref().unwrap_or_default();
    let own = |is_own: bool| if is_own { What::Own } else { What::Others };
    match (line.channel, side) {
        (Channel::ToSouth | Channel::FromSouth, Seat::South)
        | (Channel::ToNorth | Channel::FromNorth, Seat::North) => What::Own,
        (Channel::SouthStderr, Seat::South) | (Channel::NorthStderr, Seat::North) => What::Stderr,
        (Channel::Event, _) => own(match serde_json::from_str::<Event>(json()) {
            Ok(
                Event::Lost { side: whose, .. }
                | Event::HalfLine { side: whose, .. }
                | Event::Ran { side: whose, .. },
            ) => whose == side,
            Ok(Event::Tick {} | Event::Away { .. }) => true,
            // Why a game was stopped may name the other.
            Ok(Event::Stop { .. }) | Err(_) => false,
        }),
        (Channel::Verdict, _) => match serde_json::from_str::<WireVerdict>(json()) {
            Ok(verdict) if verdict.fault == Some(side) => What::Verdict(verdict),
            Ok(verdict) => What::Verdict(WireVerdict { detail: None, line: None, ..verdict }),
            Err(_) => What::Others,
        },
        // The start holds the other's options and the run's seed; a note begins with the side that it is about.
        (Channel::Note, _) => own(json().starts_with(match side {
            Seat::South => "S: ",
            Seat::North => "N: ",
        })),
        (
            Channel::Start
            | Channel::ToSouth
            | Channel::FromSouth
            | Channel::ToNorth
            | Channel::FromNorth
            | Channel::SouthStderr
            | Channel::NorthStderr,
            _,
        ) => What::Others,
    }
}

/// The folder that is written.
#[derive(Debug)]
struct Folder(PathBuf);

/// A file of it.
#[derive(Debug)]
struct FileOut {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Folder {
    fn make(path: &Path) -> Result<Self, LogsError> {
        let failed = |source| LogsError::Write { path: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(failed)?;
        if std::fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(LogsError::NotEmpty(path.to_owned()));
        }
        Ok(Self(path.to_owned()))
    }

    fn file(&self, name: &str) -> Result<FileOut, LogsError> {
        let path = self.0.join(name);
        let parent = path.parent().unwrap_or(&self.0).to_owned();
        let made = std::fs::create_dir_all(parent)
            .and_then(|()| File::options().create(true).append(true).open(&path));
        match made {
            Ok(file) => Ok(FileOut { path, out: BufWriter::new(file) }),
            Err(source) => Err(LogsError::Write { path, source }),
        }
    }
}

impl FileOut {
    fn text(&mut self, text: &str) -> Result<(), LogsError> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|source| LogsError::Write { path: self.path.clone(), source })
    }

    fn json(&mut self, value: &impl serde::Serialize) -> Result<(), LogsError> {
        let text = serde_json::to_string(value).expect("plain structs always serialise");
        self.text(&(text + "\n"))
    }

    fn close(mut self) -> Result<(), LogsError> {
        self.out.flush().map_err(|source| LogsError::Write { path: self.path, source })
    }
}
