//! One side's clock in a game.
//!
//! A [`TimeControl`] is what was agreed; a [`Clock`] is one side's state under it. Both are plain data: the time that
//! a move took is an argument, in whole microseconds, measured from just before the request was written until the
//! newline of the answer was read.

pub use bao_protocol::record::{BadTime, TimeControl, above_zero, span};

use bao_protocol::record::Edition;

/// One side's clock in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    // Microseconds of the main time; unused for `None` and `MoveTime`.
    left_us: u64,
    moves_to_go: u32,
    periods: u32,
    // The time beyond budgets that is not paid back yet; always 0 in the first edition, which forgives it.
    debt_us: u64,
    edition: Edition,
}

/// The error of a side whose time ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flagged {
    /// The budget of the move, without the grace, in microseconds.
    pub budget_us: u64,
    /// The rest of the grace, in microseconds.
    pub grace_us: u64,
}

impl Clock {
    /// Sets a clock to its state before the first move.
    pub fn new(control: TimeControl, edition: Edition) -> Self {
        let (left_us, moves_to_go, periods) = match control {
            TimeControl::None { .. } | TimeControl::MoveTime { .. } => (0, 0, 0),
            TimeControl::Fischer { base_us, .. } | TimeControl::Delay { base_us, .. } => (base_us, 0, 0),
            TimeControl::Classical { moves, base_us, .. } => (base_us, moves, 0),
            TimeControl::Byoyomi { base_us, periods, .. } => (base_us, 0, periods),
        };
        Self { control, left_us, moves_to_go, periods, debt_us: 0, edition }
    }

    /// Returns the budget of the next move, without the grace, in microseconds.
    pub fn budget_us(&self) -> u64 {
        self.full_budget_us().saturating_sub(self.debt_us)
    }

    /// Returns the bounds of the next move: its budget, and what is left of this grace.
    pub fn flagged(&self, grace_us: u64) -> Flagged {
        let owed_us = self.debt_us.saturating_sub(self.full_budget_us());
        Flagged { budget_us: self.budget_us(), grace_us: grace_us.saturating_sub(owed_us) }
    }

    /// Returns the budget of the next move without any debt.
    fn full_budget_us(&self) -> u64 {
        match self.control {
            TimeControl::None { cap_us } => cap_us,
            TimeControl::MoveTime { move_us } => move_us,
            TimeControl::Fischer { .. } | TimeControl::Classical { .. } => self.left_us,
            TimeControl::Byoyomi { period_us, .. } => self.left_us + u64::from(self.periods) * period_us,
            TimeControl::Delay { delay_us, .. } => self.left_us + delay_us,
        }
    }

    /// Charges a move that took `used_us`.
    ///
    /// The grace is not time to think: time beyond a budget is a debt, and the next budget pays for it. So
    /// all moves together never take more than all budgets and one grace.
    ///
    /// # Errors
    /// [`Flagged`] where `used_us` is more than the budget and the grace that is left together; the clock stays as it
    /// was.
    pub fn charge(&mut self, used_us: u64, grace_us: u64) -> Result<(), Flagged> {
        let full_us = self.full_budget_us();
        let used_us = used_us + self.debt_us;
        if used_us > full_us + grace_us {
            return Err(self.flagged(grace_us));
        }
        if self.edition >= Edition::Second {
            self.debt_us = used_us.saturating_sub(full_us);
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
                // A move of exactly one period keeps it; within the grace, the last period is kept, too.
                let lost = beyond_us.saturating_sub(1) / period_us;
                self.periods = self.periods.saturating_sub(lost.try_into().unwrap_or(u32::MAX)).max(1);
            }
            TimeControl::Delay { delay_us, .. } => {
                self.left_us = self.left_us.saturating_sub(used_us.saturating_sub(delay_us));
            }
        }
        self.pay();
        Ok(())
    }

    /// Adds a debt of time that a bot took without being on turn, in microseconds; the next budget pays for it.
    pub fn owe(&mut self, us: u64) {
        self.debt_us += us;
        self.pay();
    }

    /// Pays as much of the debt as there is main time for.
    fn pay(&mut self) {
        let paid_us = self.debt_us.min(self.left_us);
        self.left_us -= paid_us;
        self.debt_us -= paid_us;
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

    /// Returns the time left for the bot's message: in milliseconds, at least 1.
    pub fn left_ms(&self) -> u64 {
        let us = self.left_us().unwrap_or_else(|| self.budget_us());
        (us / 1000).max(1)
    }

    /// Returns the time limit of the next answer for the bot's message: in milliseconds, at least 1.
    pub fn deadline_ms(&self) -> u64 {
        (self.budget_us() / 1000).max(1)
    }

    /// Returns the increment per move, in milliseconds.
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

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1000;

    /// Charges moves one after the other; shows the clock after each as `left/moves_to_go/periods`, or `flag`.
    fn check(edition: Edition, control: &str, moves_ms: &[u64], expected: &str) {
        let mut clock = Clock::new(control.parse().expect("a clock"), edition);
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
    fn clocks_run_by_their_kind_and_the_first_edition_forgives() {
        check(Edition::First, "1s", &[400, 650, 1, 51], "600/0/0 1/0/0 1/0/0 flag");
        check(Edition::First, "1s", &[1050], "1/0/0");
        check(Edition::First, "1s", &[1051], "flag");
        check(Edition::First, "1s+200ms", &[400, 820, 251], "800/0/0 200/0/0 flag");
        check(Edition::First, "2/1s", &[400, 500, 1100, 1], "600/1/0 1100/2/0 1/1/0 1000/2/0");
        check(Edition::First, "100ms/move", &[100, 150, 151], "100/0/0 100/0/0 flag");
        check(Edition::First, "1s delay 200ms", &[200, 700, 750, 251], "1000/0/0 500/0/0 1/0/0 flag");
        check(
            Edition::First,
            "1s byoyomi 3x100ms",
            &[900, 200, 100, 101, 150, 151],
            "100/0/3 1/0/3 1/0/3 1/0/2 1/0/1 flag",
        );
        check(Edition::First, "none cap 1s", &[1000, 1051], "1000/0/0 flag");
    }

    #[test]
    fn what_is_overstepped_is_owed_and_paid_by_the_next_budget() {
        let check = |control, moves_ms: &[u64], expected| check(Edition::Second, control, moves_ms, expected);
        check("100ms/move", &[100, 141, 59, 100, 150, 101], "100/0/0 59/0/0 100/0/0 100/0/0 50/0/0 flag");
        check("100ms/move", &[141, 68, 100, 150], "59/0/0 91/0/0 91/0/0 flag");
        check("1s", &[1000, 20, 20, 10, 1], "1/0/0 1/0/0 1/0/0 1/0/0 flag");
        check("1s+200ms", &[400, 820, 220, 231], "800/0/0 180/0/0 160/0/0 flag");
        check("2/1s", &[400, 650, 951, 1], "600/1/0 950/2/0 1/1/0 998/2/0");
        check("1s byoyomi 3x100ms", &[1300, 140, 100, 111], "1/0/1 1/0/1 1/0/1 flag");
        check("1s delay 200ms", &[200, 1230, 200, 170, 251], "1000/0/0 1/0/0 1/0/0 1/0/0 flag");
        check("none cap 1s", &[1050, 951, 1000], "950/0/0 999/0/0 999/0/0");
    }

    #[test]
    fn what_a_bot_is_told_is_never_zero() {
        let mut clock = Clock::new("10ms".parse().expect("a clock"), Edition::LATEST);
        clock.charge(10_000, 0).expect("in time");
        assert_eq!((clock.left_us(), clock.left_ms(), clock.deadline_ms()), (Some(0), 1, 1));
    }
}
