//! Finds out whether a directory belongs to one program, to an installation, or to all users.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::files::SYSTEM;

/// Returns whether a program is where installations put programs. Directories of shims are used only through the
/// search path.
pub(crate) fn in_bin(program: &Path, typed: bool) -> bool {
    let directory = program.parent().and_then(Path::file_name).map(OsStr::as_bytes);
    match directory {
        Some(b"bin" | b"sbin") => true,
        Some(b"shims") => !typed,
        Some(_) | None => false,
    }
}

/// Finds what belongs to a file: its directory, or only the file if the directory is shared.
pub(crate) fn own_directory(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        return if is_shared(path) { Vec::new() } else { vec![path.to_owned()] };
    }
    match path.parent() {
        Some(parent) if !is_shared(parent) => vec![parent.to_owned()],
        Some(_) | None => vec![path.to_owned()],
    }
}

/// Returns whether a directory has the files of more than one program.
pub(crate) fn is_shared(directory: &Path) -> bool {
    const SHARED: [&str; 18] = [
        "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/proc", "/root",
        "/run", "/srv", "/sys", "/tmp", "/usr", "/var",
    ];
    let home = std::env::home_dir().unwrap_or_default();
    let in_home = [".local", ".cargo", ".config"].iter().any(|name| directory == home.join(name));
    SHARED.iter().any(|one| directory == Path::new(one))
        || ["/home", "/usr", "/var"].iter().any(|one| directory.parent() == Some(Path::new(one)))
        || home.starts_with(directory)
        || directory == crate::scratch::place()
        || in_home
}

/// Returns whether a link leads to something in its own directory.
pub(crate) fn beside(link: &Path, real: &Path) -> bool {
    let directory = link.parent().and_then(|parent| parent.canonicalize().ok());
    directory.is_some_and(|directory| real.starts_with(directory))
}

/// The parts of an installation beside its `bin`.
pub(crate) const PARTS: [&str; 13] = [
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "share",
    "include",
    "etc",
    "conf",
    "jmods",
    "release",
    "pyvenv.cfg",
];

/// Returns whether every bot may use a path: one of the system's.
pub(crate) fn is_systems(real: &Path) -> bool {
    SYSTEM.iter().any(|root| Path::new(root).canonicalize().is_ok_and(|root| real.starts_with(root)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobodys_home_is_handed_out_whole() {
        for shared in ["/", "/root", "/home/somebody", "/tmp", "/usr", "/etc"] {
            assert!(is_shared(Path::new(shared)), "{shared}");
        }
        assert!(!is_shared(Path::new("/home/somebody/bot")));
        assert_eq!(own_directory(Path::new("/tmp/bot.py")), [PathBuf::from("/tmp/bot.py")]);
    }
}
