//! Files in the directory of evidence that belong to no row.

use std::collections::BTreeMap;
use std::path::Path;

use super::context::{Context, io_error};
use super::members;
use super::seen::{Seen, Voids};
use crate::record::Layout;
use crate::record::read::ReadError;

/// A file that belongs to no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Orphan {
    /// An attempt that a killed referee left, and that was repeated.
    Cut,
    /// An attempt at this game without a row, or without a row yet.
    Rowless(u64),
    /// A file that no referee writes.
    Strange,
}

/// Finds the files that belong to no row, in the order of their games.
///
/// # Errors
/// [`ReadError::Io`] if the directory exists and cannot be read.
pub(super) fn find(
    context: &Context,
    counted: &Seen,
    voids: &BTreeMap<u64, Voids>,
) -> Result<Vec<(String, Orphan)>, ReadError> {
    let files = &context.files;
    let mut orphans = Vec::new();
    for name in listed(&files.wires())? {
        let orphan = match context.layout {
            Layout::Apart => orphan(&name, counted, voids),
            Layout::Packed if name == "open" || members::number(&name).is_some() => None,
            Layout::Packed => Some(Orphan::Strange),
        };
        orphans.extend(orphan.map(|orphan| (orphan, format!("wire/{name}"))));
    }
    if context.layout == Layout::Packed {
        for name in listed(&files.spools())? {
            let game = name.strip_suffix(".jsonl").and_then(|game| game.parse::<u64>().ok());
            orphans.push((game.map_or(Orphan::Strange, Orphan::Rowless), format!("wire/open/{name}")));
        }
    }
    orphans.sort_unstable();
    Ok(orphans.into_iter().map(|(orphan, file)| (file, orphan)).collect())
}

/// Lists the names in a directory; none if it does not exist.
fn listed(dir: &Path) -> Result<Vec<String>, ReadError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(io_error(dir, source)),
    };
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    entries.map(name).collect::<Result<_, _>>().map_err(|source| io_error(dir, source))
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
