//! Events for programs that follow a run: lines of JSON, written to standard output by a separate thread.

use std::io::{self, Write};
use std::thread::JoinHandle;

use serde::Serialize;

use super::outlet::{Backlog, Inlet, Outlet, outlet};

/// Sends events to the followers of a run.
#[derive(Debug, Clone)]
pub struct Events {
    lines: Outlet<String>,
}

impl Events {
    /// Starts the thread that writes. It ends when the last sender is dropped, or with an error when
    /// no program reads any more.
    pub fn to_stdout(backlog: &Backlog) -> (Self, JoinHandle<io::Result<()>>) {
        let (lines, queue) = outlet(backlog);
        (Self { lines }, std::thread::spawn(move || write(queue)))
    }

    /// Sends an event: its name and its object.
    pub fn send(&self, name: &str, value: &impl Serialize) {
        let object = serde_json::to_string(value).expect("plain structs always serialise");
        self.send_object(name, &object);
    }

    /// Sends an event whose object is already written.
    pub fn send_object(&self, name: &str, object: &str) {
        let line = format!("{{\"event\":\"{name}\",{}\n", object.strip_prefix('{').unwrap_or(object));
        let bytes = line.len();
        self.lines.send(line, bytes);
    }

    /// Waits until no program reads any more: the reader has closed the pipe, or the disk is full.
    pub async fn unheard(&self) {
        self.lines.closed().await;
    }
}

fn write(mut lines: Inlet<String>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = lines.take() {
        out.write_all(line.as_bytes())?;
        if lines.is_empty() {
            out.flush()?;
        }
    }
    out.flush()
}
