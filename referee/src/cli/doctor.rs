//! `referee doctor`: the promises about bots that this machine can keep.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::failure::Failure;
use super::json::json_line;
use super::may::May;
use super::promises::{remedy, what};
use super::sandbox::SandboxArguments;
use crate::plan;
use crate::process::keeper::Keeper;
use crate::processors::{Cores, Pin};
use crate::run::RunError;
use crate::text::count::count;
use bao_jail::{Guard, Host, Level, Promise, Sandbox, strict_would_start};

/// Report how well this machine can isolate bots.
///
/// For each promise, print what keeps it on this machine, or why it is not kept and what to do. With BOT, also
/// start that bot, print which promises are kept for it (file permissions may make them fewer), and list what it
/// may read, write and run.
///
/// Exit codes: 0 if --isolation strict would start, 8 if not.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Command line of a bot, as for `referee match`.
    bot: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sandbox: SandboxArguments,
}

/// A bot that was started, and the promises kept for it.
#[derive(Debug, Serialize)]
struct Patient {
    name: String,
    command: Vec<String>,
    promises: Vec<Promise>,
    may: May,
}

impl Doctor {
    pub(super) fn run(self) -> Result<(), Failure> {
        let sandbox = best_effort(self.sandbox.one());
        let host = super::sandbox::host()?;
        let promises = host.promises(&sandbox);
        let patient = self.bot.as_deref().map(|bot| start(bot, &host, &sandbox)).transpose()?;
        let gaps = |promises: &[Promise]| strict_would_start(promises).err().map_or(0, |gaps| gaps.len());
        let lacking = gaps(&promises).max(patient.as_ref().map_or(0, |patient| gaps(&patient.promises)));
        let cpu_clock = cpu_clock(&host, &sandbox);
        let mut out = io::stdout().lock();
        let cores = Cores::of_this_process().unwrap_or_default();
        let [bots, shared] = [Pin::Bots, Pin::Tables].map(|pin| cores.tables(pin) as u64);
        if self.json {
            let event = json!({
                "referee": crate::NAME, "system": system(), "root": rustix::process::geteuid().is_root(),
                "promises": promises, "bot": patient, "strict": lacking == 0, "clock_measure_cpu": cpu_clock.gap.is_none(),
                "whole_cores": cores.whole, "pin": { "bots": bots, "tables": shared },
            });
            json_line(&mut out, &event)?;
        } else {
            let user = if rustix::process::geteuid().is_root() { "root" } else { "an ordinary user" };
            writeln!(out, "{}, on {} as {user}\n", crate::NAME, system())?;
            print(&mut out, "promises about a bot", &promises)?;
            if let Some(patient) = &patient {
                writeln!(out)?;
                print(&mut out, &format!("promises kept for {}", patient.name), &patient.promises)?;
                writeln!(out)?;
                patient.may.print(&mut out, &patient.name)?;
            }
            writeln!(out)?;
            let whole = count(cores.whole.len() as u64, "whole core");
            let (bots, shared) = (count(bots, "game"), count(shared, "game"));
            writeln!(out, "{whole}: --pin bots for at most {bots} at once, --pin tables for {shared}")?;
            if lacking == 0 {
                writeln!(out, "--isolation strict would start")?;
            }
            match &cpu_clock.gap {
                None => writeln!(out, "--clock-measure cpu would start")?,
                Some(gap) => writeln!(
                    out,
                    "--clock-measure cpu would not start: {gap}\n  to do: {}",
                    remedy(Guard::CpuTime)
                )?,
            }
        }
        out.flush()?;
        if lacking == 0 { Ok(()) } else { Err(Failure::NotStrict(lacking)) }
    }
}

/// Returns the settings without strictness: strict settings would refuse before all gaps are known.
fn best_effort(sandbox: Sandbox) -> Sandbox {
    match sandbox.level {
        Level::Strict => Sandbox { level: Level::BestEffort, ..sandbox },
        Level::BestEffort | Level::Off => sandbox,
    }
}

/// Returns whether processor time is measured exactly enough for clocks that count it.
fn cpu_clock(host: &Host, sandbox: &Sandbox) -> Promise {
    let exact = Sandbox { exact_processor_time: true, ..sandbox.clone() };
    let mut promises = host.promises(&exact).into_iter();
    promises.find(|promise| promise.name == Guard::CpuTime).expect("every promise is in the list")
}

fn start(bot: &str, host: &Host, sandbox: &Sandbox) -> Result<Patient, Failure> {
    let command = plan::command(bot)?;
    let name = plan::bot_name(&command);
    let keeper = Keeper::new(host.clone());
    let runtime = crate::play::driver::runtime()?;
    let birth = runtime.block_on(keeper.start(&command, sandbox));
    let birth = birth.map_err(|source| RunError::Spawn { name: name.clone(), source })?;
    let promises = birth.promises;
    keeper.bury(birth.remains);
    let may = May::of(&command, host, sandbox);
    Ok(Patient { name, command, promises, may })
}

fn system() -> String {
    let system = rustix::system::uname();
    let text = |name: &std::ffi::CStr| name.to_string_lossy().into_owned();
    format!("{} {}, {}", text(system.sysname()), text(system.release()), std::env::consts::ARCH)
}

fn print(out: &mut impl Write, title: &str, promises: &[Promise]) -> io::Result<()> {
    writeln!(out, "{title:32} kept")?;
    for promise in promises {
        let what = what(promise.name);
        match (&promise.kept_by, &promise.gap) {
            (Some(by), _) => writeln!(out, "  {what:30} yes   {by}")?,
            (None, None) => writeln!(out, "  {what:30} -     not asked for")?,
            (None, Some(why)) => {
                writeln!(out, "  {what:30} NO    {why}")?;
                writeln!(out, "  {:30}       to do: {}", "", remedy(promise.name))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_for_each_promise_what_keeps_it_or_what_to_do() {
        let promises = [
            Promise::kept(Guard::KillTree, "own user id"),
            Promise::unasked(Guard::Freeze),
            Promise::broken(Guard::Processes, "the referee is not root"),
        ];
        let mut out = Vec::new();
        print(&mut out, "promises", &promises).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines[0], "promises kept");
        assert_eq!(lines[1], "nothing outlives the bot yes own user id");
        assert_eq!(lines[2], "stopped while not on turn - not asked for");
        assert_eq!(lines[3], "processes are limited NO the referee is not root");
        assert!(lines[4].starts_with("to do: run as root"), "{}", lines[4]);
        assert!(text.is_ascii());
    }
}
