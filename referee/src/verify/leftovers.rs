//! Files in the directory of evidence that belong to no row.

use std::collections::BTreeMap;

use super::context::io_error;
use super::seen::{Seen, Voids};
use crate::record::Files;
use crate::record::read::ReadError;

/// A file that belongs to no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Orphan {
    /// An attempt that a killed referee left, and that was made again.
    Cut,
    /// An attempt at this game whose row is not there, or not yet.
    Rowless(u64),
    /// Nothing that a referee writes.
    Strange,
}

/// Finds the files that belong to no row, in the order of their games.
///
/// # Errors
/// [`ReadError::Io`] where the directory is there and cannot be read.
pub(super) fn find(
    files: &Files,
    counted: &Seen,
    voids: &BTreeMap<u64, Voids>,
) -> Result<Vec<(String, Orphan)>, ReadError> {
    let dir = files.wires();
    let mut orphans = Vec::new();
    match std::fs::read_dir(&dir) {
        Ok(entries) => {
            for entry in entries {
                let name = entry.map_err(|source| io_error(&dir, source))?.file_name();
                let name = name.to_string_lossy();
                orphans.extend(orphan(&name, counted, voids).map(|orphan| (orphan, format!("wire/{name}"))));
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(source) => return Err(io_error(&dir, source)),
    }
    orphans.sort_unstable();
    Ok(orphans.into_iter().map(|(orphan, file)| (file, orphan)).collect())
}

fn orphan(name: &str, counted: &Seen, voids: &BTreeMap<u64, Voids>) -> Option<Orphan> {
    let Some(stem) = name.strip_suffix(".jsonl") else { return Some(Orphan::Strange) };
    let (game, kind) = stem.split_once('.').map_or((stem, None), |(game, kind)| (game, Some(kind)));
    let Ok(game) = game.parse::<u64>() else { return Some(Orphan::Strange) };
    let attempt = |kind: &str, name: &str| kind.strip_prefix(name)?.parse::<u64>().ok();
    let rows = voids.get(&game).map_or(0, |voids| voids.count);
    match kind {
        None => (!counted.contains(game)).then_some(Orphan::Rowless(game)),
        Some("void") => (rows < 1).then_some(Orphan::Rowless(game)),
        Some(kind) => match (attempt(kind, "void-"), attempt(kind, "cut-")) {
            (Some(attempt), _) => (rows < attempt).then_some(Orphan::Rowless(game)),
            (None, Some(_)) => Some(Orphan::Cut),
            (None, None) => Some(Orphan::Strange),
        },
    }
}
