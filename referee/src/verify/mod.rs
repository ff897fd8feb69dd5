//! Verifying a run's record, as anyone may who has nothing but the directory.
//!
//! Every wire file is replayed through the very machine that played the game ([`crate::game`]): what was said to it goes
//! in, and all that it says and notes must come out as it stands there, to the byte. From the machine come the rows of
//! `moves.jsonl` and `games.jsonl` anew. Beside that, the moves of every row are played by the rules core alone, so
//! that a fault of the machine does not verify itself.
//!
//! A record that a killed referee left is unfinished at its ends; that is told, and is no difference.

mod compare;
mod context;
mod finding;
mod game;
mod job;
mod moves;
mod plies;
mod replay;
mod rules;
mod seen;

pub use finding::{Finding, Kind};

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use serde::Serialize;

use self::context::{Context, io_error};
use self::finding::Findings;
use self::game::Checked;
use self::job::{Evidence, Job};
use self::moves::Moves;
use self::seen::{Seen, game_of};
use crate::plan::{Format, Plan};
use crate::record::Files;
use crate::record::read::{self, ReadError, Rows};
use crate::results::standings::{self, Standings, StandingsRow};
use crate::schedule::TestState;
use crate::schedule::planned::Planned;

/// How many games are checked as one batch by all processors together, and how many bytes of rows end a batch sooner.
const BATCH: (usize, usize) = (256, 8 << 20);

/// The version of the rulebook that the rules core knows.
const RULES: u32 = 1;

/// What a verification came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many games are finished and count.
    pub games: u64,
    /// How many the run is to have, as far as is known; null where it is complete.
    pub planned: Option<u64>,
    /// How many rows are of games that did not count.
    pub void: u64,
    /// How many plies were replayed.
    pub plies: u64,
    /// How many differences there are.
    pub differences: u64,
    /// How many places are unfinished.
    pub unfinished: u64,
    /// What each bot has scored in all games that count, recomputed, in the order of the plan.
    pub bots: Vec<Standing>,
    /// A tournament's standings, recomputed: what its last event and its last table told. Empty for a match.
    pub rows: Vec<StandingsRow>,
    /// Where its sequential test stands, recomputed, if it is one.
    pub test: Option<TestState>,
}

/// What a bot has scored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The bot's name in the run.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points: 1 for a win, 0.5 for a draw.
    pub score: f64,
}

/// Verifies the record in a directory and reports what is found, in the order of the files.
///
/// Memory is bounded by the longest game, not by their number, but for a few bits a game. All processors are used.
///
/// # Errors
/// [`ReadError`] where there is no record to verify: `run.json` cannot be read or understood, a file cannot be read.
pub fn verify(files: &Files, report: impl FnMut(&Finding)) -> Result<Summary, ReadError> {
    let (context, planned, text) = context(files)?;
    let mut clerk = Clerk::new(&context, planned, report);
    clerk.take(check_run(&context, &text));
    clerk.games()?;
    clerk.leftovers()?;
    Ok(clerk.summary)
}

/// Reads `run.json`, and hands out its text too.
fn context(files: &Files) -> Result<(Context, Planned, String), ReadError> {
    let run = read::run(files)?;
    let path = files.run();
    let text = std::fs::read_to_string(&path).map_err(|source| io_error(&path, source))?;
    let bad = |problem: String| ReadError::Line { path: path.clone(), line: 1, problem };
    let plan: Plan =
        serde_json::from_value(run.plan.clone()).map_err(|error| bad(format!("its plan: {error}")))?;
    let planned = Planned::new(&plan).map_err(|error| bad(format!("its plan: {error}")))?;
    Ok((Context { files: files.clone(), run, plan }, planned, text))
}

/// Checks `run.json` within itself.
fn check_run(context: &Context, text: &str) -> Vec<Finding> {
    let Context { run, plan, .. } = context;
    let mut findings = Findings::default();
    let mut differs = |what: &str, is: String, should: String| {
        findings.push(Finding::differs("run.json", what).showing(&is, &should));
    };
    let mut written = serde_json::to_string_pretty(run).unwrap_or_default();
    written.push('\n');
    if written != text {
        let (is, should) = compare::excerpts(text.as_bytes(), written.as_bytes());
        differs("it is not as the referee writes it", is, should);
    }
    if run.protocol != bao_protocol::VERSION {
        differs("protocol", run.protocol.to_string(), bao_protocol::VERSION.to_string());
    }
    if run.rules != RULES {
        differs("rules", run.rules.to_string(), RULES.to_string());
    }
    if run.seed != plan.seed {
        differs("seed is not the plan's", run.seed.to_string(), plan.seed.to_string());
    }
    let named: Vec<_> = run.bots.iter().map(|bot| (&bot.name, &bot.command)).collect();
    let planned: Vec<_> = plan.bots.iter().map(|bot| (&bot.name, &bot.command)).collect();
    if named != planned {
        differs("bots are not the plan's", format!("{named:?}"), format!("{planned:?}"));
    }
    findings.into_list("run.json")
}

/// Goes through the record and sums up.
struct Clerk<'a, F> {
    context: &'a Context,
    planned: Planned,
    standings: Standings,
    report: F,
    summary: Summary,
    // The games that count, as far as their rows have been read, and the last rows of those that did not.
    seen: Seen,
    void: BTreeMap<u64, u64>,
    // The hello that `run.json` gives each bot: whether it was said in a game.
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
        let standing =
            |name: &String| Standing { name: name.clone(), wins: 0, draws: 0, losses: 0, score: 0.0 };
        let summary = Summary {
            games: 0,
            planned: None,
            void: 0,
            plies: 0,
            differences: 0,
            unfinished: 0,
            bots: context.plan.bots.iter().map(|bot| standing(&bot.name)).collect(),
            rows: Vec::new(),
            test: None,
        };
        let heard = vec![false; context.run.bots.len()];
        Self {
            context,
            planned,
            standings: Standings::new(&context.plan),
            report,
            summary,
            seen: Seen::default(),
            void: BTreeMap::new(),
            heard,
            all_heard: true,
        }
    }

    fn take(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            match finding.kind {
                Kind::Difference => self.summary.differences += 1,
                Kind::Unfinished => self.summary.unfinished += 1,
            }
            (self.report)(&finding);
        }
    }

    fn games(&mut self) -> Result<(), ReadError> {
        let path = self.context.files.games();
        let mut moves = Moves::open(&self.context.files)?;
        if path.exists() {
            self.void = seen::last_voids(&path)?;
            let mut rows = Rows::open(&path)?;
            self.rows(&mut rows, &mut moves)?;
            if rows.torn() > 0 {
                let what = format!("the last row is torn: {} bytes without a newline", rows.torn());
                self.take(vec![Finding::unfinished("games.jsonl", &what)]);
            }
        }
        if moves.rest() > 0 {
            let what = format!("{} bytes behind the rows of the last finished game", moves.rest());
            self.take(vec![Finding::unfinished("moves.jsonl", &what)]);
        }
        self.summary.planned = self.planned.still_to_come();
        if let Some(planned) = self.summary.planned {
            let what = format!("{} of {planned} games are finished", self.summary.games);
            self.take(vec![Finding::unfinished("games.jsonl", &what)]);
        }
        if !matches!(self.context.plan.format, Format::Match { .. }) {
            let schedule = self.planned.schedule();
            self.summary.rows = self.standings.snapshot(schedule.ranking()).rows(standings::REPLICATES);
            self.summary.test = schedule.test();
        }
        Ok(())
    }

    /// Goes through the rows of `games.jsonl`, batch by batch.
    fn rows(&mut self, rows: &mut Rows, moves: &mut Moves) -> Result<(), ReadError> {
        let (mut batch, mut bytes, mut over, mut after_bad) = (Vec::new(), 0, false, false);
        while !over {
            let line = match rows.next_bytes() {
                Ok(Some(line)) => Ok(line.strip_suffix(b"\n").unwrap_or(line).to_vec()),
                Ok(None) => {
                    over = true;
                    Err(None)
                }
                Err(ReadError::Line { problem, .. }) => Err(Some(problem)),
                Err(error) => return Err(error),
            };
            let item = line.and_then(|line| match serde_json::from_slice(&line) {
                Ok(row) => Ok((row, line)),
                Err(error) => {
                    if let Some(game) = game_of(&line) {
                        self.seen.insert(game);
                    }
                    Err(Some(format!("this is no row of a game: {error}")))
                }
            });
            match item {
                Ok((row, line)) => {
                    let job = self.job(row, line, rows.number(), moves, std::mem::take(&mut after_bad))?;
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

    /// Finds what belongs to a row of `games.jsonl`.
    fn job(
        &mut self,
        row: GameRow,
        line: Vec<u8>,
        number: u64,
        moves: &mut Moves,
        after_bad: bool,
    ) -> Result<Job, ReadError> {
        let moves = moves.take(row.game, row.moves_end, after_bad)?;
        let (spec, result) = self.planned.take(&row, &self.context.plan);
        if let Ok(result) = &result {
            self.standings.add(&(&row).into(), result);
        }
        let stray = result.err();
        let evidence = match (row.reason, self.void.get(&row.game)) {
            (Reason::Void, last) if last != Some(&number) || row.wire_sha256.is_empty() => Evidence::Gone,
            (Reason::Void, _) => Evidence::OfVoid,
            _ => {
                self.seen.insert(row.game);
                Evidence::OfGame
            }
        };
        Ok(Job { row, line, number, moves, evidence, spec, stray })
    }

    /// Checks a batch of games with all processors; takes what was found in their order.
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
                (Item::Game(job), Some(checked)) => self.checked(&job.row, checked?),
                (Item::Game(_), None) => {}
            }
        }
        Ok(())
    }

    fn checked(&mut self, row: &GameRow, checked: Checked) {
        self.take(checked.findings);
        self.summary.plies += checked.plies;
        self.all_heard &= checked.followed;
        for (bot, hello) in checked.hellos {
            let mut bots = self.context.run.bots.iter().zip(&mut self.heard);
            if let Some((known, heard)) = bots.find(|(known, _)| known.name == bot) {
                *heard |= known.hello.as_ref() == Some(&hello);
            }
        }
        let Some(score_south) = row.score_south else {
            self.summary.void += 1;
            return;
        };
        self.summary.games += 1;
        for (name, score) in [(&row.south, score_south), (&row.north, 1.0 - score_south)] {
            let Some(bot) = self.summary.bots.iter_mut().find(|bot| bot.name == *name) else { continue };
            bot.score += score;
            bot.wins += u64::from(score > 0.75);
            bot.losses += u64::from(score < 0.25);
            bot.draws += u64::from((0.25..=0.75).contains(&score));
        }
    }

    /// Tells of wire files that belong to no row, and of hellos that nobody said.
    fn leftovers(&mut self) -> Result<(), ReadError> {
        let dir = self.context.files.wires();
        let mut orphans = Vec::new();
        match std::fs::read_dir(&dir) {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.map_err(|source| io_error(&dir, source))?.file_name();
                    orphans.extend(name.to_str().and_then(|name| self.orphan(name)));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(io_error(&dir, source)),
        }
        orphans.sort_unstable();
        for (game, name) in orphans {
            let what = "this game has no row in games.jsonl";
            self.take(vec![Finding::unfinished(&format!("wire/{name}"), what).of_game(game)]);
        }
        // A hello is written down as soon as it is said; the game in which it was said may be an unfinished one.
        let known = self.all_heard && self.summary.unfinished == 0;
        let unheard = self.context.run.bots.iter().zip(&self.heard);
        let unheard: Vec<Finding> = unheard
            .filter(|(bot, heard)| known && bot.hello.is_some() && !**heard)
            .map(|(bot, _)| {
                Finding::differs("run.json", &format!("the hello of {} was said in no game", bot.name))
            })
            .collect();
        self.take(unheard);
        Ok(())
    }

    /// Tells whether a file in the directory of evidence belongs to no row.
    fn orphan(&self, name: &str) -> Option<(u64, String)> {
        let stem = name.strip_suffix(".jsonl")?;
        let (game, known) = match stem.strip_suffix(".void") {
            Some(game) => (game.parse().ok()?, self.void.contains_key(&game.parse().ok()?)),
            None => (stem.parse().ok()?, self.seen.contains(stem.parse().ok()?)),
        };
        (!known).then(|| (game, name.to_owned()))
    }
}
