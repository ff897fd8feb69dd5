//! Writes standard error during a run in a separate thread: a terminal that is stopped, or a pipe that no program
//! reads, costs no bot time.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::thread::JoinHandle;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::record::outlet::{Backlog, Inlet, Outlet, outlet};

/// The screen of the current run, for the log.
static CURRENT: Mutex<Option<Caption>> = Mutex::new(None);

/// What goes to the screen.
#[derive(Debug)]
enum Said {
    /// Whole lines.
    Text(String),
    /// The progress of the run: finished games, all games, and a remark after them.
    Progress(u64, u64, String),
    /// The run is over: the bar goes away.
    Over,
    /// The thread should end.
    End,
}

/// Standard error during a run; dropping it waits until everything is written.
#[derive(Debug)]
pub(super) struct Screen {
    said: Caption,
    thread: Option<JoinHandle<()>>,
}

/// Sends text to the screen.
#[derive(Debug, Clone)]
pub(super) struct Caption {
    said: Outlet<Said>,
    /// Whether a bar shows the progress of the run.
    pub(super) bar: bool,
}

impl Screen {
    /// Starts the thread; with a bar, if that is wanted and standard error is a terminal.
    pub(super) fn start(backlog: &Backlog, bar: bool, games: u64) -> Self {
        let (said, queue) = outlet(backlog);
        let bar = (bar && io::stderr().is_terminal()).then(|| new_bar(games));
        let said = Caption { said, bar: bar.is_some() };
        if let Ok(mut current) = CURRENT.lock() {
            *current = Some(said.clone());
        }
        Self { said, thread: Some(std::thread::spawn(move || write(queue, bar.as_ref()))) }
    }

    /// Returns a sender to it.
    pub(super) fn caption(&self) -> Caption {
        self.said.clone()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Ok(mut current) = CURRENT.lock() {
            *current = None;
        }
        self.said.said.send(Said::End, 0);
        let _panicked = self.thread.take().map(JoinHandle::join);
    }
}

impl Caption {
    /// Shows text, which should end with a newline.
    pub(super) fn text(&self, text: String) {
        let bytes = text.len();
        self.said.send(Said::Text(text), bytes);
    }

    /// Moves the bar, if there is one.
    pub(super) fn progress(&self, done: u64, games: u64, remark: String) {
        let bytes = remark.len();
        self.said.send(Said::Progress(done, games, remark), bytes);
    }

    /// Removes the bar.
    pub(super) fn over(&self) {
        self.said.send(Said::Over, 0);
    }
}

/// Writes a piece of the log to the screen of the current run, or directly to standard error.
#[derive(Debug)]
pub(super) struct LogLine;

impl Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let current = CURRENT.lock().ok().and_then(|current| current.clone());
        match current {
            Some(screen) => screen.text(String::from_utf8_lossy(bytes).into_owned()),
            None => io::stderr().write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn new_bar(games: u64) -> ProgressBar {
    let length = Some(games).filter(|games| *games > 0);
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    let style = "{elapsed_precise} {wide_bar} {pos}/{len} games{msg}";
    bar.with_style(ProgressStyle::with_template(style).expect("the template is a constant"))
}

fn write(mut queue: Inlet<Said>, bar: Option<&ProgressBar>) {
    while let Some(said) = queue.take() {
        match (said, bar) {
            (Said::Text(text), Some(bar)) if !bar.is_finished() => bar.println(text.trim_end()),
            (Said::Text(text), _) => {
                let _nobody_reads = io::stderr().write_all(text.as_bytes());
            }
            (Said::Progress(done, games, remark), Some(bar)) => {
                bar.set_length(games);
                bar.set_position(done);
                bar.set_message(remark);
            }
            (Said::Over, Some(bar)) => bar.finish_and_clear(),
            (Said::Progress(..) | Said::Over, None) => {}
            (Said::End, _) => return,
        }
    }
}
