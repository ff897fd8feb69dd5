//! The games of a run, folded row by row into the figures of a report.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use bao_protocol::Reason;
use bao_protocol::record::{GameRow, Packed};
use bao_rules::{Side, UnknownName, Variant};

use super::sample::Sample;
use super::words::clean;
use crate::record::place::Place;
use crate::record::read::{GameBrief, Ruling};
use crate::results::halves::{Half, Halves};
use crate::schedule::repeats::{self, Pair, Repeats};
use bao_stats::{Counts, GameFacts, Outcome, Table, Tally, TimeUse};

/// How much of a bot's name is shown, in characters.
const MOST_NAMED: usize = 80;
/// How many faults of one bot for one reason are shown with their evidence.
const MOST_ALIKE: usize = 3;
/// How many faults are shown with their evidence in all.
const MOST_FAULTS: usize = 60;
/// How many games that did not count are named.
const MOST_VOIDS: usize = 20;
/// How many points the curve of a sequential test has.
const CURVE_POINTS: usize = 1000;
/// From how many games times are read ply by ply.
const TIMED_GAMES: usize = 2000;

/// What the rows of `games.jsonl` say together; its size does not depend on their number, apart from a few bytes a
/// game to find the games that are alike.
#[derive(Debug)]
pub(super) struct Results {
    /// The bots' names, safe to show.
    pub(super) bots: Vec<String>,
    /// The pairs that tell something new.
    pub(super) table: Table,
    /// All complete pairs.
    pub(super) played: Table,
    /// What single games tell, by variant.
    pub(super) tallies: [Tally; Variant::COUNT],
    /// Games that count, by variant.
    pub(super) games: [u64; Variant::COUNT],
    /// Complete pairs.
    pub(super) pairs: u64,
    /// Games that were played before, move for move.
    pub(super) repeats: Repeats,
    /// The first bot's pairs against the second, after some of their pairs; at most [`CURVE_POINTS`] points.
    pub(super) curve: Sample<[u64; 5]>,
    /// Some losses by fault, the first of each kind.
    pub(super) faults: Vec<Fault>,
    /// Games that did not count.
    pub(super) voids: u64,
    /// Some of them, with what happened.
    pub(super) void_details: Vec<(u64, String)>,
    /// Games whose rows in `moves.jsonl` are worth reading.
    pub(super) timed: Sample<Timed>,
    /// The worst wake-up lag of the referee, in microseconds.
    pub(super) max_lag_us: u64,
    /// The time at which the first game was started, and the last.
    pub(super) started: Option<[String; 2]>,
    index: HashMap<String, usize>,
    halves: Halves,
    /// Two bots' pairs that are complete before earlier ones are: a sequential test looks at them in the order of
    /// their numbers. Each has the number of its start.
    early: BTreeMap<u64, (u64, Pair)>,
    next_pair: u64,
}

/// A loss by fault.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// The game.
    pub(super) game: u64,
    /// The bot at fault.
    pub(super) bot: usize,
    /// Its side in that game.
    pub(super) side: Side,
    /// What it did.
    pub(super) reason: Reason,
    /// More about it.
    pub(super) detail: Option<String>,
    /// How many moves had been made.
    pub(super) plies: u64,
    /// Where its evidence is, from version 2 of the record on.
    pub(super) packed: Option<Packed>,
    /// Where the rows of its bots' standard errors are, in bytes.
    pub(super) stderr: Range<u64>,
}

/// Where a game's rows are in `moves.jsonl`, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) variant: Variant,
    /// South's bot, then North's.
    pub(super) bots: [usize; 2],
}

/// What in a row fits neither the rules nor `run.json`.
#[derive(Debug, thiserror::Error)]
pub(super) enum Misfit {
    #[error("{0}")]
    Variant(UnknownName),
    #[error("\"{0}\" plays against itself")]
    Itself(String),
    #[error("run.json names no bot \"{0}\"")]
    Bot(String),
}

impl Results {
    /// Begins with no game.
    pub(super) fn new(bots: Vec<String>) -> Self {
        let shown = bots.iter().map(|name| clean(name, MOST_NAMED)).collect();
        Self {
            table: Table::new(bots.len()),
            played: Table::new(bots.len()),
            tallies: Variant::ALL.map(|_| Tally::new(bots.len())),
            games: [0; Variant::COUNT],
            pairs: 0,
            repeats: Repeats::default(),
            curve: Sample::new(CURVE_POINTS),
            faults: Vec::new(),
            voids: 0,
            void_details: Vec::new(),
            timed: Sample::new(TIMED_GAMES),
            max_lag_us: 0,
            started: None,
            index: bots.into_iter().zip(0..).collect(),
            halves: Halves::default(),
            early: BTreeMap::new(),
            next_pair: 1,
            bots: shown,
        }
    }

    /// Returns the variants of which games were played.
    pub(super) fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        let games = self.games;
        Variant::ALL.into_iter().filter(move |variant| games[*variant as usize] > 0)
    }

    /// Counts a game, whose rows in other files are in this place; returns the numbers of its bots, South's first.
    ///
    /// # Errors
    /// [`Misfit`] where the row fits neither the rules nor `run.json`.
    pub(super) fn add(
        &mut self,
        row: &GameRow,
        ruling: Option<Ruling>,
        place: &Place,
    ) -> Result<[usize; 2], Misfit> {
        let variant: Variant = row.variant.parse().map_err(Misfit::Variant)?;
        let bots = [self.bot(&row.south)?, self.bot(&row.north)?];
        if bots[0] == bots[1] {
            return Err(Misfit::Itself(row.south.clone()));
        }
        let Range { start, end } = place.moves;
        self.timed.push(Timed { start, end, variant, bots });
        self.max_lag_us = self.max_lag_us.max(row.max_lag_us);
        let brief = GameBrief { ruling, ..GameBrief::from(row) };
        let Some(outcome) = brief.outcome() else {
            self.voids += 1;
            if self.void_details.len() < MOST_VOIDS {
                self.void_details.push((row.game, row.detail.clone().unwrap_or_default()));
            }
            return Ok(bots);
        };
        self.games[variant as usize] += 1;
        match &mut self.started {
            None => self.started = Some([row.started.clone(), row.started.clone()]),
            Some([first, last]) if row.started < *first => row.started.clone_into(first),
            Some([_, last]) if row.started > *last => row.started.clone_into(last),
            Some(_) => {}
        }
        self.tally(row, variant, bots, outcome);
        self.note_fault(row, bots, &place.stderr);
        let (moves, start) = (repeats::moves(&brief), repeats::start(&brief));
        self.repeats.game(row.game, moves);
        self.pair(row.pair, Half { game: row.game, seats: bots, outcome, moves, start });
        Ok(bots)
    }

    /// Counts what still waits for something before it; to be called after the last game.
    pub(super) fn settle(&mut self) {
        while let Some((number, (start, pair))) = self.early.pop_first() {
            self.next_pair = number + 1;
            self.count(start, pair);
        }
    }

    /// Returns how many games count.
    pub(super) fn counted(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Returns a bot's losses, draws and wins, in both seats together.
    pub(super) fn points_of(&self, bot: usize) -> [u64; 3] {
        let mut sum = [0; 3];
        for tally in &self.tallies {
            let seats = tally.seats_of(bot);
            for (place, sum) in sum.iter_mut().enumerate() {
                *sum += seats.south[place] + seats.north[place];
            }
        }
        sum
    }

    /// Returns why a bot lost, and how often.
    pub(super) fn losses_of(&self, bot: usize) -> BTreeMap<String, u64> {
        let mut sum = BTreeMap::new();
        for (reason, count) in self.tallies.iter().flat_map(|tally| tally.losses_of(bot)) {
            *sum.entry(reason.clone()).or_default() += count;
        }
        sum
    }

    /// Returns how many games a bot lost by its program's fault.
    pub(super) fn faults_of(&self, bot: usize) -> u64 {
        let is_fault =
            |name: &str| Reason::ALL.iter().any(|reason| reason.name() == name && reason.is_fault());
        self.losses_of(bot).iter().filter(|(name, _)| is_fault(name)).map(|(_, count)| count).sum()
    }

    fn bot(&self, name: &str) -> Result<usize, Misfit> {
        self.index.get(name).copied().ok_or_else(|| Misfit::Bot(name.to_owned()))
    }

    fn tally(&mut self, row: &GameRow, variant: Variant, bots: [usize; 2], outcome: Outcome) {
        // The side to move first is the first word after the board.
        let north_first = row.position.split(' ').nth(1) == Some("N");
        let (more, less) = (row.plies.div_ceil(2), row.plies / 2);
        let [south_moves, north_moves] = if north_first { [less, more] } else { [more, less] };
        let opening = row.opening.map(|number| number.to_string());
        self.tallies[variant as usize].add_game(&GameFacts {
            south: bots[0],
            north: bots[1],
            south_outcome: outcome,
            reason: row.reason.name(),
            opening: opening.as_deref(),
            plies: row.plies,
            south_time: TimeUse { moves: south_moves, total_us: row.used_south_us, max_us: 0 },
            north_time: TimeUse { moves: north_moves, total_us: row.used_north_us, max_us: 0 },
        });
    }

    fn note_fault(&mut self, row: &GameRow, bots: [usize; 2], stderr: &Range<u64>) {
        let Some(side) = row.fault.map(Side::from) else { return };
        let bot = bots[side as usize];
        let alike = self.faults.iter().filter(|fault| (fault.bot, fault.reason) == (bot, row.reason)).count();
        if alike < MOST_ALIKE && self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault {
                game: row.game,
                bot,
                side,
                reason: row.reason,
                detail: row.detail.clone(),
                plies: row.plies,
                packed: row.packed,
                stderr: stderr.clone(),
            });
        }
    }

    fn pair(&mut self, number: u64, half: Half) {
        let Some((start, pair)) = self.halves.add(number, half) else { return };
        self.pairs += 1;
        self.played.add_pair(pair.a, pair.b, pair.outcomes);
        if self.bots.len() > 2 {
            return self.count(start, pair);
        }
        self.early.insert(number, (start, pair));
        while let Some((start, pair)) = self.early.remove(&self.next_pair) {
            self.next_pair += 1;
            self.count(start, pair);
        }
    }

    fn count(&mut self, start: u64, pair: Pair) {
        let (table, curve) = (&mut self.table, &mut self.curve);
        self.repeats.pair(start, pair, |Pair { a, b, outcomes, .. }| {
            table.add_pair(a, b, outcomes);
            if a.max(b) == 1
                && let Counts::Pentanomial(pairs) = table.contest(0, 1)
            {
                curve.push(pairs);
            }
        });
    }
}
