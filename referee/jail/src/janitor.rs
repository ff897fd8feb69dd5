//! The janitor: a process that outlives a killed referee and kills all its bots.
//!
//! The parent-death signal reaches only the bot itself, not what the bot has started. So the referee reports every
//! bot to a second process. When the socket between them ends, the janitor sweeps the bots that are still on its
//! list.
//!
//! The report has the lock of the bot's user id: even if the referee dies, the id stays taken until the
//! janitor has swept, too. Otherwise the next referee could get the id, and the janitor would kill its bot.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use serde::{Deserialize, Serialize};

use crate::again::again;
use crate::cgroup;
use crate::launcher;
use crate::sweep::Traces;

/// The name of the hidden mode.
pub(crate) const MODE: &str = "janitor";

/// How long the referee waits for a janitor that does not read or does not end, for example because it was stopped.
const PATIENCE: Timespec = Timespec { tv_sec: 2, tv_nsec: 0 };
/// The longest report: a few paths.
const LONGEST: usize = 64 << 10;

/// What the referee reports.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Note {
    /// The control group that holds those of the bots.
    Run(PathBuf),
    /// A bot was started, or more is known about it.
    Watch(u64, Traces),
    /// A bot is completely swept.
    Forget(u64),
}

/// The referee's end; dropping it ends the janitor's process.
#[derive(Debug)]
pub(crate) struct Janitor {
    run: Option<PathBuf>,
    bots: BTreeMap<u64, (Traces, Option<Arc<File>>)>,
    process: Process,
}

#[derive(Debug)]
struct Process {
    socket: Option<OwnedFd>,
    child: Child,
}

impl Janitor {
    /// Starts a janitor that will remove a control group, too.
    pub(crate) fn start(run: Option<PathBuf>) -> io::Result<Self> {
        let janitor = Self { run, bots: BTreeMap::new(), process: Process::start()? };
        janitor.brief()?;
        Ok(janitor)
    }

    /// Adds a bot, or more facts about it, to the list.
    pub(crate) fn watch(&mut self, bot: u64, traces: &Traces, lock: Option<&Arc<File>>) -> io::Result<()> {
        self.bots.insert(bot, (traces.clone(), lock.cloned()));
        let note = Note::Watch(bot, traces.clone());
        let sent = self.process.send(&note, lock.map(|file| file.as_fd()));
        sent.or_else(|error| self.replace(error))
    }

    /// Removes a bot from the list.
    pub(crate) fn forget(&mut self, bot: u64) -> io::Result<()> {
        self.bots.remove(&bot);
        self.process.send(&Note::Forget(bot), None).or_else(|error| self.replace(error))
    }

    /// Starts another janitor if this one was killed.
    fn replace(&mut self, error: io::Error) -> io::Result<()> {
        if error.kind() != io::ErrorKind::BrokenPipe {
            return Err(error);
        }
        self.process = Process::start()?;
        self.brief()
    }

    /// Sends the whole list.
    fn brief(&self) -> io::Result<()> {
        if let Some(run) = &self.run {
            self.process.send(&Note::Run(run.clone()), None)?;
        }
        for (bot, (traces, lock)) in &self.bots {
            self.process.send(&Note::Watch(*bot, traces.clone()), lock.as_ref().map(|file| file.as_fd()))?;
        }
        Ok(())
    }
}

impl Process {
    fn start() -> io::Result<Self> {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let mut command: Command = again(MODE);
        // Its own group: an interrupt of the referee must not interrupt its janitor.
        command.process_group(0).stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self { child: command.spawn()?, socket: Some(ours) })
    }

    fn send(&self, note: &Note, lock: Option<BorrowedFd<'_>>) -> io::Result<()> {
        let Some(socket) = &self.socket else { return Ok(()) };
        let bytes = serde_json::to_vec(note)?;
        loop {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut ancillary = SendAncillaryBuffer::new(&mut space);
            let locks: Vec<_> = lock.into_iter().collect();
            if !locks.is_empty() {
                ancillary.push(SendAncillaryMessage::ScmRights(&locks));
            }
            let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
            match sendmsg(socket, &[IoSlice::new(&bytes)], &mut ancillary, flags) {
                Ok(_) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    self.wake();
                    if poll(&mut [PollFd::new(socket, PollFlags::OUT)], Some(&PATIENCE)) == Ok(0) {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Resumes it, in case it was stopped.
    fn wake(&self) {
        let _gone = kill_process(Pid::from_child(&self.child), Signal::CONT);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.socket = None;
        self.wake();
        let ended = pidfd_open(Pid::from_child(&self.child), PidfdFlags::empty())
            .and_then(|pidfd| poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&PATIENCE)));
        // Do not wait for one that does not end.
        if ended != Ok(0) {
            let _ = self.child.wait();
        }
    }
}

/// The janitor's own main: reads to the end of its input, then sweeps.
pub(crate) fn run() {
    // A signal that ends the referee in order must not end its janitor first.
    launcher::outlive_requests_to_end();
    let mut bots: BTreeMap<u64, (Traces, Option<OwnedFd>)> = BTreeMap::new();
    let mut run = None;
    let mut buffer = vec![0; LONGEST];
    while let Ok(Some((note, lock))) = receive(&mut buffer) {
        match note {
            Some(Note::Watch(bot, traces)) => {
                let known = bots.remove(&bot).and_then(|(_, lock)| lock);
                bots.insert(bot, (traces, lock.or(known)));
            }
            Some(Note::Forget(bot)) => drop(bots.remove(&bot)),
            Some(Note::Run(path)) => run = Some(path),
            None => {}
        }
    }
    for (traces, _) in bots.values() {
        traces.kill();
    }
    for (traces, _) in bots.values() {
        traces.sweep();
        let _ = traces.clear_up();
    }
    if let Some(path) = run {
        let _ = cgroup::remove(&path);
    }
}

/// Receives one note, with its lock; `None` when the referee has ended.
fn receive(buffer: &mut [u8]) -> io::Result<Option<(Option<Note>, Option<OwnedFd>)>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let stdin = rustix::stdio::stdin();
    let length = loop {
        match recvmsg(stdin, &mut [IoSliceMut::new(buffer)], &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) => break message.bytes,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    if length == 0 {
        return Ok(None);
    }
    let mut lock = None;
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(mut files) = message {
            lock = files.next();
        }
    }
    Ok(Some((serde_json::from_slice(&buffer[..length]).ok(), lock)))
}
