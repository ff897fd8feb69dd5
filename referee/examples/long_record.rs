//! Writes the record of a long tournament that never took place, to measure how a run with many games goes on.
//!
//! ```sh
//! cargo run --release -p bao-referee --example long_record -- /tmp/long.toml /tmp/long 100000
//! /usr/bin/time -v target/release/referee tournament /tmp/long.toml --out /tmp/long --quiet
//! ```
//!
//! The file says what the tournament is; of its games a number are written as finished, with random results and moves of
//! the usual length. The referee then reads them and plays the rest.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bao_protocol::record::{GameRow, Machine, OnlyHost, Run, RunBot};
use bao_protocol::{Reason, Seat};
use bao_referee::plan;
use bao_referee::record::{Files, write_run};
use bao_referee::schedule::{GameResult, Next, Schedule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, dir, games] = words.as_slice() else { return Err("long_record FILE.toml DIR GAMES".into()) };
    let plan = plan::tournament(Path::new(file), 1)?;
    let files = Files::new(dir);
    std::fs::create_dir_all(files.dir())?;
    let bots = plan.bots.iter().map(|bot| RunBot {
        name: bot.name.clone(),
        command: bot.command.clone(),
        program_sha256: None,
        files_sha256: BTreeMap::new(),
        hello: None,
    });
    let run = Run {
        record: 1,
        protocol: bao_protocol::VERSION,
        rules: 1,
        referee: bao_referee::NAME.to_owned(),
        started: "2024-01-01T00:00:00.000Z".to_owned(),
        seed: plan.seed,
        plan: serde_json::to_value(&plan)?,
        bots: bots.collect(),
        only: Some(OnlyHost {
            host: Machine { system: String::new(), architecture: String::new(), cpus: 1, memory_bytes: None },
            isolation: None,
        }),
        hosts: Vec::new(),
        end: None,
    };
    write_run(&files, &run)?;
    let mut schedule = Schedule::new(&plan)?;
    let mut out = BufWriter::new(File::create(files.games())?);
    let mut luck = 1u64;
    for _ in 0..games.parse::<u64>()? {
        let Next::Game(spec) = schedule.next_game() else { break };
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let winner = [Some(Seat::South), Some(Seat::North), None][(luck >> 33) as usize % 3];
        let moves: Vec<String> = (0..186)
            .map(|ply| format!("{}{}", if ply % 2 == 0 { "A" } else { "b" }, (luck >> (ply % 50)) % 12 + 1))
            .collect();
        let row = GameRow {
            game: spec.game,
            pair: spec.pair,
            round: spec.round,
            opening: spec.opening,
            variant: spec.position.variant().name().to_owned(),
            position: spec.position.to_string(),
            south: plan.bots[spec.seats[0]].name.clone(),
            north: plan.bots[spec.seats[1]].name.clone(),
            winner,
            score_south: Some(match winner {
                Some(Seat::South) => 1.0,
                Some(Seat::North) => 0.0,
                None => 0.5,
            }),
            reason: if winner.is_some() { Reason::CapturedAll } else { Reason::Repetition },
            fault: None,
            detail: None,
            line: None,
            stderr: Some(None),
            plies: 186,
            moves: moves.join(" "),
            final_position: spec.position.to_string(),
            seeds_south: 46,
            seeds_north: 46,
            used_south_us: 1_000_000,
            used_north_us: 1_000_000,
            max_lag_us: 10,
            started: "2024-01-01T00:00:00.000Z".to_owned(),
            duration_us: 2_000_000,
            wire_sha256: "0".repeat(64),
            moves_end: 0,
            packed: None,
            void: None,
            prev_sha256: None,
        };
        serde_json::to_writer(&mut out, &row)?;
        out.write_all(b"\n")?;
        schedule.finished(&GameResult::of(&(&row).into(), &plan)?)?;
    }
    out.flush()?;
    File::create(files.moves())?;
    Ok(())
}
