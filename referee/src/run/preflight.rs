//! The preflight: every bot is started once before the first game, so that a bot that cannot play is found before it
//! costs a game.

use std::borrow::Cow;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use bao_protocol::from_bot::Hello;
use bao_protocol::{FromBot, Reason, ToBot, YourResult, to_bot};
use bao_rules::{Position, Side, Variant};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};

use crate::game::new_game;
use crate::game::setup::{Known, Setup, unfit};
use crate::game::spec::GameSpec;
use crate::game::verdict::Loss;
use crate::plan::{self, BotPlan, Plan, missing_scripts};
use crate::play::link::now;
use crate::play::talk::Talk;
use crate::process::keeper::Keeper;
use crate::text::shown::shown;
use crate::text::suggest::did_you_mean;
use bao_jail::{Host, Promise, Quarters, SetupError};

/// How long a bot may take to exit after `bye` before it is killed: it has nothing to save.
const FAREWELL: Duration = Duration::from_millis(300);
/// The number of the game that is announced and never played; the games of a schedule begin with 1.
const GAME: u64 = 0;

/// The result of starting a bot.
#[derive(Debug)]
pub struct Entry {
    /// The bot's place in the plan.
    pub bot: usize,
    /// The promises about it; empty if it could not be started.
    pub promises: Vec<Promise>,
    /// Its hello, if it sent one.
    pub hello: Option<Hello>,
    /// The time from its start until it was ready for all of its games, if it was.
    pub ready: Option<Duration>,
    /// Why it cannot play as the plan says.
    pub problems: Vec<Problem>,
    /// Options that every bot of the plan gets and that this bot does not know, which is allowed.
    pub unknown: Vec<String>,
    /// The end of its standard error, if it cannot play.
    pub stderr: Option<String>,
    /// What its author can do about it, if it cannot play.
    pub advice: Option<Cow<'static, str>>,
}

/// Why a bot cannot play as the plan says.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A script that its command names is missing.
    #[error("cannot be started: {file} not found in {}", directory.display())]
    Script {
        /// The script as named.
        file: String,
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// It cannot be started.
    #[error("cannot be started: {0}")]
    Start(SetupError),
    /// It sends no valid hello.
    #[error("sends no valid hello: {0}")]
    Hello(Failed),
    /// It does not play a game of the plan.
    #[error("does not play {variant}; its hello lists: {plays}")]
    Game {
        /// The game.
        variant: Variant,
        /// The games that it plays.
        plays: String,
    },
    /// It does not get ready for a game of the plan.
    #[error("does not get ready for {variant}: {loss}")]
    Ready {
        /// The game.
        variant: Variant,
        /// What happened.
        loss: Failed,
    },
    /// It does not know an option that is set for it alone.
    #[error("has no option `{option}`{meant}")]
    Unknown {
        /// The option.
        option: String,
        /// The option that was probably meant, as a question; or empty.
        meant: String,
    },
    /// An option has a value that it does not take.
    #[error("takes {takes} for its option `{option}`, not `{value}`")]
    Unfit {
        /// The option.
        option: String,
        /// Its value.
        value: String,
        /// What the bot takes.
        takes: String,
    },
}

/// What a bot did instead of an answer.
#[derive(Debug)]
pub struct Failed {
    loss: Loss,
    /// The last line that came where an answer was awaited; empty if none came.
    instead: String,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { loss: Loss { reason, detail, line }, instead } = self;
        write!(f, "{reason} ({})", shown(detail, 600))?;
        match (line.is_empty(), instead.is_empty()) {
            (false, _) => write!(f, "; its line: {}", shown(line, 200)),
            (true, false) => write!(f, "; instead of the answer came: {}", shown(instead, 200)),
            (true, true) => Ok(()),
        }
    }
}

impl Problem {
    /// Returns whether the machine cannot start the bot with the isolation that was asked for: a bot cannot
    /// lose a game for that.
    pub fn is_ours(&self) -> bool {
        matches!(self, Self::Start(SetupError::Gaps(_))) || self.is_the_machines()
    }

    /// Returns whether the machine has run out of something.
    pub fn is_the_machines(&self) -> bool {
        matches!(self, Self::Start(error) if !error.is_the_programs())
    }
}

/// Starts these bots of a plan, `at_once` at a time, and returns the result of each, in their order.
pub async fn preflight(plan: &Plan, bots: &[usize], host: Host, at_once: usize) -> Vec<Entry> {
    let (plan, keeper) = (Rc::new(plan.clone()), Rc::new(Keeper::new(host)));
    let places = Rc::new(Semaphore::new(at_once.max(1)));
    let local = LocalSet::new();
    let mut entries = local
        .run_until(async {
            let mut starts = JoinSet::new();
            for &bot in bots {
                let (plan, keeper, places) = (Rc::clone(&plan), Rc::clone(&keeper), Rc::clone(&places));
                starts.spawn_local(async move {
                    let _place = places.acquire().await;
                    try_out(&plan, bot, &keeper).await
                });
            }
            starts.join_all().await
        })
        .await;
    entries.sort_by_key(|entry| entry.bot);
    entries
}

/// Starts a bot, waits for its hello and until it is ready for every game, and ends it.
async fn try_out(plan: &Plan, bot: usize, keeper: &Keeper) -> Entry {
    let BotPlan { command, sandbox, .. } = &plan.bots[bot];
    let mut entry = Entry {
        bot,
        promises: Vec::new(),
        hello: None,
        ready: None,
        problems: Vec::new(),
        unknown: Vec::new(),
        stderr: None,
        advice: None,
    };
    let directory = sandbox.base().unwrap_or_default();
    for file in missing_scripts(command, &directory) {
        entry.problems.push(Problem::Script { file: file.to_owned(), directory: directory.clone() });
    }
    if !entry.problems.is_empty() {
        return entry;
    }
    let started = now();
    let mut talk = match Talk::start(keeper, command, sandbox).await {
        Ok(talk) => talk,
        Err(error) => {
            entry.problems.push(Problem::Start(error));
            return entry;
        }
    };
    entry.promises.clone_from(&talk.promises);
    converse(&mut talk, plan, &mut entry).await;
    if entry.problems.is_empty() {
        entry.ready = Some(now().duration_since(started));
    } else if entry.stderr.is_none() {
        entry.stderr = talk.stderr();
    }
    talk.tell(&ToBot::Bye(to_bot::Bye {}));
    talk.close();
    let _killed_if_not = talk.exit(now() + FAREWELL).await;
    talk.kill(keeper).await;
    entry
}

/// Sends a bot the messages before a game, for each of the plan's games.
async fn converse(talk: &mut Talk, plan: &Plan, entry: &mut Entry) {
    let options = &plan.bots[entry.bot].options;
    let hello = match talk.greet(plan.handshake_us, options).await {
        Ok(hello) => hello,
        Err(mut loss) => {
            if loss.reason == Reason::Handshake && talk.manners.lines == 0 && talk.half_line().is_none() {
                loss.detail += "; nothing was ever received from the bot: does it flush its output?";
            }
            entry.lost(talk, loss, Problem::Hello);
            return entry.name_needs(&plan.bots[entry.bot]);
        }
    };
    entry.misfits(plan, &hello);
    let variants = plan.games.iter().filter_map(|game| game.variant.parse::<Variant>().ok());
    let (played, missing): (Vec<_>, Vec<_>) =
        variants.partition(|variant| hello.games.iter().any(|game| game == variant.name()));
    let plays = shown(&hello.games.join(", "), 100);
    entry.problems.extend(missing.into_iter().map(|variant| Problem::Game { variant, plays: plays.clone() }));
    entry.hello = Some(hello);
    for variant in played {
        if let Err(loss) = get_ready(talk, &setup(plan, entry.bot, variant)).await {
            // A bot that failed once is not asked again.
            return entry.lost(talk, loss, |loss| Problem::Ready { variant, loss });
        }
    }
}

/// Announces a game, waits until the bot is ready, and cancels the game.
async fn get_ready(talk: &mut Talk, setup: &Setup) -> Result<(), Loss> {
    let side = Side::South;
    if let Some(greeted) = talk.greeted().filter(|greeted| greeted.seed) {
        let (id, value) = (talk.take_id(), setup.seed_option(side, greeted).to_string());
        talk.tell(&ToBot::SetOption(to_bot::SetOption { id, name: "seed".into(), value: value.into() }));
    }
    let (id, game_id) = (talk.take_id(), GAME.to_string());
    talk.tell(&new_game(setup, side, id, &game_id));
    let ready = talk.answer(Duration::from_micros(setup.ready_us), Reason::Stall, |message| {
        matches!(message, FromBot::Ready(ready) if ready.id == id).then_some(())
    });
    ready.await?;
    talk.tell(&ToBot::GameOver(to_bot::GameOver {
        game_id: game_id.into(),
        result: "*".into(),
        winner: None,
        reason: Reason::Void,
        you: YourResult::Void,
        score: Side::BOTH.map(|side| setup.position.score(side).into()),
    }));
    Ok(())
}

/// Sets up a game from the start in which the bot has both seats.
fn setup(plan: &Plan, bot: usize, variant: Variant) -> Setup {
    let position = Position::start(variant);
    let spec = GameSpec { game: GAME, pair: 0, round: None, opening: None, position, seats: [bot; 2] };
    plan::setup(plan, &spec, [Known::NOTHING; 2])
}

impl Entry {
    /// Notes that the bot failed, with what it said instead, and what can be done.
    fn lost(&mut self, talk: &Talk, loss: Loss, problem: impl FnOnce(Failed) -> Problem) {
        let stderr = talk.stderr();
        self.advice = Some(talk.advice(&loss, stderr.as_deref().unwrap_or_default()));
        self.stderr = stderr;
        let waited = matches!(loss.reason, Reason::Handshake | Reason::Stall);
        let instead = talk.heard().last().filter(|_| waited).unwrap_or_default().to_owned();
        self.problems.push(problem(Failed { loss, instead }));
    }

    /// Adds to the advice what the runtime needs that the command names: a bot that says no hello often lacks it.
    fn name_needs(&mut self, bot: &BotPlan) {
        let quarters = Quarters::of(&bot.command, &bot.sandbox);
        let runtime =
            quarters.and_then(|quarters| quarters.runtime()).filter(|runtime| !runtime.name.is_empty());
        if let (Some(runtime), Some(advice)) = (runtime, &mut self.advice) {
            *advice = format!("{advice} {} needs {}.", runtime.name, runtime.needs).into();
        }
    }

    /// Compares the options that are set with those of the hello.
    fn misfits(&mut self, plan: &Plan, hello: &Hello) {
        let options = &plan.bots[self.bot].options;
        let names = || hello.options.iter().map(|spec| spec.name.as_str());
        for (option, _) in options.iter().filter(|(option, _)| names().all(|name| name != option)) {
            if plan.bots.iter().all(|bot| bot.options.iter().any(|(name, _)| name == option)) {
                self.unknown.push(shown(option, 100));
            } else {
                let meant = shown(&did_you_mean(option, names()), 100);
                self.problems.push(Problem::Unknown { option: shown(option, 100), meant });
            }
        }
        let unfit = unfit(hello, options).into_iter();
        self.problems.extend(unfit.map(|(option, value, takes)| Problem::Unfit {
            option: shown(&option, 100),
            value: shown(&value, 100),
            takes: shown(&takes, 200),
        }));
    }
}
