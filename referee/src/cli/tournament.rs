//! `referee tournament`: plays the tournament that a file describes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::dry_run::DryRunArguments;
use super::failure::Failure;
use super::follow::Manner;
use super::seed;
use super::session::{Played, Session};
use super::tables;
use super::values::pin;
use crate::plan::{self, Absent, EventFile, Format, Plan};
use crate::processors::Pin;
use crate::results::pool::Pool;
use crate::results::sources;
use crate::text::count::count;
use bao_stats::RatingOptions;

/// Play a tournament described by a file: round robin, gauntlet, Swiss, knockout, or a sequential test.
///
/// docs/tournament.toml is an example with every key. --out records the games. If the tournament is stopped or killed, the
/// same command continues it: no finished game is lost or played twice.
#[derive(Debug, Args)]
pub(super) struct Tournament {
    /// Tournament file.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Record the tournament in DIR. If the tournament is stopped, the same command continues it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of games to play at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    concurrency: u64,
    /// Give each game whole processor cores of its own, and the referee another. Refused if there are too few.
    #[arg(long, value_name = "WHAT", value_parser = pin())]
    pin: Option<Pin>,
    /// Print the standings after every PAIRS pairs of games; 0 prints them only at the end.
    #[arg(long, value_name = "PAIRS", default_value_t = 50)]
    standings: u64,
    /// Print one JSON object per event (tournament, game, move, verdict, standings, end) instead of the result.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry_run: DryRunArguments,
    /// Do not report games and standings on standard error.
    #[arg(long)]
    quiet: bool,
}

impl Tournament {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (plan, absent) = read(&self.file, self.out.as_deref())?;
        let manner = Manner { what: "tournament", json: self.json, quiet: self.quiet, every: self.standings };
        let session = Session {
            plan,
            absent,
            out: self.out,
            concurrency: self.concurrency,
            pin: self.pin,
            manner,
            part: None,
        };
        if self.dry_run.dry_run {
            return session.dry_run(&self.dry_run);
        }
        let played = session.play(end)?;
        if played.for_people && played.standings.games() > 0 {
            io::stdout().write_all(text(&played).as_bytes())?;
        }
        played.verdict()
    }
}

/// Reads a tournament's file, with the seed of its record if there is one; its bots are put in the order of earlier results
/// if the file asks for this.
pub(super) fn read(file: &Path, out: Option<&Path>) -> Result<(Plan, Absent), Failure> {
    let EventFile { mut plan, absent, seeds_from } = plan::event(file, seed::of_run(out))?;
    if seeds_from.is_empty() {
        return Ok((plan, absent));
    }
    let mut pool = Pool::default();
    for path in &seeds_from {
        sources::add(&mut pool, path)?;
    }
    let rated = pool.rate(&RatingOptions { replicates: 0, ..RatingOptions::default() });
    let place = |name: &str| rated.iter().position(|bot| bot.elo.is_some() && bot.name == name);
    // Bots without a rating come last, in the order of the file.
    plan.bots.sort_by_key(|bot| place(&bot.name).unwrap_or(rated.len()));
    Ok((plan, absent))
}

pub(super) fn end(played: &Played) -> Value {
    let rows = played.standings.snapshot(&played.schedule).rows();
    let mut end = json!(played.standings.notes(&played.schedule));
    end["given_up"] = json!(played.schedule.given_up());
    end["rows"] = json!(rows);
    end["test"] = json!(played.schedule.test());
    end
}

pub(super) fn text(played: &Played) -> String {
    let Played { plan, schedule, standings, .. } = played;
    let notes = standings.notes(schedule);
    let variants: Vec<&str> = plan.games.iter().map(|game| game.variant.as_str()).collect();
    let kind = match plan.format {
        Format::Match { .. } => "match",
        Format::RoundRobin { .. } => "round robin",
        Format::Gauntlet { .. } => "gauntlet",
        Format::Swiss { .. } => "Swiss",
        Format::Knockout { .. } => "knockout",
        Format::Sprt { .. } => "sequential test",
    };
    let event = plan.event.as_ref().map_or(String::new(), |event| format!("{event}: "));
    let mut text = format!("{event}{kind}, {}, {}\n", variants.join(" and "), count(notes.games, "game"));
    text.push_str(&tables::standings(&standings.snapshot(schedule).rows()));
    text.extend(schedule.test().map(|test| tables::test(&test)));
    let endings: Vec<String> =
        notes.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    text.push_str(&format!("endings: {}\n", endings.join(", ")));
    if notes.repeated_pairs > 0 && schedule.test().is_none() {
        text.push_str(&tables::repeats(notes.repeated_pairs));
    }
    if notes.void > 0 {
        text.push_str(&tables::voids(notes.void));
    }
    if schedule.given_up() > 0 {
        text.push_str(&tables::given_up(schedule.given_up(), schedule.test().is_some()));
    }
    text
}
