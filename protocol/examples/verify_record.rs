//! Verifies the record of a run with nothing but this crate, the rules and a hash: `verify_record DIR`.
//!
//! Every game that counts is checked three ways: its evidence is bound to its row and to the plan; its moves follow the
//! rules; its rows say what the evidence says. `referee verify` checks more: clocks, requests, schedules.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use bao_protocol::record::{Channel, GameRow, MoveRow, Run, Start, WireLine, WireVerdict};
use bao_protocol::{Decoded, FromBot, Reason, Seat, ToBot, decode};
use bao_rules::{Ending, History, Outcome, Pit, Position, Side};
use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

type Problem = Box<dyn Error>;

fn main() -> Result<(), Problem> {
    let dir = std::env::args().nth(1).ok_or("usage: verify_record DIR")?;
    let games = verify(Path::new(&dir))?;
    std::io::Write::write_all(&mut std::io::stdout(), format!("{games} games verified\n").as_bytes())?;
    Ok(())
}

/// Verifies a record; returns how many games count.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn verify(dir: &Path) -> Result<u64, Problem> {
    let run: Run = serde_json::from_str(&std::fs::read_to_string(dir.join("run.json"))?)?;
    run.plan()?;
    let plan = hex(&serde_json::to_vec(&run.plan)?);
    let moves = std::fs::read_to_string(dir.join("moves.jsonl"))?;
    let (mut games, mut moves_end, mut prev) = (0, 0, plan.clone());
    for line in std::fs::read_to_string(dir.join("games.jsonl"))?.split_inclusive('\n') {
        let row: GameRow = serde_json::from_str(line)?;
        let about = |problem: Problem| Problem::from(format!("game {}: {problem}", row.game));
        same("prev_sha256", row.prev_sha256.as_deref(), Some(&*prev)).map_err(about)?;
        prev = hex(line.as_bytes());
        let end = usize::try_from(row.moves_end)?;
        let plies = moves.get(moves_end..end).ok_or("moves.jsonl does not reach moves_end")?;
        moves_end = end;
        if row.reason != Reason::Void {
            let plies = plies.lines().map(serde_json::from_str).collect::<Result<Vec<MoveRow<'_>>, _>>()?;
            let wire = wire(dir, &row).map_err(about)?;
            let said = evidence(&row, &wire, &plan).map_err(about)?;
            agree(&row, &plies, &said).map_err(about)?;
            by_rules(&row, &plies).map_err(about)?;
            games += 1;
        }
    }
    same("the length of moves.jsonl", moves.len(), moves_end)?;
    Ok(games)
}

/// Reads the evidence of a game: packed, or in version 1 a file of its own.
fn wire(dir: &Path, row: &GameRow) -> Result<String, Problem> {
    let Some(packed) = row.packed else {
        return Ok(std::fs::read_to_string(dir.join(format!("wire/{}.jsonl", row.game)))?);
    };
    let mut file = File::open(dir.join(format!("wire/{}.jsonl.gz", packed.wire_segment)))?;
    file.seek(SeekFrom::Start(packed.wire_start))?;
    let mut text = String::new();
    GzDecoder::new(file.take(packed.wire_length)).read_to_string(&mut text)?;
    Ok(text)
}

/// A move as the evidence has it.
struct Said {
    side: Seat,
    mv: String,
    used_us: u64,
}

/// Follows a game's evidence, in version 1 a chain; returns the answers to the referee's requests.
fn evidence(row: &GameRow, wire: &str, plan: &str) -> Result<Vec<Said>, Problem> {
    same("wire_sha256", &row.wire_sha256, &hex(wire.as_bytes()))?;
    let (mut said, mut asked, mut last_us) = (Vec::new(), None, 0);
    let mut prev = row.packed.is_none().then(|| "0".repeat(64));
    let mut ended = false;
    for (number, text) in wire.split_inclusive('\n').enumerate() {
        let line: WireLine<'_> = serde_json::from_str(text)?;
        same("prev", line.prev.as_deref(), prev.as_deref())?;
        prev = prev.map(|_| hex(text.as_bytes()));
        if line.at_us < last_us || ended {
            return Err(format!("line {} of the evidence is out of order", number + 1).into());
        }
        last_us = line.at_us;
        let Some(text) = line.text.as_deref() else { continue };
        let side = match line.channel {
            Channel::ToSouth | Channel::FromSouth => Seat::South,
            Channel::ToNorth | Channel::FromNorth => Seat::North,
            Channel::Start => {
                let start: Start = serde_json::from_str(text)?;
                same("the evidence's game", start.game, row.game)?;
                same("plan_sha256", start.plan_sha256.as_deref(), Some(plan))?;
                same("position", &start.position.text, &row.position)?;
                same("the bots", start.seats.map(|seat| seat.name), [row.south.clone(), row.north.clone()])?;
                continue;
            }
            Channel::Verdict => {
                let verdict: WireVerdict = serde_json::from_str(text)?;
                same("reason", verdict.reason, row.reason)?;
                same("winner", verdict.winner, row.winner)?;
                same("fault", verdict.fault, row.fault)?;
                same("detail", &verdict.detail, &row.detail)?;
                same("plies", verdict.plies, row.plies)?;
                same("final_position", &verdict.position, &row.final_position)?;
                ended = true;
                continue;
            }
            Channel::SouthStderr | Channel::NorthStderr | Channel::Note | Channel::Event => continue,
        };
        if matches!(line.channel, Channel::ToSouth | Channel::ToNorth) {
            if let Some(ToBot::Go(go)) = ToBot::read(text.as_bytes())? {
                asked = Some((side, go.id, line.at_us));
            }
        } else if let Decoded::Message(FromBot::Move(answer), _) = decode(text.as_bytes())
            && let Some((_, _, at_us)) = asked.take_if(|(whom, id, _)| *whom == side && *id == answer.id)
        {
            said.push(Said { side, mv: answer.mv, used_us: line.at_us - at_us });
        }
    }
    if ended { Ok(said) } else { Err("the evidence has no verdict".into()) }
}

/// Compares rows with evidence; an answer that ended the game, late or illegal, has no row.
fn agree(row: &GameRow, plies: &[MoveRow<'_>], said: &[Said]) -> Result<(), Problem> {
    let moves: Vec<&str> = row.moves.split_whitespace().collect();
    same("plies", row.plies, moves.len() as u64)?;
    same("rows in moves.jsonl", plies.len(), moves.len())?;
    if said.len() < plies.len() || said.len() > plies.len() + 1 {
        return Err(format!("{} answers in the evidence, {} moves", said.len(), plies.len()).into());
    }
    for (number, ((ply, said), mv)) in (1..).zip(plies.iter().zip(said).zip(moves)) {
        same("ply", (ply.game, ply.ply), (row.game, number))?;
        same("move", (ply.side, &*ply.mv, &*said.mv), (said.side, mv, mv))?;
        if ply.cpu_us.is_none() || ply.used_us != ply.cpu_us.unwrap_or_default() {
            same("used_us", ply.used_us, said.used_us)?;
        }
    }
    Ok(())
}

/// Plays the moves of a row by the rules alone.
fn by_rules(row: &GameRow, plies: &[MoveRow<'_>]) -> Result<(), Problem> {
    let variant = row.variant.parse()?;
    let mut position = Position::parse(variant, &row.position)?;
    let (mut history, mut over) = (History::new(&position), None::<Outcome>);
    for ply in plies {
        let play = position.play(Pit::parse(variant, &ply.mv)?)?;
        same("side", ply.side, position.side().into())?;
        same("legal_count", ply.legal_count, position.legal_moves().len() as u64)?;
        same("laps", ply.laps, play.laps)?;
        same("captured", ply.captured, play.captured.into())?;
        over = play.over;
        let Some(after) = play.after else { break };
        position = after;
        if over.is_none() && history.push(&after) {
            over = Some(after.stopped(Ending::Repetition));
        }
    }
    same("final_position", &row.final_position, &position.to_string())?;
    same("seeds_south", row.seeds_south, position.score(Side::South).into())?;
    same("seeds_north", row.seeds_north, position.score(Side::North).into())?;
    if row.reason == Reason::MaxPlies {
        over = Some(position.stopped(Ending::MaxPlies));
    }
    if let Some(outcome) = over {
        same("reason", row.reason, outcome.reason.into())?;
        same("winner", row.winner, outcome.winner.map(Seat::from))?;
    } else if Ending::ALL.into_iter().any(|ending| Reason::from(ending) == row.reason) {
        return Err(format!("by the rules this is not {}", row.reason).into());
    }
    let score = row.winner.map_or(0.5, |winner| if winner == Seat::South { 1.0 } else { 0.0 });
    same("score_south", row.score_south, Some(score))
}

#[expect(clippy::needless_pass_by_value, reason = "values are compared where they are made")]
fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, should: T) -> Result<(), Problem> {
    if is == should { Ok(()) } else { Err(format!("{what} is {is:?}, should be {should:?}").into()) }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
