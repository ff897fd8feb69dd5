//! What was noted of the moves of a game: time, and what the bots said of them.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use bao_protocol::record::{Channel, WireLine};
use serde::Deserialize;

use super::words::clean;
use crate::record::Files;
use crate::record::read::Rows;

/// How much of a bot's expected moves is shown, in characters.
const LINE_CHARACTERS: usize = 16;
/// How many bytes of evidence are read for all games together, to find the moves that bots expect.
const MOST_EVIDENCE: u64 = 64 << 20;
/// On a page with more games than this the moves that bots expect are left out.
const MOST_GAMES: usize = 300;

/// Reads what was said, game after game.
#[derive(Debug)]
pub(super) struct Saying {
    files: Files,
    moves: Option<BufReader<File>>,
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

/// What is wanted of a row of `moves.jsonl`.
#[derive(Debug, Deserialize)]
struct Noted {
    game: u64,
    ply: u64,
    used_us: u64,
    clock_us: Option<u64>,
    depth: Option<u64>,
    score: Option<i64>,
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
        let moves = File::open(files.moves()).ok().map(BufReader::new);
        Self {
            files: files.clone(),
            moves,
            evidence_left: if games > MOST_GAMES { 0 } else { MOST_EVIDENCE },
        }
    }

    /// Reads what was noted of the moves of a game, whose rows stand from `start` to `end` in `moves.jsonl`.
    ///
    /// What cannot be read is left out: `referee verify` is there to find it.
    pub(super) fn of(&mut self, game: u64, plies: u64, start: u64, end: u64) -> Vec<Said> {
        let mut said = self.noted(game, start, end).unwrap_or_default();
        said.truncate(usize::try_from(plies).unwrap_or(usize::MAX));
        let wire = self.files.wire(game);
        let size = wire.metadata().map_or(u64::MAX, |data| data.len());
        if said.iter().any(|said| said.depth.or(said.score.map(i64::unsigned_abs)).is_some())
            && let Some(left) = self.evidence_left.checked_sub(size)
        {
            self.evidence_left = left;
            // As above.
            let _what_there_is = lines(&wire, &mut said);
        }
        said
    }

    fn noted(&mut self, game: u64, start: u64, end: u64) -> io::Result<Vec<Said>> {
        let Some(file) = &mut self.moves else { return Ok(Vec::new()) };
        file.seek(SeekFrom::Start(start))?;
        let mut rows = file.take(end.saturating_sub(start));
        let (mut line, mut said) = (Vec::new(), Vec::new());
        loop {
            line.clear();
            if rows.read_until(b'\n', &mut line)? == 0 {
                return Ok(said);
            }
            let Ok(Noted { game: of, ply, used_us, clock_us, depth, score }) = serde_json::from_slice(&line)
            else {
                return Ok(said);
            };
            if (of, ply) != (game, said.len() as u64 + 1) {
                return Ok(said);
            }
            said.push(Said { used_us, clock_us, depth, score, ..Said::default() });
        }
    }
}

/// Reads from a game's evidence which moves the bots expected.
fn lines(wire: &std::path::Path, said: &mut [Said]) -> Result<(), crate::record::read::ReadError> {
    let mut rows = Rows::open(wire)?;
    // The ply of the request that each bot answers.
    let mut asked: [Option<(u64, u64)>; 2] = [None; 2];
    while let Some(row) = rows.next_line()? {
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
                let place = ply.and_then(|ply| usize::try_from(ply).ok()?.checked_sub(1));
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

    /// Writes what was said of the moves of a game for the script: milliseconds, clock, depth, score, value of perfect play,
    /// its moves, what the bot expects; `;` between moves, `,` between fields, nothing where nothing is known.
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
