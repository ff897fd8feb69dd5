//! A tournament's plan as an organiser writes it: a TOML file.
//!
//! Everything is read strictly: a key that is unknown is a mistake, and every mistake is shown in its line. Relative
//! paths, of programs, their arguments, openings and sandboxes, begin in the directory of the file, so that it does not
//! matter from where the referee is started.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bao_rules::Variant;
use serde::Deserialize;
use toml::Spanned;

use super::{BotPlan, Format, GamePlan, MOST_BOTS, MOST_PLIES, Openings, Plan, PlanError};
use super::{bot_name, check_name, command_in, distinct, openings_file, openings_list};
use crate::game::adjudication::Adjudication;
use crate::game::clock::{TimeControl, span};
use crate::game::setup::Measure;
use bao_jail::{Level, Sandbox, Setting};
use bao_stats::{Model, Sprt};

/// Reads a tournament's file.
///
/// # Errors
/// [`FileError`] with the line at fault.
pub fn tournament(path: &Path) -> Result<Plan, FileError> {
    let unreadable = |error: std::io::Error| FileError {
        path: path.display().to_string(),
        place: None,
        problem: error.to_string(),
    };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    tournament_text(path, &text)
}

/// Reads the text of a tournament's file that stands at this path.
///
/// # Errors
/// [`FileError`] with the line at fault.
pub fn tournament_text(path: &Path, text: &str) -> Result<Plan, FileError> {
    let name = path.display().to_string();
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let directory = absolute.parent().unwrap_or(Path::new("/"));
    let sheet: Sheet = toml::from_str(text)
        .map_err(|error| FileError::at(&name, text, error.span(), plain(error.message())))?;
    sheet.plan(directory).map_err(|Wrong { span, problem }| FileError::at(&name, text, span, problem))
}

/// Says in an organiser's words what the reader of TOML says in its own.
fn plain(message: &str) -> String {
    // Formats and kinds of openings are the only places where one of several is to be chosen.
    if message.starts_with("wanted exactly 1 element") {
        return "give one format, as in [format.swiss], and one kind of openings, as in { file = \"openings.txt\" }"
            .to_owned();
    }
    message.to_owned()
}

/// Says what is wrong with a tournament's file, and shows where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    path: String,
    place: Option<Place>,
    problem: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// Both from 1.
    line: usize,
    column: usize,
    text: String,
    /// How many characters are at fault.
    length: usize,
}

impl FileError {
    fn at(path: &str, text: &str, span: Option<Range<usize>>, problem: String) -> Self {
        let place = span.filter(|span| span.start <= text.len()).map(|span| {
            let before = &text[..span.start];
            let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = text[begin..].lines().next().unwrap_or_default();
            let end = span.end.clamp(span.start, begin + line.len().max(span.start - begin));
            Place {
                line: before.matches('\n').count() + 1,
                column: text[begin..span.start].chars().count() + 1,
                text: line.to_owned(),
                length: text[span.start..end].chars().count().max(1),
            }
        });
        Self { path: path.to_owned(), place, problem }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, place, problem } = self;
        let Some(Place { line, column, text, length }) = place else { return write!(f, "{path}: {problem}") };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs stay tabs, so that the caret stands below what it points at.
        let indent: String =
            text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{path}, line {line}, column {column}: {problem}")?;
        writeln!(f, " {margin} |")?;
        writeln!(f, " {number} | {text}")?;
        write!(f, " {margin} | {indent}{}", "^".repeat(*length))
    }
}

impl std::error::Error for FileError {}

/// A mistake that only shows when the sheet is put together.
struct Wrong {
    span: Option<Range<usize>>,
    problem: String,
}

fn wrong<T>(place: &Spanned<T>, problem: impl fmt::Display) -> Wrong {
    Wrong { span: Some(place.span()), problem: problem.to_string() }
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    event: Option<Spanned<String>>,
    #[serde(default = "one")]
    seed: u64,
    format: Spanned<FormatSheet>,
    game: Spanned<Vec<GameSheet>>,
    bot: Spanned<Vec<BotSheet>>,
    #[serde(default = "usual_clock")]
    clock: TimeControl,
    #[serde(default = "usual_grace")]
    grace: Time,
    #[serde(default)]
    clock_measure: Measure,
    #[serde(default = "usual_length")]
    max_plies: Spanned<u64>,
    #[serde(default)]
    restart: bool,
    #[serde(default = "ten_seconds")]
    handshake: Time,
    #[serde(default = "ten_seconds")]
    ready: Time,
    #[serde(default)]
    isolation: Level,
    #[serde(default)]
    freeze: bool,
    #[serde(default)]
    sandbox: Vec<SettingText>,
    #[serde(default)]
    option: BTreeMap<String, OptionValue>,
    withdraw_after: Option<Spanned<u64>>,
    adjudication: Option<Adjudication>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum FormatSheet {
    RoundRobin {
        #[serde(default = "one")]
        cycles: u64,
    },
    Gauntlet {
        #[serde(default = "one")]
        challengers: u64,
        #[serde(default = "one")]
        cycles: u64,
    },
    Swiss {
        rounds: u64,
        #[serde(default = "one")]
        pairs: u64,
    },
    Knockout {
        #[serde(default = "one")]
        best_of: u64,
        #[serde(default = "four")]
        extra: u64,
    },
    Sprt {
        elo0: f64,
        elo1: f64,
        #[serde(default = "five_percent")]
        alpha: f64,
        #[serde(default = "five_percent")]
        beta: f64,
        #[serde(default)]
        model: Model,
        #[serde(default = "most_pairs")]
        max_pairs: u64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameSheet {
    name: GameName,
    openings: Option<Spanned<OpeningsSheet>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum OpeningsSheet {
    /// Random moves from the start.
    Random { plies: u32, count: Option<u64> },
    /// A file with one a line.
    File(PathBuf),
    /// Here.
    List(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BotSheet {
    name: Option<Spanned<String>>,
    command: Spanned<String>,
    clock: Option<TimeControl>,
    #[serde(default)]
    option: BTreeMap<String, OptionValue>,
    isolation: Option<Level>,
    freeze: Option<bool>,
    #[serde(default)]
    sandbox: Vec<SettingText>,
}

impl Sheet {
    fn plan(self, directory: &Path) -> Result<Plan, Wrong> {
        let games = self.games(directory)?;
        let bots = self.bots(directory)?;
        let format = format(&self.format, bots.len())?;
        if !(1..=MOST_PLIES).contains(self.max_plies.get_ref()) {
            return Err(wrong(&self.max_plies, format!("give a number from 1 to {MOST_PLIES}")));
        }
        if let Some(after) = &self.withdraw_after
            && *after.get_ref() == 0
        {
            return Err(wrong(after, "give a number above 0; without this line no bot is withdrawn"));
        }
        if let Some(event) = &self.event {
            check_name("the event", event.get_ref()).map_err(|error| wrong(event, error))?;
        }
        let plan = Plan {
            event: self.event.map(Spanned::into_inner),
            format,
            games,
            bots,
            grace_us: self.grace.0,
            measure: self.clock_measure,
            max_plies: self.max_plies.into_inner(),
            restart: self.restart,
            handshake_us: self.handshake.0,
            ready_us: self.ready.0,
            withdraw_after: self.withdraw_after.map(Spanned::into_inner),
            adjudication: self.adjudication,
            seed: self.seed,
        };
        // What is left are openings: there may be fewer than asked for.
        plan.books().map_err(|error| wrong(&self.game, error))?;
        Ok(plan)
    }

    fn games(&self, directory: &Path) -> Result<Vec<GamePlan>, Wrong> {
        let mut games: Vec<GamePlan> = Vec::new();
        for game in self.game.get_ref() {
            let variant = game.name.0;
            if games.iter().any(|known| known.variant == variant.name()) {
                return Err(wrong(&self.game, format!("{variant} is there twice")));
            }
            let openings = match &game.openings {
                None => Openings::None {},
                Some(sheet) => {
                    openings(variant, sheet.get_ref(), directory).map_err(|error| wrong(sheet, error))?
                }
            };
            games.push(GamePlan { variant: variant.name().to_owned(), openings });
        }
        if games.is_empty() { Err(wrong(&self.game, "name at least one game")) } else { Ok(games) }
    }

    fn bots(&self, directory: &Path) -> Result<Vec<BotPlan>, Wrong> {
        let sheets = self.bot.get_ref();
        let mut bots = Vec::new();
        for sheet in sheets {
            let command = command_in(sheet.command.get_ref(), directory)
                .map_err(|error| wrong(&sheet.command, error))?;
            let mut options = self.option.clone();
            options.extend(sheet.option.clone());
            let mut sandbox = Sandbox {
                level: sheet.isolation.unwrap_or(self.isolation),
                freeze: sheet.freeze.unwrap_or(self.freeze),
                directory: Some(directory.to_owned()),
                ..Sandbox::default()
            };
            for SettingText(setting) in self.sandbox.iter().chain(&sheet.sandbox) {
                setting.apply(&mut sandbox, directory);
            }
            let name = sheet.name.as_ref().map_or_else(|| bot_name(&command), |name| name.get_ref().clone());
            check_name("a bot", &name)
                .map_err(|error| wrong(sheet.name.as_ref().unwrap_or(&sheet.command), error))?;
            bots.push(BotPlan {
                name,
                command,
                clock: sheet.clock.unwrap_or(self.clock),
                options: options.into_iter().map(|(name, value)| (name, value.0)).collect(),
                sandbox,
            });
        }
        for (place, sheet) in sheets.iter().enumerate() {
            if let Some(name) = &sheet.name
                && sheets[..place]
                    .iter()
                    .any(|other| other.name.as_ref().is_some_and(|other| other.get_ref() == name.get_ref()))
            {
                return Err(wrong(name, "another bot has this name"));
            }
        }
        let names = distinct(bots.iter().map(|bot: &BotPlan| bot.name.clone()).collect());
        for (bot, name) in bots.iter_mut().zip(names) {
            bot.name = name;
        }
        match bots.len() {
            0 | 1 => Err(wrong(&self.bot, "give at least two bots")),
            2..=MOST_BOTS => Ok(bots),
            many => Err(wrong(&self.bot, format!("these are {many} bots; {MOST_BOTS} are the most"))),
        }
    }
}

fn openings(variant: Variant, sheet: &OpeningsSheet, directory: &Path) -> Result<Openings, PlanError> {
    Ok(match sheet {
        OpeningsSheet::Random { plies: 0, .. } => {
            return Err(PlanError::Other("give at least one move, or no openings".to_owned()));
        }
        OpeningsSheet::Random { plies, count } => Openings::Generated { plies: *plies, count: *count },
        OpeningsSheet::File(path) => {
            Openings::Given { positions: openings_file(variant, &directory.join(path))? }
        }
        OpeningsSheet::List(texts) => Openings::Given { positions: openings_list(variant, texts)? },
    })
}

/// How many pairs a plan may have at most: more would outlast every machine, and numbers must not overflow.
const MOST: u64 = 1_000_000_000;

fn format(sheet: &Spanned<FormatSheet>, bots: usize) -> Result<Format, Wrong> {
    let within = |name: &str, least: u64, value: u64| {
        let fine = (least..=MOST).contains(&value);
        if fine {
            Ok(value)
        } else {
            Err(wrong(sheet, format!("{name} is {value}: give a number from {least} to {MOST}")))
        }
    };
    Ok(match *sheet.get_ref() {
        FormatSheet::RoundRobin { cycles } => Format::RoundRobin { cycles: within("cycles", 1, cycles)? },
        FormatSheet::Gauntlet { challengers, cycles } => {
            if !(1..bots as u64).contains(&challengers) {
                let problem =
                    format!("challengers is {challengers}: of {bots} bots at least one must be left to meet");
                return Err(wrong(sheet, problem));
            }
            Format::Gauntlet { challengers, cycles: within("cycles", 1, cycles)? }
        }
        FormatSheet::Swiss { rounds, pairs } => {
            Format::Swiss { rounds: within("rounds", 1, rounds)?, pairs: within("pairs", 1, pairs)? }
        }
        FormatSheet::Knockout { best_of, extra } => {
            Format::Knockout { best_of: within("best_of", 1, best_of)?, extra: within("extra", 0, extra)? }
        }
        FormatSheet::Sprt { elo0, elo1, alpha, beta, model, max_pairs } => {
            if bots != 2 {
                return Err(wrong(sheet, format!("a sequential test is between two bots, here are {bots}")));
            }
            Sprt::new(model, elo0, elo1, alpha, beta).map_err(|error| wrong(sheet, error))?;
            let max_pairs = within("max_pairs", 1, max_pairs)?;
            Format::Sprt { elo0, elo1, alpha, beta, model, max_pairs }
        }
    })
}

/// A time such as `500ms`, in microseconds.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Time(u64);

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        span(&text).map(Self)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct GameName(Variant);

impl TryFrom<String> for GameName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|error: bao_rules::UnknownName| error.to_string())
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct SettingText(Setting);

impl TryFrom<String> for SettingText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

/// A bot's option: a text, a number or a truth value, which is told to the bot as text.
#[derive(Debug, Clone)]
struct OptionValue(String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl serde::de::Visitor<'_> for Scalar {
            type Value = OptionValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, true or false")
            }

            fn visit_bool<E>(self, value: bool) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_owned()))
            }
        }
        from.deserialize_any(Scalar)
    }
}

fn one() -> u64 {
    1
}

fn four() -> u64 {
    4
}

fn five_percent() -> f64 {
    0.05
}

fn most_pairs() -> u64 {
    100_000
}

fn ten_seconds() -> Time {
    Time(10_000_000)
}

fn usual_grace() -> Time {
    Time(50_000)
}

fn usual_clock() -> TimeControl {
    TimeControl::Fischer { base_us: 10_000_000, increment_us: 100_000 }
}

fn usual_length() -> Spanned<u64> {
    Spanned::new(0..0, 1000)
}
