//! What follows from the acts of a record.

use std::collections::BTreeMap;

use bao_protocol::record::{Act, Deed, Format, Run, Size};
use serde_json::Value;

use super::acts::{Acts, acts};
use crate::plan::Plan;
use crate::record::Files;
use crate::record::read::{BadLine, GameBrief, ReadError, Ruling};

/// What the acts of a record say about its plan, its rows and its bots.
#[derive(Debug, Clone)]
pub struct Rulings {
    /// The plan as it is now; its [`before`](Plan::before) has the sizes that it had.
    pub plan: Plan,
    /// Its JSON.
    pub json: Value,
    /// The acts.
    pub acts: Acts,
    /// Which of them are in force, in the same order.
    pub in_force: Vec<bool>,
    // By the number of the row.
    rows: BTreeMap<u64, Ruling>,
}

impl Rulings {
    /// Reads the plan and the acts of a record.
    ///
    /// # Errors
    /// [`ReadError`] if the plan is not valid, or the acts cannot be read.
    pub fn read(files: &Files, run: &Run) -> Result<Self, ReadError> {
        let bad = |problem| ReadError::Line { path: files.run(), line: 1, problem };
        let plan =
            serde_json::from_value(run.plan.clone()).map_err(|error| bad(BadLine::Plan(Box::new(error))))?;
        Self::of(plan, run.plan.clone(), acts(files)?, files)
    }

    /// Returns the rulings of a run that has just begun: none.
    pub fn none(plan: Plan, json: Value) -> Self {
        let acts = Acts::default();
        Self { plan, json, acts, in_force: Vec::new(), rows: BTreeMap::new() }
    }

    /// Draws the conclusions from acts.
    ///
    /// # Errors
    /// [`ReadError`] if the plan of an act is not valid.
    pub fn of(plan: Plan, json: Value, acts: Acts, files: &Files) -> Result<Self, ReadError> {
        let in_force = in_force(&acts.acts);
        let mut rulings = Self { plan, json, acts, in_force, rows: BTreeMap::new() };
        for index in 0..rulings.acts.acts.len() {
            if !rulings.in_force[index] {
                continue;
            }
            let Act { act, rows, deed, .. } = rulings.acts.acts[index].clone();
            match deed {
                Deed::Rerun { row, .. } => drop(rulings.rows.insert(row, Ruling::Annulled)),
                Deed::Correct { row, winner, .. } => {
                    rulings.rows.insert(row, Ruling::Result { winner, rows });
                }
                Deed::Extend { plan } => {
                    let problem = |error| BadLine::Plan(Box::new(error));
                    let bad =
                        |error| ReadError::Line { path: files.acts(), line: act, problem: problem(error) };
                    rulings.extend(serde_json::from_value(plan.clone()).map_err(bad)?, plan, rows);
                }
                Deed::Disqualify { .. } | Deed::Undo { .. } => {}
            }
        }
        Ok(rulings)
    }

    fn extend(&mut self, mut plan: Plan, json: Value, rows: u64) {
        let mut before = std::mem::take(&mut self.plan.before);
        before.push(Size { bots: self.plan.bots.len(), cycles: cycles(&self.plan.format), rows });
        plan.before = before;
        (self.plan, self.json) = (plan, json);
    }

    /// Rules on the row with this number, counted from 1.
    pub fn rule(&self, number: u64, row: &mut GameBrief<'_>) {
        row.ruling = self.ruling(number);
    }

    /// Returns the ruling on the row with this number, counted from 1.
    pub fn ruling(&self, number: u64) -> Option<Ruling> {
        self.rows.get(&number).copied()
    }

    /// Returns the disqualified bots by their names, each with the number of rows that there were.
    pub fn disqualified(&self) -> impl Iterator<Item = (u64, &str)> {
        self.active().filter_map(|act| match &act.deed {
            Deed::Disqualify { bot } => Some((act.rows, bot.as_str())),
            Deed::Rerun { .. } | Deed::Correct { .. } | Deed::Extend { .. } | Deed::Undo { .. } => None,
        })
    }

    /// Returns the acts that are in force.
    pub fn active(&self) -> impl Iterator<Item = &Act> {
        self.acts.acts.iter().zip(&self.in_force).filter(|(_, in_force)| **in_force).map(|(act, _)| act)
    }
}

/// Returns how many cycles a format has; 0 if it has none.
pub(crate) fn cycles(format: &Format) -> u64 {
    match *format {
        Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => cycles,
        Format::Match { .. } | Format::Swiss { .. } | Format::Knockout { .. } | Format::Sprt { .. } => 0,
    }
}

/// Finds the acts that are not undone. The last one decides: who undoes an undoing restores what was undone.
fn in_force(acts: &[Act]) -> Vec<bool> {
    let mut in_force = vec![true; acts.len()];
    for index in (0..acts.len()).rev() {
        if let (true, Deed::Undo { undoes }) = (in_force[index], &acts[index].deed)
            && let Some(undone) = acts[..index].iter().position(|act| act.act == *undoes)
        {
            in_force[undone] = false;
        }
    }
    in_force
}
