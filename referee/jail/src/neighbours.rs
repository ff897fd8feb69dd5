//! What lies beside a bot's program: it may read its own program's directory, and so whatever else somebody put there.

use std::path::{Path, PathBuf};

use crate::reach::{self, Resolved};
use crate::sandbox::{Level, Sandbox};

/// The files that are a bot's own, and the places in which it may read because they lie there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarters {
    files: Vec<PathBuf>,
    places: Vec<PathBuf>,
}

/// Names the files that a command names beside its program, such as the script of an interpreter.
pub fn named_files(command: &[String], sandbox: &Sandbox) -> Vec<PathBuf> {
    let resolved = resolved(command, sandbox);
    let named = resolved.map(|Resolved { program, named, .. }| {
        named.into_iter().filter(|file| *file != program && file.is_file()).collect()
    });
    named.unwrap_or_default()
}

/// Finds what a command names; `None` where it cannot be started.
fn resolved(command: &[String], sandbox: &Sandbox) -> Option<Resolved> {
    let (program, args) = command.split_first()?;
    let base = sandbox.base().ok()?;
    let args: Vec<_> = args.iter().map(Into::into).collect();
    let search = std::env::var("PATH").unwrap_or_default();
    reach::resolve(program.as_ref(), &args, &base, &search).ok()
}

impl Quarters {
    /// Looks at a command; `None` where nothing is hidden from the bot, or where it cannot be started.
    pub fn of(command: &[String], sandbox: &Sandbox) -> Option<Self> {
        if sandbox.level == Level::Off {
            return None;
        }
        let Resolved { named, .. } = resolved(command, sandbox)?;
        // The referee's own sample bots have nothing to hide.
        let own = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
        let places = named.iter().flat_map(|file| reach::own_directory(file));
        let places = places.filter(|place| Some(place) != own.as_ref()).collect();
        Some(Self { files: named, places })
    }

    /// Names the place in which this bot may read what belongs to the other alone.
    pub fn shows_of(&self, other: &Self) -> Option<&Path> {
        let theirs = other.files.iter().filter(|file| !self.files.contains(file));
        theirs.into_iter().find_map(|file| self.shows(file))
    }

    /// Names the place in which this bot may read that path.
    pub fn shows(&self, path: &Path) -> Option<&Path> {
        self.places.iter().find(|place| path.starts_with(place)).map(PathBuf::as_path)
    }
}
