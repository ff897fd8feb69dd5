//! A record is checked before it is continued; one that cannot be continued honestly is left as it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bao_referee::record::outlet::Backlog;
use bao_referee::record::{Broken, Entry, Files, Finished, Ledger, Tail, read, survey};
use bao_rules::{BySide, Variant};

use crate::kit::{Deed, open, plan, record_apart as record};

fn made() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let games = [(1, vec![(2, Deed::IsStopped)]), (1, Vec::new()), (2, vec![(3, Deed::Resigns)])];
    record(dir.path(), &plan(Variant::Kingulu, 5), &games);
    dir
}

fn surveyed(dir: &Path) -> Result<Tail, Broken> {
    let files = Files::new(dir);
    survey(&files, &read::run(&files)?, |_, _| {}, |_| Ok::<(), std::convert::Infallible>(()))
}

/// Every file of a record with its bytes.
fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for folder in [dir.to_owned(), dir.join("wire"), dir.join("old")] {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_file() {
                all.insert(path.display().to_string(), fs::read(path).unwrap());
            }
        }
    }
    all
}

#[test]
fn a_whole_record_goes_on_behind_its_last_row() {
    let dir = made();
    let tail = surveyed(dir.path()).unwrap();
    let length = |file: &str| fs::metadata(dir.path().join(file)).unwrap().len();
    assert_eq!((tail.games_end, tail.moves_end), (length("games.jsonl"), length("moves.jsonl")));
}

#[test]
fn what_was_lost_or_cut_is_refused_and_nothing_is_touched() {
    type Spoil = fn(&Path);
    let spoils: [(Spoil, &str); 6] = [
        (|dir| fs::remove_file(dir.join("games.jsonl")).unwrap(), "games.jsonl is missing"),
        (|dir| fs::remove_file(dir.join("moves.jsonl")).unwrap(), "moves.jsonl is missing"),
        (|dir| fs::write(dir.join("moves.jsonl"), "").unwrap(), "moves.jsonl was cut: it has 0 bytes"),
        (|dir| fs::remove_file(dir.join("wire/2.jsonl")).unwrap(), "wire/2.jsonl is missing"),
        (|dir| fs::rename(dir.join("wire"), dir.join("old")).unwrap(), "wire/1.jsonl is missing"),
        (
            |dir| {
                let text = fs::read_to_string(dir.join("run.json")).unwrap();
                fs::write(dir.join("run.json"), text.replace(bao_referee::NAME, "bao-referee 0.0.9"))
                    .unwrap();
            },
            "is by bao-referee 0.0.9",
        ),
    ];
    for (spoil, why) in spoils {
        let dir = made();
        spoil(dir.path());
        let before = bytes(dir.path());
        let error = surveyed(dir.path()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert_eq!(bytes(dir.path()), before, "{why}");
    }
}

#[test]
fn a_referee_that_was_killed_before_its_first_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(Variant::Kingulu, 2), &[]);
    let begun = surveyed(dir.path()).unwrap();
    for file in ["games.jsonl", "moves.jsonl"] {
        fs::remove_file(dir.path().join(file)).unwrap();
    }
    fs::remove_dir(dir.path().join("wire")).unwrap();
    assert_eq!(surveyed(dir.path()).unwrap(), begun);
}

#[test]
fn a_file_of_rows_that_is_changed_or_replaced_under_way_ends_the_run() {
    type Spoil = fn(&Path);
    let spoils: [(Spoil, &str); 3] = [
        (|path| fs::write(path, "").unwrap(), "another program has changed it"),
        (|path| fs::remove_file(path).unwrap(), "o such file"),
        (
            |path| {
                let copy = path.with_extension("copy");
                fs::copy(path, &copy).unwrap();
                fs::rename(copy, path).unwrap();
            },
            "another file has been put in its place",
        ),
    ];
    for file in ["games.jsonl", "moves.jsonl"] {
        for (spoil, why) in spoils {
            let dir = made();
            let files = Files::new(dir.path());
            let row = fs::read_to_string(files.games()).unwrap();
            let row = serde_json::from_str(row.lines().last().unwrap()).unwrap();
            let mut ledger = open(&files, surveyed(dir.path()).unwrap());
            spoil(&dir.path().join(file));
            let (moves, stderr) = (b"{}\n".to_vec(), BySide::default());
            let finished = Finished { row, moves, wire: None, stderr, host: None };
            ledger.entries.enter(Entry::Finished(Box::new(finished)));
            let error = ledger.durable.blocking_recv().unwrap().unwrap_err().to_string();
            assert!(error.contains(file) && error.contains(why), "{error}");
            ledger.close();
        }
    }
}

#[test]
fn a_ledger_never_fills_up_a_file_that_is_too_short() {
    let dir = made();
    let files = Files::new(dir.path());
    let tail = surveyed(dir.path()).unwrap();
    let text = fs::read(files.moves()).unwrap();
    fs::write(files.moves(), &text[..100]).unwrap();
    let error = Ledger::open(Some((files.clone(), tail)), &Backlog::default()).unwrap_err().to_string();
    assert!(error.contains("shorter than"), "{error}");
    assert_eq!(fs::read(files.moves()).unwrap(), text[..100]);
}
