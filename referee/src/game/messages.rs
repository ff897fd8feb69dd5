//! The lines that a game sends, except `go`, `fault` and `game_over`, which need the whole game.

use std::borrow::Cow;
use std::fmt::Write as _;

use bao_protocol::to_bot::{self, ToBot};
use bao_rules::{Moves, Pit, Position, Side};

use crate::game::input::Out;
use crate::game::setup::Setup;

/// Buffers that live as long as the game, so that a ply allocates almost nothing.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) line: Vec<u8>,
    pub(super) position: String,
    pub(super) legal: String,
    pub(super) reserved: String,
    pub(super) last: String,
    pub(super) game_id: String,
}

impl Texts {
    /// Writes the parts of a request that are text.
    pub(super) fn describe(&mut self, position: &Position, legal: &Moves, last: Option<Pit>) {
        self.position.clear();
        write!(self.position, "{position}").expect("a String takes every write");
        list(&mut self.legal, legal.iter());
        let pits = Side::BOTH.into_iter().flat_map(|side| position.pits(side));
        list(&mut self.reserved, pits.filter(|pit| position.reserved(*pit).is_some()));
        list(&mut self.last, last.into_iter());
    }
}

fn list(text: &mut String, pits: impl Iterator<Item = Pit>) {
    text.clear();
    for pit in pits {
        if !text.is_empty() {
            text.push(' ');
        }
        write!(text, "{pit}").expect("a String takes every write");
    }
}

/// Returns the seeds of one side's pits in sowing order, followed by zeros.
pub(super) fn row(position: &Position, side: Side) -> [u8; 24] {
    let mut seeds = [0; 24];
    for (slot, pit) in seeds.iter_mut().zip(position.pits(side)) {
        *slot = position.seeds(pit);
    }
    seeds
}

/// Sends a message.
pub(super) fn send(buffer: &mut Vec<u8>, side: Side, message: &ToBot<'_>, out: &mut impl Out) {
    buffer.clear();
    message.write_line(buffer);
    out.send(side, buffer);
}

/// Returns the referee's first message.
pub(crate) fn hello(handshake_us: u64) -> ToBot<'static> {
    ToBot::Hello(to_bot::Hello {
        protocol: vec![bao_protocol::VERSION],
        referee: Cow::Borrowed(crate::NAME),
        limits: to_bot::Limits {
            line_bytes: bao_protocol::LINE_BYTES as u64,
            handshake_ms: handshake_us / 1000,
        },
    })
}

/// Returns the message that sets an option.
pub(super) fn set_option<'a>(id: u64, name: &'a str, value: &'a str) -> ToBot<'a> {
    ToBot::SetOption(to_bot::SetOption { id, name: Cow::Borrowed(name), value: Cow::Borrowed(value) })
}

/// Returns the message that announces a game.
pub(crate) fn new_game<'a>(setup: &Setup, side: Side, id: u64, game_id: &'a str) -> ToBot<'a> {
    ToBot::NewGame(to_bot::NewGame {
        id,
        game_id: Cow::Borrowed(game_id),
        game: Cow::Borrowed(setup.position.variant().name()),
        you: side.into(),
        position: setup.position.to_string().into(),
        clock: setup.seat(side).clock.to_wire(),
        max_plies: setup.max_plies,
    })
}
