//! Time controls and how they are written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::to_bot;

/// What bounds a move where no clock was asked for: ten minutes.
const DEFAULT_CAP_US: u64 = 600_000_000;

/// The longest time that a control may name: a week.
const LONGEST_US: u64 = 7 * 24 * 3_600_000_000;

/// A time control. All times are microseconds.
///
/// Its text form, read by [`FromStr`] and written by [`Display`](fmt::Display), is that of the records and of the
/// command line: `none`, `100ms/move`, `60s`, `60s+500ms`, `40/60s`, `40/60s+1s`, `30s byoyomi 5x3s`, `60s delay 2s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// No clock; a cap keeps a hanging bot from stopping the run.
    None {
        /// The most that one move may take.
        cap_us: u64,
    },
    /// The same time for every move.
    MoveTime {
        /// The most that one move may take.
        move_us: u64,
    },
    /// A budget, with what each move adds (0: sudden death).
    Fischer {
        /// The budget.
        base_us: u64,
        /// What each move adds once it is made.
        increment_us: u64,
    },
    /// A budget for a number of moves; what is left is kept.
    Classical {
        /// How many moves one budget is for; at least 1.
        moves: u32,
        /// The budget.
        base_us: u64,
        /// What each move adds once it is made.
        increment_us: u64,
    },
    /// A budget, then periods; a period is lost only by a move that takes longer than it.
    Byoyomi {
        /// The budget before the first period.
        base_us: u64,
        /// How many periods there are; at least 1.
        periods: u32,
        /// The length of a period.
        period_us: u64,
    },
    /// A budget that starts to run only some time after each request: the form of Bronstein's delay in which the
    /// first move's delay is already on the clock.
    Delay {
        /// The budget.
        base_us: u64,
        /// The time of each move that is free.
        delay_us: u64,
    },
}

impl TimeControl {
    /// No clock, with the usual cap of ten minutes a move.
    pub const UNLIMITED: Self = Self::None { cap_us: DEFAULT_CAP_US };

    /// Returns the control as `new_game` announces it.
    pub fn to_wire(self) -> to_bot::Clock {
        let ms = |us: u64| us / 1000;
        match self {
            Self::None { cap_us } => to_bot::Clock::None { cap_ms: ms(cap_us) },
            Self::MoveTime { move_us } => to_bot::Clock::MoveTime { move_ms: ms(move_us) },
            Self::Fischer { base_us, increment_us: 0 } => to_bot::Clock::SuddenDeath { base_ms: ms(base_us) },
            Self::Fischer { base_us, increment_us } => {
                to_bot::Clock::Fischer { base_ms: ms(base_us), increment_ms: ms(increment_us) }
            }
            Self::Classical { moves, base_us, increment_us } => to_bot::Clock::Classical {
                moves: moves.into(),
                base_ms: ms(base_us),
                increment_ms: ms(increment_us),
            },
            Self::Byoyomi { base_us, periods, period_us } => to_bot::Clock::Byoyomi {
                base_ms: ms(base_us),
                periods: periods.into(),
                period_ms: ms(period_us),
            },
            Self::Delay { base_us, delay_us } => {
                to_bot::Clock::Delay { base_ms: ms(base_us), delay_ms: ms(delay_us) }
            }
        }
    }
}

/// Says why a text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadClock {
    text: String,
    problem: Problem,
}

impl fmt::Display for BadClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "bad clock \"{}\": {}; a clock is one of: none, 100ms/move, 60s, 60s+500ms, 40/60s, \
             \"30s byoyomi 5x3s\", \"60s delay 2s\"",
            self.text, self.problem
        )
    }
}

impl std::error::Error for BadClock {}

/// What is wrong with a time control.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    AfterNone(String),
    Periods(String),
    Count { text: String, what: &'static str },
    Time(BadTime),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AfterNone(text) => write!(f, "\"{text}\" after none"),
            Self::Periods(text) => write!(f, "\"{text}\" is not PERIODSxTIME"),
            Self::Count { text, what } => write!(f, "\"{text}\" is not a number of {what} from 1 to 10000"),
            Self::Time(time) => time.fmt(f),
        }
    }
}

impl From<BadTime> for Problem {
    fn from(time: BadTime) -> Self {
        Self::Time(time)
    }
}

/// Says why a text is not a time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadTime {
    /// It is zero where it must not be.
    Zero,
    /// It is a bare number.
    NoUnit(String),
    /// It is negative.
    BelowZero(String),
    /// It is longer than a week.
    TooLong(String),
    /// It is something else.
    NoTime(String),
}

impl fmt::Display for BadTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("a time of zero"),
            Self::NoUnit(text) => write!(f, "\"{text}\" has no unit (\"{text}s\" or \"{text}ms\"?)"),
            Self::BelowZero(text) => write!(f, "\"{text}\" is below zero"),
            Self::TooLong(text) => write!(f, "\"{text}\" is longer than a week; the most is 168h"),
            Self::NoTime(text) => write!(f, "\"{text}\" is not a time; write for example 500ms, 1.5s or 2m"),
        }
    }
}

impl std::error::Error for BadTime {}

impl FromStr for TimeControl {
    type Err = BadClock;

    fn from_str(text: &str) -> Result<Self, BadClock> {
        parse(text.trim()).map_err(|problem| BadClock { text: text.to_owned(), problem })
    }
}

impl TryFrom<String> for TimeControl {
    type Error = BadClock;

    fn try_from(text: String) -> Result<Self, BadClock> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for TimeControl {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TimeControl".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let time = "[0-9]+(us|ms|s)";
        schemars::json_schema!({
            "type": "string",
            "description": "A time control, such as `60s+500ms`: none [cap TIME], TIME/move, [MOVES/]TIME[+TIME], \
                            TIME byoyomi PERIODSxTIME, or TIME delay TIME.",
            "pattern": format!(
                "^(none( cap {time})?|{time}/move|([0-9]+/)?{time}(\\+{time})?|{time} byoyomi [0-9]+x{time}|\
                 {time} delay {time})$"
            ),
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None { cap_us: DEFAULT_CAP_US } => f.write_str("none"),
            Self::None { cap_us } => write!(f, "none cap {}", Span(cap_us)),
            Self::MoveTime { move_us } => write!(f, "{}/move", Span(move_us)),
            Self::Fischer { base_us, increment_us: 0 } => Span(base_us).fmt(f),
            Self::Fischer { base_us, increment_us } => write!(f, "{}+{}", Span(base_us), Span(increment_us)),
            Self::Classical { moves, base_us, increment_us: 0 } => write!(f, "{moves}/{}", Span(base_us)),
            Self::Classical { moves, base_us, increment_us } => {
                write!(f, "{moves}/{}+{}", Span(base_us), Span(increment_us))
            }
            Self::Byoyomi { base_us, periods, period_us } => {
                write!(f, "{} byoyomi {periods}x{}", Span(base_us), Span(period_us))
            }
            Self::Delay { base_us, delay_us } => write!(f, "{} delay {}", Span(base_us), Span(delay_us)),
        }
    }
}

/// Writes microseconds in the largest unit of which they are a whole number (`1500ms`, `60s`).
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            us if us.is_multiple_of(1_000_000) => write!(f, "{}s", us / 1_000_000),
            us if us.is_multiple_of(1000) => write!(f, "{}ms", us / 1000),
            us => write!(f, "{us}us"),
        }
    }
}

fn parse(text: &str) -> Result<TimeControl, Problem> {
    if let Some(rest) = text.strip_prefix("none") {
        return match rest.trim() {
            "" => Ok(TimeControl::UNLIMITED),
            cap => {
                let cap = cap.strip_prefix("cap").ok_or_else(|| Problem::AfterNone(cap.to_owned()))?;
                Ok(TimeControl::None { cap_us: above_zero(cap)? })
            }
        };
    }
    if let Some(time) = text.strip_suffix("/move") {
        return Ok(TimeControl::MoveTime { move_us: above_zero(time)? });
    }
    if let Some((base, periods)) = text.split_once("byoyomi") {
        let (count, period) =
            periods.split_once('x').ok_or_else(|| Problem::Periods(periods.trim().to_owned()))?;
        return Ok(TimeControl::Byoyomi {
            base_us: span(base)?,
            periods: count_of(count, "periods")?,
            period_us: above_zero(period)?,
        });
    }
    if let Some((base, delay)) = text.split_once("delay") {
        return Ok(TimeControl::Delay { base_us: above_zero(base)?, delay_us: span(delay)? });
    }
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(count_of(moves, "moves")?), rest),
        None => (None, text),
    };
    let (base_us, increment_us) = match rest.split_once('+') {
        Some((base, increment)) => (above_zero(base)?, span(increment)?),
        None => (above_zero(rest)?, 0),
    };
    Ok(match moves {
        Some(moves) => TimeControl::Classical { moves, base_us, increment_us },
        None => TimeControl::Fischer { base_us, increment_us },
    })
}

fn count_of(text: &str, what: &'static str) -> Result<u32, Problem> {
    match text.trim().parse() {
        Ok(count @ 1..=10_000) => Ok(count),
        _ => Err(Problem::Count { text: text.trim().to_owned(), what }),
    }
}

/// Reads a time as [`span`] does, which must not be zero.
///
/// # Errors
/// [`BadTime`] that says what is wrong with it.
pub fn above_zero(text: &str) -> Result<u64, BadTime> {
    match span(text)? {
        0 => Err(BadTime::Zero),
        us => Ok(us),
    }
}

/// Reads a time such as `500ms`, `1.5s`, `2m`, `1m30s` into microseconds.
///
/// # Errors
/// [`BadTime`] that says what is wrong with it.
pub fn span(text: &str) -> Result<u64, BadTime> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(BadTime::NoUnit(text.to_owned()));
    }
    let below_zero = text.starts_with('-');
    match microseconds(text.trim_start_matches('-')) {
        Some(us) if us > 0 && below_zero => Err(BadTime::BelowZero(text.to_owned())),
        Some(us) if us <= u128::from(LONGEST_US) => Ok(us as u64),
        Some(_) => Err(BadTime::TooLong(text.to_owned())),
        None => Err(BadTime::NoTime(text.to_owned())),
    }
}

/// Adds up numbers with units, such as `1m30s`, in microseconds; what is below one is dropped.
fn microseconds(mut text: &str) -> Option<u128> {
    let mut sum: u128 = 0;
    loop {
        let number = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, rest) = text.split_at(number);
        let end = rest.find(|c: char| c.is_ascii_digit() || c.is_whitespace()).unwrap_or(rest.len());
        let (unit, rest) = rest.split_at(end);
        let unit: u128 = match unit {
            "h" => 3_600_000_000,
            "m" | "min" => 60_000_000,
            "s" => 1_000_000,
            "ms" => 1000,
            "us" => 1,
            _ => return None,
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let digits = part.get(..part.len().min(12)).filter(|digits| !digits.is_empty())?;
        let fraction = digits.parse::<u128>().ok()? * unit / 10u128.pow(digits.len() as u32);
        // More digits than any time has: too long, whatever they are.
        let whole = if whole.len() > 20 { u128::from(u64::MAX) } else { whole.parse().ok()? };
        sum = sum.checked_add(whole * unit + fraction)?;
        text = rest.trim_start();
        if text.is_empty() {
            return Some(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1000;
    const S: u64 = 1_000_000;

    #[test]
    fn every_kind_of_clock_is_read_and_written() {
        for (text, control) in [
            ("none", TimeControl::UNLIMITED),
            ("none cap 5s", TimeControl::None { cap_us: 5 * S }),
            ("100ms/move", TimeControl::MoveTime { move_us: 100 * MS }),
            ("60s", TimeControl::Fischer { base_us: 60 * S, increment_us: 0 }),
            ("60s+500ms", TimeControl::Fischer { base_us: 60 * S, increment_us: 500 * MS }),
            ("40/60s", TimeControl::Classical { moves: 40, base_us: 60 * S, increment_us: 0 }),
            ("40/60s+1s", TimeControl::Classical { moves: 40, base_us: 60 * S, increment_us: S }),
            ("30s byoyomi 5x3s", TimeControl::Byoyomi { base_us: 30 * S, periods: 5, period_us: 3 * S }),
            ("0s byoyomi 1x3s", TimeControl::Byoyomi { base_us: 0, periods: 1, period_us: 3 * S }),
            ("60s delay 2s", TimeControl::Delay { base_us: 60 * S, delay_us: 2 * S }),
        ] {
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert_eq!(control.to_string(), text);
        }
        assert_eq!("1.5s".parse(), Ok(TimeControl::Fischer { base_us: 1500 * MS, increment_us: 0 }));
        assert_eq!("1m30s".parse(), Ok(TimeControl::Fischer { base_us: 90 * S, increment_us: 0 }));
    }

    #[test]
    fn a_bad_clock_is_told_with_what_is_wrong() {
        for (text, problem) in [
            ("60", "has no unit"),
            ("", "is not a time"),
            ("0s", "a time of zero"),
            ("-5s", "below zero"),
            ("abc", "is not a time"),
            ("0/60s", "is not a number of moves"),
            ("30s byoyomi 3s", "is not PERIODSxTIME"),
            ("30s byoyomi 0x3s", "is not a number of periods"),
            ("10000h", "longer than a week; the most is 168h"),
            ("99999999999999h", "longer than a week; the most is 168h"),
            ("99999999999999999999h", "longer than a week; the most is 168h"),
            ("-99999999999999h", "below zero"),
            ("none for me", "after none"),
        ] {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(error.contains(problem) && error.contains(text), "{text}: {error}");
        }
    }
}
