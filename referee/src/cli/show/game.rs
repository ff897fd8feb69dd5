//! Shows one game, move by move.

use std::collections::VecDeque;
use std::io::{self, Write};

use bao_protocol::Seat;
use bao_protocol::record::{Channel, GameRow, WireLine, WireVerdict};
use bao_rules::{BySide, Pit, Play, Position, Side};

use crate::annotate::Annotator;
use crate::cli::failure::Failure;
use crate::record::Files;
use crate::record::course::{self, Ply, Unplayable, course};
use crate::record::evidence::Evidence;
use crate::record::place::{self, Ends, Place, Places, plies};
use crate::record::read::{BadLine, ReadError, Rows};
use crate::text::board::{Board, LEGEND};
use crate::text::count::plural;
use crate::text::loss::{advice_after, stderr_lines};
use crate::text::picture;
use crate::text::shown::shown;

/// A game, read from its record.
pub(super) struct Shown {
    pub(super) row: GameRow,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    verdict: Option<WireVerdict>,
    stderr: BySide<String>,
}

/// A move of a game.
pub(super) struct Move {
    pub(super) before: Position,
    pub(super) pit: Pit,
    pub(super) play: Play<Position>,
    clock: Option<Timing>,
}

/// A move's time in the record, in microseconds.
struct Timing {
    used_us: u64,
    left_us: Option<u64>,
}

impl Shown {
    /// Reads the last attempt at the game with this number.
    pub(super) fn read(files: &Files, number: u64) -> Result<Self, Failure> {
        let Found { row, place, bad } = find(files, number)?;
        let mut timings = timings(files, &row, &place);
        let start = course::start(&row).map_err(&bad)?;
        let moves = course(&row).map_err(&bad)?.map(|ply| {
            let Ply { before, pit, play, .. } = ply.map_err(&bad)?;
            Ok(Move { before, pit, play, clock: timings.pop_front() })
        });
        let moves = moves.collect::<Result<Vec<_>, ReadError>>()?;
        let (verdict, stderr) = evidence(files, &row, &place)?;
        Ok(Self { row, start, moves, verdict, stderr })
    }

    /// Returns the position after a number of moves.
    pub(super) fn after(&self, plies: usize) -> Board {
        match plies.checked_sub(1).and_then(|index| self.moves.get(index)) {
            Some(Move { before, pit, play, .. }) => {
                Board { position: play.after.unwrap_or(*before), lifted: Some(*pit), last: play.last }
            }
            None => Board::new(self.start),
        }
    }

    /// Prints the game; with `annotate`, also how many seeds each move gave away.
    pub(super) fn print(&self, annotate: bool, out: &mut impl Write) -> Result<(), Failure> {
        let variant = self.start.variant();
        if annotate && !Annotator::knows(variant) {
            return Err(Failure::NotAnnotated(variant));
        }
        let mut annotator = annotate.then(Annotator::new);
        self.print_head(out)?;
        writeln!(out, "\n{LEGEND}\n\n{}", self.after(0))?;
        for (index, mv) in self.moves.iter().enumerate() {
            writeln!(out, "{}", mv.sentence(index + 1))?;
            let judged = annotator.as_mut().and_then(|annotator| annotator.judge(&mv.before, mv.pit));
            if let Some(told) = judged.and_then(|judgement| judgement.sentence()) {
                writeln!(out, "   {told}")?;
            }
            writeln!(out, "{}", self.after(index + 1))?;
        }
        Ok(self.print_end(out)?)
    }

    /// Prints the position after a ply, or at the end, as a picture.
    pub(super) fn picture(&self, ply: Option<u64>, out: &mut impl Write) -> Result<(), Failure> {
        let plies = self.moves.len();
        let index = ply.map_or(plies, |ply| usize::try_from(ply).unwrap_or(usize::MAX));
        if index > plies {
            return Err(Failure::NoPly { game: self.row.game, plies });
        }
        let row = &self.row;
        let (south, north) = (shown(&row.south, 60), shown(&row.north, 60));
        let title = format!("{south} (South) - {north} (North)");
        let info = self.start.variant().info();
        let board = self.after(index);
        let [ours, theirs] = Side::BOTH.map(|side| board.position.captured(side));
        let caption = match self.moves.get(index.wrapping_sub(1)) {
            Some(mv) => format!(
                "game {}, move {index} of {plies}: {} lifts {}",
                row.game,
                mv.before.side().word(),
                mv.pit
            ),
            None => format!("game {}, before the first of {plies} moves", row.game),
        };
        let caption = format!("{caption}. South {ours}, North {theirs} {}", info.gained);
        Ok(out.write_all(picture::svg(&board, &title, &caption).as_bytes())?)
    }

    pub(super) fn print_head(&self, out: &mut impl Write) -> io::Result<()> {
        let row = &self.row;
        let (south, north) = (shown(&row.south, 100), shown(&row.north, 100));
        writeln!(out, "game {} of {}: {south} (South) - {north} (North)", row.game, row.variant)?;
        writeln!(out, "{}, {}, {}", result(row), row.reason, plural(row.plies, "ply", "plies"))
    }

    fn print_end(&self, out: &mut impl Write) -> io::Result<()> {
        let row = &self.row;
        let name = |side: Side| shown([&row.south, &row.north][side as usize], 100);
        let winner = match (row.score_south, row.winner.map(Side::from)) {
            (None, _) => "the game does not count".to_owned(),
            (_, None) => "the game is drawn".to_owned(),
            (_, Some(side)) => format!("{} wins as {}", name(side), side.word()),
        };
        writeln!(
            out,
            "{winner}: {}; seeds South {}, North {}",
            row.reason, row.seeds_south, row.seeds_north
        )?;
        if let Some(detail) = &row.detail {
            writeln!(out, "detail: {}", shown(detail, 600))?;
        }
        if let Some(line) = self.verdict.as_ref().and_then(|verdict| verdict.line.as_ref()) {
            writeln!(out, "line at fault: {}", shown(line, 600))?;
        }
        let advice = |fault: Seat| advice_after(row.reason, &self.stderr[fault.into()]);
        if let Some(advice) = row.fault.and_then(advice) {
            writeln!(out, "to do: {advice}")?;
        }
        for side in Side::BOTH {
            let lines = stderr_lines(&self.stderr[side]);
            if !lines.is_empty() {
                writeln!(out, "{} ({}) on its standard error:", name(side), side.word())?;
            }
            for line in lines {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    }
}

impl Move {
    /// Describes the move in a line.
    pub(super) fn sentence(&self, ply: usize) -> String {
        let (side, info) = (self.before.side(), self.before.variant().info());
        let laps = match self.play.laps {
            None => "the sowing never ends".to_owned(),
            Some(1) => "1 lap".to_owned(),
            Some(laps) => format!("{laps} laps"),
        };
        let last = self.play.last.map(|last| format!(" to {last}")).unwrap_or_default();
        let captured = match self.play.captured {
            0 => String::new(),
            seeds => format!(", {} {seeds}", info.gains),
        };
        let clock = match self.clock {
            None => String::new(),
            Some(Timing { used_us, left_us: None }) => format!("; took {}", time(used_us)),
            Some(Timing { used_us, left_us: Some(left_us) }) => {
                format!("; took {}, {} left", time(used_us), time(left_us))
            }
        };
        format!("{ply}. {} lifts {}: {laps}{last}{captured}{clock}", side.word(), self.pit)
    }
}

fn time(us: u64) -> String {
    match us {
        0..1_000_000 => format!("{}.{:03} ms", us / 1000, us % 1000),
        us => format!("{}.{:03} s", us / 1_000_000, us / 1000 % 1000),
    }
}

/// The last row of a game.
struct Found<B> {
    row: GameRow,
    /// Where its data is.
    place: Place,
    /// Makes errors about the row.
    bad: B,
}

/// Finds the last row of a game.
fn find(files: &Files, number: u64) -> Result<Found<impl Fn(Unplayable) -> ReadError + use<>>, Failure> {
    let path = files.games();
    let mut found = None;
    let mut total = 0;
    if path.exists() {
        let mut rows = Rows::open(&path)?;
        let mut places = Places::default();
        while let Some(line) = rows.next_line()? {
            total += 1;
            // A row that cannot be read matters only for its own game.
            let Ok(ends) = serde_json::from_str::<Ends>(line) else { continue };
            let place = places.take(ends);
            if ends.game == number {
                let row: GameRow = serde_json::from_str(line).map_err(|error| rows.bad(error.into()))?;
                found = Some((row, place, rows.number()));
            }
        }
    }
    match found {
        Some((row, place, line)) => {
            let bad = move |why| ReadError::Line { path: path.clone(), line, problem: BadLine::misfit(why) };
            Ok(Found { row, place, bad })
        }
        None if files.wire(number).exists() || files.spool(number).exists() => {
            Err(Failure::Unfinished(number))
        }
        None => Err(Failure::NoGame { number, total }),
    }
}

/// Reads the times of a game's plies, as far as they can be read.
fn timings(files: &Files, row: &GameRow, place: &Place) -> VecDeque<Timing> {
    let mut timings = VecDeque::new();
    plies(files, row.game, &place.moves, |ply| {
        timings.push_back(Timing { used_us: ply.used_us, left_us: ply.clock_us });
    });
    timings
}

/// Reads the verdict and what the bots wrote to their standard errors.
fn evidence(
    files: &Files,
    row: &GameRow,
    place: &Place,
) -> Result<(Option<WireVerdict>, BySide<String>), Failure> {
    let mut verdict = None;
    let mut stderr = place::stderr(files, &place.stderr);
    let lines = Evidence::of(files, &row.into(), place.void).map(|evidence| evidence.lines()).transpose()?;
    let Some(mut lines) = lines.flatten() else { return Ok((None, stderr)) };
    while let Some(line) = lines.next_line()? {
        let Ok(line) = serde_json::from_str::<WireLine<'_>>(line) else { continue };
        let text = line.text.unwrap_or_default();
        let side = match line.channel {
            Channel::SouthStderr if row.packed.is_none() => Side::South,
            Channel::NorthStderr if row.packed.is_none() => Side::North,
            Channel::Verdict => {
                verdict = serde_json::from_str(&text).ok();
                continue;
            }
            Channel::Start
            | Channel::ToSouth
            | Channel::ToNorth
            | Channel::FromSouth
            | Channel::FromNorth
            | Channel::SouthStderr
            | Channel::NorthStderr
            | Channel::Note
            | Channel::Event => continue,
        };
        stderr[side].push_str(&text);
    }
    Ok((verdict, stderr))
}

/// Returns the result in the usual notation, South first.
pub(super) fn result(row: &GameRow) -> &'static str {
    match (row.score_south, row.winner) {
        (None, _) => "*",
        (_, Some(Seat::South)) => "1-0",
        (_, Some(Seat::North)) => "0-1",
        (_, None) => "1/2",
    }
}
