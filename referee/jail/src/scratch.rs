//! The private directory of a bot: its working directory, its home and the only place where it may write.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes a new directory that only its owner may enter, below the system's directory for temporary files.
pub(crate) fn create(owner: Option<u32>) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // The name can be guessed and be taken; mkdir is atomic, so the next number is.
    for _ in 0..1000 {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bao-bot-{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => {
                if let Some(uid) = owner {
                    lchown(&path, Some(uid), Some(uid))?;
                }
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "a thousand scratch directories are left behind"))
}

/// Removes a scratch directory with all that is in it, without following links.
///
/// A directory that its bot has closed even to its owner is opened first. Nobody may still run in it.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(path)?;
            fs::remove_dir_all(path)
        }
    }
}

fn open_up(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        // The type of the entry itself: a link to a directory is a link.
        if entry.file_type()?.is_dir() {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_scratch_directory_is_private_and_goes_without_its_links_being_followed() {
        let outside = create(None).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        let inside = create(None).unwrap();
        assert_eq!(fs::metadata(&inside).unwrap().permissions().mode() & 0o777, 0o700);
        symlink(&outside, inside.join("link")).unwrap();
        fs::create_dir(inside.join("closed")).unwrap();
        fs::write(inside.join("closed/file"), "x").unwrap();
        fs::set_permissions(inside.join("closed"), Permissions::from_mode(0o000)).unwrap();
        remove(&inside).unwrap();
        assert!(!inside.exists());
        assert!(outside.join("kept").exists());
        remove(&outside).unwrap();
        remove(&outside).unwrap();
    }
}
