//! The options of the command line that set what bots may do.

use std::path::Path;
use std::str::FromStr;

use clap::Args;

use super::failure::{Failure, Gaps, MissingScript};
use super::values::level;
use crate::plan::{self, BotPlan};
use bao_jail::{Guard, Host, Level, Quarters, Sandbox, Setting, launcher};

/// What a bot may do, and how far that is enforced.
#[derive(Debug, Args)]
pub(super) struct SandboxArguments {
    /// How strictly bots are isolated from the machine and from each other.
    #[arg(long, value_name = "LEVEL", default_value = "best-effort", value_parser = level(), help_heading = "Isolation")]
    isolation: Level,
    /// Pause a bot while it is not its turn, so that it cannot think on its opponent's time.
    #[arg(long, help_heading = "Isolation")]
    freeze: bool,
    /// Limit or allow something (repeatable): memory=1GiB, processes=256, open-files=512, file=256MiB,
    /// cpu-seconds=600, read=PATH, write=PATH, env=NAME=VALUE, network=yes, single-process=yes; "none" removes a
    /// limit.
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

/// Finds out what this machine can do, and warns of limits that the launcher set.
pub(super) fn host() -> Result<Host, Failure> {
    launcher::enough_files().map_err(Failure::TooFewFiles)?;
    for limit in launcher::narrow_limits() {
        tracing::warn!("{limit}");
    }
    Ok(Host::probe())
}

/// Refuses strict isolation that cannot be kept, and missing paths, before anything is started.
pub(super) fn check(host: &Host, sandboxes: &[&Sandbox]) -> Result<(), Failure> {
    for path in sandboxes.iter().flat_map(|sandbox| sandbox.readable.iter().chain(&sandbox.writable)) {
        if let Err(source) = path.metadata() {
            return Err(Failure::Given { path: path.clone(), source });
        }
    }
    let mut warned = false;
    for sandbox in sandboxes {
        let Err(gaps) = bao_jail::strict_would_start(&host.promises(sandbox)) else { continue };
        match sandbox.level {
            Level::Strict => return Err(Failure::Gaps(gaps)),
            Level::Off | Level::BestEffort if gaps.iter().any(|gap| gap.name == Guard::CpuTime) => {
                return Err(Failure::InexactClock(
                    gaps.into_iter().filter(|gap| gap.name == Guard::CpuTime).collect(),
                ));
            }
            Level::BestEffort if !warned => {
                warned = true;
                tracing::warn!("isolation is incomplete: {}; see `referee doctor`", Gaps(&gaps));
            }
            Level::BestEffort | Level::Off => {}
        }
    }
    Ok(())
}

/// Refuses missing scripts. Their interpreters would start, so the bots would lose by a crash.
pub(super) fn scripts_are_there<'a>(
    bots: impl IntoIterator<Item = (&'a str, &'a [String], &'a Sandbox)>,
) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for (bot, command, sandbox) in bots {
        let directory = sandbox.base().unwrap_or_default();
        for file in plan::missing_scripts(command, &directory) {
            let (bot, file) = (bot.to_owned(), file.to_owned());
            missing.push(MissingScript { bot, file, directory: directory.clone() });
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(Failure::MissingScripts(missing)) }
}

/// Refuses more games at once than the limit of open files allows.
pub(super) fn enough_files(bots: usize, concurrency: u64) -> Result<(), Failure> {
    let per_table = 2 * FILES_OF_A_BOT + FILES_OF_A_TABLE;
    let needed = FILES_OF_THE_REFEREE + concurrency.saturating_mul(per_table) + bots as u64;
    let limit = launcher::open_files();
    if needed <= limit { Ok(()) } else { Err(Failure::Files { concurrency, needed, limit }) }
}

/// How many files the referee keeps open for a bot: pipes, process, directory in `/proc`, user id, meters.
const FILES_OF_A_BOT: u64 = 14;
/// How many more it keeps open for a table: files of evidence, and files that are open only shortly.
const FILES_OF_A_TABLE: u64 = 4;
const FILES_OF_THE_REFEREE: u64 = 32;

/// Denies each bot the files of the others, so that no link leads there.
pub(super) fn keep_apart(bots: &mut [BotPlan], out: Option<&Path>) {
    let all: Vec<_> = bots.iter().map(|bot| Quarters::of(&bot.command, &bot.sandbox)).collect();
    for (at, bot) in bots.iter_mut().enumerate() {
        let Some(own) = &all[at] else { continue };
        bot.sandbox.foreign = own
            .foreign(all.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, other)| other));
        bot.sandbox.foreign.extend(out.and_then(|out| std::path::absolute(out).ok()));
    }
}

/// Warns of everything unexpected that bots may read.
pub(super) fn warn_of_what_is_open(bots: &[BotPlan], host: &Host, out: Option<&Path>) {
    for bot in bots {
        let Some(own) = Quarters::of(&bot.command, &bot.sandbox) else { continue };
        for path in own.links() {
            tracing::warn!(
                "bot {} may read and run {}, because a link in its command leads there",
                bot.name,
                path.display()
            );
        }
        if host.gives_users()
            && let Err(why) = own.open_to_all()
        {
            tracing::warn!(
                "bot {} gets no user id of its own: {why}; move it, or open it to other users",
                bot.name
            );
        }
    }
    warn_of_neighbours(bots, out);
}

/// Warns if bots share a directory, because a bot may read its program's directory.
fn warn_of_neighbours(bots: &[BotPlan], out: Option<&Path>) {
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
