//! Verifies a run's record: this needs only its directory.
//!
//! Every wire file is replayed through the machine that played the game ([`crate::game`]): the bots' lines go in,
//! and all messages and notes must come out as they are in the file, to the byte. The machine also makes the rows
//! of `moves.jsonl` and `games.jsonl` again. In addition, the rules core alone plays the moves of every row, so
//! that a fault of the machine does not confirm itself.
//!
//! The files of a killed referee are unfinished at their ends. This is reported, but is not a difference.

mod acts;
mod compare;
mod context;
mod finding;
mod follow;
mod game;
mod head;
mod job;
mod leftovers;
mod members;
mod moves;
mod plies;
mod replay;
mod rules;
mod script;
mod seen;
mod stderr;

pub use finding::{Finding, Kind};

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use bao_protocol::Reason;
use bao_protocol::record::{End, GameRow};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::acts::Named;
use self::context::Context;
use self::game::Checked;
use self::job::{Job, Which};
use self::leftovers::Orphan;
use self::members::Members;
use self::moves::Moves;
use self::seen::{Seen, Voids, game_of};
use self::stderr::Stderr;
use crate::plan::Format;
use crate::record::read::{GameBrief, ReadError, Rows, Ruling};
use crate::record::{CourseDigest, Files, Layout, hex};
use crate::results::standings::{BotResult, Standings, StandingsRow};
use crate::schedule::TestState;
use crate::schedule::planned::Planned;

/// How many games all processors check as one batch, and how many bytes of rows end a batch sooner.
const BATCH: (usize, usize) = (256, 8 << 20);

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many games are finished, count, and could be followed through their evidence to the verdict.
    pub games: u64,
    /// How many games have a row that counts but evidence that could not be followed.
    pub unfollowed: u64,
    /// How many games the run will have, as far as is known; null if it is complete.
    pub planned: Option<u64>,
    /// How many rows are of games that did not count.
    pub void: u64,
    /// How many attempts at games were cut off when the referee was killed, as far as there is evidence of them.
    pub cut: u64,
    /// How many acts of the arbiter there are.
    pub acts: u64,
    /// How many plies were replayed.
    pub plies: u64,
    /// How many differences there are.
    pub differences: u64,
    /// How many places are unfinished.
    pub unfinished: u64,
    /// Whether the record is a copy without what bots wrote to their standard errors.
    pub without_stderr: bool,
    /// The SHA-256 of the plan, which all rows and evidence name: an organiser who publishes it cannot change the
    /// plan.
    pub plan_sha256: String,
    /// The course digest: the same for the same games, with any machines, time and number of tables.
    pub course_sha256: String,
    /// The score of each bot in all games that count, recomputed, in the order of the plan.
    pub bots: Vec<BotResult>,
    /// A tournament's standings, recomputed, as its last event and its last table showed them. Empty for a match.
    pub rows: Vec<StandingsRow>,
    /// The state of its sequential test, recomputed, if it is one.
    pub test: Option<TestState>,
}

/// Verifies the record in a directory and reports each finding, in the order of the files.
///
/// Memory depends on the longest game, and only by a few bits per game on the number of games. All processors are
/// used.
///
/// # Errors
/// [`ReadError`] if there is no record to verify: `run.json` or another file cannot be read.
pub fn verify(files: &Files, report: impl FnMut(&Finding)) -> Result<Summary, ReadError> {
    check(files, None, report)
}

/// Verifies the record of a part of an event: of some pairs, as the event's schedule has chosen them.
///
/// # Errors
/// As [`verify`].
pub(crate) fn verify_part(
    files: &Files,
    planned: Planned,
    report: impl FnMut(&Finding),
) -> Result<Summary, ReadError> {
    check(files, Some(planned), report)
}

fn check(files: &Files, part: Option<Planned>, report: impl FnMut(&Finding)) -> Result<Summary, ReadError> {
    let (context, planned, text) = head::context(files, part)?;
    let mut clerk = Clerk::new(&context, planned, report);
    let converted = head::converted(files)?;
    if !converted.is_empty() {
        // Hashes and places of rows depend on the original bytes: nothing else can be checked.
        clerk.take(converted);
        return Ok(clerk.summary);
    }
    clerk.take(head::check_run(&context, &text));
    let end = clerk.games()?;
    clerk.leftovers()?;
    clerk.end(&end);
    Ok(clerk.summary)
}

/// Reads the record and counts.
struct Clerk<'a, F> {
    context: &'a Context,
    planned: Planned,
    standings: Standings,
    report: F,
    summary: Summary,
    // The games that count, as far as their rows have been read, and the last rows of those that did not.
    seen: Seen,
    void: BTreeMap<u64, Voids>,
    // How many attempts did not count, for each game without a result.
    attempts: BTreeMap<u64, u64>,
    members: Members,
    named: Named,
    course: CourseDigest,
    rows: u64,
    moves_end: u64,
    stderr_end: u64,
    // What the next row should be chained to.
    last_sha256: String,
    // Whether the hello of each bot in `run.json` was received in a game.
    heard: Vec<bool>,
    all_heard: bool,
}

/// Something found in the order of `games.jsonl`.
enum Item {
    Game(Box<Job>),
    Bad(Finding),
}

impl<'a, F: FnMut(&Finding)> Clerk<'a, F> {
    fn new(context: &'a Context, planned: Planned, report: F) -> Self {
        let summary = Summary {
            games: 0,
            unfollowed: 0,
            planned: None,
            void: 0,
            cut: 0,
            acts: planned.rulings().acts.acts.len() as u64,
            plies: 0,
            differences: 0,
            unfinished: 0,
            without_stderr: false,
            plan_sha256: context.plan_sha256.clone(),
            course_sha256: String::new(),
            bots: Vec::new(),
            rows: Vec::new(),
            test: None,
        };
        let heard = vec![false; context.run.bots.len()];
        Self {
            context,
            standings: Standings::new(&context.plan),
            report,
            summary,
            seen: Seen::default(),
            void: BTreeMap::new(),
            attempts: BTreeMap::new(),
            members: Members::default(),
            named: Named::by(planned.rulings()),
            course: CourseDigest::default(),
            rows: 0,
            moves_end: 0,
            stderr_end: 0,
            last_sha256: context.plan_sha256.clone(),
            heard,
            all_heard: true,
            planned,
        }
    }

    fn take(&mut self, findings: Vec<Finding>) {
        for mut finding in findings {
            if self.context.run.end.is_some() {
                // The event is over: nothing will be added.
                finding.kind = Kind::Difference;
            }
            match finding.kind {
                Kind::Difference => self.summary.differences += 1,
                Kind::Unfinished => self.summary.unfinished += 1,
            }
            (self.report)(&finding);
        }
    }

    /// Checks all rows; returns the end that the record should have.
    fn games(&mut self) -> Result<End, ReadError> {
        let path = self.context.files.games();
        let mut moves = Moves::open(&self.context.files)?;
        let mut stderr = Stderr::open(self.context)?;
        if path.exists() {
            self.void = seen::voids(&path)?;
            let mut rows = Rows::open(&path)?;
            self.rows(&mut rows, &mut moves, &mut stderr)?;
            if rows.torn() > 0 {
                let what = format!("the last row is incomplete: {} bytes without a newline", rows.torn());
                self.take(vec![Finding::unfinished("games.jsonl", &what)]);
            }
        }
        let named = std::mem::take(&mut self.named);
        self.take(named.check(self.context, self.planned.rulings(), self.rows));
        if moves.rest() > 0 {
            let what = format!("{} bytes after the rows of the last finished game", moves.rest());
            self.take(vec![Finding::unfinished("moves.jsonl", &what)]);
        }
        if stderr.rest() > 0 {
            let what = format!("{} bytes after the rows of the last finished game", stderr.rest());
            self.take(vec![Finding::unfinished("stderr.jsonl", &what)]);
        }
        self.summary.without_stderr = self.stderr_end > 0 && stderr.left_out();
        let found = std::mem::take(&mut self.members).unclaimed(self.context)?;
        self.summary.cut += found.cut;
        self.take(found.findings);
        self.summary.bots = self.standings.bots();
        self.summary.planned = self.planned.still_to_come();
        if let Some(planned) = self.summary.planned {
            let what = format!("{} of {planned} games are finished", self.planned.schedule().done());
            self.take(vec![Finding::unfinished("games.jsonl", &what)]);
        }
        if !matches!(self.context.plan.format, Format::Match { .. }) {
            let schedule = self.planned.schedule();
            self.summary.rows = self.standings.snapshot(schedule).rows();
            self.summary.test = schedule.test();
        }
        let schedule = self.planned.schedule();
        self.summary.course_sha256 = std::mem::take(&mut self.course).sha256(|pair| schedule.wants(pair));
        Ok(End {
            rows: self.rows,
            last_sha256: self.last_sha256.clone(),
            moves_end: self.moves_end + moves.rest(),
            stderr_end: self.stderr_end + stderr.rest(),
            wire_ends: found.ends,
            course_sha256: self.summary.course_sha256.clone(),
            acts_sha256: self.planned.rulings().acts.sha256.last().cloned(),
        })
    }

    /// Compares the record with the end that was written when the event was over.
    fn end(&mut self, is: &End) {
        match &self.context.run.end {
            Some(said) => self.take(head::check_end(said, is)),
            None if self.context.layout == Layout::Packed && self.summary.planned.is_none() => {
                let what = "all games are finished, and `end` is missing: the command of the run writes it";
                self.take(vec![Finding::unfinished("run.json", what)]);
            }
            None => {}
        }
    }

    /// Checks the rows of `games.jsonl`, batch by batch.
    fn rows(&mut self, rows: &mut Rows, moves: &mut Moves, stderr: &mut Stderr) -> Result<(), ReadError> {
        let (mut batch, mut bytes, mut over, mut after_bad) = (Vec::new(), 0, false, false);
        while !over {
            let line = match rows.next_bytes() {
                Ok(Some(line)) => Ok(line.strip_suffix(b"\n").unwrap_or(line).to_vec()),
                Ok(None) => {
                    over = true;
                    Err(None)
                }
                Err(ReadError::Line { problem, .. }) => Err(Some(problem.to_string())),
                Err(error) => return Err(error),
            };
            let item = line.and_then(|line| match serde_json::from_slice(&line) {
                Ok(row) => Ok((row, line)),
                Err(error) => {
                    if let Some(game) = game_of(&line) {
                        self.seen.insert(game);
                    }
                    Err(Some(format!("not a row of a game: {error}")))
                }
            });
            match item {
                Ok((row, line)) => {
                    let after_bad = std::mem::take(&mut after_bad);
                    let job = self.job(row, line, rows.number(), moves, stderr, after_bad)?;
                    bytes += job.bytes();
                    batch.push(Item::Game(Box::new(job)));
                }
                Err(Some(problem)) => {
                    after_bad = true;
                    batch.push(Item::Bad(Finding::differs("games.jsonl", &problem).at_line(rows.number())));
                }
                Err(None) => {}
            }
            if over || batch.len() >= BATCH.0 || bytes >= BATCH.1 {
                self.batch(&batch)?;
                batch.clear();
                bytes = 0;
            }
        }
        Ok(())
    }

    /// Finds the data of a row of `games.jsonl`.
    fn job(
        &mut self,
        row: GameRow,
        line: Vec<u8>,
        number: u64,
        moves: &mut Moves,
        stderr: &mut Stderr,
        after_bad: bool,
    ) -> Result<Job, ReadError> {
        let prev_sha256 = std::mem::replace(&mut self.last_sha256, sha256_of_line(&line));
        // After a deleted row, the rows of its moves may still exist.
        let after_bad = after_bad || row.prev_sha256.as_ref().is_some_and(|prev| *prev != prev_sha256);
        let moves = moves.take(row.game, row.moves_end, after_bad)?;
        let packed = row.packed.unwrap_or_default();
        let stderr = stderr.take(packed.stderr_end)?;
        self.rows += 1;
        self.named.row(self.rows, &self.last_sha256, row.game);
        (self.moves_end, self.stderr_end) = (row.moves_end, packed.stderr_end);
        let attempt = self.attempts.remove(&row.game).unwrap_or(0) + 1;
        if self.planned.rule(&row).outcome().is_none() {
            self.attempts.insert(row.game, attempt);
        }
        let brief = self.planned.rule(&row);
        let counted = brief.outcome().is_some();
        if brief.ruling != Some(Ruling::Annulled) {
            self.course.add(&row);
        }
        let mut misplaced = None;
        let (spec, result) = self.planned.take(&row);
        if let Ok(result) = &result {
            self.standings.add(&brief, result);
        }
        let stray = result.err();
        if counted {
            self.seen.insert(row.game);
        }
        let evidence = match (row.reason, self.void.get(&row.game)) {
            (Reason::Void, _) if row.wire_sha256.is_empty() => Which::Gone,
            _ if self.context.layout == Layout::Packed => {
                if !self.members.take(&packed) {
                    let what = format!(
                        "game {}: its evidence cannot be there, before the evidence of earlier rows",
                        row.game
                    );
                    misplaced =
                        Some(Finding::differs("games.jsonl", &what).at_line(number).of_game(row.game));
                }
                Which::Member(packed)
            }
            (Reason::Void, Some(voids)) if row.prev_sha256.is_none() && voids.last != number => Which::Gone,
            (Reason::Void, _) => Which::OfVoid,
            _ => Which::OfGame,
        };
        Ok(Job { row, line, number, moves, evidence, stderr, attempt, spec, stray, prev_sha256, misplaced })
    }

    /// Checks a batch of games with all processors; takes the findings in the order of the games.
    fn batch(&mut self, batch: &[Item]) -> Result<(), ReadError> {
        let context = self.context;
        let results: Vec<OnceLock<Result<Checked, ReadError>>> =
            batch.iter().map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let (Some(item), Some(slot)) = (batch.get(index), results.get(index)) else { return };
                if let Item::Game(job) = item {
                    let _once = slot.set(game::check(context, job));
                }
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(batch.len());
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        for (item, result) in batch.iter().zip(results) {
            match (item, result.into_inner()) {
                (Item::Bad(finding), _) => self.take(vec![finding.clone()]),
                (Item::Game(job), Some(checked)) => self.checked(job.number, &job.row, checked?),
                (Item::Game(_), None) => {}
            }
        }
        Ok(())
    }

    fn checked(&mut self, number: u64, row: &GameRow, checked: Checked) {
        self.take(checked.findings);
        self.summary.plies += checked.plies;
        self.all_heard &= checked.followed;
        for (bot, hello) in checked.hellos {
            let mut bots = self.context.run.bots.iter().zip(&mut self.heard);
            if let Some((known, heard)) = bots.find(|(known, _)| known.name == bot) {
                *heard |= known.hello.as_ref() == Some(&hello);
            }
        }
        let mut brief = GameBrief::from(row);
        self.planned.rulings().rule(number, &mut brief);
        match brief.outcome() {
            Some(_) if checked.followed => self.summary.games += 1,
            Some(_) => self.summary.unfollowed += 1,
            None => self.summary.void += 1,
        }
    }

    /// Reports wire files that belong to no row, and hellos that no bot sent.
    fn leftovers(&mut self) -> Result<(), ReadError> {
        for (file, orphan) in leftovers::find(self.context, &self.seen, &self.void)? {
            let rowless = |what: &str, game| Finding::unfinished(&file, what).of_game(game);
            match orphan {
                // Nothing will be added: a game that was running when the referee was killed was not needed.
                Orphan::Rowless(_) if self.summary.planned.is_none() => self.summary.cut += 1,
                Orphan::Cut => self.summary.cut += 1,
                Orphan::Rowless(game) => {
                    self.take(vec![rowless("this game has no row in games.jsonl", game)]);
                }
                Orphan::Strange => {
                    self.take(vec![Finding::differs(&file, "this is not a file of a record")]);
                }
            }
        }
        // A hello is recorded as soon as it is received; its game may be unfinished.
        let known = self.all_heard && self.summary.unfinished == 0;
        let unheard = self.context.run.bots.iter().zip(&self.heard);
        let unheard: Vec<Finding> = unheard
            .filter(|(bot, heard)| known && bot.hello.is_some() && !**heard)
            .map(|(bot, _)| Finding::differs("run.json", &format!("the hello of {} is in no game", bot.name)))
            .collect();
        self.take(unheard);
        Ok(())
    }
}

/// Hashes a row with its newline.
fn sha256_of_line(line: &[u8]) -> String {
    hex(&Sha256::new().chain_update(line).chain_update(b"\n").finalize())
}
