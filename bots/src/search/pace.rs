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
    /// Shares out the time of a request; `clock` is the one that `new_game` announced, `moves` are the bot's moves that are
    /// still expected.
    ///
    /// A part of the time stays unused, for the way to the referee and a busy machine.
    pub fn new(go: &Go<'_>, clock: &Clock, moves: u64) -> Self {
        let deadline = go.deadline_ms;
        // 6 ms of 50, 25 ms of a second.
        let margin = (5 + deadline / 50).min(100).min(deadline.div_ceil(4));
        let most = deadline - margin;
        let main = go.you_ms.min(deadline);
        // What this move has beyond the main time: a delay, or all periods.
        let extra = deadline - main;
        let share = |moves, saved, lost| share(main, moves, saved, lost);
        let (soft, hard) = match clock {
            Clock::None { .. } => (UNHURRIED_MS, UNHURRIED_MS),
            Clock::MoveTime { .. } => (most, most),
            Clock::SuddenDeath { .. } | Clock::Fischer { .. } => share(moves, go.increment_ms * 4 / 5, 0),
            Clock::Classical { .. } => share(go.moves_to_go.clamp(1, moves), go.increment_ms * 4 / 5, 0),
            // A move that takes one period and no more keeps it.
            Clock::Byoyomi { .. } => share(moves, 0, (extra / go.periods.max(1)).saturating_sub(margin)),
            Clock::Delay { .. } => share(moves, 0, extra.saturating_sub(margin)),
        };
        let hard = hard.min(most);
        Self { soft: Duration::from_millis(soft.min(hard)), hard: Duration::from_millis(hard) }
    }
}

/// Returns the soft and the hard limit of one of `moves` moves that share `main`.
///
/// Each has some time besides: `saved` if it is not used, or `lost`. A deeper search takes about as long as all before it
/// together, so none is begun in the second half of a share. One that has begun may take two shares more, as long as
/// half of the main time is left for the other moves.
fn share(main: u64, moves: u64, saved: u64, lost: u64) -> (u64, u64) {
    let share = main / moves + saved;
    let reserve = if moves == 1 { 0 } else { main / 2 };
    (share / 2 + lost, (share * 3).min(main - reserve + saved) + lost)
}
