//! What other people take out of a record: the games in the formats of other programs (PGN for rating programs such as
//! Ordo and BayesElo, CSV for spreadsheets), and one bot's own data for its author ([`logs`]).
//!
//! Games are read and written one by one. Games that did not count are left out.

pub mod logs;

use std::io::{self, Write};

use bao_protocol::record::{GameRow, Run};
use bao_protocol::{Reason, Seat};

use crate::arbiter::Rulings;
use crate::record::Files;
use crate::record::public::Audience;
use crate::record::read::{self, ReadError, Rows};
use crate::schedule::planned::Planned;

/// A format of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The notation of chess games: South is White, the moves stand as they are named here.
    Pgn,
    /// Values separated by commas, a line a game; the columns are those of `games.jsonl`.
    Csv,
}

impl std::str::FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        match text {
            "pgn" => Ok(Self::Pgn),
            "csv" => Ok(Self::Csv),
            other => Err(UnknownKind(other.to_owned())),
        }
    }
}

/// The error of a text that names no format.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is neither pgn nor csv")]
pub struct UnknownKind(String);

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The record cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The export cannot be written.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

/// Writes the games of a run; returns how many.
///
/// # Errors
/// [`ExportError`] where the record cannot be read or `out` refuses.
pub fn export(
    files: &Files,
    kind: Kind,
    audience: Audience,
    out: &mut impl Write,
) -> Result<u64, ExportError> {
    let run = read::run(files)?;
    let event = run.plan.get("event").and_then(serde_json::Value::as_str).unwrap_or("?");
    if kind == Kind::Csv {
        writeln!(out, "{},counts,ruled", COLUMNS.map(|(name, _)| name).join(","))?;
    }
    let mut count = 0;
    if !files.games().exists() {
        return Ok(0);
    }
    let counted = if kind == Kind::Csv { Counted::of(files, &run)? } else { None };
    let rulings = Rulings::read(files, &run).ok();
    let mut rows = Rows::open(&files.games())?;
    while let Some(mut row) = rows.next_row::<GameRow>()? {
        audience.row(&mut row);
        let ruling = rulings.as_ref().and_then(|rulings| rulings.ruling(rows.number()));
        if let Some(ruling) = ruling {
            ruling.apply(&mut row);
        }
        if row.reason == Reason::Void {
            continue;
        }
        count += 1;
        match kind {
            Kind::Pgn => pgn(out, event, &row)?,
            Kind::Csv => {
                let counts = counted.as_ref().and_then(|counted| counted.counts(rows.number(), &row));
                csv(out, &row, counts, ruling.is_some())?;
            }
        }
    }
    Ok(count)
}

/// Writes a game with the seven tags that every reader expects, and what they do not hold in others.
fn pgn(out: &mut impl Write, event: &str, row: &GameRow) -> io::Result<()> {
    let result = result(row);
    let date = row.started.get(..10).unwrap_or("????.??.??").replace('-', ".");
    let mut tag = |name: &str, value: &str| writeln!(out, "[{name} \"{}\"]", quoted(value));
    tag("Event", event)?;
    tag("Site", "?")?;
    tag("Date", &date)?;
    tag("Round", &format!("{}.{}", row.round.unwrap_or(row.pair), row.game))?;
    tag("White", &row.south)?;
    tag("Black", &row.north)?;
    tag("Result", result)?;
    tag("Variant", &row.variant)?;
    tag("SetUp", "1")?;
    tag("FEN", &row.position)?;
    tag("Termination", row.reason.name())?;
    tag("PlyCount", &row.plies.to_string())?;
    writeln!(out)?;
    // North may be the first to move.
    let north_first = row.position.split(' ').nth(1) == Some("N");
    let mut width = 0;
    let words = row.moves.split(' ').filter(|word| !word.is_empty()).enumerate().map(|(ply, word)| {
        let turn = ply + usize::from(north_first);
        match (turn % 2, ply) {
            (0, _) => format!("{}. {word}", turn / 2 + 1),
            (_, 0) => format!("1... {word}"),
            (_, _) => word.to_owned(),
        }
    });
    for word in words.chain([result.to_owned()]) {
        if width > 0 {
            let broken = width + 1 + word.len() > 79;
            out.write_all(if broken { b"\n" } else { b" " })?;
            width = if broken { 0 } else { width + 1 };
        }
        out.write_all(word.as_bytes())?;
        width += word.len();
    }
    out.write_all(b"\n\n")
}

fn result(row: &GameRow) -> &'static str {
    match row.winner {
        Some(Seat::South) => "1-0",
        Some(Seat::North) => "0-1",
        None => "1/2-1/2",
    }
}

/// Makes text safe within the quotes of a tag.
fn quoted(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}

type Column = (&'static str, fn(&GameRow) -> String);

/// The columns of the CSV: the keys of `games.jsonl` that are one value, without those that only serve as evidence.
/// Behind them are `counts`: whether the game counts in the standings, and `ruled`: whether the arbiter gave it its result.
const COLUMNS: [Column; 23] = [
    ("game", |row| row.game.to_string()),
    ("pair", |row| row.pair.to_string()),
    ("round", |row| optional(row.round)),
    ("opening", |row| optional(row.opening)),
    ("variant", |row| row.variant.clone()),
    ("position", |row| row.position.clone()),
    ("south", |row| row.south.clone()),
    ("north", |row| row.north.clone()),
    ("winner", |row| {
        row.winner
            .map_or("", |seat| match seat {
                Seat::South => "S",
                Seat::North => "N",
            })
            .to_owned()
    }),
    ("score_south", |row| row.score_south.map_or(String::new(), |score| score.to_string())),
    ("reason", |row| row.reason.name().to_owned()),
    ("fault", |row| {
        row.fault
            .map_or("", |seat| match seat {
                Seat::South => "S",
                Seat::North => "N",
            })
            .to_owned()
    }),
    ("detail", |row| row.detail.clone().unwrap_or_default()),
    ("plies", |row| row.plies.to_string()),
    ("moves", |row| row.moves.clone()),
    ("final_position", |row| row.final_position.clone()),
    ("seeds_south", |row| row.seeds_south.to_string()),
    ("seeds_north", |row| row.seeds_north.to_string()),
    ("used_south_us", |row| row.used_south_us.to_string()),
    ("used_north_us", |row| row.used_north_us.to_string()),
    ("max_lag_us", |row| row.max_lag_us.to_string()),
    ("started", |row| row.started.clone()),
    ("duration_us", |row| row.duration_us.to_string()),
];

fn optional(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// Which games count by the plan, all rows being known.
struct Counted {
    planned: Planned,
}

impl Counted {
    /// Gives the plan's schedule all rows; `None` where it cannot be carried out, or the record does not follow it.
    fn of(files: &Files, run: &Run) -> Result<Option<Self>, ReadError> {
        let Ok(rulings) = Rulings::read(files, run) else { return Ok(None) };
        let Ok(mut planned) = Planned::new(rulings) else { return Ok(None) };
        let mut rows = Rows::open(&files.games())?;
        while let Some(row) = rows.next_row::<GameRow>()? {
            if planned.take(&row).1.is_err() {
                return Ok(None);
            }
        }
        planned.schedule();
        Ok(Some(Self { planned }))
    }

    /// Returns whether the game of the row with this number counts.
    fn counts(&self, number: u64, row: &GameRow) -> Option<bool> {
        let plan = self.planned.plan();
        let bots = [plan.bot(&row.south)?, plan.bot(&row.north)?];
        Some(self.planned.counts(number, row.game, bots))
    }
}

/// Writes a line as RFC 4180 has it: quotes around what needs them, doubled within.
fn csv(out: &mut impl Write, row: &GameRow, counts: Option<bool>, ruled: bool) -> io::Result<()> {
    for (place, (_, value)) in COLUMNS.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        let value = value(row);
        if value.contains(['"', ',', '\n', '\r']) {
            write!(out, "{comma}\"{}\"", value.replace('"', "\"\""))?;
        } else {
            write!(out, "{comma}{value}")?;
        }
    }
    writeln!(out, ",{},{ruled}", counts.map_or(String::new(), |counts| counts.to_string()))
}
