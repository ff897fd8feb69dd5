//! Finds the programs of bots, and names the bots.

use std::path::{Path, PathBuf};

use bao_jail::{Given, given_to_runtime};

use super::{CommandError, NotExecutable, NotFound, PlanError};

/// Splits a bot's command line into words and finds its program: a bare name beside the referee, then in PATH.
///
/// Words are split as in a shell; `~/` at the beginning of a word is the home directory.
///
/// # Errors
/// [`PlanError`] where the program does not exist or cannot be run.
pub fn command(text: &str) -> Result<Vec<String>, PlanError> {
    command_in(text, Path::new(""))
}

/// As [`command`]; a relative path begins in this directory.
///
/// # Errors
/// As [`command`].
pub fn command_in(text: &str, directory: &Path) -> Result<Vec<String>, PlanError> {
    let words = shell_words::split(text).map_err(|_| PlanError::command(text, CommandError::OpenQuote))?;
    let home = std::env::var("HOME").ok();
    let words = words.into_iter().map(|word| at_home(word, home.as_deref()));
    let mut words: Vec<String> =
        words.collect::<Option<_>>().ok_or_else(|| PlanError::command(text, CommandError::NoHome))?;
    let Some(name) = words.first() else { return Err(PlanError::command(text, CommandError::Empty)) };
    let program = find(name, directory)?;
    if program.is_dir() {
        return Err(PlanError::not_executable(&program, NotExecutable::Directory));
    }
    if let Err(error) = rustix::fs::access(&program, rustix::fs::Access::EXEC_OK) {
        return Err(PlanError::not_executable(&program, NotExecutable::Refused(error.into())));
    }
    // The record has the command as text, and the bot is started with the command in the record.
    words[0] =
        program.into_os_string().into_string().map_err(|path| PlanError::NotUtf8 { path: path.into() })?;
    Ok(words)
}

/// Replaces `~/` at the beginning of a word; `None` if there is no home directory.
fn at_home(word: String, home: Option<&str>) -> Option<String> {
    match word.strip_prefix("~/") {
        Some(rest) => Some(format!("{}/{rest}", home?.trim_end_matches('/'))),
        None => Some(word),
    }
}

/// Makes a name for a bot from its command: the script's or the program's file name, without its ending; or the
/// module's, without its package.
pub fn bot_name(command: &[String]) -> String {
    let named = match given_to_runtime(command) {
        Given::File { word, .. } => stem(word),
        Given::Module(word) => word.rsplit(['.', '/']).next().map(str::to_owned),
        Given::Text | Given::Nothing => None,
    };
    let named = named.filter(|name| !name.is_empty());
    named.or_else(|| command.first().and_then(|word| stem(word))).unwrap_or_default()
}

fn stem(word: &str) -> Option<String> {
    Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned())
}

/// Makes names different by numbering the later ones.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}

fn find(name: &str, directory: &Path) -> Result<PathBuf, PlanError> {
    let missing = |directory: Option<&Path>, is_here: bool, known: Vec<String>| {
        let (name, directory) = (name.to_owned(), directory.map(Path::to_owned));
        PlanError::NotFound(NotFound { name, directory, is_here, known })
    };
    if name.contains('/') {
        let path = std::path::absolute(directory.join(name)).unwrap_or_else(|_| directory.join(name));
        if path.exists() {
            return Ok(path);
        }
        let (place, prefix) = (path.parent().unwrap_or(Path::new("/")), name.rsplit_once('/'));
        let prefix = prefix.map_or(String::new(), |(place, _)| format!("{place}/"));
        let known = programs(place).map(|found| format!("{prefix}{found}")).collect();
        return Err(missing(Some(place), false, known));
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    if let Some(beside) = beside.as_ref().map(|place| place.join(name)).filter(|path| path.is_file()) {
        return Ok(beside);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).map(|place| place.join(name)).find(|path| path.is_file());
    in_path.ok_or_else(|| {
        let known = beside.iter().flat_map(|place| programs(place)).collect();
        missing(None, directory.join(name).is_file(), known)
    })
}

/// Names the files of a directory.
fn programs(directory: &Path) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().is_file()).filter_map(|entry| entry.file_name().into_string().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_named_by_its_own_program() {
        for (command, name) in [
            ("/usr/bin/python3 bots/my_bot.py --deep", "my_bot"),
            ("java -cp classes org.me.Engine", "Engine"),
            ("java -Xmx512m -jar engine.jar", "engine"),
            ("python3 -m engine.main", "main"),
            ("/bots/engine --deep", "engine"),
            ("perl -e 1", "perl"),
            ("go run .", "go"),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(bot_name(&words), name, "{command}");
        }
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let check = |word: &str, home: Option<&str>, expected: Option<&str>| {
            assert_eq!(at_home(word.to_owned(), home).as_deref(), expected, "{word}");
        };
        check("~/bot", Some("/home/me"), Some("/home/me/bot"));
        check("~/bot", Some("/"), Some("/bot"));
        check("~/bot", None, None);
        check("a~/bot", None, Some("a~/bot"));
        check("~bot", None, Some("~bot"));
    }
}
