//! As much of JSON as the test data use, so that the rules core needs no dependency even here.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Number(u64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn read(text: &str) -> Self {
        let mut chars = text.chars().peekable();
        let value = value(&mut chars);
        assert_eq!(next(&mut chars), None, "something follows the value");
        value
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { panic!("{self:?} is not an object") };
        fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(crate) fn field(&self, key: &str) -> &Self {
        self.get(key).unwrap_or_else(|| panic!("no field {key}"))
    }

    pub(crate) fn list(&self) -> &[Self] {
        let Self::List(items) = self else { panic!("{self:?} is not a list") };
        items
    }

    pub(crate) fn text(&self) -> &str {
        let Self::Text(text) = self else { panic!("{self:?} is not a text") };
        text
    }

    pub(crate) fn number(&self) -> u64 {
        let Self::Number(number) = self else { panic!("{self:?} is not a number") };
        *number
    }

    /// Returns `None` for null, else the value.
    pub(crate) fn present(&self) -> Option<&Self> {
        (*self != Self::Null).then_some(self)
    }
}

fn next(chars: &mut Peekable<Chars<'_>>) -> Option<char> {
    while chars.next_if(char::is_ascii_whitespace).is_some() {}
    chars.peek().copied()
}

fn value(chars: &mut Peekable<Chars<'_>>) -> Json {
    match next(chars).expect("a value") {
        '{' => Json::Object(items(chars, '}', |chars| {
            let key = string(chars);
            assert_eq!(next(chars), Some(':'));
            chars.next();
            (key, value(chars))
        })),
        '[' => Json::List(items(chars, ']', value)),
        '"' => Json::Text(string(chars)),
        'n' => {
            assert!("null".chars().all(|letter| chars.next() == Some(letter)));
            Json::Null
        }
        _ => {
            let mut digits = String::new();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            Json::Number(digits.parse().expect("a whole number"))
        }
    }
}

fn items<T>(
    chars: &mut Peekable<Chars<'_>>,
    close: char,
    item: impl Fn(&mut Peekable<Chars<'_>>) -> T,
) -> Vec<T> {
    chars.next();
    let mut items = Vec::new();
    while next(chars).expect("an item or the end") != close {
        items.push(item(chars));
        if next(chars) == Some(',') {
            chars.next();
        }
    }
    chars.next();
    items
}

fn string(chars: &mut Peekable<Chars<'_>>) -> String {
    assert_eq!(next(chars), Some('"'));
    chars.next();
    chars.take_while(|letter| *letter != '"').collect()
}
