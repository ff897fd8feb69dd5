//! The scripts that a command gives to its interpreter, and which of them are missing.

use std::path::Path;

/// An interpreter: how its command line leads to the script.
struct Interpreter {
    /// Its names, without a version.
    names: &'static [&'static str],
    /// The options whose value is the next word.
    valued: &'static [&'static str],
    /// The letters of options that take code or a module in place of a script.
    code: &'static str,
    /// What it adds to the name of a script.
    endings: &'static [&'static str],
    /// Whether it also looks for a script in PATH.
    searches: bool,
}

const INTERPRETERS: [Interpreter; 6] = [
    Interpreter {
        names: &["python", "pypy"],
        valued: &["-W", "-X", "--check-hash-based-pycs"],
        code: "cm",
        endings: &[],
        searches: false,
    },
    Interpreter { names: &["perl"], valued: &["-I"], code: "eES", endings: &[], searches: false },
    Interpreter { names: &["ruby"], valued: &["-I", "-r", "-C"], code: "eS", endings: &[], searches: false },
    Interpreter {
        names: &["sh", "bash", "dash", "ksh", "zsh"],
        valued: &["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
        code: "cs",
        endings: &[],
        searches: true,
    },
    Interpreter {
        names: &["node", "nodejs"],
        valued: &["-r", "--require", "--import", "--loader", "-C", "--conditions"],
        code: "ep",
        endings: &[".js", ".mjs", ".cjs", ".json", ".node"],
        searches: false,
    },
    Interpreter { names: &["lua", "luajit"], valued: &["-l"], code: "e", endings: &[], searches: false },
];

/// The endings of files that are run and not written.
const ENDINGS: [&str; 19] = [
    "class", "cjs", "dll", "jar", "js", "lua", "mjs", "php", "pl", "py", "pyc", "pyz", "r", "rb", "scm",
    "sh", "tcl", "ts", "wasm",
];

/// Returns the words of a command that name a script that is not there; relative paths begin in `directory`.
///
/// The interpreter itself starts, so that without this the bot would lose its games by a crash.
pub fn missing_scripts<'a>(command: &'a [String], directory: &Path) -> Vec<&'a str> {
    let Some((program, words)) = command.split_first() else { return Vec::new() };
    let interpreter = interpreter(program);
    if interpreter.is_some_and(|known| words.iter().any(|word| known.is_code(word))) {
        return Vec::new();
    }
    let gone = |path: &str| directory.join(path).try_exists().is_ok_and(|there| !there);
    let by_place = interpreter.and_then(|known| known.script(words)).filter(|script| {
        let known = interpreter.into_iter().flat_map(|known| known.endings);
        let in_path = interpreter.is_some_and(|known| known.searches) && is_in_path(script);
        gone(script) && known.into_iter().all(|ending| gone(&format!("{script}{ending}"))) && !in_path
    });
    let by_name = words.iter().map(String::as_str).filter(|word| names_a_script(word) && gone(word));
    let mut missing: Vec<&str> = by_place.into_iter().collect();
    for word in by_name {
        if !missing.contains(&word) {
            missing.push(word);
        }
    }
    missing
}

fn interpreter(program: &str) -> Option<&'static Interpreter> {
    let name = Path::new(program).file_name()?.to_str()?;
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.iter().find(|known| known.names.contains(&name))
}

impl Interpreter {
    /// Tells whether an option takes code, alone (`-c`) or behind others (`-ec`), or in its long form.
    fn is_code(&self, word: &str) -> bool {
        match word.strip_prefix('-') {
            Some("" | "-eval" | "-print") => true,
            Some(letters) => {
                letters.chars().all(|c| c.is_ascii_alphanumeric())
                    && letters.ends_with(|c| self.code.contains(c))
            }
            None => false,
        }
    }

    /// Returns the first word that is neither an option nor the value of one, where that is certain.
    fn script<'a>(&self, words: &'a [String]) -> Option<&'a str> {
        let mut options = false;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                return words.next().map(String::as_str);
            }
            if self.valued.contains(&word.as_str()) {
                words.next();
            } else if word.starts_with(['-', '+']) {
                options = true;
            } else {
                // Behind an option that is not known here, a word may be its value.
                let certain = !options || word.contains(['.', '/']) && !word.contains(['=', ':']);
                return certain.then_some(word.as_str());
            }
        }
        None
    }
}

fn names_a_script(word: &str) -> bool {
    let plain = !word.starts_with('-') && !word.contains(|c: char| c.is_whitespace() || "=:*".contains(c));
    let ending = word.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    plain && ending.is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}

fn is_in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    !name.contains('/') && std::env::split_paths(&path).any(|place| place.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_missing_is_found_in_every_form_of_a_command() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (command, missing) in [
            ("perl nothere.pl", &["nothere.pl"][..]),
            ("/usr/bin/python3.12 -u ./nothere", &["./nothere"]),
            ("python3 -W ignore nothere", &["nothere"]),
            ("python3 -W ignore Cargo.toml", &[]),
            ("python3 -m my.package.py", &[]),
            ("python3 -c pass nothere.py", &[]),
            ("python3 -", &[]),
            ("python3 src", &[]),
            ("java -Xmx1g -jar nothere.jar", &["nothere.jar"]),
            ("java -cp classes my.Bot", &[]),
            ("node --max-old-space-size=100 nothere.mjs", &["nothere.mjs"]),
            ("node nothere", &["nothere"]),
            ("sh nothere.sh 2", &["nothere.sh"]),
            ("sh nothere", &["nothere"]),
            ("sh -ec ./nothere.sh", &[]),
            ("sh ls", &[]),
            ("env -i python3 nothere.py", &["nothere.py"]),
            ("./bot --write weights/later.bin", &[]),
            ("./bot level.2", &[]),
            ("dotnet nothere.dll", &["nothere.dll"]),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(missing_scripts(&words, here), missing, "{command}");
        }
    }
}
