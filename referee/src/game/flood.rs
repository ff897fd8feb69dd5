//! The limits on what a bot may write.

/// The most bytes that a bot may write in one turn.
pub const TURN_BYTES: u64 = 1 << 20;
/// The most bytes that a bot may write in one game.
pub const GAME_BYTES: u64 = 16 << 20;
/// The most lines of noise that a bot may write in one game.
pub const NOISE_LINES: u64 = 100;
/// The most bytes of noise that a bot may write in one game.
pub const NOISE_BYTES: u64 = 64 << 10;
/// The least size that a line counts as, in bytes: its cost in the record.
pub const LINE_COST: u64 = 64;

/// Counts what a bot writes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flood {
    turn_bytes: u64,
    game_bytes: u64,
    noise_lines: u64,
    noise_bytes: u64,
}

impl Flood {
    /// Starts a turn.
    pub fn next_turn(&mut self) {
        self.turn_bytes = 0;
    }

    /// Returns whether the bot has written anything.
    pub fn is_silent(&self) -> bool {
        self.game_bytes == 0
    }

    /// Counts a line; returns the limit that it exceeds, if any.
    pub fn line(&mut self, bytes: &[u8]) -> Option<String> {
        let cost = (bytes.len() as u64 + 1).max(LINE_COST);
        self.turn_bytes += cost;
        self.game_bytes += cost;
        if self.turn_bytes > TURN_BYTES {
            return Some(format!("more than {TURN_BYTES} bytes in one turn"));
        }
        (self.game_bytes > GAME_BYTES).then(|| format!("more than {GAME_BYTES} bytes in one game"))
    }

    /// Counts a line that is not a message; returns the limit that it exceeds, if any.
    pub fn noise(&mut self, bytes: &[u8]) -> Option<String> {
        self.noise_lines += 1;
        self.noise_bytes += bytes.len() as u64 + 1;
        if self.noise_lines > NOISE_LINES {
            return Some(format!("more than {NOISE_LINES} lines that are no messages"));
        }
        (self.noise_bytes > NOISE_BYTES)
            .then(|| format!("more than {NOISE_BYTES} bytes that are no messages"))
    }
}
