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
            Clock::None { .. } => (most.min(UNHURRIED_MS), most.min(UNHURRIED_MS)),
            Clock::MoveTime { .. } => (most, most),
            Clock::SuddenDeath { .. } | Clock::Fischer { .. } => {
                (main / moves + go.increment_ms * 4 / 5, main / 5 + go.increment_ms)
            }
            Clock::Classical { .. } => {
                let moves = go.moves_to_go.clamp(1, moves);
                let hard = if moves == 1 { main } else { main * 2 / (moves + 1) };
                (main / moves + go.increment_ms * 4 / 5, hard + go.increment_ms)
            }
            Clock::Byoyomi { .. } => {
                // A move that takes a period and no more keeps it.
                let period = (extra / go.periods.max(1)).saturating_sub(margin);
                (main / moves + period * 9 / 10, main / 5 + period)
            }
            Clock::Delay { .. } => {
                let free = extra.saturating_sub(margin);
                (main / moves + free * 9 / 10, main / 5 + free)
            }
        };
        let hard = hard.min(most);
        Self { soft: Duration::from_millis(soft.min(hard)), hard: Duration::from_millis(hard) }
    }
}
