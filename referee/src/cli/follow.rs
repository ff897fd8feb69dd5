//! Telling people and programs how a run goes: JSON lines on standard output, progress on standard error.

use std::io::{self, IsTerminal, Write};

use bao_protocol::from_bot::Hello;
use bao_protocol::record::GameRow;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;

use crate::isolation::Promise;
use crate::run::Follower;
use crate::schedule::GameSpec;
use crate::verdict::printable;

/// Says what happens while a run goes on.
#[derive(Debug)]
pub(super) struct Reporter {
    events: Option<mpsc::UnboundedSender<String>>,
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    /// What the bots said of themselves, by their place in the plan, the first time.
    pub(super) hellos: Vec<Option<Hello>>,
    /// What is promised about the bots, by their place in the plan, the first time.
    pub(super) promises: Vec<Option<Vec<Promise>>>,
}

impl Reporter {
    /// Makes a reporter for a run of `total` games of which `done` are finished already.
    pub(super) fn new(
        events: Option<mpsc::UnboundedSender<String>>,
        total: u64,
        done: u64,
        bots: usize,
    ) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style = "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left {msg}";
            bar.with_style(ProgressStyle::with_template(style).expect("the template is a constant"))
        });
        Self { events, bar, total, done, hellos: vec![None; bots], promises: vec![None; bots] }
    }

    /// Sends an event to whoever follows the run.
    pub(super) fn event(&self, name: &str, value: &impl Serialize) {
        let Some(events) = &self.events else { return };
        let text = serde_json::to_string(value).expect("plain structs always serialise");
        let _nobody_listens = events.send(format!("{{\"event\":\"{name}\",{}", &text[1..]));
    }

    /// Takes the bar away.
    pub(super) fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Follower for Reporter {
    fn started(&mut self, spec: &GameSpec, south: &str, north: &str) {
        let event = json!({
            "game": spec.game, "pair": spec.pair, "round": spec.round, "opening": spec.opening,
            "variant": spec.position.variant().name(), "position": spec.position.to_string(),
            "south": south, "north": north,
        });
        self.event("game", &event);
    }

    fn finished(&mut self, row: &GameRow) {
        self.done += 1;
        self.event("verdict", row);
        let line = one_line(row, self.total);
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done);
                if row.reason.is_fault() {
                    bar.println(line);
                }
            }
            None => {
                let _nobody_reads = writeln!(io::stderr(), "{line}");
            }
        }
    }

    fn born(&mut self, bot: usize, promises: &[Promise]) {
        self.promises[bot].get_or_insert_with(|| promises.to_vec());
    }

    fn greeted(&mut self, bot: usize, hello: &Hello) {
        self.hellos[bot].get_or_insert_with(|| hello.clone());
    }
}

/// A thread that writes lines to standard output, so that a reader who is slow stops no clock.
pub(super) fn stdout_thread(mut lines: mpsc::UnboundedReceiver<String>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut out = io::BufWriter::new(io::stdout().lock());
        while let Some(line) = lines.blocking_recv() {
            let written = writeln!(out, "{line}");
            if written.is_err() || (lines.is_empty() && out.flush().is_err()) {
                return;
            }
        }
        let _nobody_reads = out.flush();
    })
}

fn one_line(row: &GameRow, total: u64) -> String {
    let result = match (row.score_south, row.winner) {
        (None, _) => "does not count".to_owned(),
        (_, None) => "draw".to_owned(),
        (_, Some(bao_protocol::Seat::South)) => format!("{} wins as South", row.south),
        (_, Some(bao_protocol::Seat::North)) => format!("{} wins as North", row.north),
    };
    let detail = row.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
    let stderr = row.stderr.as_deref().and_then(|text| text.trim_end().lines().last());
    let stderr = stderr.map(|line| format!("\n  its standard error ends: {}", printable(line, 200)));
    format!(
        "game {}/{total}: {} - {}: {result}, {}{detail}, {} plies{}",
        row.game,
        row.south,
        row.north,
        row.reason,
        row.plies,
        stderr.unwrap_or_default()
    )
}
