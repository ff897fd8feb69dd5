//! How long to think.

use std::time::Duration;

use bao_protocol::to_bot::{Clock, Go};

/// What a move may take without a clock, where it is up to the bot.
const UNHURRIED_MS: u64 = 1000;

/// How long a search may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// After this no deeper search is begun.
    pub soft: Duration,
    /// After this the move is made, whatever is unfinished.
    pub hard: Duration,
}

impl Pace {
    /// Shares out the time of a request; `clock` as `new_game` told it, `moves` the bot's moves that are still expected.
    ///
    /// A part of the time stays unused, for the way to the referee and a busy machine.
    pub fn new(go: &Go<'_>, clock: &Clock, moves: u64) -> Self {
        let deadline = go.deadline_ms;
        // 6 ms of 50, 25 ms of a second.
        let margin = (5 + deadline / 50).min(100).min(deadline.div_ceil(4));
        let most = deadline - margin;
        let main = go.you_ms.min(deadline);
        // What this move has beyond the main time, and what comes back after it.
        let extra = deadline - main;
        let (soft, hard) = match clock {
            Clock::None { .. } => (UNHURRIED_MS, UNHURRIED_MS),
            // Time that is not used is lost.
            Clock::MoveTime { .. } => (most, most),
            Clock::SuddenDeath { .. } | Clock::Fischer { .. } => share(main, moves, go.increment_ms * 4 / 5),
            Clock::Classical { .. } => share(main, go.moves_to_go.clamp(1, moves), go.increment_ms * 4 / 5),
            // A move that takes one period and no more keeps it.
            Clock::Byoyomi { .. } => share(main, moves, (extra / go.periods.max(1)).saturating_sub(margin)),
            Clock::Delay { .. } => share(main, moves, extra.saturating_sub(margin)),
        };
        let hard = hard.min(most);
        Self { soft: Duration::from_millis(soft.min(hard)), hard: Duration::from_millis(hard) }
    }
}

/// Gives the soft and the hard limit of one of `moves` moves that share `main`, with `free` for each on top.
///
/// A deeper search takes about as long as all before it together, so none is begun in the second half of the share. One
/// that has begun may take another two shares, as long as the last of the main time is not touched.
fn share(main: u64, moves: u64, free: u64) -> (u64, u64) {
    let target = main / moves + free;
    let reserve = if moves == 1 { 0 } else { main / 2 };
    (target / 2, (target * 3).min(main - reserve + free))
}
