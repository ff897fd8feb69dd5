//! What an organiser may set.

use std::ops::{Bound, RangeBounds};

use bao_protocol::from_bot::{OptionKind, OptionSpec};

/// The greatest number that every language can hold in a float, 2^53 - 1; no option goes beyond it.
const MOST: i64 = (1 << 53) - 1;

/// An option of a bot: its name, its default, and the values that it can have.
#[derive(Debug, Clone)]
pub struct BotOption {
    spec: OptionSpec,
    default: Value,
}

/// The values of a bot's options.
#[derive(Debug, Clone)]
pub struct Settings(Vec<(BotOption, Value)>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Integer(i64),
    Boolean(bool),
    Text(String),
}

/// A text that an option cannot have as its value, or an option that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadOption {
    #[error("option {name} is unknown; the options are {}", known.join(" "))]
    Unknown { name: String, known: Vec<String> },
    #[error("option {name} {wrong}")]
    Value { name: String, wrong: Wrong },
}

/// What is wrong with the value of an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Wrong {
    #[error("must be one of {}", .0.join(" "))]
    Choice(Vec<String>),
    #[error("must be true or false")]
    Boolean,
    #[error("must be a whole number")]
    Integer,
    #[error("must be from {min} to {max}")]
    Bounds { min: i64, max: i64 },
}

impl BotOption {
    /// Makes an option that is a whole number within bounds, such as `1..=9`, `0..` or `..`.
    ///
    /// Without a bound of its own, the number is from -(2^53 - 1) to 2^53 - 1.
    ///
    /// # Panics
    /// Panics if the default is out of bounds.
    pub fn integer(name: &str, default: i64, bounds: impl RangeBounds<i64>) -> Self {
        assert!(bounds.contains(&default), "the default of {name} is not within its bounds");
        let mut option = Self::new(name, OptionKind::Integer, Value::Integer(default));
        option.spec.min = match bounds.start_bound() {
            Bound::Included(least) => Some(*least),
            Bound::Excluded(below) => Some(below + 1),
            Bound::Unbounded => None,
        };
        option.spec.max = match bounds.end_bound() {
            Bound::Included(most) => Some(*most),
            Bound::Excluded(above) => Some(above - 1),
            Bound::Unbounded => None,
        };
        option
    }

    /// Makes an option that is on or off.
    pub fn boolean(name: &str, default: bool) -> Self {
        Self::new(name, OptionKind::Boolean, Value::Boolean(default))
    }

    /// Makes an option that has one of several values.
    ///
    /// # Panics
    /// Panics if the default is not among the choices.
    pub fn choice(name: &str, default: &str, choices: &[&str]) -> Self {
        assert!(choices.contains(&default), "the default of {name} is not among its choices");
        let mut option = Self::new(name, OptionKind::Choice, Value::Text(default.to_owned()));
        option.spec.choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        option
    }

    /// Makes an option that is any text.
    pub fn string(name: &str, default: &str) -> Self {
        Self::new(name, OptionKind::String, Value::Text(default.to_owned()))
    }

    /// The option that every bot has: 0 for other chance each time, any other number for chance that can be repeated.
    pub(crate) fn seed() -> Self {
        Self::integer("seed", 0, 0..=MOST)
    }

    /// Returns the option as `hello` lists it.
    pub(crate) fn spec(&self) -> &OptionSpec {
        &self.spec
    }

    fn new(name: &str, kind: OptionKind, default: Value) -> Self {
        let text = default.to_string();
        let spec = OptionSpec {
            name: name.to_owned(),
            kind,
            default: text,
            min: None,
            max: None,
            choices: Vec::new(),
        };
        Self { spec, default }
    }

    /// Returns the value that a text of the referee gives the option, and what is wrong with that text, if anything is.
    ///
    /// A number out of bounds is brought within them; any other text that cannot be leaves the present value.
    fn read(&self, text: &str, present: &Value) -> (Value, Option<Wrong>) {
        let stays = |wrong| (present.clone(), Some(wrong));
        match self.spec.kind {
            OptionKind::String => (Value::Text(text.to_owned()), None),
            OptionKind::Choice if self.spec.choices.iter().any(|choice| choice == text) => {
                (Value::Text(text.to_owned()), None)
            }
            OptionKind::Choice => stays(Wrong::Choice(self.spec.choices.clone())),
            OptionKind::Boolean => match text {
                "true" => (Value::Boolean(true), None),
                "false" => (Value::Boolean(false), None),
                _ => stays(Wrong::Boolean),
            },
            OptionKind::Integer => {
                let [min, max] = [self.spec.min.unwrap_or(-MOST), self.spec.max.unwrap_or(MOST)];
                let Some(number) = whole_number(text) else { return stays(Wrong::Integer) };
                let nearest = number.clamp(min, max);
                let wrong = (nearest != number).then_some(Wrong::Bounds { min, max });
                (Value::Integer(nearest), wrong)
            }
        }
    }
}

impl Settings {
    /// Returns the value of an option that is a whole number.
    ///
    /// # Panics
    /// Panics if the bot has no such option.
    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Integer(number) => *number,
            Value::Boolean(_) | Value::Text(_) => panic!("the option {name} is not a whole number"),
        }
    }

    /// Returns the value of an option that is on or off.
    ///
    /// # Panics
    /// Panics if the bot has no such option.
    pub fn boolean(&self, name: &str) -> bool {
        match self.value(name) {
            Value::Boolean(on) => *on,
            Value::Integer(_) | Value::Text(_) => panic!("the option {name} is not on or off"),
        }
    }

    /// Returns the value of an option that is a text or a choice.
    ///
    /// # Panics
    /// Panics if the bot has no such option.
    pub fn string(&self, name: &str) -> &str {
        match self.value(name) {
            Value::Text(text) => text,
            Value::Integer(_) | Value::Boolean(_) => panic!("the option {name} is not a text"),
        }
    }

    /// Takes the defaults of a bot's options, and of `seed`.
    pub(crate) fn new(options: &[BotOption]) -> Self {
        let all = std::iter::once(BotOption::seed()).chain(options.iter().cloned());
        Self(all.map(|option| (option.clone(), option.default)).collect())
    }

    /// Returns the options as `hello` lists them.
    pub(crate) fn specs(&self) -> Vec<OptionSpec> {
        self.0.iter().map(|(option, _)| option.spec().clone()).collect()
    }

    /// Sets an option from a text as the referee sends it.
    ///
    /// # Errors
    /// What is wrong with the text. A number out of bounds sets the option to the nearest that is not.
    pub(crate) fn set(&mut self, name: &str, text: &str) -> Result<(), BadOption> {
        let Some((option, value)) = self.0.iter_mut().find(|(option, _)| option.spec.name == name) else {
            let known = self.0.iter().map(|(option, _)| option.spec.name.clone()).collect();
            return Err(BadOption::Unknown { name: name.to_owned(), known });
        };
        let (read, wrong) = option.read(text, value);
        *value = read;
        wrong.map_or(Ok(()), |wrong| Err(BadOption::Value { name: name.to_owned(), wrong }))
    }

    /// Returns the option that every bot has.
    pub(crate) fn seed(&self) -> u64 {
        self.integer("seed").unsigned_abs()
    }

    fn value(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|(option, _)| option.spec.name == name);
        &found.unwrap_or_else(|| panic!("the bot has no option {name}")).1
    }
}

/// Reads a whole number of any size: digits, with or without a minus before them. One that is too large for an `i64` is
/// the largest.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(beyond))
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Boolean(on) => on.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
