//! The private directory of a bot: its working directory, its home and the only place where it may write.

use std::ffi::CStr;
use std::fs::DirBuilder;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

/// The type of a file system in memory, for `statfs`.
const TMPFS: u64 = 0x0102_1994;

/// Returns the directory for bots' directories: `TMPDIR` if it is set, else a directory on a disk.
///
/// Files in memory use memory that no limit of a bot counts.
pub(crate) fn place() -> PathBuf {
    let fallback = || ["/tmp", "/var/tmp"].map(PathBuf::from).into_iter().find(|path| on_disk(path));
    let set = std::env::var_os("TMPDIR").is_some_and(|value| !value.is_empty());
    (if set { None } else { fallback() }).unwrap_or_else(std::env::temp_dir)
}

/// Returns whether a directory exists and is not in memory.
pub(crate) fn on_disk(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|system| u64::try_from(system.f_type) != Ok(TMPFS))
}

/// Creates a new directory in [`place`] that only its owner may enter.
pub(crate) fn create(owner: Option<u32>) -> io::Result<PathBuf> {
    create_in(&place(), owner)
}

fn create_in(place: &Path, owner: Option<u32>) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // Another program can guess the name and take it; mkdir is atomic, so try the next number.
    for _ in 0..1000 {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = place.join(format!("bao-bot-{}-{number}", std::process::id()));
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

/// Removes a scratch directory with everything in it, without following links.
///
/// At any depth, this takes two open files and no recursion: the contents of inner directories are moved up. A
/// directory whose mode excludes even its owner is opened first. No process may still run in it.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let Some(root) = open(CWD, path)? else { return Ok(()) };
    let mut moved = 0;
    loop {
        let emptied = empty(&root, |name| {
            // The contents of a directory that is not empty are moved up here, and removed in the next round.
            let Some(inner) = open(root.as_fd(), name)? else { return Ok(()) };
            empty(&inner, |below| {
                loop {
                    moved += 1;
                    let up = format!(".bao-removed-{moved}");
                    // Moving a directory changes it.
                    open(inner.as_fd(), below)?;
                    match statat(&root, &up, AtFlags::SYMLINK_NOFOLLOW) {
                        Err(Errno::NOENT) => return renameat(&inner, below, &root, &up),
                        Ok(_) => {}
                        Err(error) => return Err(error),
                    }
                }
            })?;
            unlinkat(&root, name, AtFlags::REMOVEDIR)
        })?;
        if emptied == 0 {
            break;
        }
    }
    drop(root);
    match unlinkat(CWD, path, AtFlags::REMOVEDIR) {
        Err(Errno::NOENT) | Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes everything in a directory, except directories that are not empty: these go to `full`; returns how many
/// they were.
fn empty(
    directory: &OwnedFd,
    mut full: impl FnMut(&CStr) -> rustix::io::Result<()>,
) -> rustix::io::Result<u64> {
    let mut count = 0;
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let mut kind = entry.file_type();
        if kind == FileType::Unknown {
            kind = FileType::from_raw_mode(statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
        }
        let is_directory = kind == FileType::Directory;
        let flags = if is_directory { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        match unlinkat(directory, name, flags) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY | Errno::EXIST) if is_directory => {
                count += 1;
                full(name)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

/// Opens a directory after it has given its owner all rights; `None` if it does not exist. Does not follow links.
fn open(at: impl AsFd, path: impl rustix::path::Arg + Copy) -> rustix::io::Result<Option<OwnedFd>> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = openat(&at, path, flags | OFlags::RDONLY, Mode::empty()).or_else(|error| {
        if error != Errno::ACCESS {
            return Err(error);
        }
        rustix::fs::chmodat(&at, path, Mode::RWXU, AtFlags::empty())?;
        openat(&at, path, flags | OFlags::RDONLY, Mode::empty())
    });
    match opened {
        Ok(directory) => {
            rustix::fs::fchmod(&directory, Mode::RWXU)?;
            Ok(Some(directory))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_scratch_directory_is_private_and_goes_without_its_links_being_followed() {
        let outside = create(None).unwrap();
        fs::write(outside.join("kept"), "x").unwrap();
        let inside = create(None).unwrap();
        assert_eq!(fs::metadata(&inside).unwrap().permissions().mode() & 0o777, 0o700);
        symlink(&outside, inside.join("link")).unwrap();
        fs::create_dir(inside.join("closed")).unwrap();
        fs::write(inside.join("closed/file"), "x").unwrap();
        symlink(&outside, inside.join("closed/link")).unwrap();
        fs::set_permissions(inside.join("closed"), Permissions::from_mode(0o000)).unwrap();
        remove(&inside).unwrap();
        assert!(!inside.exists());
        assert!(outside.join("kept").exists());
        remove(&outside).unwrap();
        remove(&outside).unwrap();
    }

    #[test]
    fn a_tree_deeper_than_any_path_goes_with_few_open_files_and_little_stack() {
        // In memory, if possible: a disk takes milliseconds to remove a directory.
        let memory = Path::new("/dev/shm");
        let (place, depth) = if memory.is_dir() { (memory.to_owned(), 20_000) } else { (place(), 2_500) };
        let root = create_in(&place, None).unwrap();
        let mut at = openat(CWD, &root, OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty()).unwrap();
        for depth in 0..depth {
            rustix::fs::mkdirat(&at, "d", Mode::RWXU).unwrap();
            // Some directories are closed, and some have names that the removal itself uses.
            if depth % 1000 == 0 {
                rustix::fs::mkdirat(&at, ".bao-removed-7", Mode::empty()).unwrap();
            }
            let below = openat(&at, "d", OFlags::DIRECTORY | OFlags::RDONLY, Mode::empty()).unwrap();
            if depth % 777 == 0 {
                rustix::fs::fchmod(&at, Mode::empty()).unwrap();
            }
            at = below;
        }
        drop(at);
        let small = std::thread::Builder::new().stack_size(64 << 10);
        let gone = root.clone();
        small.spawn(move || remove(&gone)).unwrap().join().unwrap().unwrap();
        assert!(!root.exists());
    }
}
