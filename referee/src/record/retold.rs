//! The attempts of a record as they were handed to its ledger, to go into another record.

use std::io;

use bao_protocol::record::GameRow;
use bao_rules::BySide;

use super::evidence::Evidence;
use super::place::{Ends, Places, stderr};
use super::read::{GameBrief, ReadError, Rows};
use super::{Files, Finished};
use crate::open;

/// Calls `each` with every attempt of a record, in the order of its rows.
///
/// # Errors
/// [`ReadError`] if it cannot be read; what is wrong with its contents, `verify` finds.
pub fn attempts(files: &Files, mut each: impl FnMut(Finished)) -> Result<(), ReadError> {
    if !files.games().exists() {
        return Ok(());
    }
    let moves_path = files.moves();
    let failed = |source: io::Error| ReadError::Io { path: moves_path.clone(), source };
    let mut moves_file =
        if moves_path.exists() { Some(open::file(&moves_path).map_err(failed)?) } else { None };
    let (mut rows, mut places) = (Rows::open(&files.games())?, Places::default());
    while let Some(mut row) = rows.next_row::<GameRow>()? {
        let place = places.take(Ends::from(&row));
        let length = place.moves.end - place.moves.start;
        let mut moves = Vec::new();
        if let Some(file) = moves_file.as_mut().filter(|_| length > 0) {
            io::Read::read_to_end(&mut io::Read::take(file, length), &mut moves).map_err(failed)?;
        }
        let evidence = Evidence::of(files, &GameBrief::from(&row), place.void);
        let wire = match evidence.map(|evidence| evidence.lines()).transpose()?.flatten() {
            Some(mut lines) => {
                let mut wire = Vec::new();
                while let Some(line) = lines.next_bytes()? {
                    wire.extend_from_slice(line);
                }
                Some(wire)
            }
            None => None,
        };
        let said = stderr(files, &place.stderr);
        let said: BySide<Option<String>> =
            BySide::from_fn(|side| Some(said[side].clone()).filter(|text| !text.is_empty()));
        let host = row.packed.take().map(|packed| packed.host);
        (row.prev_sha256, row.wire_sha256) = (None, String::new());
        each(Finished { row, moves, wire, stderr: said, host });
    }
    Ok(())
}
