//! Time controls and clocks.
//!
//! A [`TimeControl`] is what was agreed; a [`Clock`] is one side's state under it. Both are plain data: the time that
//! a move took is an argument, in whole microseconds, measured from just before the request was written until the
//! newline of the answer was read.

use std::fmt;
use std::str::FromStr;

use bao_protocol::to_bot;
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// What bounds a move where no clock was asked for: ten minutes.
const DEFAULT_CAP_US: u64 = 600_000_000;

/// The longest time that a control may name: a week.
const LONGEST_US: u64 = 7 * 24 * 3_600_000_000;

/// A time control. All times are microseconds.
///
/// Its text form, read by [`FromStr`] and written by [`Display`](fmt::Display), is what stands on the command line:
/// `none`, `100ms/move`, `60s`, `60s+500ms`, `40/60s`, `40/60s+1s`, `30s byoyomi 5x3s`, `60s delay 2s`.
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
    /// A budget for every so many moves; what is left is kept.
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

    /// Returns the control as a bot is told it.
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

/// One side's clock in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    // Microseconds of the main time; unused for `None` and `MoveTime`.
    left_us: u64,
    moves_to_go: u32,
    periods: u32,
}

/// Says that a side's time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flagged {
    /// What the move was allowed, grace not counted, in microseconds.
    pub budget_us: u64,
}

impl Clock {
    /// Sets a clock to its state before the first move.
    pub fn new(control: TimeControl) -> Self {
        let (left_us, moves_to_go, periods) = match control {
            TimeControl::None { .. } | TimeControl::MoveTime { .. } => (0, 0, 0),
            TimeControl::Fischer { base_us, .. } | TimeControl::Delay { base_us, .. } => (base_us, 0, 0),
            TimeControl::Classical { moves, base_us, .. } => (base_us, moves, 0),
            TimeControl::Byoyomi { base_us, periods, .. } => (base_us, 0, periods),
        };
        Self { control, left_us, moves_to_go, periods }
    }

    /// Returns what the next move may take before the flag falls, grace not counted, in microseconds.
    pub fn budget_us(&self) -> u64 {
        match self.control {
            TimeControl::None { cap_us } => cap_us,
            TimeControl::MoveTime { move_us } => move_us,
            TimeControl::Fischer { .. } | TimeControl::Classical { .. } => self.left_us,
            TimeControl::Byoyomi { period_us, .. } => self.left_us + u64::from(self.periods) * period_us,
            TimeControl::Delay { delay_us, .. } => self.left_us + delay_us,
        }
    }

    /// Charges a move that took `used_us`, or says that it came too late.
    ///
    /// # Errors
    /// [`Flagged`] where `used_us` is more than the budget and `grace_us` together; the clock stays as it was.
    pub fn charge(&mut self, used_us: u64, grace_us: u64) -> Result<(), Flagged> {
        let budget_us = self.budget_us();
        if used_us > budget_us + grace_us {
            return Err(Flagged { budget_us });
        }
        match self.control {
            TimeControl::None { .. } | TimeControl::MoveTime { .. } => {}
            TimeControl::Fischer { increment_us, .. } => {
                self.left_us = self.left_us.saturating_sub(used_us) + increment_us;
            }
            TimeControl::Classical { moves, base_us, increment_us } => {
                self.left_us = self.left_us.saturating_sub(used_us) + increment_us;
                self.moves_to_go -= 1;
                if self.moves_to_go == 0 {
                    self.moves_to_go = moves;
                    self.left_us += base_us;
                }
            }
            TimeControl::Byoyomi { period_us, .. } => {
                let beyond_us = used_us.saturating_sub(self.left_us);
                self.left_us = self.left_us.saturating_sub(used_us);
                // A move of just a period keeps it; within the grace, the last period is kept too.
                let lost = beyond_us.saturating_sub(1) / period_us;
                self.periods = self.periods.saturating_sub(lost.try_into().unwrap_or(u32::MAX)).max(1);
            }
            TimeControl::Delay { delay_us, .. } => {
                self.left_us = self.left_us.saturating_sub(used_us.saturating_sub(delay_us));
            }
        }
        Ok(())
    }

    /// Returns the main time left, in microseconds; `None` where there is no clock that runs down.
    pub fn left_us(&self) -> Option<u64> {
        match self.control {
            TimeControl::None { .. } | TimeControl::MoveTime { .. } => None,
            TimeControl::Fischer { .. }
            | TimeControl::Classical { .. }
            | TimeControl::Byoyomi { .. }
            | TimeControl::Delay { .. } => Some(self.left_us),
        }
    }

    /// Returns the time left as a bot is told it: milliseconds, at least 1.
    pub fn left_ms(&self) -> u64 {
        let us = self.left_us().unwrap_or_else(|| self.budget_us());
        (us / 1000).max(1)
    }

    /// Returns the most that the next answer may take as a bot is told it: milliseconds, at least 1.
    pub fn deadline_ms(&self) -> u64 {
        (self.budget_us() / 1000).max(1)
    }

    /// Returns what each move adds, in milliseconds.
    pub fn increment_ms(&self) -> u64 {
        match self.control {
            TimeControl::Fischer { increment_us, .. } | TimeControl::Classical { increment_us, .. } => {
                increment_us / 1000
            }
            TimeControl::None { .. }
            | TimeControl::MoveTime { .. }
            | TimeControl::Byoyomi { .. }
            | TimeControl::Delay { .. } => 0,
        }
    }

    /// Returns the moves until the next budget, this one counted; 0 for other clocks than the classical.
    pub fn moves_to_go(&self) -> u32 {
        self.moves_to_go
    }

    /// Returns the byoyomi periods that are left; 0 for other clocks.
    pub fn periods(&self) -> u32 {
        self.periods
    }
}

/// Says why a text is no time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "bad clock \"{text}\": {problem}; a clock is one of: none, 100ms/move, 60s, 60s+500ms, 40/60s, \
     \"30s byoyomi 5x3s\", \"60s delay 2s\""
)]
pub struct BadClock {
    text: String,
    problem: String,
}

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

fn parse(text: &str) -> Result<TimeControl, String> {
    if let Some(rest) = text.strip_prefix("none") {
        return match rest.trim() {
            "" => Ok(TimeControl::UNLIMITED),
            cap => {
                let cap = cap.strip_prefix("cap").ok_or_else(|| format!("\"{cap}\" after none"))?;
                Ok(TimeControl::None { cap_us: above_zero(cap)? })
            }
        };
    }
    if let Some(time) = text.strip_suffix("/move") {
        return Ok(TimeControl::MoveTime { move_us: above_zero(time)? });
    }
    if let Some((base, periods)) = text.split_once("byoyomi") {
        let (count, period) =
            periods.split_once('x').ok_or_else(|| format!("\"{}\" is not PERIODSxTIME", periods.trim()))?;
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

fn count_of(text: &str, what: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(count @ 1..=10_000) => Ok(count),
        _ => Err(format!("\"{}\" is no number of {what} from 1 to 10000", text.trim())),
    }
}

/// Reads a time as [`span`] does, which must not be zero.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn above_zero(text: &str) -> Result<u64, String> {
    match span(text)? {
        0 => Err("a time of zero".to_owned()),
        us => Ok(us),
    }
}

/// Reads a time such as `500ms`, `1.5s`, `2m`, `1m30s` into microseconds.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn span(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(format!("\"{text}\" has no unit (\"{text}s\" or \"{text}ms\"?)"));
    }
    let too_long = || format!("\"{text}\" is longer than a week; the most is 168h");
    let duration: SignedDuration = text.parse().map_err(|_| {
        // So many digits overflow whatever the unit.
        if text.bytes().take_while(u8::is_ascii_digit).count() > 15 {
            too_long()
        } else {
            format!("\"{text}\" is no time such as 500ms, 1.5s or 2m")
        }
    })?;
    match u64::try_from(duration.as_micros()) {
        Ok(us) if us <= LONGEST_US => Ok(us),
        Err(_) if duration.is_negative() => Err(format!("\"{text}\" is below zero")),
        Ok(_) | Err(_) => Err(too_long()),
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
            ("", "is no time"),
            ("0s", "a time of zero"),
            ("-5s", "below zero"),
            ("abc", "is no time"),
            ("0/60s", "is no number of moves"),
            ("30s byoyomi 3s", "is not PERIODSxTIME"),
            ("30s byoyomi 0x3s", "is no number of periods"),
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

    /// Charges moves one after the other; shows the clock after each as `left/moves_to_go/periods`, or `flag`.
    fn check(control: &str, moves_ms: &[u64], expected: &str) {
        let mut clock = Clock::new(control.parse().expect("a clock"));
        let shown: Vec<String> = moves_ms
            .iter()
            .map(|ms| match clock.charge(ms * MS, 50 * MS) {
                Ok(()) => format!("{}/{}/{}", clock.left_ms(), clock.moves_to_go(), clock.periods()),
                Err(_) => "flag".to_owned(),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{control}");
    }

    #[test]
    fn clocks_run_by_their_kind() {
        check("1s", &[400, 650, 1, 51], "600/0/0 1/0/0 1/0/0 flag");
        check("1s", &[1050], "1/0/0");
        check("1s", &[1051], "flag");
        check("1s+200ms", &[400, 820, 251], "800/0/0 200/0/0 flag");
        check("2/1s", &[400, 500, 1100, 1], "600/1/0 1100/2/0 1/1/0 1000/2/0");
        check("100ms/move", &[100, 150, 151], "100/0/0 100/0/0 flag");
        check("1s delay 200ms", &[200, 700, 750, 251], "1000/0/0 500/0/0 1/0/0 flag");
        check("1s byoyomi 3x100ms", &[900, 200, 100, 101, 150, 151], "100/0/3 1/0/3 1/0/3 1/0/2 1/0/1 flag");
        check("none cap 1s", &[1000, 1051], "1000/0/0 flag");
    }

    #[test]
    fn what_a_bot_is_told_is_never_zero() {
        let mut clock = Clock::new("10ms".parse().expect("a clock"));
        clock.charge(10_000, 0).expect("in time");
        assert_eq!((clock.left_us(), clock.left_ms(), clock.deadline_ms()), (Some(0), 1, 1));
    }
}
