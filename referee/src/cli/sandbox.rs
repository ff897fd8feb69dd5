//! What bots may do, on the command line.

use std::path::Path;
use std::str::FromStr;

use clap::Args;

use super::failure::Failure;
use super::values::level;
use crate::plan::{self, BotPlan};
use bao_jail::{Level, Quarters, Sandbox, Setting};

/// What a bot may do, and how far that is enforced.
#[derive(Debug, Args)]
pub(super) struct SandboxArguments {
    /// How far bots are kept from doing harm.
    #[arg(long, value_name = "LEVEL", default_value = "best-effort", value_parser = level(), help_heading = "Isolation")]
    isolation: Level,
    /// Stop a bot while it is not its turn, so that it cannot think on its opponent's time.
    #[arg(long, help_heading = "Isolation")]
    freeze: bool,
    /// Limit or allow something (repeatable): memory=1GiB, processes=256, open-files=512, file=256MiB, cpu-seconds=600,
    /// read=PATH, write=PATH, env=NAME=VALUE, network=yes, single-process=yes; "none" removes a limit.
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str, help_heading = "Isolation")]
    sandbox: Vec<Setting>,
}

/// What each of two bots may do.
#[derive(Debug, Args)]
pub(super) struct SandboxesArguments {
    #[command(flatten)]
    both: SandboxArguments,
    /// Limit or allow something for the first bot only (repeatable).
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str, help_heading = "Isolation")]
    first_sandbox: Vec<Setting>,
    /// Limit or allow something for the second bot only (repeatable).
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str, help_heading = "Isolation")]
    second_sandbox: Vec<Setting>,
}

impl SandboxesArguments {
    /// Makes the two bots' sandboxes.
    pub(super) fn both(&self) -> [Sandbox; 2] {
        [&self.first_sandbox, &self.second_sandbox].map(|own| self.both.with(own))
    }
}

impl SandboxArguments {
    /// Makes the sandbox of a single bot.
    pub(super) fn one(&self) -> Sandbox {
        self.with(&[])
    }

    fn with(&self, more: &[Setting]) -> Sandbox {
        let here = std::env::current_dir().unwrap_or_default();
        let mut sandbox = Sandbox { level: self.isolation, freeze: self.freeze, ..Sandbox::default() };
        for setting in self.sandbox.iter().chain(more) {
            setting.apply(&mut sandbox, &here);
        }
        sandbox
    }
}

/// Refuses, before anything is started, what strict isolation could not keep and paths that are not there.
pub(super) fn check(host: &bao_jail::Host, sandboxes: &[&Sandbox]) -> Result<(), Failure> {
    for path in sandboxes.iter().flat_map(|sandbox| sandbox.readable.iter().chain(&sandbox.writable)) {
        if let Err(source) = path.metadata() {
            return Err(Failure::Given { path: path.clone(), source });
        }
    }
    for sandbox in sandboxes.iter().filter(|sandbox| sandbox.level == Level::Strict) {
        bao_jail::strict_would_start(&host.promises(sandbox)).map_err(Failure::Gaps)?;
    }
    Ok(())
}

/// Warns of scripts that are not there: their interpreters are, so it is only found out when they end at once.
pub(super) fn warn_of_missing_scripts(bots: &[BotPlan]) {
    for bot in bots {
        let Some(script) = plan::script(&bot.command).filter(|word| word.contains(['.', '/'])) else {
            continue;
        };
        let directory = bot.sandbox.base().unwrap_or_default();
        if !directory.join(script).exists() {
            tracing::warn!("bot {}: {script} not found in {}", bot.name, directory.display());
        }
    }
}

/// Warns where isolation hides nothing because things lie beside each other: a bot may read its program's directory.
pub(super) fn warn_of_neighbours(bots: &[BotPlan], out: Option<&Path>) {
    let quarters: Vec<_> =
        bots.iter().filter_map(|bot| Some((&bot.name, Quarters::of(&bot.command, &bot.sandbox)?))).collect();
    let mut pairs = quarters.iter().flat_map(|one| quarters.iter().map(move |other| (one, other)));
    if let Some((one, other, place)) =
        pairs.find_map(|((one, own), (other, theirs))| Some((one, other, own.shows_of(theirs)?)))
    {
        tracing::warn!(
            "bot {one} may read the files of {other}: both are in {}; give each bot a directory of its own",
            place.display()
        );
    }
    let Some(out) = out.and_then(|out| std::path::absolute(out).ok()) else { return };
    if let Some((bot, place)) = quarters.iter().find_map(|(bot, own)| Some((bot, own.shows(&out)?))) {
        tracing::warn!(
            "bot {bot} may read the record while it is written: --out is in {}, beside its program; choose another \
             directory",
            place.display()
        );
    }
}
