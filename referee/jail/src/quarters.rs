//! Finds out what a command may read before it is started, for warnings, for the organiser, and to keep bots apart.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::env;
use crate::error::SetupError;
use crate::grant::{Grant, Refused, Why};
use crate::reach::{self, Resolved, Surroundings};
use crate::rights::{self, Closed};
use crate::runtimes::{self, Runtime};
use crate::sandbox::{Level, Sandbox};
use crate::scratch;

/// What a bot may read and run in addition to the system's programs, and which files are its own.
#[derive(Clone, Debug)]
pub struct Quarters {
    files: Vec<PathBuf>,
    grants: Vec<Grant>,
    refused: Vec<Refused>,
    program: PathBuf,
    runtime: Option<&'static Runtime>,
    // Whether the program is that runtime.
    first: bool,
    env: BTreeMap<String, String>,
    open: Result<(), Closed>,
}

/// Lists the files that a command names in addition to its program, such as the script of an interpreter.
pub fn named_files(command: &[String], sandbox: &Sandbox) -> Vec<PathBuf> {
    let resolved = of_command(command, sandbox);
    let named = resolved.map(|Resolved { program, named, .. }| {
        named.into_iter().filter(|file| *file != program && file.is_file()).collect()
    });
    named.unwrap_or_default()
}

/// Finds the files that a command names, and those to which they lead.
pub(crate) fn resolve(sandbox: &Sandbox, program: &Path, args: &[OsString]) -> Result<Resolved, SetupError> {
    let base = sandbox.base().map_err(SetupError::prepare("working directory"))?;
    let search = sandbox.env.get("PATH").cloned().or_else(|| std::env::var("PATH").ok()).unwrap_or_default();
    let given =
        Surroundings { base: &base, search: &search, readable: &sandbox.readable, foreign: &sandbox.foreign };
    reach::resolve(program, args, &given).map_err(SetupError::unresolved(program))
}

fn of_command(command: &[String], sandbox: &Sandbox) -> Option<Resolved> {
    let (program, args) = command.split_first()?;
    let args: Vec<_> = args.iter().map(Into::into).collect();
    resolve(sandbox, program.as_ref(), &args).ok()
}

/// Checks that another user could run the command.
pub(crate) fn all_open(resolved: &Resolved, sandbox: &Sandbox) -> Result<(), Closed> {
    let temporary = scratch::place();
    let read = resolved.vital.iter().chain(&sandbox.readable).map(|path| (path.as_path(), rights::READ));
    let write = sandbox.writable.iter().map(|path| (path.as_path(), rights::WRITE));
    for (path, right) in read.chain(write).chain([(temporary.as_path(), rights::ENTER)]) {
        rights::open_to(path, None, right)?;
    }
    Ok(())
}

impl Quarters {
    /// Examines a command; `None` if nothing is hidden from the bot, or if it cannot be started.
    pub fn of(command: &[String], sandbox: &Sandbox) -> Option<Self> {
        if sandbox.level == Level::Off {
            return None;
        }
        let resolved = of_command(command, sandbox)?;
        let open = all_open(&resolved, sandbox);
        // The referee's own sample bots have nothing to hide.
        let own = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
        let Resolved { program, named, grants, refused, runtime, env, .. } = resolved;
        let name = program.file_name().and_then(|name| name.to_str());
        let first = name.and_then(runtimes::named).is_some();
        let env = env::set(sandbox, "$TMPDIR", &env);
        let grants = grants.into_iter().filter(|grant| Some(&grant.path) != own.as_ref()).collect();
        Some(Self { files: named, grants, refused, program, runtime, first, env, open })
    }

    /// Lists what the bot may read and run in addition to the system's programs.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    /// Returns the runtime that the command, the first line of its program or the program itself names.
    pub fn runtime(&self) -> Option<&'static Runtime> {
        self.runtime
    }

    /// Returns the command with which that runtime prints its version, if the bot's command begins with the runtime.
    pub fn version_command(&self) -> Option<Vec<String>> {
        let option = self.runtime.filter(|_| self.first)?.version?;
        Some(vec![self.program.to_str()?.to_owned(), option.to_owned()])
    }

    /// Returns the variables that the bot gets in addition to the referee's own, with `$TMPDIR` for its own
    /// directory.
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    /// Lists what the bot's own files lead to but may not be used: then the bot does not start.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Checks that another user could run the bot, so that it can get its own user id.
    ///
    /// # Errors
    /// The obstacle.
    pub fn open_to_all(&self) -> Result<(), Closed> {
        self.open.clone()
    }

    /// Lists the targets of links that lead out of their own directory.
    pub fn links(&self) -> impl Iterator<Item = &Path> {
        self.grants.iter().filter(|grant| grant.why == Why::Link).map(|grant| grant.path.as_path())
    }

    /// Returns a path of the other bot that this bot may read although only the other bot should.
    pub fn shows_of(&self, other: &Self) -> Option<&Path> {
        let theirs = other.files.iter().filter(|file| !self.files.contains(file));
        theirs.into_iter().find_map(|file| self.shows(file))
    }

    /// Returns the grant through which this bot may read that path, with links resolved on both sides.
    pub fn shows(&self, path: &Path) -> Option<&Path> {
        let real = real(path);
        self.grants.iter().map(|grant| grant.path.as_path()).find(|place| real.starts_with(self::real(place)))
    }

    /// Lists the paths of other bots to which no link may lead this bot: paths that the organiser has named for
    /// them and not for this one, too.
    pub fn foreign<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Vec<PathBuf> {
        let own: Vec<PathBuf> = self.typed().map(Path::to_owned).collect();
        let theirs = others.into_iter().flat_map(Self::typed);
        let shared = |place: &Path| own.iter().any(|own| own.starts_with(place) || place.starts_with(own));
        theirs.filter(|place| !shared(place)).map(real).collect()
    }

    /// Lists the paths that the organiser has named, as they were named, and the programs.
    fn typed(&self) -> impl Iterator<Item = &Path> {
        let places = self.grants.iter().filter(|grant| grant.why == Why::Named);
        places.map(|grant| grant.path.as_path()).chain(self.files.iter().map(PathBuf::as_path))
    }
}

/// Resolves the links of a path as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match found {
        Some((above, real)) => path.strip_prefix(above).map_or_else(|_| real.clone(), |rest| real.join(rest)),
        None => path.to_owned(),
    }
}
