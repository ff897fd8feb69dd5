//! How much time moves took, read from `moves.jsonl`: all of it where it is short, else from an evenly spaced sample
//! of games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use bao_protocol::Seat;
use bao_rules::Variant;
use serde::Deserialize;

use super::results::Timed;
use super::sample::Sample;
use crate::open;
use crate::record::Files;
use crate::record::read::ReadError;

/// How many bytes of `moves.jsonl` are read at most: about half a second.
const MOST_BYTES: u64 = 96 << 20;
/// How many plies of a game are distinguished; later ones are left out of the plot.
const MOST_PLIES: usize = 600;
/// Steps of the scale of times within each doubling: quantiles are right to 1/16.
const STEPS: u64 = 8;

/// What moves took.
#[derive(Debug)]
pub(super) struct Pace {
    /// Bot by bot.
    pub(super) bots: Vec<BotPace>,
    /// How many games were read.
    pub(super) games: u64,
}

/// What a bot's moves took.
#[derive(Debug, Clone, Default)]
pub(super) struct BotPace {
    /// How many moves were read.
    pub(super) moves: u64,
    /// What they took together, in microseconds.
    pub(super) total_us: u64,
    /// The longest, in microseconds.
    pub(super) longest_us: u64,
    /// The least time left on the clock after a move, in microseconds, where there is a clock.
    pub(super) least_left_us: Option<u64>,
    counts: Vec<u64>,
    plies: [Vec<Mean>; Variant::COUNT],
}

#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    total: f64,
    count: u64,
}

/// What is wanted of a row of `moves.jsonl`.
#[derive(Debug, Deserialize)]
struct Ply {
    #[serde(rename = "ply")]
    number: u64,
    side: Seat,
    used_us: u64,
    clock_us: Option<u64>,
}

impl Pace {
    /// Reads the times of these games.
    ///
    /// # Errors
    /// [`ReadError::Io`] where the file is there and cannot be read; rows that are none are passed over, since
    /// `referee verify` is there to find them.
    pub(super) fn read(files: &Files, bots: usize, games: &Sample<Timed>) -> Result<Self, ReadError> {
        let mut pace = Self { bots: vec![BotPace::default(); bots], games: 0 };
        let path = files.moves();
        let file = match open::file(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(pace),
            Err(source) => return Err(ReadError::Io { path, source }),
        };
        pace.read_games(file, games.items()).map_err(|source| ReadError::Io { path, source })?;
        Ok(pace)
    }

    fn read_games(&mut self, file: File, games: &[Timed]) -> io::Result<()> {
        let mut file = BufReader::with_capacity(64 << 10, file);
        let mut left = MOST_BYTES;
        let mut line = Vec::new();
        let mut place = 0;
        for game in games {
            let length = game.end - game.start;
            if length == 0 || length > left {
                continue;
            }
            if place != game.start {
                file.seek(SeekFrom::Start(game.start))?;
            }
            let mut rows = file.by_ref().take(length);
            loop {
                line.clear();
                if rows.read_until(b'\n', &mut line)? == 0 {
                    break;
                }
                if let Ok(ply) = serde_json::from_slice::<Ply>(&line) {
                    let side = bao_rules::Side::from(ply.side) as usize;
                    self.bots[game.bots[side]].add(&ply, game.variant as usize);
                }
            }
            place = game.end;
            left -= length;
            self.games += 1;
        }
        Ok(())
    }
}

impl BotPace {
    fn add(&mut self, ply: &Ply, variant: usize) {
        self.moves += 1;
        self.total_us = self.total_us.saturating_add(ply.used_us);
        self.longest_us = self.longest_us.max(ply.used_us);
        self.least_left_us = self.least_left_us.into_iter().chain(ply.clock_us).min();
        let step = step_of(ply.used_us);
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
        let number = ply.number.saturating_sub(1) as usize;
        let plies = &mut self.plies[variant];
        if number < MOST_PLIES {
            if plies.len() <= number {
                plies.resize(number + 1, Mean::default());
            }
            plies[number].total += ply.used_us as f64;
            plies[number].count += 1;
        }
    }

    /// Returns the mean, in microseconds.
    pub(super) fn mean_us(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_us as f64 / self.moves as f64)
    }

    /// Returns the time that this share of the moves did not exceed, in microseconds, about.
    pub(super) fn quantile_us(&self, share: f64) -> Option<u64> {
        let wanted = (share * self.moves as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let step = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        })?;
        Some(middle_of(step).min(self.longest_us))
    }

    /// Returns the mean time of a move by ply, in microseconds: points (ply from 1, mean) for groups of `width`
    /// plies.
    ///
    /// It ends where only a few games were still running, because their mean is only chance.
    pub(super) fn by_ply(&self, variant: usize, width: usize) -> Vec<(f64, f64)> {
        let groups = self.plies[variant].chunks(width.max(1)).enumerate();
        let moves = |means: &[Mean]| means.iter().map(|mean| mean.count).sum::<u64>();
        let few = self.plies[variant].chunks(width.max(1)).map(moves).max().unwrap_or(0) / 20;
        let points = groups.filter_map(|(group, means)| {
            let count = moves(means);
            let total: f64 = means.iter().map(|mean| mean.total).sum();
            let place = (group * width.max(1)) as f64 + 1.0 + (means.len() - 1) as f64 / 2.0;
            (count > few).then(|| (place, total / count as f64))
        });
        points.collect()
    }

    /// Returns the last ply that was timed.
    pub(super) fn last_ply(&self, variant: usize) -> usize {
        self.plies[variant].len()
    }
}

/// Returns the step of the scale for a time: exact below [`STEPS`], then [`STEPS`] per doubling.
fn step_of(us: u64) -> usize {
    if us < STEPS {
        return us as usize;
    }
    let doublings = u64::from(us.ilog2() - STEPS.ilog2());
    ((doublings + 1) * STEPS + (us >> doublings) - STEPS) as usize
}

/// Returns the time in the middle of a step.
fn middle_of(step: usize) -> u64 {
    let step = step as u64;
    if step < STEPS {
        return step;
    }
    let doublings = step / STEPS - 1;
    ((STEPS + step % STEPS) << doublings) + ((1 << doublings) >> 1)
}

#[cfg(test)]
mod tests {
    use super::{middle_of, step_of};

    #[test]
    fn a_time_stands_within_a_sixteenth_of_the_middle_of_its_step() {
        let mut before = 0;
        for us in (0..100_000).chain([1 << 40, u64::MAX / 2]) {
            let step = step_of(us);
            assert!(step >= before, "{us}");
            assert!(middle_of(step).abs_diff(us) <= us / 16, "{us} {}", middle_of(step));
            before = step;
        }
    }
}
