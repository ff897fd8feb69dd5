//! `referee match`: two bots, N games.

use std::io::{self, Write};
use std::path::PathBuf;

use bao_rules::Variant;
use clap::Args;
use serde_json::json;

use super::dry_run::DryRunArguments;
use super::failure::Failure;
use super::follow::Manner;
use super::games;
use super::sandbox::SandboxesArguments;
use super::seed;
use super::session::Session;
use super::statistics::{MOST_PAIRS, TestArguments};
use super::tables;
use super::values::{absent, game, measure, option, pin};
use crate::game::clock::{TimeControl, above_zero, span};
use crate::game::setup::Measure;
use crate::plan::{self, Absent, BotPlan, Format, GamePlan, MOST_PLIES, Openings, Plan};
use crate::processors::Pin;

/// Play a match between two bots.
///
/// A bot is a command line ("python3 my_bot.py --fast"). A name without a slash is looked up beside the referee, then in
/// PATH. The bots swap sides after every game; two games are a pair.
///
/// Clocks: none, 100ms/move (per move), 60s (per game), 60s+500ms (plus an increment per move), 40/60s (per 40 moves),
/// "30s byoyomi 5x3s", "60s delay 2s".
#[derive(Debug, Args)]
pub(super) struct Match {
    /// Game to play.
    #[arg(value_parser = game())]
    game: Variant,
    /// First bot's command line; it plays South in game 1.
    #[arg(value_name = "BOT")]
    first: String,
    /// Second bot's command line.
    #[arg(value_name = "BOT")]
    second: String,
    /// Number of games [default: 2, or at most 200000 with --sprt].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Clock of both bots.
    #[arg(long, value_name = "CLOCK", default_value = "10s+100ms")]
    clock: TimeControl,
    /// Clock of the first bot [default: --clock].
    #[arg(long, value_name = "CLOCK")]
    first_clock: Option<TimeControl>,
    /// Clock of the second bot [default: --clock].
    #[arg(long, value_name = "CLOCK")]
    second_clock: Option<TimeControl>,
    /// Time by which a bot may exceed its clock without losing.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = span)]
    grace: u64,
    #[arg(long, help = games::max_plies(), value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_PLIES))]
    max_plies: u64,
    /// Start every game here: moves from the start ("A3 a2") or a position.
    #[arg(long, value_name = "MOVES|POSITION")]
    opening: Option<String>,
    /// Start each pair of games from the next line of FILE: moves or a position. # begins a comment.
    #[arg(long, value_name = "FILE", conflicts_with = "opening")]
    openings: Option<PathBuf>,
    /// Start each pair of games with N random moves that depend on --seed; every pair gets different moves.
    #[arg(long, value_name = "N", conflicts_with_all = ["opening", "openings"], value_parser = clap::value_parser!(u32).range(1..=100))]
    random_plies: Option<u32>,
    /// Set an option of both bots (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Set an option of the first bot (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    first_option: Vec<(String, String)>,
    /// Set an option of the second bot (repeatable).
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    second_option: Vec<(String, String)>,
    /// Name of the first bot in results [default: the name of its program or script].
    #[arg(long, value_name = "NAME")]
    first_name: Option<String>,
    /// Name of the second bot in results [default: the name of its program or script].
    #[arg(long, value_name = "NAME")]
    second_name: Option<String>,
    /// What clocks count.
    #[arg(long, value_name = "WHAT", default_value = "wall", value_parser = measure())]
    clock_measure: Measure,
    /// Restart both bots before every game.
    #[arg(long)]
    restart: bool,
    /// Number of games to play at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    concurrency: u64,
    /// Give each game whole processor cores of its own, and the referee another. Refused if there are too few.
    #[arg(long, value_name = "WHAT", value_parser = pin())]
    pin: Option<Pin>,
    /// Seed of all random choices of the referee. The option "seed" of a bot is derived from it
    /// [default: a secret number, kept in the record].
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Time a bot may take to answer `hello`.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = above_zero)]
    handshake: u64,
    /// Time a bot may take to answer `new_game`.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = above_zero)]
    ready: u64,
    /// What to do if a bot cannot play when the match begins.
    #[arg(long, value_name = "WHAT", default_value = "refuse", value_parser = absent())]
    absent: Absent,
    /// Record the match in DIR. If the match is stopped, the same command continues it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object per event (match, game, move, verdict, end) instead of the result.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry_run: DryRunArguments,
    /// Do not report each game on standard error.
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
        let Self { absent, out, concurrency, pin, .. } = self;
        let session = Session { plan, absent, out, concurrency, pin, manner, part: None };
        if self.dry_run.dry_run {
            return session.dry_run(&self.dry_run);
        }
        let played = session.play(|played| {
            let mut end = json!(played.standings.contest(&played.schedule));
            end["given_up"] = json!(played.schedule.given_up());
            if let Some(test) = played.schedule.test() {
                end["test"] = json!(test);
            }
            end
        })?;
        if played.for_people && played.standings.games() > 0 {
            let mut text = tables::contest(&played.standings.contest(&played.schedule), &played.plan, games);
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
            ready_us: self.ready,
            withdraw_after: None,
            adjudication: None,
            tiebreaks: Vec::new(),
            openings_per: bao_protocol::record::OpeningsPer::default(),
            before: Vec::new(),
            seed: self.seed.unwrap_or_else(|| seed::of_run(self.out.as_deref())),
        })
    }
}
