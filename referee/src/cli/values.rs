//! Reads values on the command line: words from a list, for the help and for suggestions, and other values.

use std::str::FromStr;

use bao_rules::{Side, Variant};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::check::TestName;
use crate::export::Kind;
use crate::game::setup::Measure;
use crate::plan::Absent;
use crate::processors::Pin;
use bao_jail::Level;
use bao_stats::Model;

/// Reads one of these words with the type's own reader.
fn one_of<T>(words: impl Into<PossibleValuesParser>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
{
    words.into().map(|word| word.parse().ok().expect("the type reads every word of its list"))
}

/// Makes a possible value with its meaning.
fn word(name: &'static str, meaning: &'static str) -> PossibleValue {
    PossibleValue::new(name).help(meaning)
}

/// Reads the name of a game.
pub(super) fn game() -> impl TypedValueParser<Value = Variant> {
    one_of(Variant::NAMES)
}

/// Reads a side.
pub(super) fn side() -> impl TypedValueParser<Value = Side> {
    let south = word("S", "South, which moves first").aliases(["s", "south", "South"]);
    let north = word("N", "North").aliases(["n", "north", "North"]);
    PossibleValuesParser::from([south, north]).map(|word| match word.as_bytes() {
        [b'S' | b's', ..] => Side::South,
        _ => Side::North,
    })
}

/// Reads a level of isolation.
pub(super) fn level() -> impl TypedValueParser<Value = Level> {
    one_of([
        word("off", "no isolation"),
        word("best-effort", "as much isolation as this machine can give"),
        word("strict", "full isolation, or the bot does not start"),
    ])
}

/// Reads what happens if a bot cannot play when a run begins.
pub(super) fn absent() -> impl TypedValueParser<Value = Absent> {
    let refuse = word("refuse", "play nothing, and report what is wrong with each bot");
    let walkover = word("walkover", "play; a game that the bot cannot play is lost or does not count");
    PossibleValuesParser::from([refuse, walkover]).map(|word| match &*word {
        "walkover" => Absent::Walkover,
        _ => Absent::Refuse,
    })
}

/// Reads what a clock counts.
pub(super) fn measure() -> impl TypedValueParser<Value = Measure> {
    one_of([
        word("wall", "the time that passes"),
        word(
            "cpu",
            "the bot's own processor time; the real time of a move is limited to 4 times its budget plus 1 s",
        ),
    ])
}

/// Reads who shares a core with whom.
pub(super) fn pin() -> impl TypedValueParser<Value = Pin> {
    one_of([
        word("bots", "every bot has a core of its own"),
        word(
            "tables",
            "the two bots of a game share a core; with --freeze neither can take time from the other",
        ),
    ])
}

/// Reads the format of an export.
pub(super) fn format() -> impl TypedValueParser<Value = Kind> {
    one_of([
        word("pgn", "the notation for chess games, for rating programs such as Ordo; South is White"),
        word("csv", "one line per game, with the columns of games.jsonl"),
    ])
}

/// Reads the scale of a sequential test.
pub(super) fn model() -> impl TypedValueParser<Value = Model> {
    one_of([
        word("normalized", "normalized Elo: the length of the test does not depend on the share of draws"),
        word("logistic", "logistic Elo: the scale of ratings"),
    ])
}

/// Reads the name of a test of a bot.
pub(super) fn part() -> impl TypedValueParser<Value = TestName> {
    let names = PossibleValuesParser::new(TestName::ALL.map(TestName::name));
    names.map(|word| TestName::ALL.into_iter().find(|part| part.name() == word).expect("a name of the list"))
}

/// Why a text is not NAME=VALUE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    #[error("write NAME=VALUE, for example threads=2")]
    NoValue,
    #[error("the name before `=` is missing; write NAME=VALUE, for example threads=2")]
    NoName,
}

/// Reads an option of a bot: NAME=VALUE.
pub(super) fn option(text: &str) -> Result<(String, String), OptionError> {
    let (name, value) = text.split_once('=').ok_or(OptionError::NoValue)?;
    if name.is_empty() {
        return Err(OptionError::NoName);
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Why a text is not ELO0,ELO1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum HypothesesError {
    #[error("write two numbers with a comma between them, for example 0,5")]
    NotTwo,
    #[error("`{0}` is not a number; write two numbers, for example 0,5")]
    NotANumber(String),
}

/// Reads the hypotheses of a sequential test: ELO0,ELO1.
pub(super) fn hypotheses(text: &str) -> Result<[f64; 2], HypothesesError> {
    let number = |text: &str| {
        let number: Result<f64, _> = text.trim().parse();
        number.map_err(|_| HypothesesError::NotANumber(text.trim().to_owned()))
    };
    let (elo0, elo1) = text.split_once(',').ok_or(HypothesesError::NotTwo)?;
    Ok([number(elo0)?, number(elo1)?])
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use clap::Command;

    use super::*;

    /// Reads every word that the parser lists.
    fn every<T: Clone + Send + Sync + 'static>(parser: &impl TypedValueParser<Value = T>) -> usize {
        let words: Vec<_> = parser.possible_values().expect("it lists its words").collect();
        for word in &words {
            for name in word.get_name_and_aliases() {
                parser
                    .parse_ref(&Command::new("test"), None, OsStr::new(name))
                    .expect("a word that is listed");
            }
        }
        words.len()
    }

    #[test]
    fn every_word_that_is_listed_can_be_read() {
        let counts = [every(&game()), every(&side()), every(&level()), every(&measure())];
        assert_eq!(counts, [Variant::ALL.len(), 2, 3, 2]);
        assert_eq!([every(&format()), every(&model()), every(&part())], [2, 2, TestName::ALL.len()]);
    }

    #[test]
    fn what_is_wrong_with_a_value_is_said() {
        assert_eq!(option("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(option("a"), Err(OptionError::NoValue));
        assert_eq!(option("=a"), Err(OptionError::NoName));
        assert_eq!(hypotheses("0, 5"), Ok([0.0, 5.0]));
        assert_eq!(hypotheses("5"), Err(HypothesesError::NotTwo));
        assert_eq!(hypotheses("0,five"), Err(HypothesesError::NotANumber("five".to_owned())));
    }
}
