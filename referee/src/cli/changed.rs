//! Finds bots whose programs have changed since the start of a record.

use std::collections::BTreeMap;

use bao_protocol::record::RunBot;

use super::difference::place;
use crate::plan::BotPlan;
use crate::record;

/// Returns a function that hashes readable files, each only once: many bots may share a program.
pub(super) fn hasher() -> impl FnMut(&str) -> Option<String> {
    let mut known = BTreeMap::new();
    move |file| known.entry(file.to_owned()).or_insert_with(|| record::sha256_of(file.as_ref()).ok()).clone()
}

/// What has happened to a file that a command names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Change {
    #[error("has changed since the start of the record")]
    Changed,
    #[error("existed at the start of the record, and is missing now")]
    Gone,
    #[error("was missing at the start of the record, and exists now")]
    New,
}

/// Finds a bot with a changed program: returns the bot, the changed file, and the change.
pub(super) fn changed_program(then: &[RunBot], now: &[BotPlan]) -> Option<(String, String, Change)> {
    let mut sha256 = hasher();
    then.iter().zip(now).find_map(|(then, now)| {
        // By their absolute paths: the record may have been begun from another directory.
        let placed = |files: BTreeMap<String, String>| -> BTreeMap<String, String> {
            files.into_iter().map(|(file, hash)| (place(&file), hash)).collect()
        };
        let mut is = placed(named_sha256(now, &mut sha256));
        let mut was = placed(then.files_sha256.clone());
        let program = &now.command[0];
        is.extend(sha256(program).map(|hash| (place(program), hash)));
        was.extend(then.program_sha256.clone().map(|hash| (place(program), hash)));
        let mut files = was.keys().chain(is.keys());
        let file = files.find(|file| was.get(*file) != is.get(*file))?;
        let change = match (was.contains_key(file), is.contains_key(file)) {
            (true, false) => Change::Gone,
            (false, _) => Change::New,
            (true, true) => Change::Changed,
        };
        Some((then.name.clone(), file.clone(), change))
    })
}

/// Hashes the files that a command names in addition to its program.
pub(super) fn named_sha256(
    bot: &BotPlan,
    sha256: &mut impl FnMut(&str) -> Option<String>,
) -> BTreeMap<String, String> {
    let files = bao_jail::named_files(&bot.command, &bot.sandbox);
    files.iter().filter_map(|file| Some((file.to_str()?.to_owned(), sha256(file.to_str()?)?))).collect()
}
