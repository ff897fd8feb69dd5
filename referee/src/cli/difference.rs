//! Lists the differences between the plan of a command and the plan in a record.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use bao_protocol::record::RunBot;
use serde_json::{Map, Value};

use crate::text::shown::shown;

/// The most differences that are listed.
const LISTED: usize = 12;
/// The longest value that is shown whole, in characters.
const LONGEST: usize = 200;
/// The keys that are compared first: if they differ, the others often differ, too.
const FIRST: [&str; 3] = ["seed", "format", "games"];

/// One value that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Difference {
    what: String,
    then: String,
    now: String,
}

/// All differences, the most important first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Differences(Vec<Difference>);

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Difference { what, then, now } in self.0.iter().take(LISTED) {
            write!(f, "\n  {what}: {then} in the record, {now} in this command")?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// The plan of a run with its bots, in the record or in the command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) plan: &'a Value,
    pub(super) bots: &'a [RunBot],
}

/// Finds the differences of two plans; `None` if they are the same.
///
/// Two paths are the same if they lead to the same file: the working directory may be a different one.
pub(super) fn differences(then: Side<'_>, now: Side<'_>) -> Option<Differences> {
    let (then, now) = (resolved(then, now.bots), resolved(now, then.bots));
    let (Value::Object(then), Value::Object(now)) = (&then, &now) else { return None };
    let mut found = Vec::new();
    let rest = then.keys().chain(now.keys().filter(|key| !then.contains_key(*key)));
    let rest = rest.map(String::as_str).filter(|key| !FIRST.contains(key));
    for key in FIRST.into_iter().chain(rest) {
        let [then, now] = [then, now].map(|plan| plan.get(key).unwrap_or(&Value::Null));
        match key {
            "format" => formats(then, now, &mut found),
            "games" => each(then, now, "number of different games", &mut found, |_, then, now, found| {
                compare("game", &then["variant"], &now["variant"], found);
                let name = then["variant"].as_str().unwrap_or_default();
                compare(&format!("openings of {name}"), &then["openings"], &now["openings"], found);
            }),
            "bots" => each(then, now, "number of bots", &mut found, bots),
            _ => compare(key, then, now, &mut found),
        }
    }
    (!found.is_empty()).then_some(Differences(found))
}

fn formats(then: &Value, now: &Value, found: &mut Vec<Difference>) {
    if then["kind"] != now["kind"] {
        return compare("format", &then["kind"], &now["kind"], found);
    }
    keys(then, now, found, |key| match key {
        "games" => "number of games".to_owned(),
        _ => key.to_owned(),
    });
}

fn bots(index: usize, then: &Value, now: &Value, found: &mut Vec<Difference>) {
    let name = then["name"].as_str().map_or_else(|| format!("bot {}", index + 1), str::to_owned);
    compare(&format!("name of bot {}", index + 1), &then["name"], &now["name"], found);
    for key in ["command", "clock", "options"] {
        compare(&format!("{key} of {name}"), &then[key], &now[key], found);
    }
    keys(&then["sandbox"], &now["sandbox"], found, |key| format!("isolation of {name}, {key}"));
}

/// Compares two lists item by item, or only their lengths if these differ.
fn each(
    then: &Value,
    now: &Value,
    count: &str,
    found: &mut Vec<Difference>,
    compare_one: impl Fn(usize, &Value, &Value, &mut Vec<Difference>),
) {
    let (Value::Array(then), Value::Array(now)) = (then, now) else {
        return compare(count, then, now, found);
    };
    if then.len() != now.len() {
        return compare(count, &then.len().into(), &now.len().into(), found);
    }
    for (index, (then, now)) in then.iter().zip(now).enumerate() {
        compare_one(index, then, now, found);
    }
}

/// Compares two tables key by key.
fn keys(then: &Value, now: &Value, found: &mut Vec<Difference>, name: impl Fn(&str) -> String) {
    let empty = Map::new();
    let [then, now] = [then, now].map(|table| table.as_object().unwrap_or(&empty));
    for key in then.keys().chain(now.keys().filter(|key| !then.contains_key(*key))) {
        let [then, now] = [then, now].map(|table| table.get(key).unwrap_or(&Value::Null));
        compare(&name(key), then, now, found);
    }
}

fn compare(what: &str, then: &Value, now: &Value, found: &mut Vec<Difference>) {
    if then != now {
        let [then, now] = [then, now].map(|value| shown(&text(what, value), LONGEST));
        found.push(Difference { what: what.trim_end_matches("_us").to_owned(), then, now });
    }
}

/// Writes a value for people.
fn text(what: &str, value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(us) if what.ends_with("_us") => match us.as_u64() {
            Some(us) if us % 1000 == 0 => format!("{}ms", us / 1000),
            _ => format!("{us}us"),
        },
        Value::Array(words) if words.is_empty() => "none".to_owned(),
        Value::Array(words) if words.iter().all(Value::is_string) => {
            shell_words::join(words.iter().filter_map(Value::as_str))
        }
        Value::Array(pairs) if pairs.iter().all(Value::is_array) => {
            let pair = |pair: &Value| [&pair[0], &pair[1]].map(|word| text("", word)).join("=");
            pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
        }
        Value::Object(openings) => match openings.get("kind").and_then(Value::as_str) {
            Some("none") => "the start".to_owned(),
            Some("generated") => format!("{} random plies", openings["plies"]),
            Some("given") => {
                let first = &openings["positions"][0];
                format!("{} from {}", openings["positions"].as_array().map_or(0, Vec::len), text("", first))
            }
            _ => value.to_string(),
        },
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => value.to_string(),
    }
}

/// Makes the paths of a plan comparable. A file that is missing on this side may be in the files of the other.
fn resolved(Side { plan, bots }: Side<'_>, others: &[RunBot]) -> Value {
    let mut plan = plan.clone();
    let planned = plan["bots"].as_array_mut().into_iter().flatten();
    for (index, planned) in planned.enumerate() {
        let files = [bots, others].into_iter().filter_map(|bots| bots.get(index));
        let files: Vec<&Path> = files.flat_map(|bot| bot.files_sha256.keys()).map(Path::new).collect();
        for word in planned["command"].as_array_mut().into_iter().flatten() {
            rewrite(word, |word| word_of(word, &files));
        }
        let sandbox = &mut planned["sandbox"];
        if sandbox.is_object() {
            rewrite(&mut sandbox["directory"], place);
            for list in ["readable", "writable"] {
                sandbox[list].as_array_mut().into_iter().flatten().for_each(|path| rewrite(path, place));
            }
        }
    }
    plan
}

fn rewrite(value: &mut Value, with: impl Fn(&str) -> String) {
    if let Value::String(text) = value {
        *text = with(text);
    }
}

/// Returns a word of a command with the path in it, if it is the path of one of these files, or absolute.
fn word_of(word: &str, files: &[&Path]) -> String {
    let (option, path) = word.split_once('=').map_or(("", word), |(option, path)| (option, path));
    // The target of `..` depends on the working directory; the rest of the path does not.
    let parts = |path: &str| -> PathBuf {
        let parts = Path::new(path).components().filter(|part| *part != Component::CurDir);
        parts.skip_while(|part| *part == Component::ParentDir).collect()
    };
    if path.starts_with('/') {
        return format!("{}{}", &word[..word.len() - path.len()], place(path));
    }
    let tail = parts(path);
    let named =
        |file: &&&Path| path.contains(['/', '.']) && !tail.as_os_str().is_empty() && file.ends_with(&tail);
    match files.iter().find(named) {
        Some(file) if option.is_empty() => place(&file.to_string_lossy()),
        Some(file) => format!("{option}={}", place(&file.to_string_lossy())),
        None => word.to_owned(),
    }
}

/// Returns a path with the canonical name of its directory; the last part stays, because a program
/// may depend on the name of a link.
pub(super) fn place(path: &str) -> String {
    let path = Path::new(path);
    let real = match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(directory)), Some(name)) => directory.join(name),
        _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    };
    real.to_string_lossy().into_owned()
}
