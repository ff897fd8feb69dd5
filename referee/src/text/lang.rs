//! The languages of pages and of `referee play`: one table of texts for each.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Swahili.
    Sw,
    /// Portuguese.
    Pt,
}

/// A text that names no known language.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is not one of the languages en, sw, pt")]
pub struct UnknownLang(String);

/// The texts of a language; `{name}` in a text is a placeholder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// The texts of a page.
    page: BTreeMap<String, String>,
    /// The texts of a page's script.
    script: BTreeMap<String, String>,
    /// The texts of `referee play`.
    play: BTreeMap<String, String>,
}

static TEXTS: LazyLock<[Texts; 3]> = LazyLock::new(|| {
    [include_str!("lang/en.json"), include_str!("lang/sw.json"), include_str!("lang/pt.json")]
        .map(|table| serde_json::from_str(table).expect("a test reads every table"))
});

impl Lang {
    /// Every language.
    pub const ALL: [Self; 3] = [Self::En, Self::Sw, Self::Pt];

    /// Returns the code of the language (ISO 639).
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Sw => "sw",
            Self::Pt => "pt",
        }
    }

    /// Returns a text of a page; for a missing text, its key.
    pub(crate) fn text(self, key: &'static str) -> &'static str {
        TEXTS[self as usize].page.get(key).map_or(key, String::as_str)
    }

    /// Returns a text of a page with its placeholders filled.
    pub(crate) fn fill(self, key: &'static str, values: &[(&str, &str)]) -> String {
        filled(self.text(key), values)
    }

    /// Returns a text of `referee play` with its placeholders filled; for a missing text, its key.
    pub(crate) fn say(self, key: &'static str, values: &[(&str, &str)]) -> String {
        filled(TEXTS[self as usize].play.get(key).map_or(key, String::as_str), values)
    }

    /// Returns the heading of a page's section, if there is one of this name.
    pub(crate) fn title(self, section: &str) -> Option<&'static str> {
        TEXTS[self as usize].page.get(&format!("title {section}")).map(String::as_str)
    }

    /// Returns the texts of a page's script, as a JSON object.
    pub(crate) fn script(self) -> String {
        serde_json::to_string(&TEXTS[self as usize].script).expect("a map of texts is JSON")
    }
}

/// Fills the placeholders of a text in one pass: the text of a value is never a placeholder.
fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let mut whole = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        whole.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            rest = after;
            break;
        };
        whole.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = behind;
    }
    whole + rest
}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(text: &str) -> Result<Self, UnknownLang> {
        Self::ALL.into_iter().find(|lang| lang.code() == text).ok_or_else(|| UnknownLang(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the placeholders of a text.
    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|after| after.split('}').next()).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_places() {
        let english = &TEXTS[0];
        for (lang, texts) in Lang::ALL.into_iter().zip(TEXTS.iter()) {
            let tables = [
                (&english.page, &texts.page),
                (&english.script, &texts.script),
                (&english.play, &texts.play),
            ];
            for (ours, theirs) in tables {
                assert!(ours.keys().eq(theirs.keys()), "{lang:?} has other texts than English");
                for (key, text) in theirs {
                    // A language may use fewer placeholders, for example if it has its own word for what a game
                    // gains.
                    assert!(places(text).is_subset(&places(&ours[key])), "{lang:?} {key}");
                    assert!(!text.is_empty() || ours[key].is_empty(), "{lang:?} {key} is empty");
                }
            }
        }
    }

    #[test]
    fn every_text_that_is_asked_for_is_there() {
        let pages = [
            include_str!("../report/html/mod.rs"),
            include_str!("../report/html/games.rs"),
            include_str!("../report/html/replay.rs"),
        ];
        let scripts = [
            include_str!("../report/html/script/board.js"),
            include_str!("../report/html/script/curve.js"),
            include_str!("../report/html/script/filter.js"),
            include_str!("../report/html/script/replay.js"),
        ];
        let asked = |sources: &[&'static str], mark: &'static str| -> BTreeSet<&'static str> {
            let texts = sources.iter().flat_map(|source| source.split(mark).skip(1));
            texts.filter_map(|after| after.split('"').next()).collect()
        };
        for mark in [".text(\"", ".fill(\"", "(t(\"", " t(\""] {
            for key in asked(&pages, mark) {
                assert!(TEXTS[0].page.contains_key(key), "no text {key:?}");
            }
        }
        for key in asked(&[include_str!("../cli/play/words.rs")], ".say(\"") {
            assert!(TEXTS[0].play.contains_key(key), "no text {key:?}");
        }
        // If the end of a key comes from the record, some key must begin like it.
        for key in asked(&scripts, "T(\"") {
            assert!(TEXTS[0].script.keys().any(|known| known.starts_with(key)), "no text {key:?}");
        }
        for reason in bao_protocol::Reason::ALL {
            let key = format!("reason {}", reason.name());
            assert!(TEXTS[0].script.contains_key(&key), "no text {key:?}");
        }
    }

    #[test]
    fn a_value_is_never_a_place() {
        assert_eq!(filled("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
        assert_eq!(filled("{c}{", &[]), "");
        assert_eq!("sw".parse::<Lang>().unwrap(), Lang::Sw);
        assert_eq!(
            "de".parse::<Lang>().unwrap_err().to_string(),
            "\"de\" is not one of the languages en, sw, pt"
        );
    }
}
