//! The referee's side of the pipe on which a shim reports.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::report::Line;

/// The writing end of a status pipe, for the shim.
#[derive(Debug)]
pub(crate) struct Channel {
    writer: OwnedFd,
}

impl Channel {
    /// Opens a status pipe; the reading end does not block.
    pub(crate) fn open() -> io::Result<(Self, Status)> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&reader, true)?;
        Ok((Self { writer }, Status { reader: File::from(reader), text: Vec::new() }))
    }

    pub(crate) fn number(&self) -> i32 {
        self.writer.as_raw_fd()
    }

    /// Lets children inherit it. Another child that starts at the same moment also gets it, and closes it at once:
    /// every child of the referee is a shim.
    pub(crate) fn pass_on(&self) -> io::Result<()> {
        Ok(fcntl_setfd(&self.writer, FdFlags::empty())?)
    }
}

/// The reading end of a status pipe.
#[derive(Debug)]
pub(crate) struct Status {
    reader: File,
    text: Vec<u8>,
}

impl Status {
    /// Reads more without waiting; returns the whole report when the pipe has ended.
    fn read(&mut self) -> io::Result<Option<Vec<Line>>> {
        match self.reader.read_to_end(&mut self.text) {
            Ok(_) => Ok(Some(String::from_utf8_lossy(&self.text).lines().filter_map(Line::parse).collect())),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Waits until the pipe has ended; `None` if nothing comes for `patience`.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<Vec<Line>>> {
        let limit = Timespec::try_from(patience).unwrap_or(Timespec { tv_sec: 60, tv_nsec: 0 });
        loop {
            if let Some(lines) = self.read()? {
                return Ok(Some(lines));
            }
            match poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], Some(&limit)) {
                Ok(0) => return Ok(None),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
