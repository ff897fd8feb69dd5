//! What to play, validated: every [`Plan`] can be started.

mod bounds;
mod command;
mod error;
mod file;
mod file_error;
mod forecast;
mod name;
mod opening;
mod script;
mod sheet;
pub mod words;

pub use bounds::{MOST_BOTS, MOST_PLIES};
pub use command::{bot_name, command, command_in, distinct};
pub use error::{
    CommandError, MoveError, NameError, NotExecutable, NotFound, OpeningError, OpeningsFileError, PlanError,
    Unreachable,
};
pub use file::{EventFile, event, tournament, tournament_text};
pub use file_error::{FileError, FileProblem};
pub use forecast::{likely_us, most_us, usual_plies};
pub use name::check_name;
pub use opening::{Book, books, opening, openings_file, openings_list, reachable};
pub use script::missing_scripts;

pub use bao_protocol::record::{Format, GamePlan, Model, Openings};

use bao_protocol::record;
use bao_rules::Side;
use serde::Deserialize;

use crate::game::setup::{Edition, Known, SeatSetup, Setup};
use crate::game::spec::GameSpec;
use bao_jail::Sandbox;

/// What a run plays and under which conditions: everything that decides what happens, and nothing else.
///
/// It is in `run.json`; a run is continued only under the same plan.
pub type Plan = record::Plan<Sandbox>;

/// What happens if a bot cannot play when an event begins or continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The event is refused, with the problems of every bot.
    #[default]
    Refuse,
    /// The event is played: the bot's games are tried, and its opponents win those that it cannot play.
    Walkover,
}

/// A bot of a plan.
pub type BotPlan = record::BotPlan<Sandbox>;

/// Returns a scale of hypotheses as the statistics name it.
pub fn scale(model: Model) -> bao_stats::Model {
    match model {
        Model::Normalized => bao_stats::Model::Normalized,
        Model::Logistic => bao_stats::Model::Logistic,
    }
}

/// Sets up a game, with what is known of South's and North's processes.
pub fn setup(plan: &Plan, spec: &GameSpec, known: [Known; 2]) -> Setup {
    let seat = |side: Side| {
        let bot = &plan.bots[spec.seats[side as usize]];
        let Known { greeted, next_id } = known[side as usize];
        SeatSetup { name: bot.name.clone(), clock: bot.clock, options: bot.options.clone(), greeted, next_id }
    };
    Setup {
        game: spec.game,
        position: spec.position,
        seats: [seat(Side::South), seat(Side::North)],
        grace_us: plan.grace_us,
        measure: plan.measure,
        max_plies: plan.max_plies,
        seed: plan.seed,
        handshake_us: plan.handshake_us,
        ready_us: plan.ready_us,
        adjudication: plan.adjudication,
        edition: Edition::LATEST,
        plan_sha256: None,
    }
}

/// Converts a plan to JSON, as it is in `run.json`.
///
/// # Errors
/// [`PlanError::NotUtf8`] with the first path that JSON cannot contain.
pub fn to_json(plan: &Plan) -> Result<serde_json::Value, PlanError> {
    let sandboxes = plan.bots.iter().map(|bot| &bot.sandbox);
    let paths = sandboxes
        .flat_map(|sandbox| sandbox.directory.iter().chain(&sandbox.readable).chain(&sandbox.writable));
    match paths.into_iter().find(|path| path.to_str().is_none()) {
        Some(path) => Err(PlanError::NotUtf8 { path: path.clone() }),
        None => Ok(serde_json::to_value(plan).expect("a plan of texts and numbers is JSON")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use bao_jail::{ControlGroup, Level};

    use super::*;

    /// All settings of the jail are written in the format of records, and can be read again.
    #[test]
    fn the_settings_of_a_sandbox_are_those_of_the_record() {
        for level in [Level::Off, Level::BestEffort, Level::Strict] {
            for control_group in [ControlGroup::Never, ControlGroup::ForLimits, ControlGroup::Always] {
                let sandbox = Sandbox {
                    level,
                    control_group,
                    memory_bytes: None,
                    cpu_seconds: Some(7),
                    directory: Some("/srv/bots".into()),
                    readable: vec!["/srv/data".into()],
                    env: BTreeMap::from([("A".to_owned(), "b".to_owned())]),
                    freeze: true,
                    ..Sandbox::default()
                };
                let text = serde_json::to_string(&sandbox).unwrap();
                let recorded: record::Sandbox = serde_json::from_str(&text).unwrap();
                assert_eq!(serde_json::to_string(&recorded).unwrap(), text);
                assert_eq!(serde_json::from_str::<Sandbox>(&text).unwrap(), sandbox);
            }
        }
    }
}
