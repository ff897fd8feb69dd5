//! The programs of bots, found, and the names that they get.

use std::path::{Path, PathBuf};

use super::PlanError;

/// Takes a bot's command line apart and finds its program: a bare name beside this program, then in PATH.
///
/// # Errors
/// [`PlanError`] where there is no such program, or none that can be run.
pub fn command(text: &str) -> Result<Vec<String>, PlanError> {
    command_in(text, Path::new(""))
}

/// Does as [`command`]; a relative path begins in this directory.
///
/// # Errors
/// As there.
pub fn command_in(text: &str, directory: &Path) -> Result<Vec<String>, PlanError> {
    let bad = |problem: &str| PlanError::Command { text: text.to_owned(), problem: problem.to_owned() };
    let mut words = shell_words::split(text).map_err(|_| bad("a quote is not closed"))?;
    let Some(name) = words.first().cloned() else { return Err(bad("it is empty")) };
    let program = find(text, &name, directory)?;
    let path = || program.to_string_lossy().into_owned();
    if let Err(error) = rustix::fs::access(&program, rustix::fs::Access::EXEC_OK) {
        let problem =
            format!("{}; chmod +x makes it a program, or name its interpreter first", io_text(error));
        return Err(PlanError::NotExecutable { path: path(), problem });
    }
    if program.is_dir() {
        return Err(PlanError::NotExecutable { path: path(), problem: "it is a directory".to_owned() });
    }
    words[0] = path();
    Ok(words)
}

/// Makes a name for a bot from its command: the script's or the program's file name, without its ending.
pub fn bot_name(command: &[String]) -> String {
    let named = script(command).or(command.first().map(String::as_str));
    named.and_then(stem).unwrap_or_default()
}

/// Finds the script that a command names, where its program is an interpreter.
pub fn script(command: &[String]) -> Option<&str> {
    let interpreters = ["python", "python3", "node", "java", "bash", "sh", "perl", "ruby"];
    let (program, words) = command.split_first()?;
    stem(program).filter(|program| interpreters.contains(&program.as_str()))?;
    // What follows an option that takes code or a module (`-c`, `-e`, `-m`) is no file.
    let first = words.iter().find(|word| !word.starts_with('-'));
    first.filter(|_| !words.iter().any(|word| code(word))).map(String::as_str)
}

fn stem(word: &str) -> Option<String> {
    Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned())
}

fn code(word: &str) -> bool {
    ["-c", "-e", "-m"].contains(&word)
}

/// Makes names unlike each other by numbering the later ones.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}

fn find(text: &str, name: &str, directory: &Path) -> Result<PathBuf, PlanError> {
    let missing = |places: &str| PlanError::NotFound {
        text: text.to_owned(),
        name: name.trim_start_matches("./").to_owned(),
        places: places.to_owned(),
    };
    if name.contains('/') {
        let path = std::path::absolute(directory.join(name)).map_err(|_| missing("as a path"))?;
        let from = match directory.as_os_str().is_empty() {
            true => "as a path from this directory".to_owned(),
            false => format!("as a path from {}", directory.display()),
        };
        return if path.exists() { Ok(path) } else { Err(missing(&from)) };
    }
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(name)));
    if let Some(beside) = beside.filter(|path| path.is_file()) {
        return Ok(beside);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| missing("beside the referee and in PATH"))
}

fn io_text(error: rustix::io::Errno) -> String {
    let text = std::io::Error::from(error).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
