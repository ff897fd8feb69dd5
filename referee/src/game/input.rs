//! What goes into a game, and what comes out.

use bao_protocol::VoidCause;
use bao_protocol::record::MoveRow;
use bao_rules::Side;

use crate::game::note::Note;
use crate::game::verdict::Loss;

/// What comes out of a game.
pub trait Out {
    /// Write a line, newline included, to a bot.
    fn send(&mut self, side: Side, line: &[u8]);
    /// A move was made.
    fn ply(&mut self, row: &MoveRow<'_>);
    /// Something about a bot is worth a line in the record.
    fn note(&mut self, side: Side, note: &Note<'_>);
}

/// What happened to a game.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// The driver is ready to write: whatever request is due goes out now.
    Ask,
    /// A bot wrote a line.
    Line(Heard<'a>),
    /// A bot can no longer play.
    Lost {
        /// Which one.
        side: Side,
        /// What happened to it.
        loss: &'a Loss,
    },
    /// A line was begun and is not ended, and the time for it is up; it is named where that decides the game.
    HalfLine {
        /// Who began it.
        side: Side,
        /// How many bytes were read of it.
        bytes: u64,
        /// Its beginning, printable.
        text: &'a str,
    },
    /// Time went by, and there is nothing unread of a bot that is awaited.
    Tick,
    /// The game is ended and does not count.
    Stop {
        /// Why.
        cause: VoidCause,
        /// Why, in a sentence.
        why: &'a str,
    },
}

/// A line that a bot wrote.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    /// Who wrote it.
    pub side: Side,
    /// The line, without its newline.
    pub bytes: &'a [u8],
    /// How late the referee was to read it, in microseconds.
    pub lag_us: u64,
    /// The processor time that was used since the bot was asked.
    pub cpu: Cpu,
}

/// Processor time that was used since the bot on turn was asked, in microseconds, where it was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cpu {
    /// By the bot on turn.
    pub mover_us: Option<u64>,
    /// By its opponent.
    pub opponent_us: Option<u64>,
}
