//! What is to be played, validated: a plan that exists can be started.

mod bounds;
mod command;
mod error;
mod file;
mod file_error;
mod forecast;
mod name;
mod opening;
mod recorded;
mod script;
mod sheet;

pub use bounds::{MOST_BOTS, MOST_PLIES};
pub use command::{bot_name, command, command_in, distinct};
pub use error::{
    CommandError, MoveError, NameError, NotExecutable, NotFound, OpeningError, OpeningsFileError, PlanError,
    Unreachable,
};
pub use file::{Event, event, tournament, tournament_text};
pub use file_error::{FileError, FileProblem};
pub use forecast::{likely_us, most_us, usual_plies};
pub use name::check_name;
pub use opening::{Book, opening, openings_file, openings_list, reachable};
pub use script::missing_scripts;

pub use bao_protocol::record::{Format, GamePlan, Model, Openings};

use bao_protocol::record;
use bao_rules::Side;
use serde::{Deserialize, Serialize};

use crate::game::adjudication::Adjudication;
use crate::game::clock::TimeControl;
use crate::game::setup::{Edition, Known, Measure, SeatSetup, Setup};
use crate::game::spec::GameSpec;
use bao_jail::Sandbox;

/// What a run plays and under which conditions: all that decides what happens, and nothing else.
///
/// It stands in `run.json`; a run is resumed only under the same plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "record::Plan", into = "record::Plan")]
pub struct Plan {
    /// What the organiser calls the event.
    pub event: Option<String>,
    /// Who meets whom, and how often.
    pub format: Format,
    /// Which games are played, at least one; every two bots that meet play each of them.
    pub games: Vec<GamePlan>,
    /// The bots; in a knockout the strongest first.
    pub bots: Vec<BotPlan>,
    /// How far a clock may be overstepped, in microseconds.
    pub grace_us: u64,
    /// What the clocks measure.
    pub measure: Measure,
    /// The ply after which a game is ended.
    pub max_plies: u64,
    /// Whether the bots are started anew for every game.
    pub restart: bool,
    /// How long a bot may take to answer `hello`, in microseconds.
    pub handshake_us: u64,
    /// How long a bot may take to answer `new_game`, in microseconds.
    pub ready_us: u64,
    /// A bot that does not live to the end of so many games running is withdrawn; without it, nobody is.
    pub withdraw_after: Option<u64>,
    /// When games are ended by what the bots say of them.
    pub adjudication: Option<Adjudication>,
    /// The seed from which everything random follows.
    pub seed: u64,
}

/// What happens where an entry cannot play when an event begins or goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The event is refused, with what is wrong with every entry.
    #[default]
    Refuse,
    /// The event is played: the entry's games are tried, and won by its opponents where it still cannot play.
    Walkover,
}

/// A bot of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct BotPlan {
    /// Its name in this run, unlike every other's.
    pub name: String,
    /// The program, found, and its arguments.
    pub command: Vec<String>,
    /// Its clock.
    pub clock: TimeControl,
    /// The options to set, in order.
    pub options: Vec<(String, String)>,
    /// What it may do, and how far that is enforced.
    pub sandbox: Sandbox,
}

/// Returns a scale of hypotheses as the statistics name it.
pub fn scale(model: Model) -> bao_stats::Model {
    match model {
        Model::Normalized => bao_stats::Model::Normalized,
        Model::Logistic => bao_stats::Model::Logistic,
    }
}

impl Plan {
    /// Tells whether a bot that cannot be started is the schedule's business, which gives its games up or withdraws it;
    /// where two bots meet and no rule says so, it ends the run.
    pub(crate) fn others_play_on(&self) -> bool {
        self.withdraw_after.is_some() || self.bots.len() > 2
    }

    /// Sets a game up, with what is known of South's and North's processes.
    pub fn setup(&self, spec: &GameSpec, known: [Known; 2]) -> Setup {
        let seat = |side: Side| {
            let bot = &self.bots[spec.seats[side as usize]];
            let Known { greeted, next_id } = known[side as usize];
            SeatSetup {
                name: bot.name.clone(),
                clock: bot.clock,
                options: bot.options.clone(),
                greeted,
                next_id,
            }
        };
        Setup {
            game: spec.game,
            position: spec.position,
            seats: [seat(Side::South), seat(Side::North)],
            grace_us: self.grace_us,
            measure: self.measure,
            max_plies: self.max_plies,
            seed: self.seed,
            handshake_us: self.handshake_us,
            ready_us: self.ready_us,
            adjudication: self.adjudication,
            edition: Edition::LATEST,
            plan_sha256: None,
        }
    }

    /// Returns the place of the bot with this name.
    pub fn bot(&self, name: &str) -> Option<usize> {
        self.bots.iter().position(|bot| bot.name == name)
    }

    /// Writes the plan as it stands in `run.json`.
    ///
    /// # Errors
    /// [`PlanError::NotUtf8`] with the first path that JSON cannot hold.
    pub fn to_json(&self) -> Result<serde_json::Value, PlanError> {
        let sandboxes = self.bots.iter().map(|bot| &bot.sandbox);
        let paths = sandboxes
            .flat_map(|sandbox| sandbox.directory.iter().chain(&sandbox.readable).chain(&sandbox.writable));
        match paths.into_iter().find(|path| path.to_str().is_none()) {
            Some(path) => Err(PlanError::NotUtf8 { path: path.clone() }),
            None => Ok(serde_json::to_value(self).expect("a plan of texts and numbers is JSON")),
        }
    }

    /// Makes the books of openings, one a game.
    ///
    /// # Errors
    /// [`PlanError`] where a game or a position is none, or there are not as many openings as asked for.
    pub fn books(&self) -> Result<Vec<Book>, PlanError> {
        self.games.iter().map(|game| Book::new(game, self.seed)).collect()
    }
}
