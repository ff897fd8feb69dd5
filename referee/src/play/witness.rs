//! Records a game while it is played.

use bao_protocol::record::{Channel, Event, MoveRow};
use bao_rules::Side;

use crate::game::Note;
use crate::record::Scribe;

/// Records a game while it is played. Stamps are microseconds since its start.
pub trait Witness {
    /// The game sent a line to a side.
    fn sent(&mut self, _at_us: u64, _side: Side, _line: &[u8]) {}
    /// A side wrote a line; `cpu_us` is the processor time that its clock counts.
    fn said(&mut self, _at_us: u64, _side: Side, _line: &[u8], _cpu_us: Option<u64>) {}
    /// An event that is not a line.
    fn event(&mut self, _at_us: u64, _event: &Event) {}
    /// A move was made.
    fn ply(&mut self, row: &MoveRow<'_>);
    /// The record should have a note about a side's bot.
    fn note(&mut self, at_us: u64, side: Side, note: &Note<'_>);
}

impl Witness for Scribe {
    fn sent(&mut self, at_us: u64, side: Side, line: &[u8]) {
        let channel = Channel::to(side);
        self.wire(at_us, channel, line.strip_suffix(b"\n").unwrap_or(line));
    }

    fn said(&mut self, at_us: u64, side: Side, line: &[u8], cpu_us: Option<u64>) {
        self.line(at_us, Channel::from(side), line, cpu_us);
    }

    fn event(&mut self, at_us: u64, event: &Event) {
        Self::event(self, at_us, event);
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        Self::ply(self, row);
    }

    fn note(&mut self, at_us: u64, side: Side, note: &Note<'_>) {
        Self::note(self, at_us, side, note);
    }
}
