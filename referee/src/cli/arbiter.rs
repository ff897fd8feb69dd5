//! `referee rerun`, `correct`, `disqualify`, `extend` and `undo`: what an arbiter decides about a record.

use std::io::{self, Write};
use std::path::PathBuf;

use bao_protocol::Seat;
use bao_protocol::record::{Act, Deed, Format, Run};
use clap::Args;

use super::difference::{Side, differences};
use super::failure::Failure;
use super::json::json_line;
use super::recorded::{self, Floor};
use super::refused::Refused;
use super::tournament;
use crate::arbiter::{self, Acts, Rulings};
use crate::plan::Plan;
use crate::record::read::{self, GameBrief};
use crate::record::{self, Files, Layout};
use crate::run::RunError;
use crate::schedule::GameResult;
use crate::schedule::planned::Planned;

/// What every decision needs.
#[derive(Debug, Args)]
pub(super) struct Decision {
    /// Directory of the record.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Reason for the decision; it is in the record and in the report.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Print the decision as one JSON object, as it is in acts.jsonl.
    #[arg(long)]
    json: bool,
}

/// Let a game be played again: its result no longer counts.
///
/// The row and the evidence of the game stay in the record. The command of the match or tournament plays the game. If other
/// games depend on the result (the next round of a Swiss or a knockout), this is refused.
#[derive(Debug, Args)]
pub(super) struct Rerun {
    #[command(flatten)]
    decision: Decision,
    /// Number of the game.
    game: u64,
}

/// Give a game another result.
///
/// The row and the evidence of the game stay as they were played; standings, ratings and report use the new result. In a
/// Swiss, rounds that were drawn before stay as they are.
#[derive(Debug, Args)]
pub(super) struct Correct {
    #[command(flatten)]
    decision: Decision,
    /// Number of the game.
    game: u64,
    /// South, north, draw, or the name of the bot that wins.
    result: String,
}

/// Take a bot out of the event.
///
/// It plays no more games. As for a bot that was withdrawn because it failed too often, its games stop counting in a round
/// robin and a gauntlet; in a Swiss they count; in a knockout its opponent goes through.
#[derive(Debug, Args)]
pub(super) struct Disqualify {
    #[command(flatten)]
    decision: Decision,
    /// Name of the bot.
    bot: String,
}

/// Make a tournament longer: more cycles or rounds, more bots, another title.
///
/// Change the tournament file first: raise `cycles` or `rounds`, add a `[[bot]]` at the end, or change `event`. Then give it
/// to this command, and continue with the command of the tournament. A bot that comes late plays everybody in as many cycles
/// as the others; in a Swiss it begins in the next round.
#[derive(Debug, Args)]
pub(super) struct Extend {
    #[command(flatten)]
    decision: Decision,
    /// Changed tournament file.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
}

/// Take a decision back, as if it had never been made.
///
/// If games were played because of it, this is refused. `referee show DIR` lists the decisions with their numbers.
#[derive(Debug, Args)]
pub(super) struct Undo {
    #[command(flatten)]
    decision: Decision,
    /// Number of the decision.
    act: u64,
}

impl Rerun {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { decision, game } = self;
        decision.make(|case| Ok(Deed::Rerun { game, row: case.result_of(game)?.row }))
    }
}

impl Correct {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { decision, game, result: wanted } = self;
        decision.make(|case| {
            let Counted { row, south, north, winner: now, .. } = case.result_of(game)?;
            let winner = match wanted.as_str() {
                name if *name == *south => Some(Seat::South),
                name if *name == *north => Some(Seat::North),
                word if word.eq_ignore_ascii_case("south") => Some(Seat::South),
                word if word.eq_ignore_ascii_case("north") => Some(Seat::North),
                word if word.eq_ignore_ascii_case("draw") => None,
                _ => {
                    let (south, north) = (south.clone(), north.clone());
                    return Err(Refused::Result { wanted: wanted.clone(), south, north }.into());
                }
            };
            if winner == *now {
                return Err(Refused::Already(game).into());
            }
            Ok(Deed::Correct { game, row: *row, winner })
        })
    }
}

impl Disqualify {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { decision, bot } = self;
        decision.make(|case| {
            let plan = &case.rulings.plan;
            let Some(place) = plan.bot(&bot) else {
                let names = plan.bots.iter().map(|bot| bot.name.clone()).collect();
                return Err(Refused::NoBot { wanted: bot.clone(), names }.into());
            };
            if case.withdrawn.contains(&place) {
                return Err(Refused::Out(bot.clone()).into());
            }
            Ok(Deed::Disqualify { bot: bot.clone() })
        })
    }
}

impl Undo {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { decision, act: undoes } = self;
        decision.make(|case| {
            let known = case.rulings.active().any(|act| act.act == undoes);
            let acts = case.rulings.acts.acts.len();
            if known { Ok(Deed::Undo { undoes }) } else { Err(Refused::NoAct { act: undoes, acts }.into()) }
        })
    }
}

impl Extend {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { decision, file } = self;
        let (plan, _) = tournament::read(&file, Some(&decision.dir))?;
        decision.make(|case| {
            let asked = recorded::new(&plan, &Floor { concurrency: 1, pinning: None })?;
            is_extended(&case.rulings.plan, &plan)?;
            let mut as_before = asked.plan.clone();
            let now = &case.rulings.json;
            as_before["event"] = now["event"].clone();
            for key in ["cycles", "rounds"] {
                if let Some(value) = now["format"].get(key) {
                    as_before["format"][key] = value.clone();
                }
            }
            let bots = case.rulings.plan.bots.len();
            as_before["bots"].as_array_mut().into_iter().for_each(|list| list.truncate(bots));
            let then = Side { plan: now, bots: &case.run.bots };
            let same = Side { plan: &as_before, bots: asked.bots.get(..bots).unwrap_or_default() };
            if let Some(differences) = differences(then, same) {
                return Err(Refused::Other(differences).into());
            }
            let mut extended = now.clone();
            for key in ["event", "format"] {
                extended[key] = asked.plan[key].clone();
            }
            let more = asked.plan["bots"].as_array().into_iter().flatten().skip(bots).cloned();
            extended["bots"].as_array_mut().into_iter().for_each(|list| list.extend(more.clone()));
            if extended == *now {
                return Err(Refused::NothingNew.into());
            }
            case.run.bots.truncate(bots);
            case.run.bots.extend(asked.bots.into_iter().skip(bots));
            Ok(Deed::Extend { plan: extended })
        })
    }
}

/// Checks that a format grows in a way in which it can.
fn is_extended(then: &Plan, now: &Plan) -> Result<(), Refused> {
    let fits = match (&then.format, &now.format) {
        (Format::Match { .. }, _) => return Err(Refused::Match),
        (Format::RoundRobin { cycles: then }, Format::RoundRobin { cycles: now })
        | (Format::Gauntlet { cycles: then, .. }, Format::Gauntlet { cycles: now, .. })
        | (Format::Swiss { rounds: then, .. }, Format::Swiss { rounds: now, .. }) => now >= then,
        (then_format, now_format) => then_format != now_format || then.bots.len() == now.bots.len(),
    };
    if fits && now.bots.len() >= then.bots.len() {
        return Ok(());
    }
    let size = |plan: &Plan| {
        let many = match plan.format {
            Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => {
                format!(" and {cycles} cycles")
            }
            Format::Swiss { rounds, .. } => format!(" and {rounds} rounds"),
            Format::Match { .. } | Format::Knockout { .. } | Format::Sprt { .. } => String::new(),
        };
        format!("{} bots{many}", plan.bots.len())
    };
    let kind = match then.format {
        Format::RoundRobin { .. } => "a round robin",
        Format::Gauntlet { .. } => "a gauntlet",
        Format::Swiss { .. } => "a Swiss",
        Format::Knockout { .. } => "a knockout",
        Format::Sprt { .. } => "a sequential test",
        Format::Match { .. } => "a match",
    };
    Err(Refused::Fewer { kind, then: size(then), now: size(now) })
}

/// A record about which is decided.
#[derive(Debug)]
struct Case {
    run: Run,
    rulings: Rulings,
    /// The rows that count, by their games.
    counted: Vec<(u64, Counted)>,
    rows: u64,
    last_sha256: String,
    withdrawn: Vec<usize>,
    /// The schedule after all rows.
    planned: Planned,
}

/// A row that counts.
#[derive(Debug, Clone)]
struct Counted {
    row: u64,
    south: String,
    north: String,
    winner: Option<Seat>,
}

impl Case {
    /// Reads a record under rulings.
    fn read(files: &Files, run: &Run, rulings: Rulings) -> Result<Self, Failure> {
        let mut planned = Planned::new(rulings.clone())?;
        let (mut counted, mut rows, mut stray) = (std::collections::BTreeMap::new(), 0, None);
        let rule = |number, row: &mut GameBrief<'_>| rulings.rule(number, row);
        let tail = record::survey(files, run, rule, |row| -> Result<(), std::convert::Infallible> {
            rows += 1;
            match planned.continue_with(row) {
                Ok(GameResult { .. }) => {}
                Err(why) => stray = stray.take().or(Some(why)),
            }
            match row.outcome() {
                Some(south) => {
                    let winner = match south.half_points() {
                        2 => Some(Seat::South),
                        0 => Some(Seat::North),
                        _ => None,
                    };
                    let (south, north) = (row.south.to_string(), row.north.to_string());
                    counted.insert(row.game, Counted { row: rows, south, north, winner });
                }
                None => drop(counted.remove(&row.game)),
            }
            Ok(())
        });
        let tail = tail.map_err(Failure::Broken)?;
        if let Some(why) = stray {
            return Err(Refused::TooLate(why).into());
        }
        let withdrawn = planned.schedule().withdrawn().to_vec();
        let counted = counted.into_iter().collect();
        Ok(Self {
            run: run.clone(),
            rulings,
            counted,
            rows,
            last_sha256: tail.last_sha256,
            withdrawn,
            planned,
        })
    }

    fn result_of(&self, game: u64) -> Result<&Counted, Refused> {
        let found = self.counted.binary_search_by_key(&game, |(game, _)| *game);
        found.map(|place| &self.counted[place].1).map_err(|_| Refused::NoResult(game))
    }
}

impl Decision {
    /// Makes a decision about the record, if the record can be read by it to its end.
    fn make(&self, deed: impl FnOnce(&mut Case) -> Result<Deed, Failure>) -> Result<(), Failure> {
        let reason = self.reason.trim();
        if reason.is_empty() || reason.chars().any(char::is_control) {
            return Err(Refused::Reason.into());
        }
        let files = Files::new(&self.dir);
        read::run(&files)?;
        let _lock = recorded::lock(&files)?;
        let run = read::run(&files)?;
        if Layout::of(&run) == Layout::Apart {
            return Err(Refused::OldVersion(self.dir.clone()).into());
        }
        let rulings = Rulings::read(&files, &run)?;
        let mut case = Case::read(&files, &run, rulings)?;
        let deed = deed(&mut case)?;
        let Case { mut run, rulings, rows, last_sha256, .. } = case;
        let mut acts = rulings.acts.clone();
        let act = Act {
            act: acts.acts.len() as u64 + 1,
            at: record::timestamp(),
            rows,
            last_sha256,
            prev_sha256: acts.last_sha256(&run),
            deed,
            reason: reason.to_owned(),
        };
        let mut tried = acts.clone();
        tried.acts.push(act.clone());
        let mut after = Case::read(&files, &run, with(&run, tried, &files)?)?;
        // The end of the record is taken away first, and new bots come last: whenever this command dies, the command of the
        // run does the rest.
        if run.end.take().is_some() {
            let bots = run.bots.len().min(rulings.plan.bots.len());
            let before = Run { bots: run.bots[..bots].to_vec(), ..run.clone() };
            record::write_run(&files, &before).map_err(RunError::from)?;
        }
        arbiter::append(&files, &mut acts, act.clone()).map_err(RunError::from)?;
        if run.bots.len() > rulings.plan.bots.len() {
            record::write_run(&files, &run).map_err(RunError::from)?;
        }
        let over = after.planned.still_to_come().is_none();
        if over {
            let rulings = with(&run, acts.clone(), &files)?;
            run.end = Some(recorded::end(&files, &run, &rulings, after.planned.schedule())?);
            record::write_run(&files, &run).map_err(RunError::from)?;
        }
        let mut out = io::stdout().lock();
        if self.json {
            return Ok(json_line(&mut out, &act)?);
        }
        let words = with(&run, acts, &files)?.words(&run.plan).pop().unwrap_or_default();
        writeln!(out, "act {}: {words} ({})", act.act, act.reason)?;
        if !over {
            writeln!(out, "games are to be played: continue with the command of the run")?;
        }
        Ok(())
    }
}

/// Draws the conclusions of acts about a run.
fn with(run: &Run, acts: Acts, files: &Files) -> Result<Rulings, Failure> {
    let plan = serde_json::from_value(run.plan.clone());
    let plan = plan.map_err(|error| read::ReadError::Line {
        path: files.run(),
        line: 1,
        problem: read::BadLine::Plan(Box::new(error)),
    })?;
    Ok(Rulings::of(plan, run.plan.clone(), acts, files)?)
}
