//! The games that have rows in a record.

use std::collections::BTreeMap;
use std::path::Path;

use crate::record::read::{ReadError, Rows};

/// A set of game numbers: one bit per number where they are dense, and little memory for distant numbers.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pages: BTreeMap<u64, [u64; 8]>,
}

impl Seen {
    pub(super) fn insert(&mut self, game: u64) {
        self.pages.entry(game / 512).or_default()[(game / 64 % 8) as usize] |= 1 << (game % 64);
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        let page = self.pages.get(&(game / 512));
        page.is_some_and(|words| words[(game / 64 % 8) as usize] & 1 << (game % 64) != 0)
    }
}

/// The rows of a game that do not count.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Voids {
    /// How many there are.
    pub(super) count: u64,
    /// The number of the line of the last.
    pub(super) last: u64,
}

/// Finds the games that have rows that do not count.
pub(super) fn voids(path: &Path) -> Result<BTreeMap<u64, Voids>, ReadError> {
    let mut voids: BTreeMap<u64, Voids> = BTreeMap::new();
    let mut rows = Rows::open(path)?;
    loop {
        let line = match rows.next_bytes() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(voids),
            // It is reported when the rows are checked.
            Err(ReadError::Line { .. }) => continue,
            Err(error) => return Err(error),
        };
        if let Some(game) = game_of(line)
            && line.windows(VOID.len()).any(|window| window == VOID)
        {
            let of_game = voids.entry(game).or_default();
            *of_game = Voids { count: of_game.count + 1, last: rows.number() };
        }
    }
}

const VOID: &[u8] = br#""reason":"void""#;

/// Reads the number of the game with which every row begins.
pub(super) fn game_of(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(br#"{"game":"#)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}
