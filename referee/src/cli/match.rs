//! `referee match`: two bots, so many games.

use std::io::{self, Write};
use std::path::PathBuf;

use bao_rules::Variant;
use clap::Args;
use serde_json::json;

use super::failure::Failure;
use super::follow::Manner;
use super::sandbox::SandboxesArguments;
use super::session::Session;
use super::statistics::{MOST_PAIRS, TestArguments};
use super::tables;
use crate::game::clock::{TimeControl, above_zero, span};
use crate::game::setup::Measure;
use crate::plan::{self, BotPlan, Format, GamePlan, MOST_PLIES, Openings, Plan};

/// Plays a match between two bots.
///
/// A bot is given as a command line ("python3 my_bot.py --fast"). A bare name is looked for beside the referee, then
/// in PATH. The bots change seats after every game; two games are a pair.
///
/// Clocks: none, 100ms/move (a time for every move), 60s (for the whole game), 60s+500ms (with an increment),
/// 40/60s (for every 40 moves), "30s byoyomi 5x3s", "60s delay 2s".
#[derive(Debug, Args)]
pub(super) struct Match {
    /// The game: bao-kigogo or bao-kingulu.
    game: Variant,
    /// The first bot's command line; it plays South in the first game.
    #[arg(value_name = "BOT")]
    first: String,
    /// The second bot's command line.
    #[arg(value_name = "BOT")]
    second: String,
    /// How many games: 2 if nothing is said; with --sprt the most, 200000 if nothing is said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Both bots' clock.
    #[arg(long, value_name = "CLOCK", default_value = "10s+100ms")]
    clock: TimeControl,
    /// The first bot's clock, if it is another.
    #[arg(long, value_name = "CLOCK")]
    first_clock: Option<TimeControl>,
    /// The second bot's clock, if it is another.
    #[arg(long, value_name = "CLOCK")]
    second_clock: Option<TimeControl>,
    /// How far a clock may be overstepped before the flag falls.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = span)]
    grace: u64,
    /// End a game after so many moves: a draw in Bao Kigogo, counted in Bao Kingulu.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_PLIES))]
    max_plies: u64,
    /// Start every game from here: moves from the start ("A3 a2") or a position text.
    #[arg(long, value_name = "MOVES|POSITION")]
    opening: Option<String>,
    /// Start each pair of games from the next line of this file: moves or a position on each, # before remarks.
    #[arg(long, value_name = "FILE", conflicts_with = "opening")]
    openings: Option<PathBuf>,
    /// Start each pair of games after so many random moves, which follow from the seed; no two pairs start alike.
    #[arg(long, value_name = "N", conflicts_with_all = ["opening", "openings"], value_parser = clap::value_parser!(u32).range(1..=100))]
    random_plies: Option<u32>,
    /// Set an option of both bots (may be given more than once).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Set an option of the first bot.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    first_option: Vec<(String, String)>,
    /// Set an option of the second bot.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    second_option: Vec<(String, String)>,
    /// The first bot's name in the record.
    #[arg(long, value_name = "NAME")]
    first_name: Option<String>,
    /// The second bot's name in the record.
    #[arg(long, value_name = "NAME")]
    second_name: Option<String>,
    /// What clocks count: wall (time as it goes by) or cpu (the bot's own processor time, with a cap of four times the
    /// budget and a second on the time that goes by).
    #[arg(long, value_name = "WHAT", default_value = "wall")]
    clock_measure: Measure,
    /// Start the bots anew for every game.
    #[arg(long)]
    restart: bool,
    /// How many games are played at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    concurrency: u64,
    /// The seed from which everything random follows; it is told to bots as the option "seed" where they have one.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How long a bot may take to answer the first message.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = above_zero)]
    handshake: u64,
    /// Write the record into this directory; the same command with the same directory goes on with a match that was
    /// stopped.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for every event (match, game, move, verdict, end) instead of the result.
    #[arg(long)]
    json: bool,
    /// Say nothing of single games on standard error.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    test: TestArguments,
    #[command(flatten)]
    sandbox: SandboxesArguments,
}

impl Match {
    pub(super) fn run(self) -> Result<(), Failure> {
        let plan = self.plan()?;
        let games = self.games();
        let manner = Manner { what: "match", json: self.json, quiet: self.quiet, every: 0 };
        let session = Session { plan, out: self.out, concurrency: self.concurrency, manner };
        let played = session.play(|played| {
            let mut end = json!(played.standings.contest());
            end["given_up"] = json!(played.schedule.given_up());
            if let Some(test) = played.schedule.test() {
                end["test"] = json!(test);
            }
            end
        })?;
        if played.for_people && played.standings.games() > 0 {
            let mut text = tables::contest(&played.standings.contest(), &played.plan, games);
            text.extend(played.schedule.test().map(|test| tables::test(&test)));
            if played.schedule.given_up() > 0 {
                text.push_str(&tables::given_up(played.schedule.given_up(), true));
            }
            io::stdout().write_all(text.as_bytes())?;
        }
        played.verdict()
    }

    fn games(&self) -> u64 {
        self.games.unwrap_or(if self.test.asked() { 2 * MOST_PAIRS } else { 2 })
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let openings = match (&self.opening, &self.openings, self.random_plies) {
            (Some(text), _, _) => {
                Openings::Given { positions: vec![plan::opening(self.game, text)?.to_string()] }
            }
            (None, Some(file), _) => Openings::Given { positions: plan::openings_file(self.game, file)? },
            (None, None, Some(plies)) => Openings::Generated { plies, count: None },
            (None, None, None) => Openings::None {},
        };
        let commands = [plan::command(&self.first)?, plan::command(&self.second)?];
        let named = |index: usize, name: &Option<String>| {
            name.clone().unwrap_or_else(|| plan::bot_name(&commands[index]))
        };
        let names = vec![named(0, &self.first_name), named(1, &self.second_name)];
        names.iter().try_for_each(|name| plan::check_name("a bot", name))?;
        let names = plan::distinct(names);
        let clocks = [self.first_clock.unwrap_or(self.clock), self.second_clock.unwrap_or(self.clock)];
        let sandboxes = self.sandbox.both();
        let own = [&self.first_option, &self.second_option];
        let bots = commands.into_iter().zip(names).enumerate().map(|(index, (command, name))| BotPlan {
            name,
            command,
            clock: clocks[index],
            options: self.option.iter().chain(own[index]).cloned().collect(),
            sandbox: sandboxes[index].clone(),
        });
        Ok(Plan {
            event: None,
            format: self.test.format(self.games() / 2)?.unwrap_or(Format::Match { games: self.games() }),
            games: vec![GamePlan { variant: self.game.name().to_owned(), openings }],
            bots: bots.collect(),
            grace_us: self.grace,
            measure: self.clock_measure,
            max_plies: self.max_plies,
            restart: self.restart,
            handshake_us: self.handshake,
            ready_us: 10_000_000,
            withdraw_after: None,
            adjudication: None,
            seed: self.seed,
        })
    }
}

/// Reads an option that is to be set: NAME=VALUE.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE")?;
    if name.is_empty() {
        return Err("the option's name is empty".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}
