//! The input and the output of a game.

use bao_protocol::VoidCause;
use bao_protocol::record::MoveRow;
use bao_rules::Side;

use crate::game::note::Note;
use crate::game::verdict::Loss;

/// The output of a game.
pub trait Out {
    /// Write a line, newline included, to a bot.
    fn send(&mut self, side: Side, line: &[u8]);
    /// A move was made.
    fn ply(&mut self, row: &MoveRow<'_>);
    /// The record should have a note about a bot.
    fn note(&mut self, side: Side, note: &Note<'_>);
}

/// What happened to a game.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// The driver is ready to write: send the requests that are due.
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
    /// A line was begun and not ended, and its time is up; the verdict names it if this decides the game.
    HalfLine {
        /// Who began it.
        side: Side,
        /// How many bytes were read of it.
        bytes: u64,
        /// Its beginning, printable.
        text: &'a str,
    },
    /// A bot that was stopped while it was not on turn used processor time all the same, and is about to be asked.
    Ran {
        /// Which one.
        side: Side,
        /// How much, in microseconds.
        us: u64,
    },
    /// Time has passed, and no bot that must answer has an unread line.
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
