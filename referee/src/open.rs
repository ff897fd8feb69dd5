//! Opens files that people and records name: never waits for a writer, never reads without a bound.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// The most bytes of a text that is held as a whole: 64 MiB. The head of a record with 1000 bots has about one.
pub const MOST_BYTES: u64 = 64 << 20;

/// Opens a regular file; a pipe, a device, a socket or a directory in its place is refused at once.
///
/// # Errors
/// It cannot be opened, or is something else; the error says what it is.
pub fn file(path: &Path) -> io::Result<File> {
    // Opening a named pipe waits for a writer, unless asked not to.
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
    is_file(&file)?;
    Ok(file)
}

/// Opens a regular file for writing, made where there is none; what it holds stays.
///
/// # Errors
/// As [`file()`].
pub fn to_write(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits() as i32;
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).write(true).custom_flags(flags).open(path)?;
    is_file(&file)?;
    Ok(file)
}

/// Refuses what is not a regular file, with what it is.
fn is_file(file: &File) -> io::Result<()> {
    let kind = file.metadata()?.file_type();
    if kind.is_file() { Ok(()) } else { Err(io::Error::other(format!("{}, not a regular file", name(kind)))) }
}

/// Reads a text from a regular file.
///
/// # Errors
/// As [`file()`]; the text is longer than [`MOST_BYTES`] or not UTF-8.
pub fn text(path: &Path) -> io::Result<String> {
    bounded(file(path)?)
}

/// Reads a text that a person names, which may come from a pipe or from standard input; waits for its writer.
///
/// # Errors
/// It cannot be read, is longer than [`MOST_BYTES`] or not UTF-8.
pub fn piped_text(path: &Path) -> io::Result<String> {
    bounded(File::open(path)?)
}

fn bounded(file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if read as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("larger than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not UTF-8 text"))
}

fn name(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_dir() => "a directory",
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something special",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nobody_is_waited_for() {
        let place = tempfile::tempdir().expect("a directory");
        let pipe = place.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .expect("a pipe");
        let refused = |path: &Path| text(path).expect_err("it is not a file").to_string();
        assert_eq!(refused(&pipe), "a named pipe, not a regular file");
        assert_eq!(refused(place.path()), "a directory, not a regular file");
        assert_eq!(refused(Path::new("/dev/zero")), "a device, not a regular file");

        let plain = place.path().join("plain");
        std::fs::write(&plain, "text").expect("a file");
        assert_eq!(text(&plain).expect("a file"), "text");
    }

    #[test]
    fn a_text_has_a_bound_wherever_it_comes_from() {
        let endless = piped_text(Path::new("/dev/zero")).expect_err("it has no end");
        assert_eq!(endless.to_string(), "larger than 64 MiB");
    }
}
