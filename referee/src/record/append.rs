//! Files that only grow, and that no other program should change.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::open;
use crate::text::cause::cause;

/// Says that the record could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record: {}: {}", path.display(), cause(source))]
pub struct RecordError {
    /// The file or directory.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

/// Makes an error about a file.
pub(super) fn failed(path: PathBuf) -> impl FnOnce(io::Error) -> RecordError {
    move |source| RecordError { path, source }
}

/// A file that only grows, and that no other program should change.
#[derive(Debug)]
pub(crate) struct Append {
    path: PathBuf,
    file: File,
    end: u64,
}

impl Append {
    /// Opens or creates a file, and cuts off what is after its end.
    pub(crate) fn open(path: PathBuf, end: u64) -> Result<Self, RecordError> {
        let opened = || {
            let mut file = open::to_write(&path)?;
            if file.metadata()?.len() < end {
                return Err(io::Error::other(format!(
                    "it is shorter than the {end} bytes that it should have"
                )));
            }
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        match opened() {
            Ok(file) => Ok(Self { path, file, end }),
            Err(source) => Err(RecordError { path, source }),
        }
    }

    /// Returns its length.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Appends bytes and syncs them to the disk.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let write = |file: &mut File| file.write_all(bytes).and_then(|()| file.sync_data());
        self.untouched().and_then(|()| write(&mut self.file)).map_err(failed(self.path.clone()))?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Checks that the file has only what this referee wrote, and was not replaced.
    fn untouched(&self) -> io::Result<()> {
        let (ours, there) = (self.file.metadata()?, std::fs::metadata(&self.path)?);
        if (ours.dev(), ours.ino()) != (there.dev(), there.ino()) {
            return Err(io::Error::other("another file has been put in its place"));
        }
        if ours.len() != self.end {
            let (length, end) = (ours.len(), self.end);
            return Err(io::Error::other(format!(
                "another program has changed it: it has {length} bytes, not the {end} that were written"
            )));
        }
        Ok(())
    }
}
