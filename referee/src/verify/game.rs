//! Checks one game of a record against its evidence, the rules and the plan.

use bao_protocol::record::{GameRow, Packed};
use bao_protocol::{Reason, VoidCause};
use bao_rules::Side;
use serde_json::Value;

use super::compare::{self, Wrong};
use super::context::Context;
use super::finding::{Finding, Findings};
use super::follow::Replayed;
use super::job::{Job, Which};
use super::plies::Plies;
use super::replay::{digest, replay};
use super::rules;
use super::stderr;
use crate::game::Game;
use crate::record::read::ReadError;
use crate::record::{Layout, game_row, stderr_shown};

/// The result of a check.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) findings: Vec<Finding>,
    pub(super) plies: u64,
    /// The bots by name, with what they said in their hello.
    pub(super) hellos: Vec<(String, Value)>,
    /// Whether the evidence exists and could be followed to the verdict.
    pub(super) followed: bool,
}

/// Checks a game.
///
/// # Errors
/// [`ReadError::Io`] if its wire file exists and cannot be read.
pub(super) fn check(context: &Context, job: &Job) -> Result<Checked, ReadError> {
    let row = &job.row;
    let mut findings = Findings::default();
    let (told, mut wrong) = rules::play(row, context.plan.max_plies);
    wrong.extend(against_plan(context, job));
    let name = job.evidence.name(&context.files, row.game);
    let mut plies = Plies::new(row, name, &job.moves, &told);
    // An attempt without evidence has no standard error either.
    let mut stderr_end = Some(job.stderr.start).filter(|_| row.wire_sha256.is_empty());
    let replayed = match at_hand(context, job, &mut findings)? {
        Some(evidence) => replay(context, job, evidence, &mut plies, &mut findings)?,
        None => None,
    };
    if replayed.is_none() {
        plies.by_rules(&mut findings);
    }
    let mut checked = Checked { plies: told.len() as u64, ..Checked::default() };
    let mut should = row.clone();
    if let Some(replayed) = &replayed {
        if let Some(game) = &replayed.game {
            plies.end(&mut findings);
            should = by_machine(context, job, game, replayed, &plies);
            checked.followed = true;
            checked.hellos = hellos(game);
        }
        should.wire_sha256 = replayed.sha256.clone().unwrap_or_else(|| row.wire_sha256.clone());
        let length = stderr::check(row, job.attempt, &job.stderr, &replayed.stderr_digests(), &mut findings);
        stderr_end = length.and_then(|length| job.stderr.start.checked_add(length));
    } else if row.reason == Reason::Void && row.wire_sha256.is_empty() {
        wrong.extend(without_evidence(row));
        should = unplayed(row);
    }
    // If a row of moves.jsonl is missing, which is reported, its length is missing, too.
    should.moves_end = job.moves.should_end.filter(|_| plies.whole()).unwrap_or(row.moves_end);
    should.prev_sha256.clone_from(&row.prev_sha256);
    should.packed = packed(context, job, stderr_end, &mut wrong);
    if let Some(misplaced) = &job.misplaced {
        findings.push(misplaced.clone());
    }
    let bound = replayed.as_ref().is_some_and(|replayed| replayed.bound);
    if let Some(finding) = unchained(job, bound) {
        findings.push(finding);
    }
    let known: Vec<String> = wrong.iter().map(|wrong| wrong.key.clone()).collect();
    wrong.extend(compare::keys(&job.line, &should).into_iter().filter(|wrong| !known.contains(&wrong.key)));
    for Wrong { key, is, should } in wrong {
        let about = Finding::differs("games.jsonl", &format!("game {}: {key}", row.game));
        findings.push(about.at_line(job.number).of_game(row.game).showing(&is, &should));
    }
    checked.findings = findings.into_list("games.jsonl");
    Ok(checked)
}

/// Finds the evidence of a row, if there is any.
fn at_hand(context: &Context, job: &Job, findings: &mut Findings) -> Result<Option<Which>, ReadError> {
    let row = &job.row;
    match job.evidence {
        Which::Member(_) | Which::OfGame | Which::OfAttempt(_) => return Ok(Some(job.evidence)),
        Which::Gone => return Ok(None),
        Which::OfVoid => {}
    }
    let (mut first, mut spoilt) = (None, None);
    for attempt in (1..).take_while(|attempt| context.files.void_wire(row.game, *attempt).exists()) {
        let evidence = Which::OfAttempt(attempt);
        first = first.or(Some(evidence));
        match digest(context, row.game, evidence)? {
            Some((sha256, false)) if sha256 == row.wire_sha256 => return Ok(Some(evidence)),
            Some(_) => {}
            None => spoilt = Some(evidence),
        }
    }
    if spoilt.is_some() {
        // The replay reports what is wrong with it, line by line.
        return Ok(spoilt);
    }
    match (first, &row.prev_sha256) {
        // The first releases kept the last attempt only.
        (Some(evidence), None) => {
            let what = "a later attempt than the one in games.jsonl, which did not count; it has no row yet";
            findings
                .push(Finding::unfinished(&evidence.name(&context.files, row.game), what).of_game(row.game));
        }
        (first, _) => {
            let name = first.unwrap_or(Which::OfAttempt(1)).name(&context.files, row.game);
            let what = "the evidence of an attempt that did not count is missing, or another's";
            findings.push(Finding::differs(&name, what).of_game(row.game));
        }
    }
    Ok(None)
}

/// Makes the row of the game as the machine played it. Values that only the live referee knows are taken from the
/// row if they can be true.
fn by_machine(context: &Context, job: &Job, game: &Game, replayed: &Replayed, plies: &Plies<'_>) -> GameRow {
    let row = &job.row;
    let (Some(verdict), Some(spec)) = (game.verdict(), &job.spec) else { return row.clone() };
    let mut should = game_row(spec, game, verdict, row.started.clone(), replayed.end_us);
    should.wire_sha256.clone_from(&row.wire_sha256);
    if context.layout == Layout::Apart {
        let stderr = verdict.fault.and_then(|side| replayed.stderr[side].as_deref());
        should.stderr = Some(stderr.map(|text| stderr_shown(text, game.setup().edition)));
    }
    // An answer that was too late or illegal was also measured, and has no row in moves.jsonl; a game that does not
    // count has none at all.
    let more = matches!(verdict.reason, Reason::Time | Reason::IllegalMove | Reason::Void);
    should.max_lag_us = match plies.most_lag_us() {
        Some(most_us) if more => row.max_lag_us.max(most_us),
        Some(most_us) => most_us,
        // A row of moves.jsonl is missing, which is reported: the greatest lag may have been in it.
        None => row.max_lag_us,
    };
    should
}

/// Makes the row of an attempt at a game that was never played.
fn unplayed(row: &GameRow) -> GameRow {
    GameRow {
        line: None,
        stderr: row.stderr.as_ref().map(|_| None),
        plies: 0,
        moves: String::new(),
        final_position: row.position.clone(),
        used_south_us: 0,
        used_north_us: 0,
        max_lag_us: 0,
        duration_us: 0,
        ..row.clone()
    }
}

/// Returns where a row was played and where its evidence is, as far as that follows from the rows before it.
/// Anything that does not fit there was reported already.
fn packed(context: &Context, job: &Job, stderr_end: Option<u64>, wrong: &mut Vec<Wrong>) -> Option<Packed> {
    if context.layout == Layout::Apart {
        return None;
    }
    let is = job.row.packed.unwrap_or_default();
    if is.host >= context.run.hosts.len() as u64 {
        let should = format!("the place of one of the {} hosts of run.json", context.run.hosts.len());
        wrong.push(Wrong::new("host", is.host.to_string(), should));
    }
    let mut should = Packed { attempt: job.attempt, stderr_end: stderr_end.unwrap_or(is.stderr_end), ..is };
    if job.row.wire_sha256.is_empty() {
        (should.wire_segment, should.wire_start, should.wire_length) = (0, 0, 0);
    }
    Some(should)
}

/// Returns why a row must have evidence: only a program that cannot be started, whose bot is named, and a fault
/// of the referee leave no evidence. The first releases do not name the cause.
fn without_evidence(row: &GameRow) -> Option<Wrong> {
    let cause = row.void.map_or_else(|| "missing".to_owned(), |cause| cause.to_string());
    match (row.void, row.fault) {
        (Some(VoidCause::Program), Some(_)) | (Some(VoidCause::Internal), None) => None,
        (None, _) if row.prev_sha256.is_none() => None,
        (Some(_) | None, _) => Some(Wrong::new(
            "void",
            cause,
            "the cause of an attempt that leaves no evidence (program, internal)",
        )),
    }
}

/// Reports a row that is not chained to the row before it. The first releases chained no rows; in later releases
/// the evidence names the plan, and so the rows must be chained to it.
fn unchained(job: &Job, bound: bool) -> Option<Finding> {
    let is = job.row.prev_sha256.as_deref().unwrap_or("missing");
    if is == job.prev_sha256 || (job.row.prev_sha256.is_none() && !bound) {
        return None;
    }
    let before = if job.number == 1 { "plan" } else { "row before it" };
    let what = format!(
        "game {}: it does not follow the {before} (prev_sha256): something was changed, deleted, added or moved",
        job.row.game
    );
    let finding = Finding::differs("games.jsonl", &what).at_line(job.number).of_game(job.row.game);
    Some(finding.showing(is, &job.prev_sha256))
}

/// Compares a row with the schedule's game, and its values with each other.
fn against_plan(context: &Context, job: &Job) -> Vec<Wrong> {
    let row = &job.row;
    let mut wrong = Vec::new();
    let mut compare = |key: &str, is: String, should: String| {
        if is != should {
            wrong.push(Wrong::new(key, is, should));
        }
    };
    if let Some(stray) = &job.stray {
        compare("game", row.game.to_string(), format!("one that the schedule has ({stray})"));
    }
    let Some(spec) = &job.spec else { return wrong };
    let name = |side: Side| context.plan.bots[spec.seats[side as usize]].name.clone();
    let optional = |number: Option<u64>| number.map_or("null".to_owned(), |number| number.to_string());
    compare("pair", row.pair.to_string(), spec.pair.to_string());
    compare("round", optional(row.round), optional(spec.round));
    compare("opening", optional(row.opening), optional(spec.opening));
    compare("variant", row.variant.clone(), spec.position.variant().name().to_owned());
    compare("position", row.position.clone(), spec.position.to_string());
    compare("south", row.south.clone(), name(Side::South));
    compare("north", row.north.clone(), name(Side::North));
    let started = row.started.parse::<jiff::Timestamp>().map(|time| format!("{time:.3}"));
    compare("started", row.started.clone(), started.unwrap_or_else(|_| "a time in RFC 3339".to_owned()));
    wrong
}

fn hellos(game: &Game) -> Vec<(String, Value)> {
    let said = |side: Side| {
        let hello = serde_json::to_value(game.hello(side)?).ok()?;
        Some((game.setup().seats[side as usize].name.clone(), hello))
    };
    Side::BOTH.into_iter().filter_map(said).collect()
}
