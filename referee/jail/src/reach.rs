//! Which files a command needs, and whether another user could reach them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::command::{Unresolved, absolute_argument, absolute_list, clean, find, first_line, runnable};
use crate::places::{PARTS, beside, in_bin, is_shared, is_systems, own_directory};
use crate::runtimes::{self, Module, Runtime};
use crate::words::{Kind, Words, runtime_of_program};

/// A command as it will run: absolute paths, since the working directory will be another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// Directories and files that the command may read and run.
    pub(crate) grants: Vec<Grant>,
    /// What its author's bytes lead to and the organiser has not granted.
    pub(crate) refused: Vec<Refused>,
    /// The files that must be reachable for the command to start at all.
    pub(crate) vital: Vec<PathBuf>,
    /// The files that the organiser has named: its program, unless that was found on the search path, and its arguments'.
    pub(crate) named: Vec<PathBuf>,
    /// The runtime that the command or the first line of its program names.
    pub(crate) runtime: Option<&'static Runtime>,
    /// What that runtime needs in its environment.
    pub(crate) env: BTreeMap<String, String>,
}

/// Something that a bot may read and run, beyond the system's programs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Grant {
    /// A file, or a directory with all that is in it.
    pub path: PathBuf,
    /// Why it is granted.
    pub why: Why,
}

/// Why something is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The organiser's command names it, or a file in it.
    Named,
    /// It belongs to the installation of a program.
    Installation,
    /// A link that the organiser's command names leads to it, out of its own directory.
    Link,
    /// The organiser's settings name it.
    Setting,
}

/// Something that a `#!` line or a link leads to and that is not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// Where it leads from.
    pub from: PathBuf,
    /// Where it leads to.
    pub to: PathBuf,
    /// Whether that belongs to another bot.
    pub foreign: bool,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} leads to {}, ", self.from.display(), self.to.display())?;
        if self.foreign {
            f.write_str("which belongs to another bot")
        } else {
            write!(
                f,
                "which is neither the system's nor the bot's own; if the bot may use it, name it in the command or add \
                 --sandbox read={}",
                self.to.display()
            )
        }
    }
}

/// What the organiser says beside the command itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    /// Where relative paths start.
    pub(crate) base: &'a Path,
    /// Where programs are searched for.
    pub(crate) search: &'a str,
    /// What is granted in any case.
    pub(crate) readable: &'a [PathBuf],
    /// What belongs to other bots.
    pub(crate) foreign: &'a [PathBuf],
}

/// Resolves a command.
///
/// An argument with a `/` or a `.` in it that names something there becomes absolute, also behind `=` and in lists
/// joined by `:` (class paths); so does what the runtime takes for a path, whatever it looks like.
///
/// What may be read follows from the organiser's words alone: the directories of what the command names, and the
/// installation of a program in a `bin`. A link leads to one file more. A `#!` line leads nowhere else than into the
/// system, into what is granted already, or to a runtime on the organiser's search path.
pub(crate) fn resolve(program: &Path, args: &[OsString], given: &Given<'_>) -> Result<Resolved, Unresolved> {
    let whole: Vec<OsString> = std::iter::once(program.into()).chain(args.iter().cloned()).collect();
    let words = Words::read(&whole);
    let program = find(program, given.base, given.search)?;
    // What lies on the organiser's search path is not this bot's own, however it was named.
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
    let (mut named, mut absolute, mut main) = (Vec::new(), Vec::new(), None);
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
    Ok(Resolved { program, args: absolute, grants, refused, vital, named, runtime, env })
}

/// What is granted so far.
struct Reach<'a> {
    given: Given<'a>,
    grants: BTreeSet<Grant>,
    refused: Vec<Refused>,
    vital: Vec<PathBuf>,
    env: BTreeMap<String, String>,
}

impl Reach<'_> {
    fn grant(&mut self, path: PathBuf, why: Why) {
        self.grants.insert(Grant { path, why });
    }

    /// Grants the directory from which a runtime is asked to take a module, and says so to it; returns the module's file.
    ///
    /// Runtimes search their working directory, and that of a bot is another one.
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

    /// Grants what a runtime needs beside the bot's program, and says in the environment where that is.
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

    /// Grants the installation of a runtime that another program is to start.
    fn wrapped(&mut self, program: &Path) {
        let Ok(found) = find(program, self.given.base, self.given.search) else { return };
        let typed = program.components().count() > 1;
        if in_bin(&found, typed) {
            self.installation(&found, typed);
        }
        self.start(&found);
    }

    /// Grants the directory of something that the organiser has named, unless a link in its path leads to another bot's.
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

    /// Grants the other parts of an installation, as far as they really lie there.
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

    /// Grants the one file to which a link leads that the organiser has named, and what it needs of its installation.
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

    /// Follows a program to what will run: where its links lead, and the interpreters that first lines name.
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

    /// Looks at what `env` may start: a path like an interpreter, or a runtime on the organiser's search path.
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

    /// Judges a file that the author's bytes lead to: nothing is granted for it.
    fn interpreter(&mut self, script: &Path, path: &Path) {
        let Ok(real) = path.canonicalize() else {
            // The kernel will say that it is not there.
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
mod tests {
    use super::*;
    use crate::scratch;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// An event: `NAME` is a directory, `NAME: TEXT` a program, `NAME -> TARGET` a link.
    const EVENT: &str = "\
        opponent/engine: x\n\
        opponent/bin/engine: x\n\
        opponent/lib/book: x\n\
        third/engine: x\n\
        home/py/bin/python3.12: x\n\
        home/py/lib\n\
        pyenv/shims/python3: x\n\
        home/bin/strange: x\n\
        venv/bin/python -> ../../home/py/bin/python3.12\n\
        venv/lib\n\
        venv/pyvenv.cfg: x\n\
        record\n\
        real/b.py: #!/bin/sh\n\
        link/b.py -> ../real/b.py\n\
        bin/engine: x\n\
        jdk/bin/java: x\n\
        jdk/lib\n\
        jdk/conf\n\
        jdk/record\n\
        java/classes/Bot.class: x\n\
        java/lib/json.jar: x\n\
        java/bot.jar: x\n\
        Bot.class: x\n\
        pkg/__main__.py: x\n\
        node/package.json: {}\n\
        node/node_modules/x/index.js: x\n\
        node/src/bot.js: x\n\
        thief/node_modules -> ../opponent\n\
        thief/src/bot.js: x\n\
        bot/plain: x\n\
        tool/java: x\n\
        tool/dotnet: x\n\
        tool/node: x\n\
        tool/ruby: x\n\
        out/Bot.dll: x\n\
        bot/lua: #!/usr/bin/env lua5.4\n\
        bot/sh: #!/bin/sh\n\
        bot/env: #!/usr/bin/env python3\n\
        bot/own: #!{event}/bot/tool/run -x\n\
        bot/tool/run: x\n\
        bot/inside -> tool/run\n\
        thief/line: #!{event}/opponent/engine\n\
        thief/unset: #!/usr/bin/env -S -u {event}/opponent/engine /bin/sh\n\
        thief/named: #!/usr/bin/env strange\n\
        thief/out: #!{event}/record/run\n\
        thief/engine -> ../opponent/engine\n\
        thief/other -> ../third/engine\n\
        thief/directory -> ../opponent\n\
        thief/bin/python -> ../../opponent/bin/engine\n\
        thief/share -> ../opponent\n\
        thief/bin/engine: x\n";

    struct Event(PathBuf);

    impl Event {
        fn set_up() -> Self {
            let event = scratch::create(None).unwrap().canonicalize().unwrap();
            for line in EVENT.lines() {
                let line = line.replace("{event}", event.to_str().unwrap());
                let name = line.split([':', ' ']).next().unwrap();
                let path = event.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                if let Some((_, target)) = line.split_once(" -> ") {
                    symlink(target, path).unwrap();
                } else if let Some((_, text)) = line.split_once(": ") {
                    fs::write(&path, format!("{text}\n")).unwrap();
                    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
                } else {
                    fs::create_dir_all(path).unwrap();
                }
            }
            Self(event)
        }

        /// Returns what a command is granted and refused, in words.
        fn resolve(&self, command: &str) -> String {
            let mut words = command.split(' ');
            let program = words.next().unwrap();
            let args: Vec<OsString> = words.map(OsString::from).collect();
            let search = ["pyenv/shims", "home/bin", "tool"]
                .map(|name| self.0.join(name).display().to_string())
                .join(":");
            let foreign = ["opponent", "record"].map(|name| self.0.join(name));
            let given = Given {
                base: &self.0,
                search: &format!("{search}:/usr/bin:/bin"),
                readable: &[],
                foreign: &foreign,
            };
            let resolved = resolve(Path::new(program), &args, &given).unwrap();
            let show = |path: &Path| match path.strip_prefix(&self.0) {
                Ok(inside) if inside.as_os_str().is_empty() => "{event}".to_owned(),
                Ok(inside) => inside.display().to_string(),
                Err(_) => path.display().to_string(),
            };
            // What the machine's own runtimes read is another matter.
            let of_event = resolved.grants.iter().filter(|grant| grant.path.starts_with(&self.0));
            let granted = of_event.map(|grant| match grant.why {
                Why::Link => format!("->{}", show(&grant.path)),
                Why::Named | Why::Installation | Why::Setting => show(&grant.path),
            });
            let refused = resolved.refused.iter().map(|refused| format!("NOT {}", show(&refused.to)));
            granted.chain(refused).collect::<Vec<_>>().join(" ")
        }
    }

    impl Drop for Event {
        fn drop(&mut self) {
            scratch::remove(&self.0).unwrap();
        }
    }

    /// What each shape of a command grants: the honest get what they need, thieves nothing of others.
    #[test]
    fn an_authors_bytes_widen_nothing() {
        let event = Event::set_up();
        for (command, expected) in [
            // A program or a script: its directory.
            ("bot/sh", "bot"),
            ("/bin/sh bot/sh", "bot"),
            // A `#!` line: the bot's own, the system's, a runtime on the search path.
            ("bot/own", "bot"),
            ("bot/env", "bot pyenv pyenv/shims"),
            ("bot/inside", "bot"),
            // A runtime on the search path, by its name or its path.
            ("python3 bot/sh", "bot pyenv pyenv/shims"),
            ("pyenv/shims/python3 bot/sh", "bot pyenv pyenv/shims"),
            // A link that the organiser has named: the one file.
            ("link/b.py", "link ->real/b.py"),
            ("/bin/sh link/b.py", "link ->real/b.py"),
            // A `bin`: the installation's parts, not what lies beside.
            ("bin/engine", "bin"),
            ("jdk/bin/java", "jdk/bin jdk/conf jdk/lib"),
            // A virtual environment, and the Python that it was made with.
            (
                "venv/bin/python bot/sh",
                "bot home/py/bin ->home/py/bin/python3.12 home/py/lib venv/bin venv/lib venv/pyvenv.cfg",
            ),
            // Thieves.
            ("thief/line", "thief NOT opponent/engine"),
            ("thief/unset", "thief NOT opponent/engine"),
            ("thief/named", "thief NOT home/bin/strange"),
            ("thief/out", "thief"),
            ("thief/engine", "thief NOT opponent/engine"),
            ("/bin/sh thief/engine", "thief NOT opponent/engine"),
            ("thief/directory/engine", " NOT opponent NOT opponent/engine"),
            ("/bin/sh thief/directory/engine", "NOT opponent NOT opponent/engine"),
            ("thief/bin/python", "thief/bin NOT opponent/bin/engine"),
            ("thief/bin/engine", "thief/bin"),
            ("node thief/src/bot.js", "thief/src tool"),
            // What runtimes take for paths.
            ("java -cp java/classes Bot", "java/classes tool"),
            ("java -cp java/bot.jar:java/lib/* pkg.Bot", "java java/lib tool"),
            ("java --class-path=java/classes Bot", "java/classes tool"),
            ("java -jar java/bot.jar", "java tool"),
            ("java Bot", "{event} tool"),
            ("java None", "tool"),
            ("dotnet out/Bot.dll", "out tool"),
            ("python3 -m pkg", "{event} pkg pyenv pyenv/shims"),
            ("python3 -m http.server", "pyenv pyenv/shims"),
            ("node node/src/bot.js", "node/node_modules node/package.json node/src tool"),
            ("sh bot/plain", "bot"),
            ("env DEEP=1 python3 bot/sh", "bot pyenv pyenv/shims"),
            ("ruby -Ijava/lib bot/plain", "bot java/lib tool"),
            // Not known as another bot's: the one file, and the organiser is warned of it.
            ("thief/other", "thief ->third/engine"),
        ] {
            assert_eq!(event.resolve(command), expected.trim(), "{command}");
        }
    }
}
