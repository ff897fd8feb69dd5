//! Finds the scripts that a command gives to its interpreter and that are missing.

use std::path::Path;

use bao_jail::{Given, given_to_runtime};

/// The endings of scripts and other files that an interpreter runs.
const ENDINGS: [&str; 19] = [
    "class", "cjs", "dll", "jar", "js", "lua", "mjs", "php", "pl", "py", "pyc", "pyz", "r", "rb", "scm",
    "sh", "tcl", "ts", "wasm",
];

/// Returns the words of a command that name a missing script; relative paths begin in `directory`.
///
/// The interpreter itself starts, so without this check the bot would lose its games by a crash.
pub fn missing_scripts<'a>(command: &'a [String], directory: &Path) -> Vec<&'a str> {
    let gone = |path: &str| directory.join(path).try_exists().is_ok_and(|there| !there);
    let (by_place, module) = match given_to_runtime(command) {
        Given::Text => return Vec::new(),
        Given::File { word, runtime, certain: true } => {
            let found = runtime.adds.iter().any(|ending| !gone(&format!("{word}{ending}")));
            let found = found || runtime.searches && is_in_path(word);
            (Some(word).filter(|word| gone(word) && !found), None)
        }
        Given::Module(word) => (None, Some(word)),
        Given::File { .. } | Given::Nothing => (None, None),
    };
    let words = command.iter().skip(1).map(String::as_str).filter(|word| Some(*word) != module);
    let by_name = words.filter(|word| names_a_script(word) && gone(word));
    let mut missing: Vec<&str> = by_place.into_iter().collect();
    for word in by_name {
        if !missing.contains(&word) {
            missing.push(word);
        }
    }
    missing
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
