//! The games that a page lets its reader step through: which, and in what notation.

use std::fmt::Write as _;
use std::str::FromStr;

use bao_protocol::Reason;
use bao_protocol::record::GameRow;
use bao_rules::{Pit, Play, Position, Reservation, Variant};

use super::sample::Sample;
use crate::annotate::Annotator;
use crate::record::course::{Ply, Unplayable, course};
use crate::record::read::Ruling;

/// How much of a page the games may take up unless the caller asks for more, in bytes: little enough for a phone.
pub const PAGE_BYTES: u64 = 2 << 20;

/// What a game takes up beside its moves and texts, and what a move does, about, in bytes.
const GAME_BYTES: u64 = 350;
const MOVE_BYTES: u64 = 26;
/// How many games lost by a fault go before all others.
const MOST_FAULTED: usize = 200;

/// Which games a page holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replays {
    /// All if they take up at most [`PAGE_BYTES`]; else those lost by a fault and an evenly spaced sample.
    #[default]
    Fitting,
    /// At most this many, those lost by a fault first, the others evenly spaced.
    Most(usize),
    /// All, however large the page gets.
    All,
}

/// The error of a text that does not choose games.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is neither a number of games nor \"all\"")]
pub struct BadReplays(String);

impl FromStr for Replays {
    type Err = BadReplays;

    fn from_str(text: &str) -> Result<Self, BadReplays> {
        if text == "all" {
            return Ok(Self::All);
        }
        text.parse().map(Self::Most).map_err(|_| BadReplays(text.to_owned()))
    }
}

impl Replays {
    /// Begins to choose.
    pub(super) fn candidates(self) -> Candidates {
        let most = match self {
            Self::Fitting => (PAGE_BYTES / GAME_BYTES) as usize,
            Self::Most(games) => games.saturating_mul(2),
            Self::All => usize::MAX,
        };
        Candidates { replays: self, games: Sample::new(most), faulted: Vec::new(), bytes: 0 }
    }
}

/// The games that might be chosen.
#[derive(Debug)]
pub(super) struct Candidates {
    replays: Replays,
    games: Sample<Candidate>,
    faulted: Vec<Candidate>,
    bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Candidate {
    game: u64,
    place: Whereabouts,
    /// What it would take up, about.
    bytes: u64,
}

/// Where a game is in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whereabouts {
    /// Where its row begins in `games.jsonl`.
    pub(super) offset: u64,
    /// Where the rows of its moves begin in `moves.jsonl`.
    pub(super) moves_start: u64,
    /// What the arbiter decided about it.
    pub(super) ruling: Option<Ruling>,
}

/// The games that were chosen.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Where they are, in the order of their numbers.
    pub(super) places: Vec<Whereabouts>,
    /// How many games there were to choose from.
    pub(super) of: u64,
}

impl Candidates {
    /// Adds a game.
    pub(super) fn add(&mut self, row: &GameRow, place: Whereabouts) {
        if row.reason == Reason::Void {
            return;
        }
        let texts = (row.south.len() + row.north.len() + row.position.len()) as u64;
        let bytes = GAME_BYTES + texts + MOVE_BYTES * row.plies;
        let candidate = Candidate { game: row.game, place, bytes };
        self.bytes += candidate.bytes;
        self.games.push(candidate);
        if row.fault.is_some() && self.faulted.len() < MOST_FAULTED {
            self.faulted.push(candidate);
        }
    }

    /// Chooses.
    pub(super) fn choose(self) -> Chosen {
        let of = self.games.seen();
        let most = match self.replays {
            Replays::All => usize::MAX,
            Replays::Most(games) => games,
            Replays::Fitting if self.bytes <= PAGE_BYTES => usize::MAX,
            Replays::Fitting => (PAGE_BYTES / (self.bytes / of.max(1)).max(1)) as usize,
        };
        let mut chosen = if self.games.is_whole() && self.games.items().len() <= most {
            self.games.items().to_vec()
        } else {
            self.some(most)
        };
        chosen.sort_unstable_by_key(|candidate| (candidate.game, candidate.place.offset));
        chosen.dedup();
        Chosen { places: chosen.into_iter().map(|candidate| candidate.place).collect(), of }
    }

    /// Takes those lost by a fault, at most half of all, and fills up with evenly spaced ones.
    fn some(&self, most: usize) -> Vec<Candidate> {
        let mut chosen = self.faulted[..self.faulted.len().min(most.div_ceil(2))].to_vec();
        let others: Vec<Candidate> =
            self.games.items().iter().filter(|game| !chosen.contains(game)).copied().collect();
        let wanted = (most - chosen.len()).min(others.len());
        chosen.extend((0..wanted).map(|place| others[place * others.len() / wanted]));
        chosen
    }
}

/// A game's moves, written down.
#[derive(Debug, Default)]
pub(super) struct Notation {
    /// The moves with spaces between.
    pub(super) text: String,
    /// What perfect play is worth, where that is known.
    pub(super) perfect: Vec<Perfect>,
}

/// Perfect play before a move.
#[derive(Debug)]
pub(super) struct Perfect {
    /// The move's place in the game, from 0.
    pub(super) ply: usize,
    /// The final seeds of the mover above the other's.
    pub(super) best: i32,
    /// The moves that lead there.
    pub(super) moves: String,
}

/// Writes a game's moves down so that its positions follow without knowing the rules.
///
/// A move is the pit that it lifts; `:9` says that it has nine laps, `:~` that its sowing never ends; `xa3,b3` that
/// the seeds of these pits leave the board at its end, `*a4` that this pit is reserved, and `<a5` that a seed of
/// that pit is added to it; `?6` that the move gave six seeds away against perfect play. A lap lifts a pit and sows
/// its seeds one by one into the following ones; a seed that would fall into a reserved pit goes to its owner's
/// bank; the next lap lifts the pit into which the last seed fell.
///
/// # Errors
/// [`Unplayable`] where the rules do not have such a game.
pub(super) fn notation(row: &GameRow, mut annotator: Option<&mut Annotator>) -> Result<Notation, Unplayable> {
    let mut notation = Notation { text: String::with_capacity(row.moves.len() * 3), perfect: Vec::new() };
    for (number, ply) in course(row)?.enumerate() {
        let Ply { name, pit, before, .. } = ply?;
        write_move(&mut notation.text, name, &before, pit);
        let Some(judged) = annotator.as_mut().and_then(|annotator| annotator.judge(&before, pit)) else {
            continue;
        };
        if judged.given_away > 0 {
            write!(notation.text, "?{}", judged.given_away).expect("a string takes everything");
        }
        let moves: Vec<&str> = judged.best_moves.iter().map(|pit| pit.name()).collect();
        notation.perfect.push(Perfect { ply: number, best: judged.best, moves: moves.join("|") });
    }
    Ok(notation)
}

/// Returns the moves of a game's example, written down in the same way; empty where there is none.
pub(super) fn example(variant: Variant) -> String {
    let (mut position, mut text) = (Position::start(variant), String::new());
    for name in variant.info().example.split_whitespace() {
        let Ok(pit) = Pit::parse(variant, name) else { break };
        let Ok(Play { after: Some(after), .. }) = position.play(pit) else { break };
        write_move(&mut text, name, &position, pit);
        position = after;
    }
    text
}

/// Writes a move that has been played already.
fn write_move(text: &mut String, name: &str, before: &Position, pit: Pit) {
    let Ok(trace) = before.trace(pit) else { return };
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(name);
    match trace.total {
        None => text.push_str(":~"),
        Some(1) => {}
        Some(laps) => write!(text, ":{laps}").expect("a string takes everything"),
    }
    for (place, (pit, _)) in trace.taken().enumerate() {
        text.push(if place == 0 { 'x' } else { ',' });
        text.push_str(pit.name());
    }
    if let Some(Reservation { pit, added_from }) = trace.reserved() {
        text.push('*');
        text.push_str(pit.name());
        if let Some(from) = added_from {
            text.push('<');
            text.push_str(from.name());
        }
    }
}
