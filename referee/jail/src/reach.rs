//! Finds the files that a command needs.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::command::{Unresolved, absolute_argument, absolute_list, clean, find, first_line, runnable};
use crate::grant::{Grant, Refused, Why};
use crate::places::{PARTS, beside, in_bin, is_shared, is_systems, own_directory};
use crate::runtimes::{self, Module, Runtime, Workspace};
use crate::words::{Kind, Words, runtime_of_program};

/// A command as it will run: with absolute paths, because the working directory will be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Directories and files that the command may read and run.
    pub(crate) grants: Vec<Grant>,
    /// What the bot's own files lead to but the organiser has not granted.
    pub(crate) refused: Vec<Refused>,
    /// The files that must be reachable for the command to start at all.
    pub(crate) vital: Vec<PathBuf>,
    /// The files that the organiser has named: its program, unless that was found on the search path, and its
    /// arguments'.
    pub(crate) named: Vec<PathBuf>,
    /// The runtime that the command or the first line of its program names.
    pub(crate) runtime: Option<&'static Runtime>,
    /// The variables that this runtime needs.
    pub(crate) env: BTreeMap<String, String>,
    /// The directory of the bot's project, if this runtime finds it by a file that must be written.
    pub(crate) project: Option<(&'static Workspace, PathBuf)>,
}

/// What the organiser sets in addition to the command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    /// The directory in which relative paths begin.
    pub(crate) base: &'a Path,
    /// The search path for programs.
    pub(crate) search: &'a str,
    /// Paths that are granted in any case.
    pub(crate) readable: &'a [PathBuf],
    /// Paths that belong to other bots.
    pub(crate) foreign: &'a [PathBuf],
}

/// Resolves a command.
///
/// An argument with a `/` or a `.` that names an existing file becomes absolute, also after `=` and in lists
/// joined by `:` (class paths). So does any argument that the runtime takes for a path.
///
/// Only the organiser's words decide what may be read: the directories of files that the command names, and the
/// installation of a program in a `bin`. A link adds one file. A `#!` line may lead only into the
/// system, to files that are granted already, or to a runtime on the organiser's search path.
pub(crate) fn resolve(
    program: &Path,
    args: &[OsString],
    given: &Surroundings<'_>,
) -> Result<Resolved, Unresolved> {
    let whole: Vec<OsString> = std::iter::once(program.into()).chain(args.iter().cloned()).collect();
    let words = Words::read(&whole);
    let program = find(program, given.base, given.search)?;
    // A program on the organiser's search path is not this bot's own, however it was named.
    let typed = given.search.split(':').all(|directory| program.parent() != Some(Path::new(directory)));
    runnable(&program).map_err(Unresolved::NotExecutable)?;
    let mut reach = Reach {
        given: *given,
        grants: BTreeSet::new(),
        refused: Vec::new(),
        vital: Vec::new(),
        env: BTreeMap::new(),
    };
    for path in given.readable {
        reach.grant(path.clone(), Why::Setting);
    }
    let (mut named, mut absolute, mut main) = (Vec::new(), Vec::new(), None::<PathBuf>);
    for (arg, kind) in whole.iter().zip(&words.kinds).skip(1) {
        let (arg, paths) = match *kind {
            Kind::Word | Kind::Module => absolute_argument(arg, given.base),
            Kind::Paths(at) => absolute_list(arg, at, given.base),
            Kind::Main => absolute_list(arg, 0, given.base),
        };
        main = main.or_else(|| paths.first().filter(|_| *kind == Kind::Main).cloned());
        named.extend(paths);
        absolute.push(arg);
    }
    let runtime = words.runtime.or_else(|| runtime_of_program(&program));
    let project = runtime.and_then(|runtime| {
        let workspace = runtime.workspace.as_ref()?;
        main.clone().filter(|main| main.join(workspace.project).is_file()).map(|main| (workspace, main))
    });
    if let Some(runtime) = runtime {
        let module =
            words.kinds.iter().position(|kind| *kind == Kind::Module).map(|at| whole[at].as_os_str());
        named.extend(reach.module(runtime, &words, module));
        reach.furnish(runtime, main.as_deref().or((words.runtime.is_none()).then_some(&program)));
    }
    for path in &named {
        reach.own(path);
    }
    if in_bin(&program, typed) {
        reach.installation(&program, typed);
    } else {
        reach.own(&program);
    }
    for path in &named {
        reach.follow(path);
    }
    reach.vital.extend(named.iter().cloned());
    if typed {
        named.insert(0, program.clone());
    }
    reach.start(&program);
    if words.at > 0 {
        reach.wrapped(Path::new(&whole[words.at]));
    }
    let Reach { grants, refused, vital, env, .. } = reach;
    let grants = grants.into_iter().collect();
    Ok(Resolved { program, args: absolute, grants, refused, vital, named, runtime, env, project })
}

/// The grants so far.
struct Reach<'a> {
    given: Surroundings<'a>,
    grants: BTreeSet<Grant>,
    refused: Vec<Refused>,
    vital: Vec<PathBuf>,
    env: BTreeMap<String, String>,
}

impl Reach<'_> {
    fn grant(&mut self, path: PathBuf, why: Why) {
        self.grants.insert(Grant { path, why });
    }

    /// Grants the directory from which a runtime must load a module, and names it in the environment; returns the
    /// module's file.
    ///
    /// Runtimes search their working directory, but a bot's working directory is a different one.
    fn module(&mut self, runtime: &Runtime, words: &Words, name: Option<&OsStr>) -> Option<PathBuf> {
        let Module { option, endings, variable } = runtime.module.as_ref()?;
        if option.is_none() && words.name_paths() {
            return None;
        }
        let place = self.given.base.join(name?.to_str()?.replace('.', "/"));
        let mut files = endings.iter().map(|ending| {
            let mut file = place.clone().into_os_string();
            file.push(ending);
            PathBuf::from(file)
        });
        let file = files.find(|file| file.exists())?;
        let base = clean(self.given.base);
        self.env.insert((*variable).to_owned(), base.to_str()?.to_owned());
        self.own(&base);
        Some(file)
    }

    /// Grants what a runtime needs in addition to the bot's program, and names it in the environment.
    fn furnish(&mut self, runtime: &Runtime, main: Option<&Path>) {
        let set = runtime.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.env.extend(set);
        for place in runtime.reads.iter().map(PathBuf::from).filter(|place| place.exists()) {
            self.grant(place, Why::Installation);
        }
        let Some(directory) = main.and_then(Path::parent) else { return };
        if let (Some((variable, template)), Some(directory)) = (runtime.libraries, directory.to_str()) {
            self.env.insert(variable.to_owned(), template.replace("{}", directory));
        }
        let base = self.given.base;
        let within = |above: &&Path| above.strip_prefix(base).is_ok_and(|path| !path.starts_with(".."));
        let above = directory.ancestors().take_while(within);
        for (above, name) in above.flat_map(|above| runtime.project.iter().map(move |name| (above, name))) {
            let (part, place) = (above.join(name), above.canonicalize());
            let inside = |real: &PathBuf| place.is_ok_and(|place| real.starts_with(place));
            if part.canonicalize().is_ok_and(|real| inside(&real) && !self.is_foreign(&real)) {
                self.grant(part, Why::Named);
            }
        }
    }

    /// Grants the installation of a runtime that another program will start.
    fn wrapped(&mut self, program: &Path) {
        let Ok(found) = find(program, self.given.base, self.given.search) else { return };
        let typed = program.components().count() > 1;
        if in_bin(&found, typed) {
            self.installation(&found, typed);
        }
        self.start(&found);
    }

    /// Grants the directory of a file that the organiser has named, unless a link in its path leads to another
    /// bot's files.
    fn own(&mut self, path: &Path) {
        for place in own_directory(path) {
            match place.canonicalize() {
                Ok(real) if self.is_foreign(&real) => self.refuse(&place, real),
                Ok(real) if place.is_symlink() && !beside(&place, &real) => self.grant(real, Why::Link),
                Ok(_) | Err(_) => self.grant(place, Why::Named),
            }
        }
    }

    /// Grants the installation to which a program in a `bin` belongs.
    fn installation(&mut self, program: &Path, typed: bool) {
        let Some(bin) = program.parent() else { return };
        if bin.canonicalize().is_ok_and(|bin| is_systems(&bin)) {
            return;
        }
        self.grant(bin.to_owned(), Why::Installation);
        self.parts(bin, typed);
    }

    /// Grants the other parts of an installation, unless a link leads them out of it.
    fn parts(&mut self, bin: &Path, typed: bool) {
        let Some(prefix) = bin.parent() else { return };
        let Ok(real) = prefix.canonicalize() else { return };
        if !typed && bin.file_name() == Some(OsStr::new("shims")) && !is_shared(&real) {
            // A collection of versions, any of which a shim may choose.
            self.grant(prefix.to_owned(), Why::Installation);
            return;
        }
        for part in PARTS.iter().map(|name| prefix.join(name)) {
            let inside =
                |part: &PathBuf| part.starts_with(&real) && part.as_path() != real || is_systems(part);
            if part.canonicalize().is_ok_and(|part| inside(&part) && !self.is_foreign(&part)) {
                self.grant(part, Why::Installation);
            }
        }
    }

    /// Grants the one file to which a link leads that the organiser has named, and the parts of its installation
    /// that it needs.
    fn follow(&mut self, path: &Path) {
        let Ok(real) = path.canonicalize() else { return };
        if real.is_dir() || self.may_use(&real) {
            return;
        }
        if self.is_foreign(&real) {
            return self.refuse(path, real);
        }
        if in_bin(&real, true)
            && let Some(bin) = real.parent()
        {
            self.parts(bin, true);
        }
        self.grant(real, Why::Link);
    }

    /// Follows a program to what will run: through links, and through the interpreters that first lines name.
    fn start(&mut self, program: &Path) {
        self.vital.push(program.to_owned());
        self.follow(program);
        let Ok(real) = program.canonicalize() else { return };
        if real != program {
            self.vital.push(real.clone());
        }
        self.first_line(&real);
    }

    fn first_line(&mut self, script: &Path) {
        // The kernel itself allows few interpreters of interpreters.
        if self.vital.len() > 16 {
            return;
        }
        let Some(line) = first_line(script) else { return };
        let mut words = line.split_ascii_whitespace();
        let Some(interpreter) = words.next() else { return };
        self.interpreter(script, Path::new(interpreter));
        if interpreter.ends_with("/env") {
            words.for_each(|word| self.word_of_env(script, word));
        }
    }

    /// Checks what `env` would start: a path is checked like an interpreter, a name must be a runtime on the
    /// organiser's search path.
    fn word_of_env(&mut self, script: &Path, word: &str) {
        if word.starts_with('/') {
            return self.interpreter(script, Path::new(word));
        }
        let Ok(found) = find(Path::new(word), Path::new("/"), self.given.search) else { return };
        let Ok(real) = found.canonicalize() else { return };
        if runtimes::named(word).is_some() && !self.may_use(&real) && !self.is_foreign(&real) {
            if in_bin(&found, false) {
                self.installation(&found, false);
            }
            self.start(&found);
        } else {
            self.interpreter(script, &found);
        }
    }

    /// Checks a file to which the bot's own files lead, without granting anything.
    fn interpreter(&mut self, script: &Path, path: &Path) {
        let Ok(real) = path.canonicalize() else {
            // The kernel will report that it does not exist.
            return self.vital.push(path.to_owned());
        };
        if self.may_use(&real) {
            self.vital.push(path.to_owned());
            self.first_line(&real);
        } else {
            self.refuse(script, real);
        }
    }

    fn refuse(&mut self, from: &Path, to: PathBuf) {
        let foreign = self.is_foreign(&to);
        self.refused.push(Refused { from: from.to_owned(), to, foreign });
    }

    fn may_use(&self, real: &Path) -> bool {
        let granted = |grant: &Grant| grant.path.canonicalize().is_ok_and(|place| real.starts_with(place));
        is_systems(real) || self.grants.iter().any(granted)
    }

    fn is_foreign(&self, real: &Path) -> bool {
        self.given.foreign.iter().any(|place| real.starts_with(place))
    }
}

#[cfg(test)]
mod tests;
