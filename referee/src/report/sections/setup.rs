//! What was played, with what, where.

use bao_protocol::record::Promise;
use serde_json::Value;

use crate::report::contents::Report;
use crate::report::page::{AFTER_GAMES, Block, Cell, Grid, Kind, Section};
use crate::report::words::clean;

/// Shows the bots' programs.
pub(super) fn bots(report: &Report) -> Section {
    let heads = ["bot", "says it is", "author", "command", "SHA-256 of the program"];
    let mut table = Grid::new("The bots of this run", &heads);
    table.columns[4].kind = Kind::Digits;
    for bot in &report.run.bots {
        let said = |field: &str| {
            let text = bot.hello.as_ref().and_then(|hello| hello.get(field)).and_then(Value::as_str);
            clean(text.unwrap_or_default(), 80)
        };
        table.rows.push(
            [
                clean(&bot.name, 80),
                format!("{} {}", said("name"), said("version")).trim().to_owned(),
                said("author"),
                command(&bot.command),
                bot.program_sha256.as_deref().map_or(String::new(), |hash| clean(hash, 64)),
            ]
            .map(Cell::from)
            .into(),
        );
    }
    Section { id: AFTER_GAMES, title: "Bots".to_owned(), blocks: vec![Block::Grid(table)] }
}

/// Shows a command line without the directory of the program, which concerns nobody but the organiser.
fn command(words: &[String]) -> String {
    let Some((program, arguments)) = words.split_first() else { return String::new() };
    let program = program.rsplit('/').next().unwrap_or(program).to_owned();
    let words: Vec<String> = std::iter::once(program).chain(arguments.iter().cloned()).collect();
    clean(&shell_words::join(words), 200)
}

/// Shows the conditions.
pub(super) fn conditions(report: &Report) -> Section {
    let run = &report.run;
    let mut table = Grid::new("The conditions of this run", &["what", "value"]);
    let mut row = |what: &str, value: String| table.row([what.to_owned(), clean(&value, 200)]);
    if let Some(format) = &report.about.format {
        row("format", format.clone());
    }
    if !report.about.clocks.is_empty() {
        row("clocks", report.about.clocks.join(", "));
    }
    row("begun", run.started.clone());
    if let Some([_, last]) = &report.results.started {
        row("last game begun", last.clone());
    }
    row("seed", run.seed.to_string());
    row("referee", run.referee.clone());
    row("versions", format!("rules {}, protocol {}, record {}", run.rules, run.protocol, run.record));
    let memory =
        run.host.memory_bytes.map_or(String::new(), |bytes| format!(", {} MiB of memory", bytes >> 20));
    let host = &run.host;
    row("machine", format!("{}, {}, {} processors{memory}", host.system, host.architecture, host.cpus));
    for (bot, promises) in run.isolation.iter().flatten() {
        let promises: Vec<String> = promises.iter().filter_map(told).collect();
        row(&format!("isolation of {bot}"), promises.join("; "));
    }
    let text = "Everything here was computed from the run's record alone. Whoever has the record can check it: \
                the command \"referee verify\" replays every game, recomputes every verdict and clock and follows the chain of \
                hashes; \"referee report\" makes this report again.";
    let blocks = vec![Block::Grid(table), Block::Text(text.to_owned())];
    Section { id: "conditions", title: "Conditions".to_owned(), blocks }
}

/// Says what keeps a promise, or why it is not kept; nothing of one that was not asked for.
fn told(promise: &Promise) -> Option<String> {
    match (&promise.kept_by, &promise.gap) {
        (Some(by), _) => Some(format!("{}: {by}", promise.name)),
        (None, Some(why)) => Some(format!("{}: not kept ({why})", promise.name)),
        (None, None) => None,
    }
}
