//! How long to think.

use std::time::Duration;

use bao_protocol::to_bot::{Clock, Go};

/// Shares out the time of a request: a fortieth of what is left and half of what comes back, by the kind of the clock.
///
/// `clock` is the one that `new_game` announced. Every division rounds down, and the result is at least 1 ms.
pub fn budget(clock: &Clock, go: &Go<'_>) -> Duration {
    let deadline = go.deadline_ms;
    // The way to the referee and a busy machine take time, too.
    let most = deadline - (10 + deadline / 10).min(200).min(deadline / 4);
    let fortieth = go.you_ms / 40 + go.increment_ms / 2;
    let share = match clock {
        Clock::None { .. } => 1000.min(most),
        // Nothing is saved up.
        Clock::MoveTime { .. } => most,
        Clock::SuddenDeath { .. } | Clock::Fischer { .. } => fortieth.min(deadline / 2),
        Clock::Classical { .. } => (go.you_ms / (go.moves_to_go + 1) + go.increment_ms / 2).min(most),
        // Within a period a move is free.
        Clock::Byoyomi { period_ms, .. } => (fortieth + period_ms * 3 / 4).min(most),
        Clock::Delay { delay_ms, .. } => (fortieth + delay_ms * 3 / 4).min(most),
    };
    Duration::from_millis(share.max(1))
}
