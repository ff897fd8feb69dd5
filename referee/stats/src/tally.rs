//! What single games tell: seats, openings, reasons, time and length.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::Outcome;

/// How many openings are distinguished; the games of later ones are counted together under [`Tally::OTHERS`].
const MAX_OPENINGS: usize = 1000;

/// How many reasons are distinguished; the protocol has about twenty.
const MAX_REASONS: usize = 64;

/// What a finished game adds to a [`Tally`].
#[derive(Debug, Clone, Copy)]
pub struct GameFacts<'a> {
    /// The number of the bot in South's seat.
    pub south: usize,
    /// The number of the bot in North's seat.
    pub north: usize,
    /// How the game ended for South.
    pub south_outcome: Outcome,
    /// The reason code of the verdict.
    pub reason: &'a str,
    /// The opening's name or moves; `None` for a game from the start position.
    pub opening: Option<&'a str>,
    /// Moves of both sides together.
    pub plies: u64,
    /// South's time in this game.
    pub south_time: TimeUse,
    /// North's time in this game.
    pub north_time: TimeUse,
}

/// Collects facts of finished games, in constant time a game and in memory bounded by the number of bots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tally {
    all: Seats,
    bots: Vec<BotTally>,
    openings: BTreeMap<String, [u64; 3]>,
    reasons: BTreeMap<String, u64>,
    lengths: Lengths,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct BotTally {
    seats: Seats,
    losses: BTreeMap<String, u64>,
    time: TimeUse,
}

impl Tally {
    /// Names the row in which reasons and openings beyond the first 64 and 1000 are counted together.
    pub const OTHERS: &'static str = "(others)";

    /// Names the row of games without an opening.
    pub const NO_OPENING: &'static str = "(start position)";

    /// Creates an empty tally for this many bots.
    pub fn new(bots: usize) -> Self {
        Self {
            all: Seats::default(),
            bots: vec![BotTally::default(); bots],
            openings: BTreeMap::new(),
            reasons: BTreeMap::new(),
            lengths: Lengths::default(),
        }
    }

    /// Counts one finished game.
    ///
    /// # Panics
    /// Both bots must be in the tally.
    pub fn add_game(&mut self, game: &GameFacts<'_>) {
        let north_outcome = game.south_outcome.mirrored();
        let (south_place, north_place) = (game.south_outcome.half_points(), north_outcome.half_points());
        self.all.south[south_place] += 1;
        self.all.north[north_place] += 1;
        self.bots[game.south].seats.south[south_place] += 1;
        self.bots[game.north].seats.north[north_place] += 1;
        self.bots[game.south].time.absorb(&game.south_time);
        self.bots[game.north].time.absorb(&game.north_time);
        let opening = game.opening.unwrap_or(Self::NO_OPENING);
        row(&mut self.openings, opening, MAX_OPENINGS)[south_place] += 1;
        *row(&mut self.reasons, game.reason, MAX_REASONS) += 1;
        let loser = match game.south_outcome {
            Outcome::Loss => Some(game.south),
            Outcome::Draw => None,
            Outcome::Win => Some(game.north),
        };
        if let Some(loser) = loser {
            *row(&mut self.bots[loser].losses, game.reason, MAX_REASONS) += 1;
        }
        self.lengths.add(game.plies);
    }

    /// Returns the results of all games by seat.
    pub fn seats(&self) -> &Seats {
        &self.all
    }

    /// Returns one bot's results by seat.
    pub fn seats_of(&self, bot: usize) -> &Seats {
        &self.bots[bot].seats
    }

    /// Returns why one bot lost, and how often.
    pub fn losses_of(&self, bot: usize) -> &BTreeMap<String, u64> {
        &self.bots[bot].losses
    }

    /// Returns one bot's use of time over all its games.
    pub fn time_of(&self, bot: usize) -> &TimeUse {
        &self.bots[bot].time
    }

    /// Returns South's losses, draws and wins by opening.
    pub fn openings(&self) -> &BTreeMap<String, [u64; 3]> {
        &self.openings
    }

    /// Returns why games ended, draws included, and how often.
    pub fn reasons(&self) -> &BTreeMap<String, u64> {
        &self.reasons
    }

    /// Returns how long games were.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }
}

/// Returns the row with this name; once `most` rows exist, a new name gets the common one.
fn row<'a, T: Default>(rows: &'a mut BTreeMap<String, T>, name: &str, most: usize) -> &'a mut T {
    let name = if rows.len() < most || rows.contains_key(name) { name } else { Tally::OTHERS };
    // Looked up first, since `entry` would allocate the name for every game.
    if !rows.contains_key(name) {
        rows.insert(name.to_owned(), T::default());
    }
    rows.get_mut(name).expect("it was put there if it was missing")
}

/// Counts results by seat, each as the bot in that seat sees it: losses, draws, wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Seats {
    /// In South's seat, which moves first.
    pub south: [u64; 3],
    /// In North's seat.
    pub north: [u64; 3],
}

/// Sums up the time that moves took, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TimeUse {
    /// How many moves.
    pub moves: u64,
    /// Their time together.
    pub total_us: u64,
    /// The longest.
    pub max_us: u64,
}

impl TimeUse {
    /// Adds the moves of another sum.
    pub fn absorb(&mut self, other: &Self) {
        self.moves += other.moves;
        self.total_us = self.total_us.saturating_add(other.total_us);
        self.max_us = self.max_us.max(other.max_us);
    }

    /// Returns the mean time of a move, or `None` without moves.
    pub fn mean_us(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_us as f64 / self.moves as f64)
    }
}

/// Counts games by their length in plies: exactly below 1024, all longer ones together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Lengths {
    /// How many games had this many plies, as far as the longest; the last possible place is "1024 or more".
    games: Vec<u64>,
    total: u64,
    max: u64,
}

/// Counts the games whose length lies between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LengthBucket {
    /// The shortest length counted here.
    pub from: u64,
    /// The longest length counted here; `None` in the bucket that takes all above.
    pub to: Option<u64>,
    /// How many games.
    pub games: u64,
}

impl Lengths {
    const EXACT: u64 = 1024;

    fn add(&mut self, plies: u64) {
        let place = plies.min(Self::EXACT) as usize;
        if self.games.len() <= place {
            self.games.resize(place + 1, 0);
        }
        self.games[place] += 1;
        self.total = self.total.saturating_add(plies);
        self.max = self.max.max(plies);
    }

    /// Returns the length of the longest game; 0 without games.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Returns the mean length, or `None` without games.
    pub fn mean(&self) -> Option<f64> {
        let games: u64 = self.games.iter().sum();
        (games > 0).then(|| self.total as f64 / games as f64)
    }

    /// Returns the length that half of the games do not exceed, or `None` without games.
    pub fn median(&self) -> Option<u64> {
        let games: u64 = self.games.iter().sum();
        let mut seen = 0;
        let place = self.games.iter().position(|n| {
            seen += n;
            *n > 0 && seen * 2 >= games
        });
        place.map(|plies| plies as u64)
    }

    /// Returns a histogram from length 0 to the longest, in steps of `width` plies (at least 1).
    pub fn buckets(&self, width: u64) -> Vec<LengthBucket> {
        let width = width.max(1);
        let exact = &self.games[..self.games.len().min(Self::EXACT as usize)];
        let mut buckets: Vec<LengthBucket> = exact
            .chunks(width.min(Self::EXACT) as usize)
            .zip((0..).step_by(width.min(Self::EXACT) as usize))
            .map(|(games, from)| LengthBucket {
                from,
                to: Some((from + width).min(Self::EXACT) - 1),
                games: games.iter().sum(),
            })
            .collect();
        if let Some(&games) = self.games.get(Self::EXACT as usize) {
            buckets.push(LengthBucket { from: Self::EXACT, to: None, games });
        }
        buckets
    }
}
