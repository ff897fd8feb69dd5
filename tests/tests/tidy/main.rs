//! The shape of the house: which file may take names from which. docs/ARCHITECTURE.md is the plan; these tests compare
//! it with the imports.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use imports::{Arrow, Sources};

/// The workspace's crates, by the folder of each.
const CRATES: [&str; 7] =
    ["protocol/rules", "protocol", "referee/jail", "referee/stats", "referee", "bots/solver", "bots"];

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for name in CRATES {
        let arrows = Sources::read(&top().join(name).join("src")).arrows();
        circles.extend(circles_of(&arrows).into_iter().map(|circle| format!("{name}: {circle}")));
    }
    assert!(circles.is_empty(), "files that import each other in a circle:\n{}", circles.join("\n"));
}

/// Finds the circles among some files, each with the arrows that tie it.
fn circles_of(arrows: &BTreeSet<Arrow>) -> Vec<String> {
    let mut next: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for arrow in arrows {
        next.entry(&arrow.from).or_default().insert(&arrow.to);
    }
    let reaches: BTreeMap<&Path, BTreeSet<&Path>> =
        next.keys().map(|file| (*file, reached_from(file, &next))).collect();
    let mut circles: BTreeMap<BTreeSet<&Path>, Vec<String>> = BTreeMap::new();
    for arrow in arrows {
        let (from, to): (&Path, &Path) = (&arrow.from, &arrow.to);
        if reaches.get(to).is_some_and(|reached| reached.contains(from)) {
            let together = reaches[from].intersection(&reaches[to]).copied();
            let circle =
                together.filter(|file| reaches.get(file).is_some_and(|back| back.contains(from))).collect();
            let told = format!("  {} -> {} ({})", from.display(), to.display(), arrow.name);
            circles.entry(circle).or_default().push(told);
        }
    }
    circles.into_values().map(|arrows| format!("\n{}", arrows.join("\n"))).collect()
}

fn reached_from<'a>(start: &'a Path, next: &BTreeMap<&'a Path, BTreeSet<&'a Path>>) -> BTreeSet<&'a Path> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(file) = open.pop() {
        for to in next.get(file).into_iter().flatten() {
            if reached.insert(*to) {
                open.push(to);
            }
        }
    }
    reached
}
