//! Which games a record has rows of.

use std::collections::BTreeMap;
use std::path::Path;

use crate::record::read::{ReadError, Rows};

/// A set of game numbers: a bit each where they are dense, and never much for one that is far off.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pages: BTreeMap<u64, [u64; 8]>,
}

impl Seen {
    /// Adds a number; tells whether it is new.
    pub(super) fn insert(&mut self, game: u64) -> bool {
        let word = &mut self.pages.entry(game / 512).or_default()[(game / 64 % 8) as usize];
        let bit = 1 << (game % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        let page = self.pages.get(&(game / 512));
        page.is_some_and(|words| words[(game / 64 % 8) as usize] & 1 << (game % 64) != 0)
    }
}

/// Finds the games that have a row that does not count, and the number of the line of each one's last row.
pub(super) fn played_again(path: &Path) -> Result<BTreeMap<u64, u64>, ReadError> {
    let mut last = BTreeMap::new();
    let mut rows = Rows::open(path)?;
    loop {
        let line = match rows.next_bytes() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(last),
            // It is told when the rows are checked.
            Err(ReadError::Line { .. }) => continue,
            Err(error) => return Err(error),
        };
        let Some(game) = game_of(line) else { continue };
        let void = || line.windows(VOID.len()).any(|window| window == VOID);
        if last.contains_key(&game) || void() {
            last.insert(game, rows.number());
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
