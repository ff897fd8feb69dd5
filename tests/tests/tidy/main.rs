//! The shape of the house: which file may take names from which. docs/ARCHITECTURE.md is the plan; these tests compare
//! it with the imports.

mod errors;
mod habits;
mod imports;
mod names;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::{Arrow, Sources};
use toml::{Table, Value};

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

/// The files that read a record, and those that none of them may reach, however far round.
const READERS: [&str; 5] = ["verify/", "report/", "cli/show/", "export/", "annotate.rs"];
const LIVE: [&str; 3] = ["process/", "play/", "run/"];
/// Says why a run ended: plain data, which every command's exit code depends on.
const WHY_A_RUN_ENDED: &str = "run/error.rs";

#[test]
fn whatever_reads_a_record_reaches_no_process_and_no_run() {
    let arrows = Sources::read(&top().join("referee/src")).arrows();
    let is_in = |folders: &[&str], file: &Path| {
        folders.iter().any(|folder| file.to_string_lossy().starts_with(folder))
    };
    let mut next: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    for arrow in &arrows {
        next.entry(&arrow.from).or_default().insert(&arrow.to);
    }
    let readers: Vec<&Path> = next.keys().copied().filter(|file| is_in(&READERS, file)).collect();
    assert!(readers.len() > 20, "only {} files read records", readers.len());
    let mut reached = Vec::new();
    for reader in readers {
        for file in reached_from(reader, &next) {
            if is_in(&LIVE, file) && file != Path::new(WHY_A_RUN_ENDED) {
                reached.push(format!("{} -> ... -> {}", reader.display(), file.display()));
            }
        }
    }
    assert!(reached.is_empty(), "files that read a record reach live ones:\n{}", reached.join("\n"));
}

#[test]
fn the_architecture_names_every_crate_and_what_it_uses() {
    let mut shown = BTreeMap::new();
    for folder in CRATES.into_iter().chain(["tests"]) {
        let manifest = manifest(folder);
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        let own = dependencies(&manifest).filter(|name| name.starts_with("bao-")).collect::<BTreeSet<_>>();
        shown.insert(name, vec![folder.to_owned(), list(own)]);
    }
    let members = manifest("")["workspace"]["members"].as_array().expect("members").len();
    assert_eq!(members, shown.len(), "a member of the workspace is missing from CRATES");
    compare("crates", &shown, &["crate", "folder", "uses"]);
}

#[test]
fn the_architecture_names_every_dependency() {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in CRATES {
        let manifest = manifest(folder);
        let user = manifest["package"]["name"].as_str().expect("a name");
        for name in dependencies(&manifest).filter(|name| !name.starts_with("bao-")) {
            users.entry(name).or_default().insert(user.to_owned());
        }
    }
    let shown = users.into_iter().map(|(name, users)| (name, vec![list(users)])).collect();
    compare("dependencies", &shown, &["dependency", "used by"]);
}

#[test]
fn the_architecture_names_every_room_of_the_referee_with_its_files_and_arrows() {
    let sources = Sources::read(&top().join("referee/src"));
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources.paths() {
        // Below a room the folders are its own affair, except for the name of the first.
        let mut parts =
            path.iter().skip(1).map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned());
        let file = parts.next().filter(|file| file != "mod");
        files.entry(room(&path)).or_default().extend(file);
    }
    files.remove("lib");
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Arrow { from, to, .. } in sources.arrows() {
        if room(&from) != room(&to) && room(&to) != "lib" {
            arrows.entry(room(&from)).or_default().insert(room(&to));
        }
    }
    let shown = files
        .into_iter()
        .map(|(room, files)| {
            let takes = arrows.remove(&room).unwrap_or_default();
            (room, vec![list(files), list(takes)])
        })
        .collect();
    compare("rooms", &shown, &["room", "files", "takes names from"]);
}

#[test]
fn no_rooms_take_from_each_other_in_a_circle() {
    let arrows = Sources::read(&top().join("referee/src")).arrows();
    let between = arrows.into_iter().filter(|arrow| room(&arrow.from) != room(&arrow.to));
    let rooms = between.map(|arrow| Arrow {
        name: format!("{} takes {} from {}", arrow.from.display(), arrow.name, arrow.to.display()),
        from: room(&arrow.from).into(),
        to: room(&arrow.to).into(),
    });
    let circles = circles_of(&rooms.collect());
    assert!(circles.is_empty(), "rooms that take from each other in a circle:\n{}", circles.join("\n"));
}

/// The folder of a file of the referee, or the file itself if it is in no folder.
fn room(path: &Path) -> String {
    let first = path.iter().next().expect("a path has a first part");
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

fn manifest(folder: &str) -> Table {
    let path = top().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn dependencies(manifest: &Table) -> impl Iterator<Item = String> {
    let table = manifest.get("dependencies").and_then(Value::as_table);
    table.into_iter().flat_map(|table| table.keys().cloned())
}

fn list(names: impl IntoIterator<Item = String>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Compares the table under the heading `## The NAME` of the architecture with what the tree shows: a row a key, whose
/// cells under `heads` must be the same. Other columns are for people.
fn compare(name: &str, shown: &BTreeMap<String, Vec<String>>, heads: &[&str]) {
    let document = fs::read_to_string(top().join("docs/ARCHITECTURE.md")).expect("docs/ARCHITECTURE.md");
    let heading = format!("## The {name}");
    let section =
        document.split("\n## ").find(|section| heading.ends_with(section.lines().next().unwrap_or_default()));
    let section = section.unwrap_or_else(|| panic!("docs/ARCHITECTURE.md has no heading \"{heading}\""));
    let mut rows = section.lines().filter(|line| line.starts_with('|')).map(|line| {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', ""));
        cells.collect::<Vec<String>>()
    });
    let first = rows.next().unwrap_or_else(|| panic!("no table under \"{heading}\""));
    let columns: Vec<usize> = heads
        .iter()
        .map(|head| {
            first.iter().position(|cell| cell == head).unwrap_or_else(|| panic!("no column \"{head}\""))
        })
        .collect();
    let told: BTreeMap<String, Vec<String>> = rows
        .skip(1)
        .map(|row| {
            (row[columns[0]].clone(), columns[1..].iter().map(|&column| row[column].clone()).collect())
        })
        .collect();
    let mut wrong = Vec::new();
    for (key, cells) in shown {
        if told.get(key) != Some(cells) {
            wrong.push(format!("  the tree has      | {key} | {} |", cells.join(" | ")));
            if let Some(told) = told.get(key) {
                wrong.push(format!("  the document has  | {key} | {} |", told.join(" | ")));
            }
        }
    }
    wrong.extend(
        told.keys().filter(|key| !shown.contains_key(*key)).map(|key| format!("  the tree has no {key}")),
    );
    assert!(
        wrong.is_empty(),
        "docs/ARCHITECTURE.md, \"{heading}\", differs from the tree:\n{}",
        wrong.join("\n")
    );
}
