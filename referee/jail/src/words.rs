//! Reads the words of a command line: finds the runtime, the paths, and the bot's own program.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::command::{first_line, start_of};
use crate::runtimes::{self, COMPILED_GO, Main, Runtime};

/// Programs that only start another program, which their arguments name.
const WRAPPERS: [&str; 4] = ["env", "nice", "stdbuf", "taskset"];

/// The kind of a word of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A path, if it looks like a path and exists.
    Word,
    /// A path, or a list of paths, from this byte on.
    Paths(usize),
    /// The bot's program, a file.
    Main,
    /// The bot's program, by the name of a module.
    Module,
}

/// A command line with the kinds of its words.
#[derive(Debug)]
pub(crate) struct Words {
    /// The runtime that the words name.
    pub(crate) runtime: Option<&'static Runtime>,
    /// The index of the runtime's program among the words.
    pub(crate) at: usize,
    /// The kind of each word.
    pub(crate) kinds: Vec<Kind>,
    /// Whether the words or the standard input are the program's text.
    code: bool,
    /// Whether there was an unknown option, so that the next word may be its value.
    unsure: bool,
}

/// The bot's own program that a command gives to a language's runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<'a> {
    /// A file.
    File {
        /// The word that names it.
        word: &'a str,
        /// The runtime that runs it.
        runtime: &'static Runtime,
        /// Whether the word cannot be the value of an unknown option.
        certain: bool,
    },
    /// A module or a class, by its name.
    Module(&'a str),
    /// The program's text, in the command or on standard input.
    Text,
    /// Nothing known, or the command's program is not a runtime.
    Nothing,
}

/// Returns the bot's own program that a command gives to a language's runtime.
pub fn given_to_runtime(command: &[String]) -> Given<'_> {
    let words: Vec<OsString> = command.iter().map(OsString::from).collect();
    let read = Words::read(&words);
    let main = read.kinds.iter().position(|kind| matches!(kind, Kind::Main | Kind::Module));
    match (main, read.runtime) {
        (Some(at), Some(runtime)) if read.kinds[at] == Kind::Main => {
            let word = command[at].as_str();
            let plain = word.contains(['.', '/']) && !word.contains(['=', ':']);
            Given::File { word, runtime, certain: !read.unsure || plain }
        }
        (Some(at), _) => Given::Module(&command[at]),
        (None, _) if read.code => Given::Text,
        (None, _) => Given::Nothing,
    }
}

/// Finds the runtime of a program, in the first line of a script or in a note at the beginning of a compiled program.
pub(crate) fn runtime_of_program(program: &Path) -> Option<&'static Runtime> {
    let named = |line: String| line.split_ascii_whitespace().find_map(|word| runtime_named(OsStr::new(word)));
    // Type 4, the id of a build, of the owner "Go".
    let start = start_of(program);
    let go = start.starts_with(b"\x7fELF") && start.windows(8).any(|note| note == b"\x04\0\0\0Go\0\0");
    first_line(program).and_then(named).or(go.then_some(&COMPILED_GO))
}

fn runtime_named(word: &OsStr) -> Option<&'static Runtime> {
    runtimes::named(Path::new(word).file_name()?.to_str()?)
}

impl Words {
    /// Reads a command line: the program and its arguments.
    pub(crate) fn read(words: &[OsString]) -> Self {
        let kinds = vec![Kind::Word; words.len()];
        let name = words.first().and_then(|word| Path::new(word).file_name());
        let wrapped = name.and_then(OsStr::to_str).is_some_and(|name| WRAPPERS.contains(&name));
        let mut candidates = words.iter().enumerate().take(if wrapped { words.len() } else { 1 });
        let found = candidates.find_map(|(at, word)| Some((at, runtime_named(word)?)));
        let mut read = Self { runtime: None, at: 0, kinds, code: false, unsure: false };
        if let Some((at, runtime)) = found {
            (read.runtime, read.at) = (Some(runtime), at);
            read.arguments(runtime, words);
        }
        read
    }

    /// Finds the kinds of the words after the runtime's program.
    fn arguments(&mut self, runtime: &Runtime, words: &[OsString]) {
        let mut at = self.at + 1;
        let mut options = true;
        let mut main = runtime.main;
        while let Some(word) = words.get(at).map(|word| word.to_string_lossy()) {
            let word: &str = &word;
            let is = |names: &[&str]| names.contains(&word);
            if options && word == "--" {
                options = false;
            } else if options && is(runtime.file_options) {
                return self.set(at + 1, Kind::Main);
            } else if options && is(runtime.path_options) {
                self.set(at + 1, Kind::Paths(0));
                at += 1;
            } else if options && is(runtime.value_options) {
                at += 1;
            } else if options && (word == "-" || is_code(runtime, word)) {
                self.code = true;
                return;
            } else if options && runtime.module.as_ref().is_some_and(|module| module.option == Some(word)) {
                return self.set(at + 1, Kind::Module);
            } else if let Some(prefix) =
                runtime.path_prefixes.iter().find(|prefix| word.starts_with(**prefix))
            {
                self.set(at, Kind::Paths(prefix.len()));
            } else if options && word.starts_with(['-', '+']) {
                self.unsure = true;
            } else {
                match main {
                    Main::File => return self.set(at, Kind::Main),
                    Main::FileWithEnding(ending) if word.ends_with(ending) => {
                        return self.set(at, Kind::Main);
                    }
                    Main::FileWithEnding(_) if runtime.module.is_some() => return self.set(at, Kind::Module),
                    Main::AfterCommand(command) if word == command => main = Main::File,
                    Main::AfterCommand(_) | Main::FileWithEnding(_) | Main::Nothing => {}
                }
            }
            at += 1;
        }
    }

    fn set(&mut self, at: usize, kind: Kind) {
        if let Some(word) = self.kinds.get_mut(at) {
            *word = kind;
        }
    }

    /// Returns whether the words set a search path for modules.
    pub(crate) fn name_paths(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind, Kind::Paths(_)))
    }
}

/// Returns whether the next word is a program's text: `-c`, or `-e` at the end of several letters, as in `-lne`.
fn is_code(runtime: &Runtime, word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| rest.len() <= 3 && !rest.starts_with('-'));
    let ends =
        |option: &str| option.len() == 2 && letters.is_some_and(|letters| letters.ends_with(&option[1..]));
    runtime.code_options.iter().any(|option| *option == word || ends(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the words of a command: `<main>`, `(module)`, `[paths]`.
    fn marked(command: &str) -> String {
        let words: Vec<OsString> = command.split(' ').map(OsString::from).collect();
        let kinds = Words::read(&words).kinds;
        let mark = |(word, kind): (&str, &Kind)| match kind {
            Kind::Word => word.to_owned(),
            Kind::Main => format!("<{word}>"),
            Kind::Module => format!("({word})"),
            Kind::Paths(from) => format!("{}[{}]", &word[..*from], &word[*from..]),
        };
        command.split(' ').zip(&kinds).map(mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn command_lines_are_read_as_people_write_them() {
        for expected in [
            "java -cp [classes] (Bot)",
            "java -Xmx512m -cp [a.jar:lib/*] (pkg.Bot) deep",
            "java --class-path=[classes] (Bot)",
            "/usr/bin/java -jar <bot.jar> --fast x",
            "java <Bot.java>",
            "java --module-path [mods] -m bot/pkg.Bot",
            "java @[flags] (Bot)",
            "dotnet <Bot.dll> deep",
            "dotnet exec --depsfile [x.json] <out/Bot.dll>",
            "runghc -i[src] <Bot.hs>",
            "python3 <bot.py> -m deep",
            "python3 -u -X dev <bot>",
            "python3.12 -m (pkg.engine) -c 3",
            "venv/bin/python -c print(1) bot.py",
            "node --max-old-space-size=300 -r [./hook.js] <bot.js>",
            "ruby -I[lib] -I [more] -W0 <bot.rb>",
            "perl -I[lib] -w <bot.pl>",
            "perl -lne print x",
            "lua5.4 -l strict <bot.lua>",
            "php -d memory_limit=512M -f <bot.php>",
            "ocaml -I [lib] unix.cma <bot.ml>",
            "sbcl --noinform --script <bot.lisp>",
            "escript <bot.escript>",
            "erl -noshell -pa [ebin] -s bot start",
            "julia --project=[env] --startup-file=no -t 2 <bot.jl>",
            "Rscript --vanilla <bot.R>",
            "go run <bot.go>",
            "go run -tags fast <.>",
            "sh <run>",
            "bash -c ./bot",
            "bash -lc ./bot",
            "env -u X DEEP=1 python3 <bot.py>",
            "stdbuf -oL ruby <bot.rb>",
            "awk -f <bot.awk>",
            "./bot java -cp x",
            "python3 -",
            "python3 -- <-bot.py>",
        ] {
            let command = expected.replace(['<', '>', '(', ')', '[', ']'], "");
            let command = if expected.contains("print(1)") { expected.to_owned() } else { command };
            assert_eq!(marked(&command), expected);
        }
    }
}
