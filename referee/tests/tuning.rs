//! `docs/TUNING.md` against the runs that it lists: every file is valid, and every figure follows from the counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bao_referee::plan::{Format, Plan, scale, tournament_text};
use bao_stats::{Counts, Decision, Sprt, SprtState, Summary, summary};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The files in `docs/tuning`, by name.
fn runs() -> BTreeMap<String, Plan> {
    let files =
        fs::read_dir(docs().join("tuning")).expect("a directory").map(|entry| entry.expect("a file").path());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("text");
        // The bots may not have been built yet, and some are built for one run only.
        let line =
            |line: &str| if line.starts_with("command") { "command = \"true\"" } else { line }.to_owned();
        let text: Vec<String> = text.lines().map(line).collect();
        let plan = tournament_text(&path, &text.join("\n"), 1).unwrap_or_else(|error| panic!("{error}"));
        (path.file_name().expect("a name").to_string_lossy().into_owned(), plan)
    };
    files.map(read).collect()
}

/// The cells of the rows that link to a run's file.
fn rows() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(docs().join("TUNING.md")).expect("text");
    let row = |line: &str| {
        let (_, rest) = line.strip_prefix("| [")?.split_once("](tuning/")?;
        let (file, cells) = rest.split_once(") | ")?;
        let cells = cells.trim_end_matches('|').split(" | ").map(|cell| cell.trim().to_owned());
        Some((file.to_owned(), cells.collect()))
    };
    text.lines().filter_map(row).collect()
}

/// The test that a run's file asks for, its bounds as the document writes them, and its most pairs.
fn test(plan: &Plan) -> (Sprt, String, u64) {
    let Format::Sprt { elo0, elo1, alpha, beta, model, max_pairs } = plan.format else {
        panic!("{:?} is not a sequential test", plan.format)
    };
    let test = Sprt::new(scale(model), elo0, elo1, alpha, beta).expect("its file was read");
    (test, format!("{elo0}, {elo1}"), max_pairs)
}

#[test]
fn every_run_has_its_file_and_every_file_its_row() {
    let told: Vec<String> = rows().into_iter().map(|(file, _)| file).collect();
    let mut sorted = told.clone();
    sorted.sort();
    assert_eq!(sorted, runs().into_keys().collect::<Vec<_>>());
}

#[test]
fn every_figure_of_a_run_follows_from_its_counts() {
    let runs = runs();
    for (file, cells) in rows() {
        let (test, bounds, most) = test(&runs[&file]);
        let [_, told_bounds, counts, elo, llr, decision] = &cells[..] else { panic!("{file}: {cells:?}") };
        assert_eq!(*told_bounds, bounds, "{file}");
        let counts: Counts = counts.replace(' ', "").parse().unwrap();
        let Summary { elo: mean, elo_low, elo_high, sprt, .. } = summary(&counts, Some(&test));
        let [mean, low, high] = [mean, elo_low, elo_high].map(|elo| elo.unwrap());
        assert_eq!(*elo, format!("{mean:+.0} ({low:+.0} to {high:+.0})"), "{file}");
        let SprtState { llr: ratio, decision: follows, .. } = sprt.unwrap();
        assert_eq!(*llr, format!("{ratio:.2}"), "{file}");
        let follows = match follows {
            Decision::AcceptH0 => "H0",
            Decision::AcceptH1 => "H1",
            Decision::Continue => "none",
        };
        assert_eq!(*decision, follows, "{file}");
        assert!(counts.units() <= most, "{file}: more pairs than planned");
        assert!(decision != "none" || counts.units() == most, "{file}: it ended too soon");
    }
}
