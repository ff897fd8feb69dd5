//! Records of version 2: packed evidence, standard error apart, hosts, and an end.

use std::fs;
use std::path::Path;
use std::process::Command;

use bao_protocol::record::{GameRow, StderrRow};
use bao_referee::plan::Plan;
use bao_referee::record::{Entry, Files, Tail, hex, read, survey};
use bao_rules::Variant;
use sha2::{Digest, Sha256};

use crate::forgeries::{edited, number, values};
use crate::kit::{
    Deed, Script, chain_rows, for_every_reason, open, plan, record, record_apart, repack, seal, unrecorded,
};
use crate::{told, verified};

fn games() -> Vec<(u64, Script)> {
    for_every_reason(b"hello \xff")
}

fn made(variant: Variant) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), &plan(variant, 8), &games());
    dir
}

fn surveyed(dir: &Path) -> Tail {
    let files = Files::new(dir);
    survey(&files, &read::run(&files).unwrap(), |_, _| {}, |_| Ok::<(), std::convert::Infallible>(()))
        .unwrap()
}

fn rows(dir: &Path) -> Vec<GameRow> {
    let mut rows = read::Rows::open(&Files::new(dir).games()).unwrap();
    std::iter::from_fn(|| rows.next_row().unwrap()).collect()
}

pub(crate) fn stranger(dir: &Path) -> Option<(bool, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/verify/verify_record.py");
    let output = Command::new("python3").arg(&script).arg(dir).output().ok()?;
    Some((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn both_versions_verify_and_tell_the_same_course() {
    for variant in Variant::ALL {
        let (new, old) = (made(variant), tempfile::tempdir().unwrap());
        record_apart(old.path(), &plan(variant, 8), &games());
        let [(new_summary, new_findings), (old_summary, old_findings)] =
            [new.path(), old.path()].map(|dir| verified(dir).unwrap());
        assert_eq!((new_findings, old_findings), (Vec::new(), Vec::new()));
        assert_eq!(new_summary.course_sha256, old_summary.course_sha256);
        assert_eq!((new_summary.games, new_summary.void, new_summary.plies), (8, 3, old_summary.plies));
        if let Some((clean, said)) = stranger(new.path()) {
            assert!(clean, "{said}");
        }
    }
}

#[test]
fn all_of_it_can_be_read_by_other_programs() {
    let dir = made(Variant::Kingulu);
    let files = Files::new(dir.path());
    let segment = fs::read(files.segment(1)).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(&segment[..]), &mut text).unwrap();
    let starts = text.lines().filter(|line| line.contains("\"channel\":\"start\"")).count();
    assert_eq!(starts, rows(dir.path()).len());
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert!(!text.contains("north says"), "standard error is apart");
}

#[test]
fn every_edit_of_a_field_is_found_by_us_and_by_a_stranger() {
    let told_only = [
        "started",
        "system",
        "architecture",
        "cpus",
        "memory_bytes",
        "name",
        "boot_id",
        "user",
        "concurrency",
        "since",
        "kept_by",
        "gap",
        "program_sha256",
        "lag_us",
        "max_lag_us",
        "ponder_cpu_us",
        "cpu_us",
        "isolation",
        "host",
    ];
    // What follows from the schedule, from what bots say of themselves, and from a turn that did not end with a move.
    let beyond =
        ["pair", "round", "opening", "void", "referee", "course_sha256", "used_south_us", "used_north_us"];
    let edits = number("BAO_FORGERIES", 160);
    let mut luck = 11_u64;
    let mut below = |most: usize| {
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (luck >> 33) as usize % most
    };
    let names = ["run.json", "games.jsonl", "moves.jsonl", "stderr.jsonl"];
    let dirs = [made(Variant::Kingulu), made(Variant::Kigogo)];
    for _ in 0..edits {
        let dir = dirs[below(2)].path();
        let path = dir.join(names[below(names.len())]);
        let old = fs::read_to_string(&path).unwrap();
        let before: Vec<Vec<u8>> = names.map(|name| fs::read(dir.join(name)).unwrap()).into();
        let values = values(&old);
        let (key, place) = &values[below(values.len())];
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        if told_only.contains(&key.as_str()) && ["run.json", "games.jsonl", "moves.jsonl"].contains(&&*file) {
            continue;
        }
        let new = edited(&old[place.clone()]);
        fs::write(&path, format!("{}{new}{}", &old[..place.start], &old[place.end..])).unwrap();
        let what = format!("{file}: {key}: {} becomes {new}", &old[place.clone()]);
        // A careful forger chains the rows again, and seals the record.
        let readable = || {
            let text = fs::read_to_string(dir.join("games.jsonl")).unwrap();
            text.lines().all(|line| serde_json::from_str::<GameRow>(line).is_ok())
                && read::run(&Files::new(dir)).is_ok()
        };
        if file != "run.json" && key != "prev_sha256" && readable() {
            if file == "games.jsonl" {
                chain_rows(dir);
            }
            seal(dir);
        }
        let found = verified(dir).map_or(1, |(_, findings)| findings.len());
        assert!(found > 0, "{what}");
        if edits <= 200
            && !beyond.contains(&key.as_str())
            && let Some((clean, _)) = stranger(dir)
        {
            assert!(!clean, "a stranger: {what}");
        }
        for (name, bytes) in names.iter().zip(before) {
            fs::write(dir.join(name), bytes).unwrap();
        }
    }
}

#[test]
fn every_edit_of_the_evidence_is_found() {
    let dir = made(Variant::Kingulu);
    let files = Files::new(dir.path());
    let kept = [files.run(), files.games(), files.segment(1)].map(|path| (fs::read(&path).unwrap(), path));
    repack(dir.path(), true, |_, text| text.to_owned());
    assert_eq!(told(dir.path()), [""; 0], "to pack it anew by itself changes nothing");
    for luck in 0..number("BAO_FORGERIES", 60) {
        for (bytes, path) in &kept {
            fs::write(path, bytes).unwrap();
        }
        // Not the SHA-256 in the row.
        repack(dir.path(), false, |game, text| {
            if game != 1 + luck % 8 {
                return text.to_owned();
            }
            let values = values(text);
            let (_, place) = &values[(luck as usize).wrapping_mul(7919) % values.len()];
            format!("{}{}{}", &text[..place.start], edited(&text[place.clone()]), &text[place.end..])
        });
        let told = told(dir.path());
        assert!(
            told.iter().any(|line| line.contains("wire_sha256") || line.contains("cannot be followed")),
            "{told:#?}"
        );
    }
}

#[test]
fn members_that_were_swapped_doubled_or_taken_out_are_found() {
    let dir = made(Variant::Kingulu);
    let files = Files::new(dir.path());
    let segment = fs::read(files.segment(1)).unwrap();
    let place = |row: &GameRow| {
        let packed = row.packed.unwrap();
        packed.wire_start as usize..(packed.wire_start + packed.wire_length) as usize
    };
    let places: Vec<_> = rows(dir.path()).iter().map(place).collect();
    let of = |numbers: &[usize]| -> Vec<u8> {
        numbers.iter().flat_map(|number| segment[places[*number].clone()].to_vec()).collect()
    };
    let all: Vec<usize> = (0..places.len()).collect();
    let mut swapped = all.clone();
    swapped.swap(2, 3);
    let doubled = [&all[..], &[9]].concat();
    for order in [swapped, doubled, all[1..].to_vec(), all[..9].to_vec(), [&[3][..], &all[..]].concat()] {
        fs::write(files.segment(1), of(&order)).unwrap();
        assert!(!told(dir.path()).is_empty(), "{order:?}");
    }
    fs::write(files.segment(1), &segment).unwrap();
    assert_eq!(told(dir.path()), [""; 0]);
    for cut in [1, segment.len() / 2, segment.len() - 1] {
        fs::write(files.segment(1), &segment[..cut]).unwrap();
        assert!(!told(dir.path()).is_empty(), "{cut}");
    }
    fs::remove_file(files.segment(1)).unwrap();
    assert!(
        told(dir.path()).iter().any(|line| line.contains("wire/1.jsonl.gz, game 1: the file is missing"))
    );
}

#[test]
fn bytes_that_are_no_evidence_are_found() {
    let dir = made(Variant::Kingulu);
    let files = Files::new(dir.path());
    let segment = fs::read(files.segment(1)).unwrap();
    for at in [5, 100, segment.len() / 3, segment.len() - 3] {
        let mut other = segment.clone();
        other[at] ^= 0x20;
        fs::write(files.segment(1), &other).unwrap();
        assert!(!told(dir.path()).is_empty(), "byte {at}");
    }
    fs::write(files.segment(1), [&segment[..], b"more"].concat()).unwrap();
    assert!(told(dir.path()).iter().any(|line| line.contains("4 bytes from byte")), "{:?}", told(dir.path()));
    fs::write(files.segment(1), &segment).unwrap();
    for name in ["1.jsonl", "01.jsonl.gz", "open.gz"] {
        fs::write(files.wires().join(name), "").unwrap();
        assert_eq!(told(dir.path()), [format!("wire/{name}: this is not a file of a record")]);
        fs::remove_file(files.wires().join(name)).unwrap();
    }
}

#[test]
fn a_tail_that_was_cut_off_is_a_difference_once_the_event_is_over() {
    let dir = made(Variant::Kingulu);
    let files = Files::new(dir.path());
    let text = fs::read_to_string(files.games()).unwrap();
    let kept: String = text.split_inclusive('\n').take(8).collect();
    fs::write(files.games(), kept).unwrap();
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!(summary.unfinished, 0, "{findings:#?}");
    assert!(findings.iter().any(|finding| finding.what.starts_with("end.rows differs from the record")));
    let refused = surveyed_error(dir.path());
    assert!(refused.contains("the event is over"), "{refused}");
}

fn surveyed_error(dir: &Path) -> String {
    let files = Files::new(dir);
    let run = read::run(&files).unwrap();
    survey(&files, &run, |_, _| {}, |_| Ok::<(), std::convert::Infallible>(())).unwrap_err().to_string()
}

#[test]
fn a_copy_without_standard_error_verifies_and_one_that_was_edited_does_not() {
    let dir = made(Variant::Kingulu);
    let path = Files::new(dir.path()).stderr();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 11);
    for forged in [
        text.replacen("hm", "hn", 1),
        text.split_inclusive('\n').skip(1).collect(),
        text.replacen("\"attempt\":1", "\"attempt\":2", 1),
        format!("{text}{}\n", text.lines().next().unwrap()),
        text.replacen("{\"game\"", "{ \"game\"", 1),
    ] {
        fs::write(&path, forged).unwrap();
        assert!(told(dir.path()).iter().any(|line| line.contains("stderr")), "{:#?}", told(dir.path()));
    }
    // With a new hash, it is still not what the evidence says.
    let mut row: StderrRow<'_> = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    row.text = "north says: \"ho\"\nand \u{e9}\n".into();
    let rest: String = text.split_inclusive('\n').skip(1).collect();
    fs::write(&path, serde_json::to_string(&row).unwrap() + "\n" + &rest).unwrap();
    seal(dir.path());
    assert!(
        told(dir.path()).iter().any(|line| line.contains("not what it wrote")),
        "{:#?}",
        told(dir.path())
    );
    fs::remove_file(&path).unwrap();
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((findings, summary.without_stderr), (Vec::new(), true));
    if let Some((clean, said)) = stranger(dir.path()) {
        assert!(clean, "{said}");
    }
}

#[test]
fn what_a_killed_referee_leaves_is_packed_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let plan: Plan = plan(Variant::Kingulu, 4);
    record(dir.path(), &plan, &[(1, Vec::new()), (2, vec![(3, Deed::IsStopped)])]);
    let files = Files::new(dir.path());
    unrecorded(dir.path(), &plan, 2, &vec![(2, Deed::Thinks(5))]);
    let spool = fs::read(files.spool(2)).unwrap();
    // Killed in the middle of a line, too.
    fs::write(files.spool(3), &spool[..spool.len() - 20]).unwrap();
    let rowless = told(dir.path());
    assert!(
        rowless.iter().any(|line| line.contains("wire/open/2.jsonl: this game has no row")),
        "{rowless:#?}"
    );
    assert_eq!(verified(dir.path()).unwrap().0.differences, 0);
    // Killed while a member was written.
    let whole = fs::read(files.segment(1)).unwrap();
    fs::write(files.segment(1), [&whole[..], &whole[..50]].concat()).unwrap();
    assert_eq!(verified(dir.path()).unwrap().0.differences, 0);
    drop(open(&files, surveyed(dir.path())).close());
    assert!(!files.spool(2).exists() && !files.spool(3).exists());
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((summary.cut, summary.differences), (2, 0), "{findings:#?}");
    // Killed between packing and removing: it is not packed again.
    let length = fs::metadata(files.segment(1)).unwrap().len();
    fs::write(files.spool(2), &spool).unwrap();
    drop(open(&files, surveyed(dir.path())).close());
    assert_eq!((fs::metadata(files.segment(1)).unwrap().len(), files.spool(2).exists()), (length, false));
    // The next game's evidence is behind it.
    let mut ledger = open(&files, surveyed(dir.path()));
    let mut more = crate::kit::next(&ledger, dir.path(), &plan, 2);
    more.row.started = "2026-01-02T03:04:06.001Z".to_owned();
    ledger.entries.enter(Entry::Finished(Box::new(more)));
    let row = ledger.durable.blocking_recv().unwrap().unwrap().row;
    assert_eq!((row.packed.unwrap().wire_start, row.packed.unwrap().attempt), (length, 2));
    ledger.close();
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((summary.games, summary.cut, summary.differences), (2, 2, 0), "{findings:#?}");
}

#[test]
fn a_file_of_evidence_is_followed_by_another_once_it_is_full() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(Variant::Kingulu, 1010);
    let games: Vec<(u64, Script)> = (1..=1010).map(|game| (game, vec![(1, Deed::Resigns)])).collect();
    record(dir.path(), &plan, &games);
    let last = rows(dir.path())[1009].packed.unwrap();
    assert_eq!(last.wire_segment, 2);
    let (summary, findings) = verified(dir.path()).unwrap();
    assert_eq!((summary.games, findings), (1010, Vec::new()));
    assert_eq!(surveyed(dir.path()).segment_attempts, 10);
    fs::remove_file(Files::new(dir.path()).segment(1)).unwrap();
    assert!(!told(dir.path()).is_empty());
    assert!(surveyed_error(dir.path()).contains("wire/1.jsonl.gz is missing"));
}

/// The digest by the words of docs/RECORDS.md.
#[test]
fn the_course_digest_is_what_the_page_says() {
    let dir = made(Variant::Kigogo);
    let keys = "game pair round opening variant position south north winner score_south reason fault plies moves \
                final_position seeds_south seeds_north";
    let text = fs::read_to_string(Files::new(dir.path()).games()).unwrap();
    let mut games: Vec<(u64, Vec<u8>)> = Vec::new();
    for line in text.lines().filter(|line| !line.contains("\"reason\":\"void\"")) {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let parts: Vec<String> =
            keys.split_whitespace().map(|key| format!("\"{key}\":{}", row[key])).collect();
        let digest = Sha256::digest(format!("{{{}}}", parts.join(",")));
        games.push((row["game"].as_u64().unwrap(), digest.to_vec()));
    }
    games.sort();
    let whole: Vec<u8> = games.into_iter().flat_map(|(_, digest)| digest).collect();
    assert_eq!(verified(dir.path()).unwrap().0.course_sha256, hex(&Sha256::digest(whole)));
}
