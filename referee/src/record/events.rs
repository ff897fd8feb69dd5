//! Events for programs that follow a run: lines of JSON, written to standard output by a thread of their own.
//!
//! A reader who is slow stops no clock: lines wait in memory, and a table starts its next game only once few enough of
//! them wait.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::mpsc;

/// How many bytes may wait before no new game is started.
const WAITING: usize = 1 << 20;
/// How often it is looked whether fewer wait.
const LOOK: Duration = Duration::from_millis(5);

/// The way to whoever follows a run.
#[derive(Debug, Clone)]
pub struct Events {
    lines: mpsc::UnboundedSender<String>,
    waiting: Arc<AtomicUsize>,
}

impl Events {
    /// Starts the thread that writes; it ends when the last sender is gone, or with the error after which
    /// nobody reads any more.
    pub fn to_stdout() -> (Self, JoinHandle<io::Result<()>>) {
        let (lines, queue) = mpsc::unbounded_channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&waiting);
        (Self { lines, waiting }, std::thread::spawn(move || write(queue, &counted)))
    }

    /// Sends an event: its name, and an object of what there is to say of it.
    pub fn send(&self, name: &str, value: &impl Serialize) {
        let object = serde_json::to_string(value).expect("plain structs always serialise");
        self.send_object(name, &object);
    }

    /// Sends an event whose object is already written.
    pub fn send_object(&self, name: &str, object: &str) {
        let line = format!("{{\"event\":\"{name}\",{}\n", object.strip_prefix('{').unwrap_or(object));
        self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        let _nobody_listens = self.lines.send(line);
    }

    /// Waits until nobody reads any more: whoever did has closed the pipe, or the disk is full.
    pub async fn unheard(&self) {
        self.lines.closed().await;
    }

    /// Waits until few enough lines wait.
    pub async fn drained(&self) {
        while self.waiting.load(Ordering::Relaxed) > WAITING && !self.lines.is_closed() {
            tokio::time::sleep(LOOK).await;
        }
    }
}

fn write(mut queue: mpsc::UnboundedReceiver<String>, waiting: &AtomicUsize) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = queue.blocking_recv() {
        out.write_all(line.as_bytes())?;
        if queue.is_empty() {
            out.flush()?;
        }
        waiting.fetch_sub(line.len(), Ordering::Relaxed);
    }
    out.flush()
}
