//! What was noted of the moves of a game: time, and what the bots said of them.

use std::fmt::Write as _;
use std::ops::Range;

use bao_protocol::record::{Channel, GameRow, WireLine};
use serde::Deserialize;

use super::words::clean;
use crate::record::Files;
use crate::record::evidence::Evidence;
use crate::record::place::plies;
use crate::record::read::{ReadError, Rows};

/// How much of a bot's expected moves is shown, in characters.
const LINE_CHARACTERS: usize = 16;
/// How many bytes of evidence are read for all games together, to find the moves that bots expect.
const MOST_EVIDENCE: u64 = 64 << 20;
/// On a page with more games than this the moves that bots expect are left out.
const MOST_GAMES: usize = 300;

/// Reads what bots reported, game after game.
#[derive(Debug)]
pub(super) struct Saying {
    files: Files,
    evidence_left: u64,
}

/// What was noted of a move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    used_us: u64,
    clock_us: Option<u64>,
    depth: Option<u64>,
    score: Option<i64>,
    /// The moves that the bot expects.
    line: String,
    /// With perfect play, the seeds of the mover above the other's, and the moves that lead there.
    perfect: Option<(i32, String)>,
}

/// What is wanted of a line between the referee and a bot.
#[derive(Debug, Deserialize)]
struct Heard<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    id: Option<u64>,
    ply: Option<u64>,
    info: Option<Info>,
}

#[derive(Debug, Deserialize)]
struct Info {
    pv: Option<String>,
}

impl Saying {
    /// Begins to read this many games of a record; one without `moves.jsonl` says nothing.
    pub(super) fn new(files: &Files, games: usize) -> Self {
        let evidence_left = if games > MOST_GAMES { 0 } else { MOST_EVIDENCE };
        Self { files: files.clone(), evidence_left }
    }

    /// Reads what was noted of the moves of a game, whose rows are in this part of `moves.jsonl`.
    ///
    /// What cannot be read is left out: `referee verify` is there to find it.
    pub(super) fn of(&mut self, row: &GameRow, moves: &Range<u64>) -> Vec<Said> {
        let mut said = Vec::new();
        plies(&self.files, row.game, moves, |ply| {
            let (used_us, clock_us, depth, score) = (ply.used_us, ply.clock_us, ply.depth, ply.score);
            said.push(Said { used_us, clock_us, depth, score, ..Said::default() });
        });
        said.truncate(usize::try_from(row.plies).unwrap_or(usize::MAX));
        if self.evidence_left > 0
            && said.iter().any(|said| said.depth.or(said.score.map(i64::unsigned_abs)).is_some())
            && let Ok(Some(mut lines)) = Evidence::of_counted(&self.files, row.game, row.packed).lines()
        {
            let left = self.evidence_left;
            // As above.
            let _what_there_is = expected(&mut lines, left, &mut said);
            self.evidence_left = left.saturating_sub(lines.end());
        }
        said
    }
}

/// Reads from a game's evidence which moves the bots expected, from no more than this many bytes of it.
fn expected(rows: &mut Rows, most: u64, said: &mut [Said]) -> Result<(), ReadError> {
    // The request that each bot answers: its id, and how many moves came before it.
    let mut asked: [Option<(u64, u64)>; 2] = [None; 2];
    while rows.end() < most
        && let Some(row) = rows.next_line()?
    {
        let Ok(line) = serde_json::from_str::<WireLine<'_>>(row) else { continue };
        let Some(text) = &line.text else { continue };
        let Ok(heard) = serde_json::from_str::<Heard<'_>>(text) else { continue };
        match (line.channel, heard) {
            (Channel::ToSouth | Channel::ToNorth, Heard { kind: "go", id: Some(id), ply: Some(ply), .. }) => {
                asked[usize::from(line.channel == Channel::ToNorth)] = Some((id, ply));
            }
            (
                Channel::FromSouth | Channel::FromNorth,
                Heard { kind: "move", id: Some(id), info: Some(info), .. },
            ) => {
                let asked = asked[usize::from(line.channel == Channel::FromNorth)];
                let ply = asked.filter(|(asked, _)| *asked == id).map(|(_, ply)| ply);
                let place = ply.and_then(|ply| usize::try_from(ply).ok());
                if let (Some(said), Some(line)) = (place.and_then(|place| said.get_mut(place)), info.pv) {
                    said.line = clean(&line, LINE_CHARACTERS).replace([',', ';'], " ");
                }
            }
            (_, _) => {}
        }
    }
    Ok(())
}

impl Said {
    /// Adds what perfect play is worth.
    pub(super) fn add_perfect(&mut self, best: i32, moves: String) {
        self.perfect = Some((best, moves));
    }

    /// Writes what bots reported about the moves of a game for the script: milliseconds, clock, depth, score, value
    /// of perfect play, its moves, what the bot expects; `;` between moves, `,` between fields, nothing where
    /// nothing is known.
    pub(super) fn write(all: &[Self]) -> Option<String> {
        let mut text = String::new();
        for (number, said) in all.iter().enumerate() {
            if number > 0 {
                text.push(';');
            }
            let begin = text.len();
            let Self { used_us, clock_us, depth, score, line, perfect } = said;
            let clock = clock_us.map(|us| (us / 1000).to_string()).unwrap_or_default();
            let depth = depth.map(|depth| depth.to_string()).unwrap_or_default();
            let score = score.map(|score| score.to_string()).unwrap_or_default();
            let (best, moves) =
                perfect.as_ref().map_or((String::new(), ""), |(best, moves)| (best.to_string(), moves));
            write!(text, "{},{clock},{depth},{score},{best},{moves},{line}", milliseconds(*used_us))
                .expect("a string takes everything");
            let end = text.trim_end_matches(',').len().max(begin);
            text.truncate(end);
        }
        (!all.is_empty()).then_some(text)
    }
}

/// Shows a time in milliseconds, short ones with a digit more.
fn milliseconds(us: u64) -> String {
    match us {
        0..10_000 => format!("{}.{}", us / 1000, us / 100 % 10),
        us => (us / 1000).to_string(),
    }
}
