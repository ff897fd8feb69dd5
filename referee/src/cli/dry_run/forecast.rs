//! Estimates how long a run will take, and what it will need.

use std::path::Path;

use bao_protocol::record::Pinning;
use bao_rules::Variant;
use serde::Serialize;

use super::trial::Trial;
use crate::plan::{Plan, likely_us, most_us, usual_plies};
use crate::record::BYTES_A_PLY;

/// The time of a move if the bots answer immediately, in microseconds.
const QUICK_PLY_US: f64 = 300.0;

/// How long the games that are left will take, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the unit is part of each name in the JSON")]
pub(super) struct Time {
    /// If the bots answer immediately.
    pub(super) least_s: f64,
    /// Like the measured games; without measured games, if the bots use their clocks with care.
    pub(super) likely_s: f64,
    /// If every game is as long as possible, and every clock is used up.
    pub(super) most_s: f64,
}

impl Time {
    /// Estimates it for this many games at this many tables.
    pub(super) fn foretell(plan: &Plan, games: u64, tables: u64, measured: Option<&Trial>) -> Self {
        let usual = plies_a_game(plan, measured);
        let rounds = games.div_ceil(tables.max(1)) as f64;
        let (bots, moves) = (plan.bots.len() as f64, (usual / 2.0).ceil() as u64);
        let careful: f64 = plan.bots.iter().map(|bot| likely_us(bot.clock, moves) as f64).sum::<f64>() / bots;
        let ply_us = measured.and_then(Trial::ply_us);
        let likely_us = ply_us.map_or(2.0 * careful + usual * QUICK_PLY_US, |ply_us| usual * ply_us);
        let longest = plan.max_plies.div_ceil(2);
        // With a clock that does not run down, every move has its own grace.
        let most = plan.bots.iter().map(|bot| most_us(bot.clock, longest)).max().unwrap_or(0);
        let most_us = 2.0 * (most as f64 + plan.grace_us as f64 + plan.ready_us as f64);
        let seconds = |us: f64| (rounds * us / 1e6 * 10.0).round() / 10.0;
        let least_s = seconds((usual * QUICK_PLY_US).min(likely_us));
        Self { least_s, likely_s: seconds(likely_us), most_s: seconds(most_us.max(likely_us)) }
    }
}

/// Returns how many moves a game has: as measured, or as in games of random moves.
fn plies_a_game(plan: &Plan, measured: Option<&Trial>) -> f64 {
    measured.and_then(Trial::plies_a_game).unwrap_or_else(|| {
        let variants = plan.games.iter().filter_map(|game| game.variant.parse::<Variant>().ok());
        let usual: Vec<u64> = variants.map(|variant| usual_plies(variant, plan.max_plies)).collect();
        usual.iter().sum::<u64>() as f64 / usual.len().max(1) as f64
    })
}

/// The disk space that the record will need, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Disk {
    /// The likely need of the games that are left; 0 without `--out`.
    pub(super) needed_bytes: u64,
    /// The free space on the disk of the record, if it is known.
    pub(super) free_bytes: Option<u64>,
}

impl Disk {
    /// Estimates it for this many games.
    pub(super) fn foretell(plan: &Plan, games: u64, out: Option<&Path>, measured: Option<&Trial>) -> Self {
        let Some(out) = out else { return Self { needed_bytes: 0, free_bytes: None } };
        let needed = games as f64 * plies_a_game(plan, measured) * BYTES_A_PLY as f64;
        let absolute = std::path::absolute(out).unwrap_or_else(|_| out.to_owned());
        let there = absolute.ancestors().find(|place| place.exists());
        let about = there.and_then(|place| rustix::fs::statvfs(place).ok());
        let free_bytes = about.map(|about| about.f_bavail.saturating_mul(about.f_frsize));
        Self { needed_bytes: needed as u64, free_bytes }
    }

    /// Warns if the record may not fit.
    pub(super) fn warning(&self) -> Option<String> {
        let free = self.free_bytes?;
        let (needed, free) = (self.needed_bytes / MIB, free / MIB);
        (needed.saturating_mul(2) > free).then(|| {
            format!("the record will take about {needed} MiB, and {free} MiB are free; choose another disk for --out")
        })
    }
}

pub(super) const MIB: u64 = 1 << 20;

/// The processors, and how many the bots will keep busy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Processors {
    /// How many there are for the referee and its bots.
    pub(super) available: u64,
    /// How many games are played at once.
    pub(super) concurrency: u64,
    /// How many bots may think at a time.
    pub(super) busy: u64,
    /// Which are whose; left out where all share all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pinning: Option<Pinning>,
}

impl Processors {
    pub(super) fn of(plan: &Plan, tables: u64, pinning: Option<Pinning>) -> Self {
        let available = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        // A bot that is stopped while it is not on turn leaves the processor to its opponent.
        let frozen = plan.bots.iter().all(|bot| bot.sandbox.freeze);
        Self { available, concurrency: tables, busy: if frozen { tables } else { 2 * tables }, pinning }
    }

    /// Warns if bots would share a processor.
    pub(super) fn warning(&self) -> Option<String> {
        if self.pinning.is_some() {
            return None;
        }
        let Self { available, concurrency, busy, .. } = *self;
        let fits = (available * concurrency / busy.max(1)).max(1);
        let frozen = busy == concurrency;
        let instead = if frozen { "" } else { ", or let --freeze stop the bots that are not on turn" };
        (busy > available).then(|| {
            let (are, processors) = if available == 1 { ("is", "processor") } else { ("are", "processors") };
            format!(
                "up to {busy} bots think at a time and there {are} {available} {processors}: they share them, and their \
                 clocks run meanwhile; play {fits} at once{instead}"
            )
        })
    }
}
