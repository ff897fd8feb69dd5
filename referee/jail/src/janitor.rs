//! The janitor: a process that outlives a killed referee and leaves no bot behind.
//!
//! The parent-death signal reaches only the bot itself, not what the bot has started. So the referee tells a second
//! process which bots there are. When the pipe between them ends, whoever is still on the list is swept.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::again::again;
use crate::cgroup;
use crate::sweep::Traces;

/// The name of the hidden mode.
pub(crate) const MODE: &str = "janitor";

/// What the referee tells.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Note {
    /// The control group that holds those of the bots.
    Run(PathBuf),
    /// A bot is there, or more is known about it.
    Watch(u64, Traces),
    /// It is gone, with all that it had.
    Forget(u64),
}

/// The referee's end; dropping it ends the janitor's process.
#[derive(Debug)]
pub(crate) struct Janitor {
    pipe: Mutex<Option<ChildStdin>>,
    child: Child,
}

impl Janitor {
    pub(crate) fn start() -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut command: Command = again(MODE);
        // A group of its own: what interrupts the referee must not interrupt its janitor.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        Ok(Self { pipe: Mutex::new(child.stdin.take()), child })
    }

    pub(crate) fn tell(&self, note: &Note) -> io::Result<()> {
        let mut line = serde_json::to_vec(note)?;
        line.push(b'\n');
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        pipe.as_mut().map_or(Ok(()), |pipe| pipe.write_all(&line))
    }
}

impl Drop for Janitor {
    fn drop(&mut self) {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = self.child.wait();
    }
}

/// The janitor's own main: reads to the end of its input, then sweeps.
pub(crate) fn run() {
    let mut bots = BTreeMap::new();
    let mut run = None;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match serde_json::from_str(&line) {
            Ok(Note::Watch(bot, traces)) => {
                bots.insert(bot, traces);
            }
            Ok(Note::Forget(bot)) => {
                bots.remove(&bot);
            }
            Ok(Note::Run(path)) => run = Some(path),
            // Half a line of a referee that was killed while it wrote.
            Err(_) => {}
        }
    }
    for traces in bots.values() {
        traces.kill();
    }
    for traces in bots.values() {
        traces.sweep();
        traces.clear_up();
    }
    if let Some(path) = run {
        let _ = cgroup::remove(&path);
    }
}
