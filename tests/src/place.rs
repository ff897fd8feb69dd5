//! Where one test happens.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What every mark begins with, so that one search finds what any test has left behind.
pub(crate) const MARK: &str = "bao-test-";

/// A directory of a test's own; its name marks every process that the test starts.
#[derive(Debug)]
pub struct Place {
    dir: TempDir,
}

impl Place {
    /// Makes a new place.
    ///
    /// # Panics
    /// There is no writable temporary directory.
    pub fn new() -> Self {
        let made = tempfile::Builder::new().prefix(MARK).rand_bytes(12).tempdir();
        Self { dir: made.expect("the temporary directory is writable") }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns where the record of a match goes.
    pub fn record(&self) -> PathBuf {
        self.dir().join("record")
    }

    /// Returns the mark: it is in the command line, the environment or the working directory of every process here.
    pub fn mark(&self) -> &str {
        self.dir().file_name().and_then(|name| name.to_str()).expect("a mark is plain ASCII")
    }

    /// Writes a file and makes it a program, if it begins like one.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.dir().join(name);
        std::fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("it is writable");
        std::fs::write(&path, text).expect("a test's own directory is writable");
        let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("the file is ours");
        path
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}
