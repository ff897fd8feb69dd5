//! Results of a contest, counted.

use std::fmt;
use std::str::FromStr;

/// Names how a game ended for one of its two bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The bot lost: no point.
    Loss,
    /// The game was drawn: half a point.
    Draw,
    /// The bot won: one point.
    Win,
}

impl Outcome {
    /// Returns the points as a count of half points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// Returns the same game as the other bot sees it.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Counts the results of bot A against bot B, the worst result for A first.
///
/// The text form is the numbers joined by commas: five for pairs, three for single games.
///
/// ```
/// use bao_stats::Counts;
/// let counts: Counts = "34,54,63,64,75".parse()?;
/// assert_eq!((counts.games(), counts.units()), (580, 290));
/// # Ok::<(), bao_stats::CountsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Single games: lost, drawn, won. Right only when no two games share an opening.
    Trinomial([u64; 3]),
    /// Pairs by A's points in the pair: 0, ½, 1 (two draws, or a win and a loss), 1½, 2.
    Pentanomial([u64; 5]),
}

impl Counts {
    /// Holds the most results that a text may count together.
    ///
    /// Above it a result that never came would weigh less than a float can tell from nothing.
    pub const MAX_UNITS: u64 = 1_000_000_000_000;

    /// Counts one pair of games more, each as A sees it.
    ///
    /// Trinomial counts take it as two single games.
    pub fn add_pair(&mut self, games: [Outcome; 2]) {
        let [first, second] = games.map(Outcome::half_points);
        match self {
            Self::Trinomial(cells) => {
                cells[first] += 1;
                cells[second] += 1;
            }
            Self::Pentanomial(cells) => cells[first + second] += 1,
        }
    }

    /// Returns the counts, the worst result for A first.
    pub fn cells(&self) -> &[u64] {
        match self {
            Self::Trinomial(cells) => cells,
            Self::Pentanomial(cells) => cells,
        }
    }

    /// Returns the number of independent results: games if trinomial, pairs if pentanomial.
    pub fn units(&self) -> u64 {
        self.cells().iter().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// Returns the number of games: for pairs twice their number.
    pub fn games(&self) -> u64 {
        self.units().saturating_mul(self.games_per_unit())
    }

    /// Returns how many games stand behind one result: 1 or 2.
    pub fn games_per_unit(&self) -> u64 {
        match self {
            Self::Trinomial(_) => 1,
            Self::Pentanomial(_) => 2,
        }
    }

    /// Returns A's mean score a game, from 0 to 1, or `None` without a game.
    pub fn mean(&self) -> Option<f64> {
        let units = self.weighted(|_| 1.0);
        (units > 0.0).then(|| self.weighted(|score| score) / units)
    }

    /// Returns the variance of one result's score (divided by n, not n - 1), or `None` without a game.
    ///
    /// A pair's score is its points divided by two, so that it too lies between 0 and 1.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        Some(self.weighted(|score| (score - mean).powi(2)) / self.weighted(|_| 1.0))
    }

    /// Returns the same results as B sees them.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        match &mut self {
            Self::Trinomial(cells) => cells.reverse(),
            Self::Pentanomial(cells) => cells.reverse(),
        }
        self
    }

    fn weighted(&self, value: impl Fn(f64) -> f64) -> f64 {
        let cells = self.cells();
        let top = (cells.len() - 1) as f64;
        cells.iter().enumerate().map(|(i, &n)| n as f64 * value(i as f64 / top)).sum()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.cells().iter().map(u64::to_string).collect();
        f.write_str(&texts.join(","))
    }
}

impl FromStr for Counts {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Self, CountsError> {
        if text.trim().is_empty() {
            return Err(CountsError::Empty);
        }
        let cells = text
            .split(',')
            .enumerate()
            .map(|(i, part)| parse_count(i + 1, part.trim()))
            .collect::<Result<Vec<u64>, _>>()?;
        let counts = if let Ok(cells) = <[u64; 3]>::try_from(cells.as_slice()) {
            Self::Trinomial(cells)
        } else if let Ok(cells) = <[u64; 5]>::try_from(cells.as_slice()) {
            Self::Pentanomial(cells)
        } else {
            return Err(CountsError::WrongLength { found: cells.len() });
        };
        if counts.units() > Self::MAX_UNITS {
            return Err(CountsError::TooMany);
        }
        Ok(counts)
    }
}

fn parse_count(place: usize, text: &str) -> Result<u64, CountsError> {
    let found = || text.to_owned();
    if text.is_empty() {
        return Err(CountsError::Missing { place });
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.bytes().all(|b| b.is_ascii_digit()) || digits.is_empty() {
        return Err(CountsError::NotANumber { place, found: found() });
    }
    if digits.len() < text.len() {
        return Err(CountsError::Negative { place, found: found() });
    }
    // Only digits are left, so the one thing that can fail is the size.
    text.parse().map_err(|_| CountsError::TooMany)
}

/// What is wrong with a text of counts; places are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountsError {
    /// There is no text at all.
    Empty,
    /// Nothing is between two commas, or before the first or after the last.
    Missing {
        /// Which of the numbers.
        place: usize,
    },
    /// Something other than a whole number.
    NotANumber {
        /// Which of the numbers.
        place: usize,
        /// The text in its place.
        found: String,
    },
    /// A number below zero.
    Negative {
        /// Which of the numbers.
        place: usize,
        /// The text in its place.
        found: String,
    },
    /// Neither three numbers nor five.
    WrongLength {
        /// How many there were.
        found: usize,
    },
    /// More than [`Counts::MAX_UNITS`] results together.
    TooMany,
}

impl fmt::Display for CountsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WANTED: &str =
            "give L,D,W for single games or LL,LD,DD,WD,WW for pairs, such as 34,54,63,64,75";
        match self {
            Self::Empty => write!(f, "no counts: {WANTED}"),
            Self::Missing { place } => write!(f, "number {place} of the counts is missing: {WANTED}"),
            Self::NotANumber { place, found } => {
                write!(f, "number {place} of the counts, `{found}`, is not a whole number: {WANTED}")
            }
            Self::Negative { place, found } => {
                write!(
                    f,
                    "number {place} of the counts, `{found}`, is negative: results are counted from 0 up"
                )
            }
            Self::WrongLength { found: 1 } => write!(f, "1 number instead of 3 or 5: {WANTED}"),
            Self::WrongLength { found } => write!(f, "{found} numbers instead of 3 or 5: {WANTED}"),
            Self::TooMany => write!(f, "the counts together are above {}", Counts::MAX_UNITS),
        }
    }
}

impl std::error::Error for CountsError {}
