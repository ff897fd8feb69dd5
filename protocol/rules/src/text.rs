//! Positions as text.
//!
//! The rows as in the diagram, top to bottom, joined by `/`, the pits of a row by `,`; then, after one space each, the
//! side to move (`S` or `N`) and the seeds captured (or banked) by South and by North. A reserved pit bears a `*`.
//!
//! ```text
//! Bao Kigogo                      Bao Kingulu
//! b12 b11 ... b1                  a6 a5 a4 a3 a2 a1
//! a12 a11 ... a1                  A1 A2 A3 A4 A5 A6
//! A1  A2  ... A12
//! B1  B2  ... B12
//! ```
//!
//! There is one text for each position: numbers have no sign and no leading zeros, and nothing else is in it.

pub(crate) mod error;

use core::fmt;

use self::error::{Place, PositionError};
use crate::name::excerpt;
use crate::pit::{MOST, Pit};
use crate::rules::{Rules, Seeds};
use crate::side::Side;
use crate::variant::Variant;

/// Reads a position of the game `P`.
pub(crate) fn read<P: Rules>(text: &str) -> Result<P, PositionError> {
    seeds(P::VARIANT, text).map(|seeds| P::set_up(&seeds))
}

fn seeds(variant: Variant, text: &str) -> Result<Seeds, PositionError> {
    let mut parts = text.split(' ');
    let mut seeds = board(variant, parts.next().unwrap_or_default())?;
    let side = parts.next().ok_or(PositionError::Missing { part: "the side to move (S or N)" })?;
    seeds.side = side.parse().map_err(|_| PositionError::Side { text: excerpt(side) })?;
    for side in Side::BOTH {
        let part = match side {
            Side::South => "South's captured seeds",
            Side::North => "North's captured seeds",
        };
        let captured = parts.next().ok_or(PositionError::Missing { part })?;
        seeds.captured[side as usize] = number(variant, Place::Captured(side), captured)?;
    }
    if let Some(junk) = parts.next() {
        return Err(PositionError::Trailing { text: excerpt(junk) });
    }
    counted(variant, seeds)
}

/// Reads the pits, each in range by itself.
fn board(variant: Variant, text: &str) -> Result<Seeds, PositionError> {
    let expected = variant.rows().len();
    let found = text.split('/').count();
    if found != expected {
        return Err(PositionError::Rows { found, expected });
    }
    let mut seeds = Seeds { pits: [[0; MOST]; 2], reserved: [0; 2], captured: [0; 2], side: Side::South };
    for (place, (row, text)) in variant.rows().zip(text.split('/')).enumerate() {
        let (found, expected) = (text.split(',').count(), row.len());
        if found != expected {
            let (first, last) = (row[0], row[expected - 1]);
            return Err(PositionError::Pits { row: place + 1, first, last, found, expected });
        }
        for (pit, text) in row.iter().zip(text.split(',')) {
            read_pit(&mut seeds, *pit, text)?;
        }
    }
    Ok(seeds)
}

fn read_pit(seeds: &mut Seeds, pit: Pit, text: &str) -> Result<(), PositionError> {
    let owner = pit.owner() as usize;
    let held = number(pit.variant(), Place::Pit(pit), text.strip_suffix('*').unwrap_or(text))?;
    if text.ends_with('*') {
        let reserved = pit.variant().info().reserved.as_ref();
        if !reserved.is_some_and(|holds| holds.contains(&held)) {
            return Err(PositionError::Reserved { pit, seeds: held });
        }
        seeds.reserved[owner] |= 1 << pit.index();
    }
    seeds.pits[owner][pit.index()] = held;
    Ok(())
}

/// Checks that there are as many seeds as the game has.
fn counted(variant: Variant, seeds: Seeds) -> Result<Seeds, PositionError> {
    let sum = |seeds: &[u8]| seeds.iter().copied().map(u32::from).sum::<u32>();
    let (on_board, off_board) = (sum(seeds.pits.as_flattened()), sum(&seeds.captured));
    let (found, all) = (on_board + off_board, variant.seeds());
    if found == all || found < all && !variant.info().closed {
        Ok(seeds)
    } else {
        Err(PositionError::Total { variant, on_board, off_board })
    }
}

fn number(variant: Variant, place: Place, text: &str) -> Result<u8, PositionError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || text.len() > 1 && text.starts_with('0') {
        return Err(PositionError::Number { place, text: excerpt(text) });
    }
    let seeds = text.parse().ok().filter(|seeds| u32::from(*seeds) <= variant.seeds());
    seeds.ok_or_else(|| PositionError::TooMany { place, text: excerpt(text), most: variant.seeds() })
}

/// Writes a position.
pub(crate) fn write<P: Rules>(position: &P, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // The referee writes a position every ply: one write of the whole instead of a hundred of its parts.
    let mut line = Line { text: [0; 320], length: 0 };
    for (place, row) in P::VARIANT.rows().enumerate() {
        if place > 0 {
            line.push(b'/');
        }
        for (place, pit) in row.iter().enumerate() {
            if place > 0 {
                line.push(b',');
            }
            line.number(position.seeds(*pit).into());
            if position.reserved(*pit).is_some() {
                line.push(b'*');
            }
        }
    }
    line.push(b' ');
    line.push(position.side().letter() as u8);
    for side in Side::BOTH {
        line.push(b' ');
        line.number(position.captured(side));
    }
    f.write_str(core::str::from_utf8(&line.text[..line.length]).expect("only ASCII was pushed"))
}

/// Room for the longest position text: 64 pits of three digits or marks, 63 separators, and at most 10 for the rest.
struct Line {
    text: [u8; 320],
    length: usize,
}

impl Line {
    fn push(&mut self, byte: u8) {
        self.text[self.length] = byte;
        self.length += 1;
    }

    /// Writes a number below 1000, as every number of seeds is.
    fn number(&mut self, number: u32) {
        if number < 10 {
            return self.push(b'0' + number as u8);
        }
        for unit in [100, 10, 1] {
            if number >= unit || unit == 1 {
                self.push(b'0' + (number / unit % 10) as u8);
            }
        }
    }
}
