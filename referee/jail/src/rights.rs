//! Checks whether another user could reach a file.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The right to read, and for a directory to list and enter it.
pub(crate) const READ: u32 = 0o4;
/// The right to read and to change.
pub(crate) const WRITE: u32 = 0o6;
/// The right to use the files of a directory.
pub(crate) const ENTER: u32 = 0o1;

/// Why another user could not use a file.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Closed {
    /// Its own mode and owner prevent it.
    #[error("{} is closed to other users", .0.display())]
    Itself(PathBuf),
    /// A directory above it prevents it.
    #[error("{} is in {}, which is closed to other users", path.display(), above.display())]
    Above {
        /// The file.
        path: PathBuf,
        /// The directory.
        above: PathBuf,
    },
    /// Its mode and owner cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Unknown(PathBuf, Arc<io::Error>),
}

/// Checks that a user could use this file, by its mode and owner; the error names the obstacle.
///
/// `None` means a user that owns nothing; groups are ignored.
pub(crate) fn open_to(path: &Path, user: Option<u32>, right: u32) -> Result<(), Closed> {
    let rights = |meta: &fs::Metadata| if Some(meta.uid()) == user { meta.mode() >> 6 } else { meta.mode() };
    let look = |path: &Path| fs::metadata(path).map_err(unknown(path));
    let real = path.canonicalize().map_err(unknown(path))?;
    for above in real.ancestors().skip(1) {
        if rights(&look(above)?) & ENTER == 0 {
            return Err(Closed::Above { path: path.to_owned(), above: above.to_owned() });
        }
    }
    let meta = look(&real)?;
    let needed = if meta.is_dir() { right | ENTER } else { right };
    if rights(&meta) & needed == needed { Ok(()) } else { Err(Closed::Itself(path.to_owned())) }
}

fn unknown(path: &Path) -> impl FnOnce(io::Error) -> Closed {
    move |error| Closed::Unknown(path.to_owned(), error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_file_below_a_closed_directory_is_not_open_to_others() {
        let base = scratch::create(None).unwrap();
        fs::write(base.join("file"), "").unwrap();
        let open = |name: &str| open_to(&base.join(name), None, READ);
        assert!(matches!(open("file"), Err(Closed::Above { above, .. }) if above == base));
        mode(&base, 0o755);
        mode(&base.join("file"), 0o644);
        assert!(open("file").is_ok());
        mode(&base.join("file"), 0o600);
        assert!(matches!(open("file"), Err(Closed::Itself(_))));
        scratch::remove(&base).unwrap();
    }
}
