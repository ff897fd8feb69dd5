//! A plan as `run.json` has it.

use std::path::PathBuf;

use bao_jail::{self as jail, Sandbox};
use bao_protocol::record;

use super::{BotPlan, Plan};

impl From<Plan> for record::Plan {
    fn from(plan: Plan) -> Self {
        Self {
            event: plan.event,
            format: plan.format,
            games: plan.games,
            bots: plan.bots.into_iter().map(Into::into).collect(),
            grace_us: plan.grace_us,
            measure: plan.measure,
            max_plies: plan.max_plies,
            restart: plan.restart,
            handshake_us: plan.handshake_us,
            ready_us: plan.ready_us,
            withdraw_after: plan.withdraw_after,
            adjudication: plan.adjudication,
            seed: plan.seed,
        }
    }
}

impl From<record::Plan> for Plan {
    fn from(plan: record::Plan) -> Self {
        Self {
            event: plan.event,
            format: plan.format,
            games: plan.games,
            bots: plan.bots.into_iter().map(Into::into).collect(),
            grace_us: plan.grace_us,
            measure: plan.measure,
            max_plies: plan.max_plies,
            restart: plan.restart,
            handshake_us: plan.handshake_us,
            ready_us: plan.ready_us,
            withdraw_after: plan.withdraw_after,
            adjudication: plan.adjudication,
            seed: plan.seed,
        }
    }
}

impl From<BotPlan> for record::BotPlan {
    fn from(bot: BotPlan) -> Self {
        let BotPlan { name, command, clock, options, sandbox } = bot;
        Self { name, command, clock, options, sandbox: written(sandbox) }
    }
}

impl From<record::BotPlan> for BotPlan {
    fn from(bot: record::BotPlan) -> Self {
        let record::BotPlan { name, command, clock, options, sandbox } = bot;
        Self { name, command, clock, options, sandbox: read(sandbox) }
    }
}

/// Writes settings down; of a path that is not UTF-8, as much as can be written.
fn written(sandbox: Sandbox) -> record::Sandbox {
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    record::Sandbox {
        level: match sandbox.level {
            jail::Level::Off => record::Level::Off,
            jail::Level::BestEffort => record::Level::BestEffort,
            jail::Level::Strict => record::Level::Strict,
        },
        memory_bytes: sandbox.memory_bytes,
        processes: sandbox.processes,
        open_files: sandbox.open_files,
        file_bytes: sandbox.file_bytes,
        cpu_seconds: sandbox.cpu_seconds,
        directory: sandbox.directory.map(text),
        readable: sandbox.readable.into_iter().map(text).collect(),
        writable: sandbox.writable.into_iter().map(text).collect(),
        env: sandbox.env,
        network: sandbox.network,
        single_process: sandbox.single_process,
        control_group: match sandbox.control_group {
            jail::ControlGroup::Never => record::ControlGroup::Never,
            jail::ControlGroup::ForLimits => record::ControlGroup::ForLimits,
            jail::ControlGroup::Always => record::ControlGroup::Always,
        },
        freeze: sandbox.freeze,
    }
}

fn read(sandbox: record::Sandbox) -> Sandbox {
    Sandbox {
        level: match sandbox.level {
            record::Level::Off => jail::Level::Off,
            record::Level::BestEffort => jail::Level::BestEffort,
            record::Level::Strict => jail::Level::Strict,
        },
        memory_bytes: sandbox.memory_bytes,
        processes: sandbox.processes,
        open_files: sandbox.open_files,
        file_bytes: sandbox.file_bytes,
        cpu_seconds: sandbox.cpu_seconds,
        directory: sandbox.directory.map(PathBuf::from),
        readable: sandbox.readable.into_iter().map(PathBuf::from).collect(),
        writable: sandbox.writable.into_iter().map(PathBuf::from).collect(),
        env: sandbox.env,
        network: sandbox.network,
        single_process: sandbox.single_process,
        control_group: match sandbox.control_group {
            record::ControlGroup::Never => jail::ControlGroup::Never,
            record::ControlGroup::ForLimits => jail::ControlGroup::ForLimits,
            record::ControlGroup::Always => jail::ControlGroup::Always,
        },
        freeze: sandbox.freeze,
        // What follows from the plan as a whole and from the other bots is worked out for each run.
        exact_processor_time: false,
        foreign: Vec::new(),
    }
}
