//! Checks `run.json`, and whether another program has converted the files of a record.

use super::compare;
use super::context::{Context, io_error};
use super::finding::{Finding, Findings};
use crate::arbiter::Rulings;
use crate::open;
use crate::plan::{self, Plan};
use crate::record::read::{self, BadLine, ReadError, Rows};
use crate::record::{Files, Layout, plan_sha256};
use crate::schedule::planned::Planned;
use bao_protocol::record::End;

/// The version of the rulebook that the rules core knows.
const RULES: u32 = 1;

/// Reads `run.json`; returns its text, too. `part` has the pairs of a part of an event.
pub(super) fn context(files: &Files, part: Option<Planned>) -> Result<(Context, Planned, String), ReadError> {
    let run = read::run(files)?;
    let path = files.run();
    let text = open::text(&path).map_err(|source| io_error(&path, source))?;
    let bad = |problem| ReadError::Line { path: path.clone(), line: 1, problem: BadLine::Plan(problem) };
    let began_with: Plan = serde_json::from_value(run.plan.clone()).map_err(|error| bad(error.into()))?;
    let planned = match part {
        Some(planned) => planned,
        None => Planned::new(Rulings::read(files, &run)?).map_err(|error| bad(error.into()))?,
    };
    let plan = planned.plan().clone();
    let plan_sha256 = plan_sha256(&run.plan);
    let layout = Layout::of(&run);
    Ok((Context { files: files.clone(), run, began_with, plan, plan_sha256, layout }, planned, text))
}

/// Checks that `run.json` agrees with itself.
pub(super) fn check_run(context: &Context, text: &str) -> Vec<Finding> {
    let Context { run, plan, plan_sha256: sha256, .. } = context;
    let mut findings = Findings::default();
    let mut differs = |what: &str, is: String, should: String| {
        findings.push(Finding::differs("run.json", what).showing(&is, &should));
    };
    let mut written = serde_json::to_string_pretty(run).unwrap_or_default();
    written.push('\n');
    if written != text {
        let (is, should) = compare::excerpts(text.as_bytes(), written.as_bytes());
        differs("it is not as the referee writes it", is, should);
    }
    // A key that no plan has would be ignored.
    if plan::to_json(&context.began_with).is_ok_and(|plan| plan_sha256(&plan) != *sha256) {
        differs(
            "plan is not as the referee writes it",
            "of other keys".to_owned(),
            "of known keys".to_owned(),
        );
    }
    if run.protocol != bao_protocol::VERSION {
        differs("protocol", run.protocol.to_string(), bao_protocol::VERSION.to_string());
    }
    match context.layout {
        Layout::Apart if !run.hosts.is_empty() || run.end.is_some() => {
            differs("it has keys of version 2", "hosts, end".to_owned(), "those of version 1".to_owned());
        }
        Layout::Packed if run.only.is_some() || run.hosts.is_empty() => {
            differs("hosts", "missing, or as in version 1".to_owned(), "a list".to_owned());
        }
        Layout::Apart | Layout::Packed => {}
    }
    if run.rules != RULES {
        differs("rules", run.rules.to_string(), RULES.to_string());
    }
    if run.seed != plan.seed {
        differs("seed is not the plan's", run.seed.to_string(), plan.seed.to_string());
    }
    let named: Vec<_> = run.bots.iter().map(|bot| (&bot.name, &bot.command)).collect();
    let planned: Vec<_> = plan.bots.iter().map(|bot| (&bot.name, &bot.command)).collect();
    if named.len() < planned.len() && planned.starts_with(&named) && plan.before.last().is_some() {
        let what = "the bots that an act added are missing: the command of the run adds them";
        findings.push(Finding::unfinished("run.json", what));
    } else if named != planned {
        let finding = Finding::differs("run.json", "bots are not the plan's");
        findings.push(finding.showing(&format!("{named:?}"), &format!("{planned:?}")));
    }
    findings.into_list("run.json")
}

/// Compares the end in `run.json` with the files.
pub(super) fn check_end(said: &End, is: &End) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut compare = |key: &str, said: String, is: String| {
        if said != is {
            let what = format!("end.{key} differs from the record: something was changed, removed or added");
            findings.push(Finding::differs("run.json", &what).showing(&said, &is));
        }
    };
    compare("rows", said.rows.to_string(), is.rows.to_string());
    compare("last_sha256", said.last_sha256.clone(), is.last_sha256.clone());
    compare("moves_end", said.moves_end.to_string(), is.moves_end.to_string());
    compare("stderr_end", said.stderr_end.to_string(), is.stderr_end.to_string());
    compare("wire_ends", format!("{:?}", said.wire_ends), format!("{:?}", is.wire_ends));
    compare("acts_sha256", format!("{:?}", said.acts_sha256), format!("{:?}", is.acts_sha256));
    compare("course_sha256", said.course_sha256.clone(), is.course_sha256.clone());
    findings
}

/// Finds the files in which a program has changed the line ends.
pub(super) fn converted(files: &Files) -> Result<Vec<Finding>, ReadError> {
    let mut findings = Vec::new();
    for (path, name) in [
        (files.run(), "run.json"),
        (files.games(), "games.jsonl"),
        (files.moves(), "moves.jsonl"),
        (files.stderr(), "stderr.jsonl"),
        (files.acts(), "acts.jsonl"),
    ] {
        let first = match Rows::open(&path) {
            Ok(mut rows) => rows.next_bytes().map(|line| line.is_some_and(|line| line.ends_with(b"\r\n"))),
            Err(ReadError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        };
        match first {
            Ok(true) => {
                let what = "its lines end with CR LF: a program has converted it; restore the file as it was";
                findings.push(Finding::differs(name, what));
            }
            Ok(false) | Err(ReadError::Line { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(findings)
}
