//! Which files a command needs, and whether another user could reach them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// A command as it will run: absolute paths, since the working directory will be another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Directories and files that the command needs to read.
    pub(crate) needs: Vec<PathBuf>,
    /// The files among them that must be reachable for the command to start at all.
    pub(crate) vital: Vec<PathBuf>,
    /// The files that are this command's own: its program, unless that lies with others in a `bin`, and its arguments'.
    pub(crate) named: Vec<PathBuf>,
}

/// Why a command cannot be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    Missing,
    NotExecutable(&'static str),
}

/// Why a file without the right to execute, or that is none, is not executable.
const NO_RIGHT: &str = "it is not a file with the right to execute";

/// Resolves a command against a directory and a search path.
///
/// An argument with a `/` or a `.` in it that names something there becomes absolute, also behind `=` and in lists
/// joined by `:` (class paths).
pub(crate) fn resolve(
    program: &Path,
    args: &[OsString],
    base: &Path,
    search: &str,
) -> Result<Resolved, Unresolved> {
    let program = find(program, base, search)?;
    runnable(&program).map_err(Unresolved::NotExecutable)?;
    let mut needs = BTreeSet::new();
    let mut vital = Vec::new();
    interpreters(&program, search, &mut vital);
    for one in &vital {
        needs.extend(homes(one));
    }
    let mut absolute = Vec::new();
    let mut named: Vec<PathBuf> = if in_bin(&program) { Vec::new() } else { vec![program.clone()] };
    for arg in args {
        let (arg, paths) = absolute_argument(arg, base);
        for path in &paths {
            needs.extend(own_directory(path));
        }
        named.extend(paths.iter().cloned());
        vital.extend(paths);
        absolute.push(arg);
    }
    Ok(Resolved { program, args: absolute, needs: needs.into_iter().collect(), vital, named })
}

/// The right to read, and for a directory to list and enter it.
pub(crate) const READ: u32 = 0o4;
/// The right to read and to change.
pub(crate) const WRITE: u32 = 0o6;
/// The right to use what lies in a directory.
pub(crate) const ENTER: u32 = 0o1;

/// Tells whether a user could use this file by what it is and who owns it; the error names what is in the way.
///
/// `None` stands for a user who owns nothing; groups are not looked at.
pub(crate) fn open_to(path: &Path, user: Option<u32>, right: u32) -> Result<(), String> {
    let rights = |meta: &fs::Metadata| if Some(meta.uid()) == user { meta.mode() >> 6 } else { meta.mode() };
    let real = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    for above in real.ancestors().skip(1) {
        let meta = fs::metadata(above).map_err(|error| format!("{}: {error}", above.display()))?;
        if rights(&meta) & ENTER == 0 {
            return Err(format!(
                "{} lies below {}, which is closed to other users",
                path.display(),
                above.display()
            ));
        }
    }
    let meta = fs::metadata(&real).map_err(|error| format!("{}: {error}", real.display()))?;
    let needed = if meta.is_dir() { right | ENTER } else { right };
    if rights(&meta) & needed == needed {
        Ok(())
    } else {
        Err(format!("{} is closed to other users", path.display()))
    }
}

fn find(program: &Path, base: &Path, search: &str) -> Result<PathBuf, Unresolved> {
    if program.as_os_str().as_bytes().contains(&b'/') {
        let path = clean(&base.join(program));
        return match fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.mode() & 0o111 != 0 => Ok(path),
            Ok(_) => Err(Unresolved::NotExecutable(NO_RIGHT)),
            Err(_) => Err(Unresolved::Missing),
        };
    }
    let mut result = Err(Unresolved::Missing);
    for directory in search.split(':').filter(|directory| directory.starts_with('/')) {
        match fs::metadata(Path::new(directory).join(program)) {
            Ok(meta) if meta.is_file() && meta.mode() & 0o111 != 0 => {
                return Ok(Path::new(directory).join(program));
            }
            Ok(meta) if meta.is_file() => result = Err(Unresolved::NotExecutable(NO_RIGHT)),
            Ok(_) | Err(_) => {}
        }
    }
    result
}

/// Tells a program for this machine, or a text, from anything else.
///
/// The C library hands what the kernel does not know to a shell, which then fails for a reason that misleads.
fn runnable(program: &Path) -> Result<(), &'static str> {
    let (program, own) = (start_of(program), start_of(Path::new("/proc/self/exe")));
    let foreign = if let Some(elf) = program.strip_prefix(b"\x7fELF") {
        // Class and machine: bytes 4, 18 and 19 of the file.
        (elf.first(), elf.get(14..16)) != (own.get(4), own.get(18..20))
    } else {
        !program.starts_with(b"#!") && program.contains(&0)
    };
    // Somebody may have registered interpreters for anything.
    let registered = || fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|entries| entries.count() > 2);
    if foreign && !registered() {
        Err("it is neither a program for this machine nor a script")
    } else {
        Ok(())
    }
}

/// Reads the first bytes of a file; what cannot be read has none, and its start will tell.
fn start_of(path: &Path) -> Vec<u8> {
    let mut start = vec![0; 256];
    let length = fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    start.truncate(length);
    start
}

/// Lists a program, what its links lead to, and the interpreters that its first line names.
fn interpreters(program: &Path, search: &str, found: &mut Vec<PathBuf>) {
    // Links and interpreters of interpreters: the kernel itself allows few.
    if found.len() > 16 || found.iter().any(|one| one == program) {
        return;
    }
    found.push(program.to_owned());
    if let Ok(target) = fs::read_link(program) {
        let directory = program.parent().unwrap_or(Path::new("/"));
        interpreters(&clean(&directory.join(target)), search, found);
        return;
    }
    let Some(line) = first_line(program) else { return };
    let mut words = line.split_ascii_whitespace();
    let Some(interpreter) = words.next() else { return };
    interpreters(Path::new(interpreter), search, found);
    if interpreter.ends_with("/env") {
        let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
        if let Some(path) = name.and_then(|name| find(Path::new(name), Path::new("/"), search).ok()) {
            interpreters(&path, search, found);
        }
    }
}

/// Reads what follows `#!`.
fn first_line(program: &Path) -> Option<String> {
    let start = start_of(program);
    let text = start.strip_prefix(b"#!")?;
    let line = text.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// Finds the directories that a program needs: its own, and its installation when it lies in a `bin` of one.
fn homes(program: &Path) -> Vec<PathBuf> {
    let Some(directory) = program.parent() else { return Vec::new() };
    let Some(prefix) = directory.parent().filter(|_| in_bin(program)) else { return own_directory(program) };
    if is_shared(prefix) {
        // Somebody's home, or a collection of everything: only what belongs to programs.
        return ["bin", "sbin", "lib", "lib64", "libexec", "share"].map(|name| prefix.join(name)).into();
    }
    vec![prefix.to_owned()]
}

/// Tells whether a program lies where installations put theirs.
fn in_bin(program: &Path) -> bool {
    let directory = program.parent().and_then(Path::file_name).map(OsStr::as_bytes);
    matches!(directory, Some(b"bin" | b"shims" | b"sbin"))
}

/// Finds the directory that a file belongs to: its own directory, or only itself when that is everybody's.
pub(crate) fn own_directory(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        return if is_shared(path) { Vec::new() } else { vec![path.to_owned()] };
    }
    match path.parent() {
        Some(parent) if !is_shared(parent) => vec![parent.to_owned()],
        Some(_) | None => vec![path.to_owned()],
    }
}

/// Tells whether a directory holds more than one program's own files.
fn is_shared(directory: &Path) -> bool {
    const SHARED: [&str; 18] = [
        "/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/proc", "/root",
        "/run", "/srv", "/sys", "/tmp", "/usr", "/var",
    ];
    let home = std::env::home_dir().unwrap_or_default();
    let in_home = [".local", ".cargo", ".config"].iter().any(|name| directory == home.join(name));
    SHARED.iter().any(|one| directory == Path::new(one))
        || ["/home", "/usr", "/var"].iter().any(|one| directory.parent() == Some(Path::new(one)))
        || home.starts_with(directory)
        || directory == std::env::temp_dir()
        || in_home
}

fn absolute_argument(arg: &OsStr, base: &Path) -> (OsString, Vec<PathBuf>) {
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

fn existing(part: &[u8], base: &Path) -> Option<PathBuf> {
    if part.starts_with(b"-") || !part.iter().any(|byte| matches!(byte, b'/' | b'.')) {
        return None;
    }
    let path = clean(&base.join(OsStr::from_bytes(part)));
    path.exists().then_some(path)
}

/// Takes `.` out of a path. `..` stays: behind a link it is not what it looks like.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
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
        scratch::remove(&base).unwrap();
    }

    #[test]
    fn a_script_leads_to_its_interpreters_and_their_installation() {
        let base = scratch::create(None).unwrap();
        fs::create_dir_all(base.join("tool/bin")).unwrap();
        fs::create_dir_all(base.join("bot")).unwrap();
        fs::write(base.join("tool/bin/lang"), "x").unwrap();
        mode(&base.join("tool/bin/lang"), 0o755);
        fs::write(base.join("bot/main"), "#!/usr/bin/env -S lang -x\n").unwrap();
        mode(&base.join("bot/main"), 0o755);
        let search = base.join("tool/bin").display().to_string();
        let resolved = resolve(Path::new("bot/main"), &[], &base, &search).unwrap();
        assert!(resolved.needs.contains(&base.join("tool")), "{resolved:?}");
        assert!(resolved.needs.contains(&base.join("bot")), "{resolved:?}");
        assert!(resolved.vital.contains(&base.join("tool/bin/lang")), "{resolved:?}");
        scratch::remove(&base).unwrap();
    }

    #[test]
    fn a_missing_program_and_one_without_the_right_to_run_are_told_apart() {
        let base = scratch::create(None).unwrap();
        fs::write(base.join("plain"), "").unwrap();
        mode(&base.join("plain"), 0o644);
        let error = |name: &str| resolve(Path::new(name), &[], &base, "/usr/bin").unwrap_err();
        assert_eq!(error("./none"), Unresolved::Missing);
        assert_eq!(error("no-such-program-anywhere"), Unresolved::Missing);
        assert_eq!(error("./plain"), Unresolved::NotExecutable(NO_RIGHT));
        assert_eq!(error("./"), Unresolved::NotExecutable(NO_RIGHT));
        scratch::remove(&base).unwrap();
    }

    #[test]
    fn a_file_below_a_closed_directory_is_not_open_to_others() {
        let base = scratch::create(None).unwrap();
        fs::write(base.join("file"), "").unwrap();
        let open = |name: &str| open_to(&base.join(name), None, READ);
        assert!(open("file").unwrap_err().contains("closed to other users"));
        mode(&base, 0o755);
        mode(&base.join("file"), 0o644);
        assert_eq!(open("file"), Ok(()));
        mode(&base.join("file"), 0o600);
        assert!(open("file").is_err());
        scratch::remove(&base).unwrap();
    }

    #[test]
    fn nobodys_home_is_handed_out_whole() {
        for shared in ["/", "/root", "/home/somebody", "/tmp", "/usr", "/etc"] {
            assert!(is_shared(Path::new(shared)), "{shared}");
        }
        assert!(!is_shared(Path::new("/home/somebody/bot")));
        assert_eq!(homes(Path::new("/opt/jdk/bin/java")), [PathBuf::from("/opt/jdk")]);
        assert_eq!(own_directory(Path::new("/tmp/bot.py")), [PathBuf::from("/tmp/bot.py")]);
    }
}
