//! Records one game while it is played.
//!
//! Nothing is written here: the [`Ledger`](super::Ledger)'s thread writes to the disk.

use std::borrow::Cow;

use bao_protocol::record::{Channel, Event, MoveRow, Start, WireLine, WireStderr};
use bao_rules::{BySide, Side};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::ledger::Entry;
use super::outlet::Outlet;
use super::{Layout, hex};
use crate::game::Note;
use crate::game::setup::Setup;
use crate::game::verdict::{Verdict, printable};
use crate::record::events::Events;

/// How many bytes to collect before they are sent to the ledger.
const HELD_BYTES: usize = 64 << 10;
/// How long to collect them while the game is quiet, in microseconds.
const HELD_US: u64 = 1_000_000;

/// Records one game: sends its evidence during the game, and keeps the rows of its plies for the end.
#[derive(Debug)]
pub struct Scribe {
    wire: Option<Wire>,
    moves: Vec<u8>,
    stderr: BySide<Option<String>>,
    follow: Option<Events>,
}

#[derive(Debug)]
struct Wire {
    game: u64,
    layout: Layout,
    ledger: Outlet<Entry>,
    held: Vec<u8>,
    handed_us: u64,
}

/// The result of a scribe.
#[derive(Debug)]
pub struct Written {
    /// The rows of the game's plies.
    pub moves: Vec<u8>,
    /// The rest of the evidence; `None` where there is none.
    pub wire: Option<Vec<u8>>,
    /// What the bots wrote to their standard errors.
    pub stderr: BySide<Option<String>>,
}

impl Scribe {
    /// Begins a game's record; without a ledger only the rows of its plies are kept.
    pub fn new(ledger: Option<(Outlet<Entry>, Layout)>, setup: &Setup, follow: Option<Events>) -> Self {
        let game = setup.game;
        let wire = ledger.map(|(ledger, layout)| {
            ledger.enter(Entry::Begun(game));
            let held = Vec::with_capacity(HELD_BYTES + HELD_BYTES / 4);
            Wire { game, layout, ledger, held, handed_us: 0 }
        });
        let mut scribe = Self { wire, moves: Vec::new(), stderr: BySide::from_fn(|_| None), follow };
        scribe.json(0, Channel::Start, &Start::from(setup.clone()));
        scribe
    }

    /// Records a line that was exchanged.
    pub fn wire(&mut self, at_us: u64, channel: Channel, bytes: &[u8]) {
        self.line(at_us, channel, bytes, None);
    }

    /// Records a line that was exchanged, and its processor time.
    pub fn line(&mut self, at_us: u64, channel: Channel, bytes: &[u8], cpu_us: Option<u64>) {
        if let Some(wire) = &mut self.wire {
            let (text, bytes) = match std::str::from_utf8(bytes) {
                Ok(text) => (Some(Cow::Borrowed(text)), None),
                Err(_) => (None, Some(Cow::Owned(hex(bytes)))),
            };
            wire.push(at_us, channel, text, bytes, cpu_us);
        }
    }

    /// Records what the referee noticed about a bot's line.
    pub fn note(&mut self, at_us: u64, side: Side, note: &Note<'_>) {
        self.wire(at_us, Channel::Note, noted(side, note).as_bytes());
    }

    /// Records an event that is not a line.
    pub fn event(&mut self, at_us: u64, event: &Event) {
        self.json(at_us, Channel::Event, event);
    }

    /// Records what a bot wrote to its standard error, once the game is over.
    pub fn stderr(&mut self, at_us: u64, side: Side, text: String) {
        let channel = [Channel::SouthStderr, Channel::NorthStderr][side as usize];
        match self.wire.as_ref().map(|wire| wire.layout) {
            Some(Layout::Apart) => self.wire(at_us, channel, text.as_bytes()),
            Some(Layout::Packed) => self.json(at_us, channel, &stderr_digest(&text)),
            None => {}
        }
        self.stderr[side] = Some(text);
    }

    /// Keeps a ply's row, and sends it on to the followers of the run.
    pub fn ply(&mut self, row: &MoveRow<'_>) {
        let start = self.moves.len();
        serde_json::to_writer(&mut self.moves, row)
            .expect("a row of plain integers and strings always serialises");
        if let Some(follow) = &self.follow {
            follow.send_object("move", &String::from_utf8_lossy(&self.moves[start..]));
        }
        self.moves.push(b'\n');
    }

    /// Ends the record with the verdict.
    pub fn finish(mut self, at_us: u64, verdict: &Verdict, plies: u64, position: &str) -> Written {
        let last = verdict.to_wire(plies, position.to_owned());
        self.json(at_us, Channel::Verdict, &last);
        Written { moves: self.moves, wire: self.wire.map(|wire| wire.held), stderr: self.stderr }
    }

    fn json(&mut self, at_us: u64, channel: Channel, value: &impl Serialize) {
        if self.wire.is_some() {
            let text = serde_json::to_vec(value).expect("plain structs always serialise");
            self.wire(at_us, channel, &text);
        }
    }
}

/// Writes a note as it is in the evidence.
pub(crate) fn noted(side: Side, note: &Note<'_>) -> String {
    format!("{side}: {}", printable(&note.to_string(), 300))
}

/// Returns the digest of a bot's standard error, for the evidence.
pub(crate) fn stderr_digest(text: &str) -> WireStderr {
    WireStderr { sha256: hex(&Sha256::digest(text)), bytes: text.len() as u64 }
}

impl Wire {
    fn push(
        &mut self,
        at_us: u64,
        channel: Channel,
        text: Option<Cow<'_, str>>,
        hex_text: Option<Cow<'_, str>>,
        cpu_us: Option<u64>,
    ) {
        WireLine { at_us, channel, text, hex: hex_text, cpu_us, prev: None }.write_line(&mut self.held);
        if self.held.len() >= HELD_BYTES || at_us.saturating_sub(self.handed_us) >= HELD_US {
            self.handed_us = at_us;
            self.ledger.enter(Entry::Wire(self.game, std::mem::take(&mut self.held)));
        }
    }
}
