//! Plays the moves of a row by the rules.

use bao_protocol::record::GameRow;
use bao_rules::{Illegal, Pit, PitError, Play, Position, PositionError, UnknownName, Variant};

/// A move of a row, and what it did.
#[derive(Debug, Clone)]
pub(crate) struct Ply<'a> {
    /// The pit that was lifted, as the row writes it.
    pub(crate) name: &'a str,
    /// The same pit.
    pub(crate) pit: Pit,
    /// The position before it.
    pub(crate) before: Position,
    /// Its result.
    pub(crate) play: Play<Position>,
}

/// Why the moves of a row cannot be played.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unplayable {
    /// There is no such game.
    #[error("variant: {0}")]
    Variant(UnknownName),
    /// The game did not begin with a position of that game.
    #[error("position: {0}")]
    Position(PositionError),
    /// A move is not the name of a pit.
    #[error("move {number}, {name}: {source}")]
    Pit {
        /// The move's number, from 1.
        number: usize,
        /// The move, as the row writes it.
        name: String,
        /// What is wrong with it.
        source: PitError,
    },
    /// The rules forbid a move.
    #[error("move {number}, {name}: {source}")]
    Illegal {
        /// The move's number, from 1.
        number: usize,
        /// The move, as the row writes it.
        name: String,
        /// The rule against it.
        source: Illegal,
    },
}

/// Returns the position with which a row's game began.
///
/// # Errors
/// [`Unplayable`] where the row has none.
pub(crate) fn start(row: &GameRow) -> Result<Position, Unplayable> {
    let variant: Variant = row.variant.parse().map_err(Unplayable::Variant)?;
    Position::parse(variant, &row.position).map_err(Unplayable::Position)
}

/// Plays the moves of a row in order, and stops after a move that cannot be played.
///
/// # Errors
/// [`Unplayable`] where the row has no position to begin with.
pub(crate) fn course(row: &GameRow) -> Result<impl Iterator<Item = Result<Ply<'_>, Unplayable>>, Unplayable> {
    let start = start(row)?;
    let mut next = Some(start);
    Ok(row.moves.split_whitespace().zip(1..).map_while(move |(name, number)| {
        let before = next.take()?;
        let ply = ply(before, name, number);
        if let Ok(Ply { play, .. }) = &ply {
            next = play.after;
        }
        Some(ply)
    }))
}

fn ply(before: Position, name: &str, number: usize) -> Result<Ply<'_>, Unplayable> {
    let named = || name.to_owned();
    let pit = Pit::parse(before.variant(), name).map_err(|source| Unplayable::Pit {
        number,
        name: named(),
        source,
    })?;
    let play = before.play(pit).map_err(|source| Unplayable::Illegal { number, name: named(), source })?;
    Ok(Ply { name, pit, before, play })
}
