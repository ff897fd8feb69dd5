//! With what was played.

use serde_json::Value;

use crate::report::contents::Report;
use crate::report::page::{Block, Cell, Grid, Kind, Section};
use crate::report::words::clean;

/// Shows the bots' programs.
pub(super) fn programs(report: &Report) -> Section {
    let heads = ["bot", "says it is", "author", "command", "SHA-256 of the program"];
    let mut table = Grid::new("The programs of this run", &heads);
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
    Section { id: "programs", title: "Programs".to_owned(), blocks: vec![Block::Grid(table)] }
}

/// Shows a command line without the directory of the program, which concerns nobody but the organiser.
fn command(words: &[String]) -> String {
    let Some((program, arguments)) = words.split_first() else { return String::new() };
    let program = program.rsplit('/').next().unwrap_or(program).to_owned();
    let words: Vec<String> = std::iter::once(program).chain(arguments.iter().cloned()).collect();
    clean(&shell_words::join(words), 200)
}
