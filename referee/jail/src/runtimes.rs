//! The runtimes of languages: how to recognise each, which words of its command line are paths, what it needs.

/// A runtime, and how to read its command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Runtime {
    /// Its name, for people.
    pub name: &'static str,
    /// What a bot in this language needs, for the bot's author.
    pub needs: &'static str,
    /// The option with which it prints its version.
    pub version: Option<&'static str>,
    /// How the bot's author sets the size of its heap, if that is possible.
    pub heap: Option<&'static str>,
    /// Its messages on standard error when it gets no more memory.
    pub out_of_memory: &'static [&'static str],
    /// The endings that it adds to the name of a missing file.
    pub adds: &'static [&'static str],
    /// Whether it also looks for the bot's program in `PATH`.
    pub searches: bool,
    /// The names of its programs, without a version.
    pub(crate) programs: &'static [&'static str],
    /// How the bot's own program is found among the words.
    pub(crate) main: Main,
    /// Options whose next word is the bot's program: a file.
    pub(crate) file_options: &'static [&'static str],
    /// Options whose next word is a path, or a list of paths.
    pub(crate) path_options: &'static [&'static str],
    /// Beginnings of words that continue with a path, or a list of paths.
    pub(crate) path_prefixes: &'static [&'static str],
    /// Options whose next word is neither.
    pub(crate) value_options: &'static [&'static str],
    /// Options whose next word is the program's text.
    pub(crate) code_options: &'static [&'static str],
    /// How a program that is not a file is named.
    pub(crate) module: Option<Module>,
    /// The variable with the search path for libraries, and how the directory of the bot's program is written in it.
    pub(crate) libraries: Option<(&'static str, &'static str)>,
    /// Variables that it needs under isolation.
    pub(crate) variables: &'static [(&'static str, &'static str)],
    /// Files above the bot's program that belong to it.
    pub(crate) project: &'static [&'static str],
    /// How it finds the project of a program that is a directory, where it would look in its working directory.
    pub(crate) workspace: Option<Workspace>,
    /// What it reads in addition to what every bot may read: its own settings, in the system's directories.
    pub(crate) reads: &'static [&'static str],
}

/// The meaning of the first word that is not an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Main {
    /// The bot's program: a file.
    File,
    /// The bot's program if it has this ending.
    FileWithEnding(&'static str),
    /// A command of the runtime: the bot's program follows it.
    AfterCommand(&'static str),
    /// It has no such meaning.
    Nothing,
}

/// A program that is named like a module, and searched in directories.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The option before it; without one, it is the first word that is not an option.
    pub(crate) option: Option<&'static str>,
    /// The endings of its files; an empty one is a directory.
    pub(crate) endings: &'static [&'static str],
    /// The variable with the search path for modules.
    pub(crate) variable: &'static str,
}

/// A file in the bot's own directory that names the directory of its project.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Workspace {
    /// The file that makes a directory a project.
    pub(crate) project: &'static str,
    /// The name of the file that names it.
    pub(crate) name: &'static str,
    /// Its text; `{}` stands for the project's directory.
    pub(crate) text: &'static str,
    /// The variable with its path.
    pub(crate) variable: &'static str,
}

/// A runtime without special properties.
const PLAIN: Runtime = Runtime {
    name: "",
    needs: "flush standard output after every line",
    version: None,
    heap: None,
    out_of_memory: &[],
    adds: &[],
    searches: false,
    programs: &[],
    main: Main::File,
    file_options: &[],
    path_options: &[],
    path_prefixes: &[],
    value_options: &[],
    code_options: &[],
    module: None,
    libraries: None,
    variables: &[],
    project: &[],
    workspace: None,
    reads: &[],
};

/// Erlang, whichever of its programs starts it.
const ERLANG: Runtime = Runtime {
    name: "Erlang",
    needs: "io:setopts([binary]) and io:get_line; its modules by -pa DIRECTORY",
    out_of_memory: &["eheap_alloc: Cannot allocate"],
    ..PLAIN
};

/// The runtimes that are known.
pub(crate) static RUNTIMES: &[Runtime] = &[
    Runtime {
        name: "Python",
        needs: "print(..., flush=True), or python3 -u",
        version: Some("--version"),
        out_of_memory: &["MemoryError"],
        programs: &["python", "pypy"],
        value_options: &["-W", "-X", "--check-hash-based-pycs"],
        code_options: &["-c"],
        module: Some(Module { option: Some("-m"), endings: &["", ".py"], variable: "PYTHONPATH" }),
        ..PLAIN
    },
    Runtime {
        name: "Java",
        needs: "the class path on the command line (-cp DIRECTORY); System.out.flush() after every line; -Xmx where two \
                thirds of the memory limit are the wrong size for the heap",
        version: Some("--version"),
        heap: Some("-Xmx"),
        out_of_memory: &[
            "java.lang.OutOfMemoryError",
            "Could not reserve enough space for",
            "insufficient memory for the Java",
        ],
        programs: &["java"],
        main: Main::FileWithEnding(".java"),
        file_options: &["-jar"],
        path_options: &["-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path"],
        path_prefixes: &[
            "--class-path=",
            "--module-path=",
            "-Djava.library.path=",
            "-Xbootclasspath/a:",
            "-javaagent:",
            "@",
        ],
        value_options: &[
            "-m",
            "--module",
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--limit-modules",
        ],
        module: Some(Module { option: None, endings: &[".class"], variable: "CLASSPATH" }),
        ..PLAIN
    },
    Runtime {
        name: "Node",
        needs: "process.stdout.write and no console.log for debugging; --max-old-space-size where two thirds of the memory \
                limit are the wrong size for the heap",
        version: Some("--version"),
        heap: Some("--max-old-space-size"),
        out_of_memory: &["JavaScript heap out of memory", "Array buffer allocation failed"],
        adds: &[".js", ".mjs", ".cjs", ".json", ".node"],
        programs: &["node", "nodejs"],
        path_options: &["-r", "--require", "--import", "--loader", "--experimental-loader"],
        value_options: &["-C", "--conditions", "--stack-trace-limit"],
        code_options: &["-e", "--eval", "-p", "--print"],
        project: &["package.json", "node_modules"],
        ..PLAIN
    },
    Runtime {
        name: ".NET",
        needs: "Console.Out.Flush() after every line; it keeps its heap within two thirds of the memory limit",
        version: Some("--version"),
        heap: Some("DOTNET_GCHeapHardLimit"),
        out_of_memory: &["System.OutOfMemoryException"],
        programs: &["dotnet"],
        main: Main::FileWithEnding(".dll"),
        path_options: &["--depsfile", "--runtimeconfig", "--additionalprobingpath"],
        value_options: &["--roll-forward", "--fx-version"],
        variables: &[
            ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            ("DOTNET_NOLOGO", "1"),
            ("DOTNET_EnableDiagnostics", "0"),
        ],
        reads: &["/etc/dotnet"],
        ..PLAIN
    },
    Runtime {
        name: "Mono",
        needs: "Console.Out.Flush() after every line",
        version: Some("--version"),
        out_of_memory: &["System.OutOfMemoryException"],
        programs: &["mono"],
        ..PLAIN
    },
    Runtime {
        name: "Go",
        needs: "a program that was built before (go build -o bot .): go run builds it again at every start, within the time \
                for hello; the directory that go run names must have a go.mod",
        version: Some("version"),
        out_of_memory: &[],
        programs: &["go"],
        main: Main::AfterCommand("run"),
        value_options: &["-exec", "-ldflags", "-gcflags", "-tags", "-mod", "-p"],
        variables: &[
            ("GOPROXY", "off"),
            ("GOTOOLCHAIN", "local"),
            ("GOFLAGS", "-buildvcs=false"),
            ("CGO_ENABLED", "0"),
        ],
        workspace: Some(Workspace {
            project: "go.mod",
            name: "go.work",
            text: "go 1.18\n\nuse \"{}\"\n",
            variable: "GOWORK",
        }),
        ..PLAIN
    },
    Runtime {
        name: "Haskell",
        needs: "hSetBuffering stdout LineBuffering; runghc starts slowly, so compile the bot (ghc -O -rtsopts) and limit its \
                heap (+RTS -M512m)",
        version: Some("--version"),
        heap: Some("+RTS -M"),
        out_of_memory: &["heap overflow", "Heap exhausted;"],
        programs: &["runghc", "runhaskell"],
        path_prefixes: &["-i", "--ghc-arg=-i"],
        value_options: &["-f"],
        reads: &["/var/lib/ghc"],
        ..PLAIN
    },
    Runtime {
        name: "Ruby",
        needs: "STDOUT.sync = true",
        version: Some("--version"),
        out_of_memory: &["failed to allocate memory (NoMemoryError)", "NoMemoryError"],
        programs: &["ruby", "jruby"],
        path_options: &["-I", "-C"],
        path_prefixes: &["-I"],
        value_options: &["-r", "-E"],
        code_options: &["-e", "-S"],
        reads: &["/var/lib/gems", "/etc/gemrc"],
        ..PLAIN
    },
    Runtime {
        name: "Perl",
        needs: "$| = 1",
        version: Some("-v"),
        out_of_memory: &["Out of memory!", "Out of memory in perl"],
        programs: &["perl"],
        path_options: &["-I"],
        path_prefixes: &["-I"],
        code_options: &["-e", "-E", "-S"],
        ..PLAIN
    },
    Runtime {
        name: "Lua",
        needs: "io.stdout:setvbuf(\"line\")",
        version: Some("-v"),
        out_of_memory: &["not enough memory"],
        programs: &["lua", "luajit", "texlua"],
        value_options: &["-l"],
        code_options: &["-e"],
        libraries: Some(("LUA_PATH", "{}/?.lua;{}/?/init.lua;;")),
        ..PLAIN
    },
    Runtime {
        name: "PHP",
        needs: "php-cli; its memory_limit is its own (-d memory_limit=512M)",
        version: Some("--version"),
        heap: Some("-d memory_limit"),
        out_of_memory: &["Allowed memory size of", "Out of memory (allocated"],
        programs: &["php"],
        file_options: &["-f", "--file"],
        path_options: &["-c"],
        value_options: &["-d", "-z"],
        code_options: &["-r"],
        ..PLAIN
    },
    Runtime {
        name: "OCaml",
        needs: "flush stdout, or print_endline, after every line",
        version: Some("-version"),
        out_of_memory: &["Out_of_memory"],
        programs: &["ocaml"],
        main: Main::FileWithEnding(".ml"),
        path_options: &["-I", "-init"],
        code_options: &["-e"],
        ..PLAIN
    },
    Runtime {
        name: "Common Lisp",
        needs: "(finish-output) after every line; sbcl's --dynamic-space-size below the memory limit",
        version: Some("--version"),
        heap: Some("--dynamic-space-size"),
        out_of_memory: &["Heap exhausted during", "Heap exhausted, game over", "HEAP-EXHAUSTED"],
        programs: &["sbcl"],
        main: Main::Nothing,
        file_options: &["--script", "--load"],
        path_options: &["--core"],
        value_options: &["--dynamic-space-size", "--control-stack-size"],
        code_options: &["--eval"],
        ..PLAIN
    },
    Runtime { programs: &["escript"], ..ERLANG },
    Runtime {
        programs: &["erl"],
        main: Main::Nothing,
        path_options: &["-pa", "-pz", "-boot", "-config"],
        code_options: &["-eval"],
        ..ERLANG
    },
    Runtime {
        name: "R",
        needs: "file(\"stdin\") opened once, and flush(stdout()) after every line",
        version: Some("--version"),
        out_of_memory: &["cannot allocate vector of size", "cannot allocate memory block"],
        programs: &["Rscript"],
        code_options: &["-e"],
        reads: &["/var/lib/R"],
        ..PLAIN
    },
    Runtime {
        name: "Julia",
        needs: "flush(stdout) after every line; --startup-file=no; --heap-size-hint below the memory limit; it starts slowly",
        version: Some("--version"),
        heap: Some("--heap-size-hint"),
        out_of_memory: &["OutOfMemoryError"],
        programs: &["julia"],
        path_options: &["-J", "--sysimage", "-L", "--load"],
        path_prefixes: &["--project=", "--sysimage="],
        value_options: &["-t", "--threads", "-p", "--procs", "-C"],
        code_options: &["-e", "--eval", "-E", "--print"],
        ..PLAIN
    },
    Runtime {
        name: "a shell",
        needs: "exec before the last command, so that the bot itself is the process",
        programs: &["sh", "bash", "dash", "ksh", "zsh", "fish"],
        searches: true,
        value_options: &["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
        code_options: &["-c", "-s"],
        ..PLAIN
    },
    Runtime {
        name: "awk",
        needs: "fflush() after every line",
        programs: &["awk", "gawk", "mawk"],
        main: Main::Nothing,
        file_options: &["-f"],
        value_options: &["-v", "-F"],
        ..PLAIN
    },
    Runtime {
        name: "Guile",
        needs: "(force-output) after every line",
        version: Some("--version"),
        programs: &["guile"],
        file_options: &["-s"],
        path_options: &["-L", "-l"],
        value_options: &["-e"],
        code_options: &["-c"],
        ..PLAIN
    },
    // Found by its name only: its command line is read like any other.
    Runtime {
        programs: &[
            "bun", "clisp", "dart", "deno", "ecl", "elixir", "gjs", "groovy", "kotlin", "pwsh", "racket",
            "raku", "scala", "tclsh",
        ],
        main: Main::Nothing,
        ..PLAIN
    },
];

/// A program that Go has compiled.
pub(crate) static COMPILED_GO: Runtime = Runtime {
    name: "Go",
    needs: "os.Stdout without a buffer, or a Flush after every line; it keeps to seven eighths of the memory limit \
            (GOMEMLIMIT)",
    heap: Some("GOMEMLIMIT"),
    out_of_memory: &["fatal error: runtime: out of memory", "fatal error: runtime: cannot allocate memory"],
    ..PLAIN
};

/// Any other program.
static COMPILED: Runtime = Runtime {
    name: "the program",
    out_of_memory: &[
        "std::bad_alloc",
        "memory allocation of",
        "Cannot allocate memory",
        "cannot allocate memory",
    ],
    ..PLAIN
};

/// Returns the runtime that says on a bot's standard error that it got no more memory, and its words.
pub fn out_of_memory(stderr: &str) -> Option<(&'static Runtime, &'static str)> {
    let known = RUNTIMES.iter().chain([&COMPILED_GO, &COMPILED]);
    let mut phrases =
        known.flat_map(|runtime| runtime.out_of_memory.iter().map(move |words| (runtime, *words)));
    // Whole words only: Java's OutOfMemoryError is not Python's MemoryError.
    let begins = |at: usize| !stderr[..at].ends_with(char::is_alphanumeric);
    phrases.find(|(_, words)| stderr.match_indices(words).any(|(at, _)| begins(at)))
}

/// Finds a runtime by the name of its program, perhaps with a version.
pub(crate) fn named(program: &str) -> Option<&'static Runtime> {
    let version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    let is = |name: &str| program.strip_prefix(name).is_some_and(version);
    RUNTIMES.iter().find(|runtime| runtime.programs.iter().any(|name| is(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_got_no_more_memory_says_so() {
        for (stderr, name) in [
            (
                "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space\n\tat Bot.main",
                "Java",
            ),
            ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "Node"),
            ("fatal error: runtime: out of memory\n\ngoroutine 1 [running]", "Go"),
            ("Traceback (most recent call last):\nMemoryError\n", "Python"),
            ("terminate called after throwing an instance of 'std::bad_alloc'", "the program"),
            ("fork: Cannot allocate memory", "the program"),
            ("bot: heap overflow", "Haskell"),
            ("Heap exhausted during garbage collection", "Common Lisp"),
        ] {
            assert_eq!(out_of_memory(stderr).map(|(runtime, _)| runtime.name), Some(name), "{stderr}");
        }
        assert!(out_of_memory("Segmentation fault").is_none());
    }

    #[test]
    fn a_runtime_is_known_by_its_name_and_nothing_else_is() {
        for (program, name) in [
            ("python3", "Python"),
            ("python3.12", "Python"),
            ("node", "Node"),
            ("lua5.4", "Lua"),
            ("sh", "a shell"),
            ("guile-3.0", "Guile"),
            ("deno", ""),
        ] {
            assert_eq!(named(program).map(|runtime| runtime.name), Some(name), "{program}");
        }
        for program in ["engine", "python3-engine", "shark", "nodes", ""] {
            assert!(named(program).is_none(), "{program}");
        }
    }
}
