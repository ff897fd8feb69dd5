//! The tables and keys of a tournament's file, and the plan that they make.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use bao_protocol::record::{OpeningsPer, Tiebreak};
use bao_rules::Variant;
use serde::Deserialize;
use toml::Spanned;

use super::file_error::{FileProblem, Wrong, wrong};
use super::{
    Absent, BotPlan, Format, GamePlan, MOST_BOTS, MOST_PLIES, Model, Openings, Plan, PlanError, scale,
};
use super::{books, bot_name, check_name, command_in, distinct, openings_file, openings_list};
use crate::game::adjudication::Adjudication;
use crate::game::clock::{BadTime, TimeControl, span};
use crate::game::setup::Measure;
use bao_jail::{BadSetting, Level, Sandbox, Setting};
use bao_stats::Sprt;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sheet {
    event: Option<Spanned<String>>,
    seed: Option<u64>,
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
    #[serde(default)]
    pub(super) absent: Absent,
    adjudication: Option<Adjudication>,
    #[serde(default)]
    tiebreaks: Vec<Tiebreak>,
    #[serde(default)]
    openings_per: OpeningsPer,
    #[serde(default)]
    pub(super) seeds_from: Vec<PathBuf>,
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
    /// A file with one opening per line.
    File(PathBuf),
    /// Openings in this list.
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
    /// Makes the plan; `seed` is used if the file has none.
    pub(super) fn plan(self, directory: &Path, seed: u64) -> Result<Plan, Wrong> {
        let games = self.games(directory)?;
        let bots = self.bots(directory)?;
        let format = format(&self.format, bots.len())?;
        if !(1..=MOST_PLIES).contains(self.max_plies.get_ref()) {
            return Err(wrong(&self.max_plies, FileProblem::MaxPlies));
        }
        if let Some(after) = &self.withdraw_after
            && *after.get_ref() == 0
        {
            return Err(wrong(after, FileProblem::WithdrawAfter));
        }
        if let Some(event) = &self.event {
            check_name("the event", event.get_ref()).map_err(|error| wrong(event, error.into()))?;
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
            tiebreaks: self.tiebreaks,
            openings_per: self.openings_per,
            seed: self.seed.unwrap_or(seed),
            before: Vec::new(),
        };
        // Last, the openings: there may be fewer than asked for.
        books(&plan).map_err(|error| wrong(&self.game, error.into()))?;
        Ok(plan)
    }

    fn games(&self, directory: &Path) -> Result<Vec<GamePlan>, Wrong> {
        let mut games: Vec<GamePlan> = Vec::new();
        for game in self.game.get_ref() {
            let variant = game.name.0;
            if games.iter().any(|known| known.variant == variant.name()) {
                return Err(wrong(&self.game, FileProblem::GameTwice(variant)));
            }
            let openings = match &game.openings {
                None => Openings::None {},
                Some(sheet) => openings(variant, sheet.get_ref(), directory)
                    .map_err(|error| wrong(sheet, error.into()))?,
            };
            games.push(GamePlan { variant: variant.name().to_owned(), openings });
        }
        if games.is_empty() { Err(wrong(&self.game, FileProblem::NoGame)) } else { Ok(games) }
    }

    fn bots(&self, directory: &Path) -> Result<Vec<BotPlan>, Wrong> {
        let sheets = self.bot.get_ref();
        let mut bots = Vec::new();
        for sheet in sheets {
            let command = command_in(sheet.command.get_ref(), directory)
                .map_err(|error| wrong(&sheet.command, error.into()))?;
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
                .map_err(|error| wrong(sheet.name.as_ref().unwrap_or(&sheet.command), error.into()))?;
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
                return Err(wrong(name, FileProblem::NameTwice));
            }
        }
        let names = distinct(bots.iter().map(|bot: &BotPlan| bot.name.clone()).collect());
        for (bot, name) in bots.iter_mut().zip(names) {
            bot.name = name;
        }
        match bots.len() {
            0 | 1 => Err(wrong(&self.bot, FileProblem::FewBots)),
            2..=MOST_BOTS => Ok(bots),
            many => Err(wrong(&self.bot, FileProblem::ManyBots(many))),
        }
    }
}

fn openings(variant: Variant, sheet: &OpeningsSheet, directory: &Path) -> Result<Openings, PlanError> {
    Ok(match sheet {
        OpeningsSheet::Random { plies: 0, .. } => {
            return Err(PlanError::NoPlies);
        }
        OpeningsSheet::Random { plies, count } => Openings::Generated { plies: *plies, count: *count },
        OpeningsSheet::File(path) => {
            Openings::Given { positions: openings_file(variant, &directory.join(path))? }
        }
        OpeningsSheet::List(texts) => Openings::Given { positions: openings_list(variant, texts)? },
    })
}

fn format(sheet: &Spanned<FormatSheet>, bots: usize) -> Result<Format, Wrong> {
    let within = |name: &'static str, least: u64, value: u64| {
        let fine = (least..=FileProblem::MOST).contains(&value);
        if fine { Ok(value) } else { Err(wrong(sheet, FileProblem::Count { name, least, value })) }
    };
    Ok(match *sheet.get_ref() {
        FormatSheet::RoundRobin { cycles } => Format::RoundRobin { cycles: within("cycles", 1, cycles)? },
        FormatSheet::Gauntlet { challengers, cycles } => {
            if !(1..bots as u64).contains(&challengers) {
                return Err(wrong(sheet, FileProblem::Challengers { challengers, bots }));
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
                return Err(wrong(sheet, FileProblem::TestOfMore(bots)));
            }
            Sprt::new(scale(model), elo0, elo1, alpha, beta)
                .map_err(|error| wrong(sheet, PlanError::from(error).into()))?;
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
    type Error = BadTime;

    fn try_from(text: String) -> Result<Self, BadTime> {
        span(&text).map(Self)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct GameName(Variant);

impl TryFrom<String> for GameName {
    type Error = bao_rules::UnknownName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
struct SettingText(Setting);

impl TryFrom<String> for SettingText {
    type Error = BadSetting;

    fn try_from(text: String) -> Result<Self, BadSetting> {
        text.parse().map(Self)
    }
}

/// A bot's option: a text, a number or a truth value, which the bot gets as text.
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

fn one() -> u64 {
    1
}

fn usual_clock() -> TimeControl {
    TimeControl::Fischer { base_us: 10_000_000, increment_us: 100_000 }
}

fn usual_length() -> Spanned<u64> {
    Spanned::new(0..0, 1000)
}
