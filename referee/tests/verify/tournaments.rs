//! The record of every format verifies, whatever the order in which games finished and whatever did not count, and its
//! standings come out as the run told them.

use bao_protocol::Seat;
use bao_protocol::record::GameRow;
use bao_referee::game::spec::GameSpec;
use bao_referee::plan::{BotPlan, Format, Model, Openings, Plan};
use bao_referee::record::Files;
use bao_rules::{Side, Variant};
use proptest::prelude::*;

use crate::kit::{Deed, Script, plan, tournament};
use crate::verified;

const BOTS: usize = 5;

/// The formats for a number of bots, as short as possible.
fn any_format() -> impl Strategy<Value = (usize, Format)> {
    prop_oneof![
        (1u64..6).prop_map(|games| (2, Format::Match { games })),
        (3..=BOTS, 1u64..3).prop_map(|(bots, cycles)| (bots, Format::RoundRobin { cycles })),
        (3..=BOTS, 1u64..3, 1u64..3)
            .prop_map(|(bots, challengers, cycles)| (bots, Format::Gauntlet { challengers, cycles })),
        (3..=BOTS, 1u64..4, 1u64..3)
            .prop_map(|(bots, rounds, pairs)| (bots, Format::Swiss { rounds, pairs })),
        (2..=BOTS, 1u64..3, 0u64..2)
            .prop_map(|(bots, best_of, extra)| (bots, Format::Knockout { best_of, extra })),
        (1u64..9).prop_map(|max_pairs| {
            let (model, alpha, beta) = (Model::Normalized, 0.3, 0.3);
            (2, Format::Sprt { elo0: 0.0, elo1: 200.0, alpha, beta, model, max_pairs })
        }),
    ]
}

/// A plan over both games, or one.
fn any_plan() -> impl Strategy<Value = Plan> {
    (any_format(), prop::option::of(1u64..4), 1u64..4, any::<u64>()).prop_map(
        |((bots, format), withdraw_after, kinds, seed)| {
            let kingulu = plan(Variant::Kingulu, 2);
            let BotPlan { command, clock, options, sandbox, .. } = &kingulu.bots[0];
            let bot = |index: usize| BotPlan {
                name: format!("bot {index}"),
                command: command.clone(),
                clock: *clock,
                options: options.clone(),
                sandbox: sandbox.clone(),
            };
            let openings = |plies| Openings::Generated { plies, count: None };
            let mut games = [plan(Variant::Kigogo, 2).games, kingulu.games.clone()].concat();
            games[0].openings = openings(2);
            games[1].openings = openings(3);
            games.retain(|game| kinds == 3 || (kinds == 1) == (game.variant == Variant::Kigogo.name()));
            let bots = (0..bots).map(bot).collect();
            Plan { format, games, bots, withdraw_after, seed, max_plies: 8, restart: true, ..kingulu }
        },
    )
}

/// What goes wrong in a run.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    /// A bot that crashes in most of its games.
    crashing: usize,
    /// A bot whose program cannot be started.
    absent: usize,
    /// This many of ten tries are stopped by the operator.
    stopped: u64,
}

impl Trouble {
    fn script(self, spec: &GameSpec, tried: u64) -> Result<Script, Side> {
        let seat = |bot| spec.seats.iter().position(|seat| *seat == bot);
        if let Some(seat) = seat(self.absent) {
            return Err(Side::BOTH[seat]);
        }
        let dice = (spec.game * 7 + tried * 3) % 10;
        if tried < 9 && dice < self.stopped {
            return Ok(vec![(3, Deed::IsStopped)]);
        }
        Ok(match seat(self.crashing) {
            Some(seat) if dice != 9 => {
                // South moves first, so plies 1, 3, ... are its own, unless the opening turned that round.
                let first = usize::from(spec.position.side() == Side::North);
                vec![(if seat == first { 3 } else { 4 }, Deed::Crashes)]
            }
            _ => Vec::new(),
        })
    }
}

fn any_trouble() -> impl Strategy<Value = Trouble> {
    (0..2 * BOTS, 0..2 * BOTS, 0u64..4).prop_map(|(crashing, absent, stopped)| Trouble {
        crashing,
        absent,
        stopped,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn records_of_all_formats_verify_and_their_standings_come_out_again(
        plan in any_plan(), trouble in any_trouble(), luck in any::<u64>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let script = |spec: &GameSpec, tried| trouble.script(spec, tried);
        let (schedule, standings) = tournament(dir.path(), &plan, luck, script);
        let (summary, findings) = verified(dir.path()).unwrap();
        prop_assert_eq!(&findings, &Vec::new());
        prop_assert_eq!((summary.planned, summary.unfinished, summary.differences), (None, 0, 0));
        prop_assert_eq!(summary.games, standings.games());
        let rows = standings.snapshot(&schedule).rows();
        if let Format::Match { .. } = plan.format {
            prop_assert_eq!(summary.rows.len(), 0);
        } else {
            prop_assert_eq!(summary.rows, rows);
        }
        prop_assert_eq!(summary.test, schedule.test());
    }

    #[test]
    fn a_result_that_was_turned_round_is_found_in_every_format(
        plan in any_plan(), luck in any::<u64>(), which in any::<prop::sample::Index>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (_, standings) = tournament(dir.path(), &plan, luck, |_, _| Ok(Script::new()));
        let path = Files::new(dir.path()).games();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut rows: Vec<GameRow> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let row = &mut rows[which.index(standings.games() as usize)];
        let south = row.winner != Some(Seat::South);
        row.winner = Some(if south { Seat::South } else { Seat::North });
        row.score_south = Some(f64::from(u8::from(south)));
        let lines: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let (summary, _) = verified(dir.path()).unwrap();
        prop_assert!(summary.differences > 0);
    }
}
