//! `referee check`: does a bot keep to the protocol?

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use tokio::task::LocalSet;

use super::failure::Failure;
use super::json::json_line;
use super::sandbox::SandboxArguments;
use super::values::part;
use crate::check::{Checkup, Finding, Outcome, Report, Test, TestName, check};
use crate::game::clock::{TimeControl, span};
use crate::plan;
use crate::process::keeper::Keeper;
use crate::run::RunError;
use crate::text::loss::stderr_lines;
use crate::text::shown::shown;

/// Test whether a bot follows the protocol. Run this before your first match.
///
/// Start the bot as a match does and try everything that a match may ask of it: the handshake, pings, options,
/// unknown messages and fields, both games, both sides, every kind of clock, unusual start positions, many games in one
/// process, a long game, and, for a bot with the capability `verify`, its rules in hundreds of positions; then idle
/// time, `bye`, the end of its input, its output, memory and processor time. Each finding shows what was sent, what came
/// back, and what to change.
///
/// The opponent, which is part of the referee, moves at random. The same --seed gives the same games and questions.
///
/// Exit codes: 0 if the bot complies, 5 if not, 2 if it cannot be started.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Command line of the bot, as for `referee match`.
    bot: String,
    /// Number of games in the test `games`, in addition to those of the other tests.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Clock of the bot in the test `games`.
    #[arg(long, value_name = "CLOCK", default_value = "1s+10ms")]
    clock: TimeControl,
    /// Time by which a bot may exceed its clock before it loses.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = span)]
    grace: u64,
    /// Time the bot may take to answer `hello`.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = span)]
    handshake: u64,
    /// Time the bot may take to answer `new_game`.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = span)]
    ready: u64,
    /// Run only this test, besides the handshake (repeatable).
    #[arg(long, value_name = "TEST", value_parser = part())]
    only: Vec<TestName>,
    /// Seed of the games and questions.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per test (test), and one at the end (end).
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

#[derive(Serialize)]
struct Event<'a> {
    event: &'static str,
    #[serde(flatten)]
    test: &'a Test,
}

impl Check {
    pub(super) fn run(self) -> Result<(), Failure> {
        let order = Checkup {
            command: plan::command(&self.bot)?,
            sandbox: self.sandbox.one(),
            games: self.games,
            clock: self.clock,
            grace_us: self.grace,
            handshake_us: self.handshake,
            ready_us: self.ready,
            seed: self.seed,
            only: self.only,
        };
        let name = shown(&plan::bot_name(&order.command), 100);
        super::sandbox::scripts_are_there([(&*name, &*order.command, &order.sandbox)])?;
        let host = super::sandbox::host()?;
        super::sandbox::check(&host, &[&order.sandbox])?;
        let runtime = crate::play::driver::runtime()?;
        let keeper = Keeper::new(host);
        let (mut out, mut failed) = (io::stdout().lock(), None);
        let mut tell = |test: &Test| {
            let told = if self.json {
                json_line(&mut out, &Event { event: "test", test })
            } else {
                print(&mut out, test)
            };
            failed = failed.take().or(told.and_then(|()| out.flush()).err());
        };
        let report = LocalSet::new().block_on(&runtime, check(&order, &keeper, &mut tell));
        let report = report.map_err(|source| RunError::Spawn { name: name.clone(), source })?;
        if let Some(error) = failed {
            return Err(Failure::Output(error));
        }
        let bad: Vec<&'static str> = report
            .tests
            .iter()
            .filter(|test| test.outcome == Outcome::Failure)
            .map(|test| test.name)
            .collect();
        if self.json {
            json_line(&mut out, &end(&report, &bad))?;
        } else if report.compliant {
            let warnings = report.tests.iter().filter(|test| test.outcome == Outcome::Warning).count();
            let but = match warnings {
                0 => String::new(),
                1 => "; one test gave a warning".to_owned(),
                many => format!("; {many} tests gave warnings"),
            };
            writeln!(out, "\n{name} complies{but}")?;
        }
        if report.compliant { Ok(()) } else { Err(Failure::NotCompliant { name, failed: bad }) }
    }
}

/// The last event.
fn end(report: &Report, failed: &[&str]) -> serde_json::Value {
    json!({
        "event": "end", "compliant": report.compliant, "failed": failed, "command": report.command,
        "hello": report.hello, "seed": report.seed, "cost": report.cost, "referee": crate::NAME,
    })
}

fn print(out: &mut impl Write, test: &Test) -> io::Result<()> {
    let word = match test.outcome {
        Outcome::Pass => "ok",
        Outcome::Skipped => "skip",
        Outcome::Warning => "warn",
        Outcome::Failure => "FAIL",
    };
    writeln!(out, "{word:5} {:17} {}", test.name, test.summary)?;
    for finding in &test.findings {
        print_finding(out, finding)?;
    }
    Ok(())
}

fn print_finding(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let kind = if finding.failure { "failure" } else { "warning" };
    let times = if finding.count > 1 { format!(" ({} times)", finding.count) } else { String::new() };
    if let Some(test) = finding.same_as {
        return writeln!(out, "      {kind}: {}{times} (the same as in {test} above)", finding.problem);
    }
    writeln!(out, "      {kind}: {}{times}", finding.problem)?;
    if !finding.when.is_empty() {
        writeln!(out, "        when      {}", finding.when)?;
    }
    if let Some(sent) = &finding.sent {
        writeln!(out, "        sent      {sent}")?;
    }
    match finding.received.split_first() {
        None if finding.sent.is_some() => writeln!(out, "        received  nothing")?,
        None => {}
        Some((first, more)) => {
            writeln!(out, "        received  {first}")?;
            for line in more {
                writeln!(out, "                  {line}")?;
            }
        }
    }
    if let Some(expected) = &finding.expected {
        writeln!(out, "        expected  {expected}")?;
    }
    let lines = finding.stderr.as_deref().map(stderr_lines).unwrap_or_default();
    if !lines.is_empty() {
        writeln!(out, "        on standard error:")?;
    }
    for line in lines {
        writeln!(out, "          {line}")?;
    }
    writeln!(out, "        to do     {}", finding.advice)
}
