//! The output of the machine while a wire file is replayed through it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use bao_protocol::record::{Channel, MoveRow, WireLine};
use bao_rules::Side;

use super::context::Context;
use super::finding::Findings;
use super::plies::Plies;
use crate::game::{Note, Out};
use crate::record::noted;

/// The messages and notes of the machine that have not been found in the wire file yet.
pub(super) struct Script<'a, 'p, 'm> {
    pub(super) context: &'a Context,
    plies: &'a mut Plies<'p>,
    pub(super) findings: &'m mut Findings,
    /// The stamp of the input that the machine was last given.
    pub(super) now_us: u64,
    bytes: Vec<u8>,
    said: VecDeque<(Channel, Range<usize>)>,
}

impl<'a, 'p, 'm> Script<'a, 'p, 'm> {
    pub(super) fn new(context: &'a Context, plies: &'a mut Plies<'p>, findings: &'m mut Findings) -> Self {
        Self { context, plies, findings, now_us: 0, bytes: Vec::new(), said: VecDeque::new() }
    }

    /// Returns whether all output of the machine has been found.
    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty()
    }

    /// Writes the next output of the machine as a line of evidence; returns whether there is any.
    pub(super) fn write_next(&self, prev: Option<&str>, out: &mut Vec<u8>) -> bool {
        let Some((channel, range)) = self.said.front() else { return false };
        let Ok(text) = std::str::from_utf8(&self.bytes[range.clone()]) else { return false };
        WireLine {
            at_us: self.now_us,
            channel: *channel,
            text: Some(Cow::Borrowed(text)),
            hex: None,
            cpu_us: None,
            prev: prev.map(Cow::Borrowed),
        }
        .write_line(out);
        true
    }

    /// Drops the next output of the machine.
    pub(super) fn drop_next(&mut self) {
        self.said.pop_front();
        if self.said.is_empty() {
            self.bytes.clear();
        }
    }

    /// Takes the next output of the machine.
    pub(super) fn next(&mut self) -> Option<(Channel, Vec<u8>)> {
        let (channel, range) = self.said.front()?.clone();
        let bytes = self.bytes[range].to_vec();
        self.drop_next();
        Some((channel, bytes))
    }

    fn push(&mut self, channel: Channel, text: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        self.said.push_back((channel, start..self.bytes.len()));
    }
}

impl Out for Script<'_, '_, '_> {
    fn send(&mut self, side: Side, line: &[u8]) {
        let channel = Channel::to(side);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let referee = &self.context.run.referee;
        if referee != crate::NAME && line.starts_with(br#"{"type":"hello""#) {
            // Another version of the referee made this record and named itself.
            let line = String::from_utf8_lossy(line).replacen(crate::NAME, referee, 1);
            return self.push(channel, line.as_bytes());
        }
        self.push(channel, line);
    }

    fn ply(&mut self, row: &MoveRow<'_>) {
        self.plies.played(row, self.findings);
    }

    fn note(&mut self, side: Side, note: &Note<'_>) {
        self.push(Channel::Note, noted(side, note).as_bytes());
    }
}
