//! Finds the program of a command, whether this machine can run it, and which arguments are paths.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Why a file is not a program that this machine can run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotExecutable {
    /// It is not a file, or not executable.
    #[error("it is not an executable file")]
    NoRight,
    /// It is for another kind of machine, or is data.
    #[error("it is neither a program for this machine nor a script")]
    Foreign,
    /// The kernel refused it; this is what the shim reported.
    #[error("{0}")]
    Kernel(String),
}

/// Why a command cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    Missing,
    NotExecutable(NotExecutable),
}

/// The error for a path that is not a file, or a file that is not executable.
const NO_RIGHT: Unresolved = Unresolved::NotExecutable(NotExecutable::NoRight);

/// Finds a program: by its path, or by its name on the search path.
pub(crate) fn find(program: &Path, base: &Path, search: &str) -> Result<PathBuf, Unresolved> {
    if program.as_os_str().as_bytes().contains(&b'/') {
        let path = clean(&base.join(program));
        return match fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.mode() & 0o111 != 0 => Ok(path),
            Ok(_) => Err(NO_RIGHT),
            Err(_) => Err(Unresolved::Missing),
        };
    }
    let mut result = Err(Unresolved::Missing);
    for directory in search.split(':').filter(|directory| directory.starts_with('/')) {
        match fs::metadata(Path::new(directory).join(program)) {
            Ok(meta) if meta.is_file() && meta.mode() & 0o111 != 0 => {
                return Ok(Path::new(directory).join(program));
            }
            Ok(meta) if meta.is_file() => result = Err(NO_RIGHT),
            Ok(_) | Err(_) => {}
        }
    }
    result
}

/// Checks that a file is a program for this machine, or a text.
///
/// The C library runs unknown files with a shell, which then fails with a misleading error.
pub(crate) fn runnable(program: &Path) -> Result<(), NotExecutable> {
    let (program, own) = (start_of(program), start_of(Path::new("/proc/self/exe")));
    let foreign = if let Some(elf) = program.strip_prefix(b"\x7fELF") {
        // Class and machine: bytes 4, 18 and 19 of the file.
        (elf.first(), elf.get(14..16)) != (own.get(4), own.get(18..20))
    } else {
        !program.starts_with(b"#!") && program.contains(&0)
    };
    // Interpreters may be registered for other kinds of files.
    let registered = || fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|entries| entries.count() > 2);
    if foreign && !registered() { Err(NotExecutable::Foreign) } else { Ok(()) }
}

/// Reads the first bytes of a file; none if it cannot be read, which its start will report.
pub(crate) fn start_of(path: &Path) -> Vec<u8> {
    let mut start = vec![0; 4096];
    let length = fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    start.truncate(length);
    start
}

/// Reads the text after `#!`.
pub(crate) fn first_line(program: &Path) -> Option<String> {
    let start = start_of(program);
    let text = start.strip_prefix(b"#!")?;
    let line = text.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// Makes the paths in an argument absolute; returns them, too.
pub(crate) fn absolute_argument(arg: &OsStr, base: &Path) -> (OsString, Vec<PathBuf>) {
    let bytes = arg.as_bytes();
    let start = bytes.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1);
    for from in [0, start] {
        let parts: Vec<&[u8]> = bytes[from..].split(|byte| *byte == b':').collect();
        let paths: Vec<PathBuf> = parts.iter().filter_map(|part| existing(part, base)).collect();
        if paths.len() == parts.len() {
            let list: Vec<&[u8]> = paths.iter().map(|path| path.as_os_str().as_bytes()).collect();
            let whole = [&bytes[..from], &list.join(&b':')].concat();
            return (OsString::from_vec(whole), paths);
        }
    }
    (arg.to_owned(), Vec::new())
}

/// Makes absolute a list of paths that begins at this byte; also returns those that exist.
///
/// An entry that ends with `*` means all files of a directory, as in Java's class paths.
pub(crate) fn absolute_list(arg: &OsStr, from: usize, base: &Path) -> (OsString, Vec<PathBuf>) {
    let bytes = arg.as_bytes();
    let mut paths = Vec::new();
    let mut entry = |part: &[u8]| {
        let (place, all) = part.strip_suffix(b"*").map_or((part, false), |place| (place, true));
        let path = clean(&base.join(OsStr::from_bytes(place)));
        if part.is_empty() || !path.exists() {
            return part.to_owned();
        }
        let text = if all { path.join("*") } else { path.clone() };
        paths.push(path);
        text.into_os_string().into_vec()
    };
    let list: Vec<Vec<u8>> = bytes[from..].split(|byte| *byte == b':').map(&mut entry).collect();
    (OsString::from_vec([&bytes[..from], &list.join(&b':')].concat()), paths)
}

fn existing(part: &[u8], base: &Path) -> Option<PathBuf> {
    if part.starts_with(b"-") || !part.iter().any(|byte| matches!(byte, b'/' | b'.')) {
        return None;
    }
    let path = clean(&base.join(OsStr::from_bytes(part)));
    path.exists().then_some(path)
}

/// Removes `.` from a path. `..` stays, because after a link it has another meaning.
pub(crate) fn clean(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn relative_paths_in_arguments_become_absolute_and_words_stay() {
        let base = scratch::create(None).unwrap();
        fs::create_dir(base.join("bot")).unwrap();
        for name in ["bot/a.py", "bot/a.jar", "fast"] {
            fs::write(base.join(name), "").unwrap();
        }
        let at = |name: &str| base.join(name).display().to_string();
        for (before, after) in [
            ("./bot/a.py", at("bot/a.py")),
            ("bot/a.py", at("bot/a.py")),
            ("--weights=bot/a.jar", format!("--weights={}", at("bot/a.jar"))),
            ("bot/a.jar:./bot", format!("{}:{}", at("bot/a.jar"), at("bot"))),
            ("fast", "fast".to_owned()),
            ("bot/none.py", "bot/none.py".to_owned()),
            ("-O", "-O".to_owned()),
        ] {
            assert_eq!(absolute_argument(OsStr::new(before), &base).0, OsString::from(after), "{before}");
        }
        for (before, from, after) in [
            ("bot", 0, at("bot")),
            ("bot/a.jar:bot/*:none", 0, format!("{}:{}:none", at("bot/a.jar"), at("bot/*"))),
            ("-Ibot", 2, format!("-I{}", at("bot"))),
            (":bot", 0, format!(":{}", at("bot"))),
            ("", 0, String::new()),
        ] {
            assert_eq!(absolute_list(OsStr::new(before), from, &base).0, OsString::from(after), "{before}");
        }
        scratch::remove(&base).unwrap();
    }

    #[test]
    fn a_missing_program_and_one_without_the_right_to_run_are_told_apart() {
        let base = scratch::create(None).unwrap();
        fs::write(base.join("plain"), "").unwrap();
        fs::set_permissions(base.join("plain"), fs::Permissions::from_mode(0o644)).unwrap();
        let error = |name: &str| find(Path::new(name), &base, "/usr/bin").unwrap_err();
        assert_eq!(error("./none"), Unresolved::Missing);
        assert_eq!(error("no-such-program-anywhere"), Unresolved::Missing);
        assert_eq!(error("./plain"), NO_RIGHT);
        assert_eq!(error("./"), NO_RIGHT);
        scratch::remove(&base).unwrap();
    }
}
