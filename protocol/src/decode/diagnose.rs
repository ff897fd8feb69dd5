//! What is wrong with a line, said so that its author can mend it.
//!
//! Nothing here runs for a correct line, except one search for a decimal point.

use std::str::Utf8Error;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::error::Category;

use super::bad_line::BadLine;

/// How deep a line may nest: as deep as serde_json builds a value.
const DEPTH: usize = 127;

/// How much of a value or of a line is quoted, in characters.
const QUOTE: usize = 48;

/// The longest path of a field, in characters.
const FIELD: usize = 96;

/// What a bot may say.
const FROM_BOT: [&str; 8] = ["hello", "ready", "move", "resign", "pong", "info", "log", "solution"];

/// What only the referee says; `hello` both do.
const TO_BOT: [&str; 8] = ["set_option", "new_game", "go", "ping", "fault", "game_over", "verify", "bye"];

const SINGLE_QUOTES: &str =
    "JSON takes double quotes, not single ones; in Python print json.dumps(message), not the dict itself";
const PYTHON: &str = "JSON writes true, false and null in lower case; in Python use json.dumps";
const NO_VALUE: &str = "JSON says null for nothing; leave the field out if there is nothing to say";
const NOT_A_NUMBER: &str = "JSON knows no NaN and no infinity; leave the field out";
const TWO_OBJECTS: &str = "two messages stand on one line: end each with a newline";
const AFTER: &str = "one message a line and nothing after it";
const ESCAPED_NEWLINE: &str =
    "a backslash and an n were written, not a newline; in a shell use printf, not echo";
const BOM: &str = "the line begins with a byte order mark: write UTF-8 without one (utf-8, not utf-8-sig)";
const UTF16: &str = "this looks like UTF-16: write UTF-8";
const UTF8: &str = "write UTF-8; a Latin-1 letter in a name is the usual cause";
const NUL: &str =
    "a NUL byte was written: write as many bytes as the text has, without the terminator of a C string";
const TRAILING_COMMA: &str = "JSON allows no comma after the last entry";
const HALF: &str = "half a message: write the whole object, its closing brace and one newline";
const PRETTY: &str = "a message is one line: do not pretty-print it";
const UNQUOTED: &str = "names and texts stand in double quotes";
const CONTROL: &str = "inside a text a tab or another control character is written as an escape";
const SURROGATE: &str =
    "half of a character was escaped (\\ud800 to \\udfff): do not cut a text in the middle of a character";
const TOO_BIG: &str = "numbers are whole and fit into 64 bits";
const ONE_OBJECT: &str = "every line is one object in braces with a type, not a list";
const NO_TYPE: &str = "every message says what it is in the field type: move, ready, pong and so on";
const LOWER_CASE: &str = "types are written in lower case with underscores";
const ECHO: &str = "this is a message of the referee: the bot seems to print what it reads";
const NO_QUOTES: &str = "write the number without quotes";
const ONE_NUMBER: &str = "write one number, not a list";
const ONE_STRING: &str = "write one text with single spaces between the entries, not a list";
const A_STRING: &str = "write it in double quotes";
const A_LIST: &str = "write a list in square brackets";
const TWICE: &str = "each field stands once in a message";
const WHOLE: &str = "times, ids and scores are whole numbers: round it";

/// Returns the beginning of `bytes` as printable ASCII of at most `limit` characters, `?` for anything else.
///
/// Three dots at the end mean what was cut off.
pub(super) fn printable(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * limit + 4)]);
    let mut out: String = text
        .chars()
        .take(limit)
        .map(|letter| if matches!(letter, ' '..='~') { letter } else { '?' })
        .collect();
    if text.chars().nth(limit).is_some() {
        out.truncate(limit.saturating_sub(3));
        out.push_str("...");
    }
    out
}

/// Returns whether a line that does not begin with `{` is plainly a message gone wrong, and how.
pub(super) fn message_gone_wrong(line: &[u8]) -> Option<BadLine> {
    const UTF16_STARTS: [&[u8]; 3] = [b"\xff\xfe{\0", b"\xfe\xff\0{", b"\0{"];
    if let Some(rest) = line.strip_prefix(b"\xef\xbb\xbf")
        && rest.trim_ascii_start().starts_with(b"{")
    {
        return Some(bad("", "found a byte order mark, expected {", Some(BOM)));
    }
    if UTF16_STARTS.iter().any(|start| line.starts_with(start)) {
        return Some(bad("", "found UTF-16, expected UTF-8", Some(UTF16)));
    }
    if line[0] == b'[' && serde_json::from_slice::<IgnoredAny>(line).is_ok() {
        return Some(bad("", "found an array, expected one JSON object", Some(ONE_OBJECT)));
    }
    None
}

/// Describes a line that is not UTF-8.
pub(super) fn not_utf8(line: &[u8], error: Utf8Error) -> BadLine {
    let at = error.valid_up_to();
    bad("", &format!("found the byte 0x{:02x} at {}, expected UTF-8", line[at], at + 1), Some(UTF8))
}

/// Describes a line that could not even be read for its `type`.
pub(super) fn not_an_object(text: &str, error: &serde_json::Error) -> BadLine {
    if error.classify() == Category::Data {
        return explain(text, "type", error);
    }
    // Read again as a value that may be anything: that shows in which field the text goes wrong.
    let mut json = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, Value>(&mut json) {
        Err(error) => explain(text, &error.path().to_string(), error.inner()),
        Ok(_) => explain(text, "", error),
    }
}

/// Describes a line whose `type` is known and which does not fit it.
pub(super) fn not_this_type<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> BadLine {
    let mut json = serde_json::Deserializer::from_str(text);
    let mut found = match serde_path_to_error::deserialize::<_, T>(&mut json) {
        Err(error) => explain(text, &error.path().to_string(), error.inner()),
        Ok(_) => explain(text, "", error),
    };
    if text.contains("\"referee\"") && text.contains("\"limits\"") {
        found.hint = Some(ECHO);
    }
    found
}

/// Refuses a type that is almost one of a bot's, or that is one of the referee's own.
pub(super) fn not_a_bots_type(name: &str) -> Result<(), BadLine> {
    if TO_BOT.contains(&name) {
        return Err(bad("type", &format!("found `{name}`, expected a message of a bot"), Some(ECHO)));
    }
    if name.len() <= 2 * QUOTE {
        let meant = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        if FROM_BOT.contains(&&*meant) {
            let found = printable(name.as_bytes(), QUOTE);
            return Err(bad("type", &format!("found `{found}`, expected `{meant}`"), Some(LOWER_CASE)));
        }
    }
    Ok(())
}

/// Refuses a line that nests deeper than a usual JSON reader follows.
pub(super) fn depth(text: &str) -> Result<(), BadLine> {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if deepest > DEPTH { Err(too_deep("")) } else { Ok(()) }
}

/// Returns the first number like `3.0` of a readable line.
pub(super) fn whole_number_with_a_fraction(text: &str) -> Option<String> {
    if !text.as_bytes().contains(&b'.') {
        return None;
    }
    // Outside texts a dot is in numbers only. A quote that a backslash escapes does not end a text.
    let mut rest = text;
    while let Some(at) = rest.find(['"', '.']) {
        if rest.as_bytes()[at] == b'"' {
            rest = after_string(&rest[at + 1..]);
            continue;
        }
        let whole = rest[..at].rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |before| before + 1);
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &rest[whole..=at + digits];
        if rest[at + 1..=at + digits].bytes().all(|digit| digit == b'0') {
            return Some(printable(number.as_bytes(), QUOTE));
        }
        rest = &rest[at + 1 + digits..];
    }
    None
}

fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

/// Turns what serde says into a finding.
fn explain(text: &str, path: &str, error: &serde_json::Error) -> BadLine {
    // `?` is a place between two fields.
    let path = path.trim_end_matches(['.', '?']);
    let said = error.to_string();
    let said =
        if error.line() == 0 { &*said } else { said.rfind(" at line ").map_or(&*said, |end| &said[..end]) };
    match error.classify() {
        Category::Data => mismatch(path, said),
        Category::Syntax | Category::Eof | Category::Io => syntax(text, path, said, error),
    }
}

/// A readable object with a wrong, missing or doubled field.
fn mismatch(path: &str, said: &str) -> BadLine {
    if let Some(name) = said.strip_prefix("missing field `") {
        let field = child(path, name.trim_end_matches('`'));
        let hint = (field == "type").then_some(NO_TYPE);
        return bad(&field, "it is missing", hint);
    }
    if let Some(name) = said.strip_prefix("duplicate field `") {
        return bad(&child(path, name.trim_end_matches('`')), "it stands twice in the line", Some(TWICE));
    }
    let said = ["invalid type: ", "invalid value: ", "unknown variant "]
        .iter()
        .find_map(|start| said.strip_prefix(start))
        .unwrap_or(said);
    let Some((found, expected)) = said.rsplit_once(", expected ") else {
        return bad(path, said, None);
    };
    let list = found.starts_with("sequence");
    let hint = match expected {
        "a whole number" if found.starts_with("string") => Some(NO_QUOTES),
        "a whole number" if list => Some(ONE_NUMBER),
        "a whole number" if found.contains("e+") => Some(TOO_BIG),
        "a whole number" if found.starts_with("floating") => Some(WHOLE),
        "a string" if list => Some(ONE_STRING),
        "a string" if found.starts_with("integer") => Some(A_STRING),
        "a sequence" => Some(A_LIST),
        _ => None,
    };
    let found = if list {
        "a list"
    } else if found == "map" {
        "an object"
    } else {
        found
    };
    let expected = if expected == "a sequence" { "a list" } else { expected };
    bad(path, &format!("found {}, expected {expected}", printable(found.as_bytes(), QUOTE)), hint)
}

/// A line that is not JSON.
fn syntax(text: &str, path: &str, said: &str, error: &serde_json::Error) -> BadLine {
    if said.starts_with("recursion limit") {
        return too_deep("");
    }
    if error.classify() == Category::Eof {
        let hint = if text == "{" { PRETTY } else { HALF };
        return bad(path, "the line ends in the middle of the object", Some(hint));
    }
    // The column is that of the offending byte, or of the one after where a whole word offends.
    let at = if error.line() == 1 { error.column().saturating_sub(1).min(text.len()) } else { 0 };
    let word = word_at(text, at);
    let rest = &text.as_bytes()[word..];
    let hint = slip(text, said, word, rest);
    let place = match rest {
        [] => "at its end".to_owned(),
        _ => format!("at byte {}: `{}`", word + 1, printable(rest, QUOTE / 2)),
    };
    bad(path, &format!("not JSON ({said}) {place}"), hint)
}

/// Returns where the word begins on which reading stopped.
fn word_at(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let part_of_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.');
    let before = bytes[..at].iter().rposition(|&byte| !part_of_word(byte)).map_or(0, |before| before + 1);
    if at < bytes.len() && part_of_word(bytes[at]) { before } else { at }
}

/// Recognises well-known mistakes by the text where reading stopped.
fn slip(text: &str, said: &str, at: usize, rest: &[u8]) -> Option<&'static str> {
    let words: [(&[&str], &'static str); 3] = [
        (&["True", "False", "None", "TRUE", "FALSE"], PYTHON),
        (&["nil", "undefined", "NULL", "Null"], NO_VALUE),
        (&["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-nan"], NOT_A_NUMBER),
    ];
    let length = rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-').count();
    let word = std::str::from_utf8(&rest[..length]).unwrap_or("");
    if let Some((_, hint)) = words.iter().find(|(words, _)| words.contains(&word)) {
        return Some(hint);
    }
    if text.as_bytes().get(1) == Some(&0) {
        return Some(UTF16);
    }
    if rest.first() == Some(&0) || text.as_bytes().get(at.wrapping_sub(1)) == Some(&0) {
        return Some(NUL);
    }
    match said {
        "trailing characters" if rest.starts_with(b"{") => Some(TWO_OBJECTS),
        "trailing characters" if rest.starts_with(b"\\n") => Some(ESCAPED_NEWLINE),
        "trailing characters" => Some(AFTER),
        "trailing comma" => Some(TRAILING_COMMA),
        "number out of range" => Some(TOO_BIG),
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => Some(SURROGATE),
        _ if said.starts_with("control character") => Some(CONTROL),
        _ if rest.first() == Some(&b'\'') => Some(SINGLE_QUOTES),
        _ if matches!(rest.first(), Some(b'}' | b']')) && text[..at].trim_end().ends_with(',') => {
            Some(TRAILING_COMMA)
        }
        _ if rest.first().is_some_and(u8::is_ascii_alphabetic) => Some(UNQUOTED),
        _ => None,
    }
}

fn too_deep(field: &str) -> BadLine {
    bad(field, &format!("it nests more than {DEPTH} levels deep"), None)
}

fn child(path: &str, name: &str) -> String {
    if path.is_empty() || path == name || path.ends_with(&format!(".{name}")) {
        return if path.is_empty() { name.to_owned() } else { path.to_owned() };
    }
    format!("{path}.{name}")
}

fn bad(field: &str, problem: &str, hint: Option<&'static str>) -> BadLine {
    BadLine {
        field: printable(field.as_bytes(), FIELD),
        problem: printable(problem.as_bytes(), 4 * QUOTE),
        hint,
    }
}
