//! Records that earlier versions made: every later version reads and verifies them.
//!
//! `faults` has a game of nearly every fault; in `voids` the operator stopped a game, and two bots that never
//! answer met each other.

use std::path::{Path, PathBuf};

use bao_protocol::VoidCause;
use bao_referee::record::Files;
use bao_referee::record::read::{GameBrief, Rows};

use crate::verified;

fn v1(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records/v1").join(name)
}

#[test]
fn records_of_version_1_verify() {
    for (name, counted, plies, voids) in [("faults", 24, 127, 0), ("voids", 4, 0, 9)] {
        let (summary, findings) = verified(&v1(name)).unwrap();
        assert!(findings.is_empty(), "{name}: {}", findings[0]);
        assert_eq!((summary.games, summary.plies, summary.void), (counted, plies, voids), "{name}");
    }
}

#[test]
fn rows_of_version_1_are_read_with_the_cause_that_their_sentence_gives() {
    let mut causes = Vec::new();
    let mut rows = Rows::open(&Files::new(v1("voids")).games()).unwrap();
    while let Some(row) = rows.next_row::<GameBrief<'_>>().unwrap() {
        causes.push(row.void_cause());
    }
    let count = |cause| causes.iter().filter(|found| **found == cause).count();
    let counts = [None, Some(VoidCause::Operator), Some(VoidCause::Silent)].map(count);
    assert_eq!(counts, [4, 1, 8]);
}
