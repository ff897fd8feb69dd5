//! Records that earlier versions made: every later version reads and verifies them.
//!
//! Of version 1, `faults` has a game of nearly every fault; in `voids` the operator stopped a game, and two bots that never
//! answer met each other. The records of version 2 have a game for every reason to which a script leads.

use std::path::{Path, PathBuf};

use bao_protocol::VoidCause;
use bao_referee::record::Files;
use bao_referee::record::read::{GameBrief, Rows};
use bao_rules::Variant;

use crate::packed::stranger;
use crate::verified;

fn v1(name: &str) -> PathBuf {
    records().join("v1").join(name)
}

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records")
}

#[test]
fn records_of_version_2_verify_here_and_by_a_stranger() {
    for variant in Variant::ALL {
        let dir = records().join("v2").join(variant.name());
        let (summary, findings) = verified(&dir).unwrap();
        assert!(findings.is_empty(), "{variant}: {}", findings[0]);
        assert_eq!((summary.games, summary.void), (8, 3), "{variant}");
        if let Some((clean, said)) = stranger(&dir) {
            assert!(clean, "{variant}: {said}");
        }
    }
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
