//! Checks `acts.jsonl`: its chain, its place among the rows, and what its acts name.

use std::collections::BTreeMap;

use bao_protocol::record::{Act, Deed};

use super::context::Context;
use super::finding::{Finding, Findings};
use crate::arbiter::Rulings;

/// The rows that acts name, by their numbers: the hash of each, and its game.
#[derive(Debug, Default)]
pub(super) struct Named {
    rows: BTreeMap<u64, Option<(String, u64)>>,
}

impl Named {
    /// Finds the rows that acts name.
    pub(super) fn by(rulings: &Rulings) -> Self {
        let rows = rulings.acts.acts.iter().flat_map(|act| {
            let row = match act.deed {
                Deed::Rerun { row, .. } | Deed::Correct { row, .. } => Some(row),
                Deed::Disqualify { .. } | Deed::Extend { .. } | Deed::Undo { .. } => None,
            };
            [Some(act.rows), row]
        });
        Self { rows: rows.flatten().map(|row| (row, None)).collect() }
    }

    /// Notes a row.
    pub(super) fn row(&mut self, number: u64, sha256: &str, game: u64) {
        if let Some(named) = self.rows.get_mut(&number) {
            *named = Some((sha256.to_owned(), game));
        }
    }

    /// Checks the acts, after all rows.
    pub(super) fn check(self, context: &Context, rulings: &Rulings, rows: u64) -> Vec<Finding> {
        let mut findings = Findings::default();
        let mut prev = (&context.plan_sha256, 0);
        for (index, act) in rulings.acts.acts.iter().enumerate() {
            let mut differs = |key: &str, is: String, should: String| {
                if is != should {
                    let finding = Finding::differs("acts.jsonl", key).at_line(index as u64 + 1);
                    findings.push(finding.showing(&is, &should));
                }
            };
            differs("act", act.act.to_string(), (index + 1).to_string());
            differs("prev_sha256", act.prev_sha256.clone(), prev.0.clone());
            let bounds = prev.1..=rows;
            if !bounds.contains(&act.rows) {
                differs("rows", act.rows.to_string(), format!("{} to {rows}", prev.1));
            }
            let last = match (act.rows, self.rows.get(&act.rows)) {
                (0, _) => Some(context.plan_sha256.clone()),
                (_, Some(Some((sha256, _)))) => Some(sha256.clone()),
                (_, Some(None) | None) => None,
            };
            if let Some(last) = last {
                differs("last_sha256", act.last_sha256.clone(), last);
            }
            if let Some((what, should)) = self.misnamed(context, rulings, act, index) {
                differs("it decides about something that is not there", what, should);
            }
            prev = (&rulings.acts.sha256[index], act.rows.max(prev.1));
        }
        let mut list = findings.into_list("acts.jsonl");
        if rulings.acts.torn > 0 {
            let what = format!("the last act is incomplete: {} bytes without a newline", rulings.acts.torn);
            list.push(Finding::unfinished("acts.jsonl", &what));
        }
        list
    }

    /// Returns what an act names that does not exist, and what does.
    fn misnamed(
        &self,
        context: &Context,
        rulings: &Rulings,
        act: &Act,
        index: usize,
    ) -> Option<(String, String)> {
        match &act.deed {
            Deed::Rerun { game, row } | Deed::Correct { game, row, .. } => {
                let is = self.rows.get(row).and_then(|row| row.as_ref()).map(|(_, game)| *game);
                let there = *row <= act.rows && is == Some(*game);
                let should = is.map_or("no row".to_owned(), |game| format!("game {game}"));
                (!there).then(|| (format!("game {game} in row {row}"), should))
            }
            Deed::Disqualify { bot } => {
                let names =
                    || context.plan.bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(", ");
                context.plan.bot(bot).is_none().then(|| (bot.clone(), names()))
            }
            Deed::Undo { undoes } => {
                let earlier = rulings.acts.acts[..index].iter().any(|act| act.act == *undoes);
                (!earlier).then(|| (format!("act {undoes}"), "an earlier act".to_owned()))
            }
            Deed::Extend { .. } => None,
        }
    }
}
