//! The built programs, found beside the test's own executable.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// Returns the path of a program of this workspace (`referee`, `random-bot`, `hostile`), built from the sources as
/// they are.
///
/// # Panics
/// The programs cannot be built, or there is none of this name.
pub fn program(name: &str) -> PathBuf {
    let path = built().join(name);
    assert!(path.is_file(), "there is no program {}", path.display());
    path
}

/// Returns the directory of the programs after building them, once.
fn built() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let test = std::env::current_exe().expect("a test knows its own executable");
        let beside = test.parent().expect("an executable is in a directory");
        let directory = if beside.ends_with("deps") { beside.parent().unwrap_or(beside) } else { beside };
        build_if_stale(directory);
        directory.to_owned()
    })
}

/// Cargo builds no other package's programs for a test, so the first test does; a stamp tells the others, in this
/// process and in others, that nothing has changed since.
fn build_if_stale(directory: &Path) {
    let stamp = directory.join(".programs-of-the-tests");
    // Another user than the one who built them may run the tests, but not build.
    if is_fresh(directory, &stamp) {
        return;
    }
    let lock =
        File::options().create(true).append(true).open(&stamp).expect("the target directory is writable");
    lock.lock().expect("a file can be locked");
    if is_fresh(directory, &stamp) {
        return;
    }
    let profile = match directory.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = directory.parent().expect("a profile's directory is in the target directory");
    let built = Command::new(cargo)
        .args(["build", "--quiet", "-p", "bao-referee", "-p", "bao-bots", "--bins", "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .current_dir(workspace())
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the programs under test cannot be built");
    fs::write(&stamp, "built\n").expect("the target directory is writable");
}

fn is_fresh(directory: &Path, stamp: &Path) -> bool {
    let stamped =
        fs::metadata(stamp).ok().filter(|stamp| stamp.len() > 0).and_then(|stamp| stamp.modified().ok());
    let there = ["referee", "random-bot", "greedy-bot"].iter().all(|name| directory.join(name).is_file());
    there && stamped.is_some_and(|stamped| stamped > newest_source())
}

/// Returns the top of the repository.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is a directory of the workspace")
}

/// Returns when a source of the programs last changed.
fn newest_source() -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut places: Vec<PathBuf> = ["protocol", "referee", "bots", "Cargo.toml", "Cargo.lock"]
        .iter()
        .map(|name| workspace().join(name))
        .collect();
    while let Some(place) = places.pop() {
        let Ok(about) = fs::metadata(&place) else { continue };
        newest = newest.max(about.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        if about.is_dir() {
            let inside = fs::read_dir(&place).into_iter().flatten().flatten();
            places.extend(inside.map(|entry| entry.path()));
        }
    }
    newest
}
