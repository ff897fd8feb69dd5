//! What is to be played, validated: a plan that exists can be started.

mod bounds;
mod command;
mod error;
mod file;
mod file_error;
mod name;
mod opening;
mod sheet;

pub use bounds::{MOST_BOTS, MOST_PLIES};
pub use command::{bot_name, command, command_in, distinct, script};
pub use error::{
    CommandError, MoveError, NameError, NotExecutable, NotFound, OpeningError, OpeningsFileError, PlanError,
};
pub use file::{tournament, tournament_text};
pub use file_error::{FileError, FileProblem};
pub use name::check_name;
pub use opening::{Book, opening, openings_file, openings_list};

use bao_rules::Side;
use serde::{Deserialize, Serialize};

use crate::game::adjudication::Adjudication;
use crate::game::clock::TimeControl;
use crate::game::setup::{Known, Measure, SeatSetup, Setup};
use crate::game::spec::GameSpec;
use bao_jail::Sandbox;
use bao_stats::Model;

/// What a run plays and under which conditions: all that decides what happens, and nothing else.
///
/// It stands in `run.json`; a run is resumed only under the same plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

/// Who meets whom. A pair is two games from the same opening with the seats swapped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Format {
    /// Two bots, so many games; the last is alone where their number is odd.
    Match {
        /// How many games.
        games: u64,
    },
    /// Everybody against everybody, a pair of each game in every cycle.
    RoundRobin {
        /// How many cycles.
        cycles: u64,
    },
    /// The first bots against each of the others, a pair of each game in every cycle.
    Gauntlet {
        /// How many bots run the gauntlet.
        challengers: u64,
        /// How many cycles.
        cycles: u64,
    },
    /// Rounds in which bots with like scores meet.
    Swiss {
        /// How many rounds.
        rounds: u64,
        /// How many pairs of each game two bots play when they meet.
        pairs: u64,
    },
    /// Who loses is out; the bots are seeded in the order of the plan.
    Knockout {
        /// Over how many pairs of each game a duel goes.
        best_of: u64,
        /// How many further pairs may break a tie before the better seed goes through.
        extra: u64,
    },
    /// Two bots until a sequential test decides whether the first is `elo0` or `elo1` better.
    Sprt {
        /// The lower hypothesis.
        elo0: f64,
        /// The upper hypothesis.
        elo1: f64,
        /// How often at most the upper one may be accepted wrongly.
        alpha: f64,
        /// How often at most the lower one may be accepted wrongly.
        beta: f64,
        /// On which scale they are.
        model: Model,
        /// After how many pairs the test ends undecided.
        max_pairs: u64,
    },
}

/// A game of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamePlan {
    /// `bao-kigogo` or `bao-kingulu`.
    pub variant: String,
    /// From where it is played.
    pub openings: Openings,
}

/// From where games are played: the pairs of every two bots take one opening after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Openings {
    /// From the start position.
    None {},
    /// From these positions, from the first again after the last.
    Given {
        /// Position texts.
        positions: Vec<String>,
    },
    /// From positions after random legal moves, no two alike.
    Generated {
        /// How many moves.
        plies: u32,
        /// How many positions, then from the first again; without it, as many as there are pairs.
        count: Option<u64>,
    },
}

/// A bot of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
