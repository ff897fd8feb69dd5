//! Bytes flipped, cut out, put in or doubled anywhere: always told, never a panic.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use bao_referee::plan::{Format, GamePlan, Model, Openings, Plan};
use bao_referee::record::{Files, write_run};
use bao_rules::Variant;
use proptest::prelude::*;

use crate::kit::{Deed, plan, record_apart as record, run_apart as run};
use crate::verified;

/// What is done to a file; places are fractions of its length.
#[derive(Debug, Clone)]
enum Harm {
    Flip(f64, u8),
    Cut(f64),
    CutOut(f64, usize),
    PutIn(f64, Vec<u8>),
    Double(f64, usize),
    Swap(f64),
}

fn harm() -> impl Strategy<Value = Harm> {
    let place = || 0.0..1.0;
    prop_oneof![
        4 => (place(), 1u8..).prop_map(|(at, mask)| Harm::Flip(at, mask)),
        2 => (place(), prop::sample::select(b"0123456789abSN,:{}\"\n* -.".to_vec()))
            .prop_map(|(at, byte)| Harm::PutIn(at, vec![byte])),
        1 => place().prop_map(Harm::Cut),
        2 => (place(), 1usize..300).prop_map(|(at, length)| Harm::CutOut(at, length)),
        1 => (place(), prop::collection::vec(any::<u8>(), 1..50)).prop_map(|(at, bytes)| Harm::PutIn(at, bytes)),
        1 => (place(), 1usize..300).prop_map(|(at, length)| Harm::Double(at, length)),
        1 => place().prop_map(Harm::Swap),
    ]
}

/// Does it; returns which bytes of the old file are concerned.
fn done(bytes: &mut Vec<u8>, harm: &Harm) -> Range<usize> {
    let place = |at: f64| ((bytes.len() as f64 * at) as usize).min(bytes.len() - 1);
    match harm {
        Harm::Flip(at, mask) => {
            let at = place(*at);
            bytes[at] ^= mask;
            at..at + 1
        }
        Harm::Cut(at) => {
            let at = place(*at);
            let end = bytes.len();
            bytes.truncate(at);
            at..end
        }
        Harm::CutOut(at, length) => {
            let range = place(*at)..(place(*at) + length).min(bytes.len());
            bytes.drain(range.clone());
            range
        }
        Harm::PutIn(at, new) => {
            let at = place(*at);
            bytes.splice(at..at, new.iter().copied());
            at..at + 1
        }
        Harm::Double(at, length) => {
            let range = place(*at)..(place(*at) + length).min(bytes.len());
            let again = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, again);
            range
        }
        Harm::Swap(at) => {
            let mut lines: Vec<Vec<u8>> =
                bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            let line = ((lines.len() as f64 * at) as usize).min(lines.len().saturating_sub(2));
            if lines.len() > 1 {
                lines.swap(line, line + 1);
            }
            *bytes = lines.concat();
            0..0
        }
    }
}

/// The values that only the live referee can know, or that have no evidence any more since a game that did not
/// count did not count once more: a change of their digits cannot show.
fn unknowable(bytes: &[u8]) -> Vec<Range<usize>> {
    let text = String::from_utf8_lossy(bytes);
    let live = ["lag_us", "ponder_cpu_us", "cpu_us", "max_lag_us", "started"];
    let gone = ["detail", "used_south_us", "used_north_us", "duration_us", "wire_sha256"];
    let (mut ranges, mut start, mut voids) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        voids += usize::from(line.contains("\"reason\":\"void\""));
        for key in live.into_iter().chain(gone.into_iter().filter(|_| voids == 1)) {
            let key = format!("\"{key}\":");
            let Some(at) = line.find(&key) else { continue };
            let from = at + key.len();
            let length = line[from..].find([',', '}']).unwrap_or(0);
            ranges.push(start + from..start + from + length + 1);
        }
        start += line.len();
    }
    ranges
}

/// The files of a record, by their names.
type Bytes = BTreeMap<&'static str, Vec<u8>>;

const FILES: [&str; 7] = [
    "run.json",
    "games.jsonl",
    "moves.jsonl",
    "wire/1.jsonl",
    "wire/2.jsonl",
    "wire/3.jsonl",
    "wire/3.void.jsonl",
];

fn any_format() -> impl Strategy<Value = Format> {
    prop::sample::select(vec![
        Format::Match { games: 3 },
        Format::RoundRobin { cycles: 2 },
        Format::Gauntlet { challengers: 1, cycles: 2 },
        Format::Swiss { rounds: 2, pairs: 1 },
        Format::Knockout { best_of: 1, extra: 1 },
        Format::Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
            max_pairs: 100,
        },
    ])
}

/// A sound record, made once.
fn sound() -> &'static Bytes {
    static SOUND: OnceLock<Bytes> = OnceLock::new();
    SOUND.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        made(dir.path());
        assert_eq!(verified(dir.path()).unwrap().1, []);
        FILES.into_iter().map(|file| (file, fs::read(dir.path().join(file)).unwrap())).collect()
    })
}

/// Writes a record with one file's bytes changed.
fn spoilt(file: &str, bytes: &[u8]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("wire")).unwrap();
    for (name, sound) in sound() {
        fs::write(dir.path().join(name), if *name == file { bytes } else { sound }).unwrap();
    }
    dir
}

fn made(dir: &Path) {
    let void = |ply: u64| vec![(ply, Deed::IsStopped)];
    let noisy = vec![
        (2, Deed::SaysAndMoves(b"no \xff message".to_vec())),
        (5, Deed::Thinks(77_000)),
        (8, Deed::Crashes),
    ];
    let games = [(1, Vec::new()), (3, void(3)), (3, void(4)), (2, noisy), (3, vec![(6, Deed::Sleeps)])];
    record(dir, &plan(Variant::Kingulu, 3), &games);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_harm_to_a_plan_is_borne(format in any_format(), harm in harm()) {
        let dir = spoilt("run.json", &[]);
        let plan = Plan {
            format,
            games: vec![GamePlan {
                variant: "bao-kingulu".to_owned(),
                openings: Openings::Generated { plies: 4, count: Some(20) },
            }],
            ..plan(Variant::Kingulu, 3)
        };
        let path = dir.path().join("run.json");
        write_run(&Files::new(dir.path()), &run(&plan)).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        done(&mut bytes, &harm);
        fs::write(&path, &bytes).unwrap();
        let _read_or_not = verified(dir.path());
    }

    #[test]
    fn any_harm_to_any_file_is_told(file in 0usize..7, harm in harm()) {
        let (file, before) = (FILES[file], &sound()[FILES[file]]);
        let mut bytes = before.clone();
        let range = done(&mut bytes, &harm);
        let dir = spoilt(file, &bytes);
        let told = match verified(dir.path()) {
            Ok((summary, findings)) => {
                prop_assert_eq!(summary.differences + summary.unfinished, findings.len() as u64);
                for finding in &findings {
                    prop_assert!(finding.to_string().chars().all(|c| !c.is_control()));
                }
                !findings.is_empty()
            }
            Err(_) => true,
        };
        // In run.json the name of the host and similar values are not proved.
        let unknowable = unknowable(before).iter().any(|known| known.start < range.end && range.start < known.end);
        prop_assert!(told || bytes == *before || file == "run.json" || unknowable);
    }
}

#[test]
fn files_of_random_bytes_are_told() {
    let mut state = 1_u32;
    let random = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    let bytes: Vec<u8> = random.take(3_000_000).collect();
    for file in FILES {
        let dir = spoilt(file, &bytes);
        match verified(dir.path()) {
            Ok((summary, _)) => assert!(summary.differences > 0, "{file}"),
            Err(error) => assert!(file == "run.json", "{error}"),
        }
    }
}

#[test]
fn a_line_without_end_is_told() {
    for file in &FILES[1..] {
        let dir = spoilt(file, &vec![b'x'; 5 << 20]);
        let (summary, _) = verified(dir.path()).unwrap();
        assert!(summary.differences + summary.unfinished > 0, "{file}");
    }
}
