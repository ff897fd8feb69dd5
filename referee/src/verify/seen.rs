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
    pub(super) fn insert(&mut self, game: u64) {
        self.pages.entry(game / 512).or_default()[(game / 64 % 8) as usize] |= 1 << (game % 64);
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        let page = self.pages.get(&(game / 512));
        page.is_some_and(|words| words[(game / 64 % 8) as usize] & 1 << (game % 64) != 0)
    }
}

/// Finds the games that have rows that do not count, and the number of the line of each one's last: the evidence of
/// earlier ones is overwritten.
pub(super) fn last_voids(path: &Path) -> Result<BTreeMap<u64, u64>, ReadError> {
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
        if let Some(game) = game_of(line)
            && line.windows(VOID.len()).any(|window| window == VOID)
        {
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
