//! Compares what was written with what should have been written.

use serde::Serialize;
use serde_json::{Map, Value};

/// A key of a row with a wrong value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) key: String,
    pub(super) is: String,
    pub(super) should: String,
}

impl Wrong {
    pub(super) fn new(key: &str, is: impl Into<String>, should: impl Into<String>) -> Self {
        Self { key: key.to_owned(), is: is.into(), should: should.into() }
    }
}

/// Returns the keys in which a written JSON object differs from the expected one, to the byte.
pub(super) fn keys(found: &[u8], expected: &impl Serialize) -> Vec<Wrong> {
    let mut written = Vec::with_capacity(found.len() + 1);
    serde_json::to_writer(&mut written, expected).expect("plain structs always serialise");
    if written == found {
        return Vec::new();
    }
    let objects = (serde_json::from_slice(found), serde_json::from_slice(&written));
    let (Ok::<Map<String, Value>, _>(is), Ok::<Map<String, Value>, _>(should)) = objects else {
        let (is, should) = excerpts(found, &written);
        return vec![Wrong::new("the row", is, should)];
    };
    let text = |value: Option<&Value>| value.map_or_else(|| "missing".to_owned(), Value::to_string);
    let all = should.keys().chain(is.keys().filter(|key| !should.contains_key(*key)));
    let wrong: Vec<Wrong> = all
        .filter(|key| is.get(*key) != should.get(*key))
        .map(|key| {
            let (is, should) = (text(is.get(key)), text(should.get(key)));
            let (is, should) = excerpts(is.as_bytes(), should.as_bytes());
            Wrong::new(key, is, should)
        })
        .collect();
    if wrong.is_empty() {
        let (is, should) = excerpts(found, &written);
        return vec![Wrong::new("the row (its values are right, not its writing)", is, should)];
    }
    wrong
}

/// Cuts two texts to the part where they begin to differ.
pub(super) fn excerpts(is: &[u8], should: &[u8]) -> (String, String) {
    const LONGEST: usize = 160;
    if is.len() <= LONGEST && should.len() <= LONGEST {
        return (lossy(is), lossy(should));
    }
    let same = is.iter().zip(should).take_while(|(is, should)| is == should).count();
    let from = same.saturating_sub(40);
    let cut = |text: &[u8]| {
        let to = text.len().min(from + LONGEST);
        let (before, after) = (if from > 0 { "..." } else { "" }, if to < text.len() { "..." } else { "" });
        format!("{before}{}{after}", lossy(&text[from.min(to)..to]))
    };
    (cut(is), cut(should))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
