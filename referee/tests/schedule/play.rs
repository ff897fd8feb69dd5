//! Plays schedules without any bot: results follow from the game alone.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use bao_jail::Sandbox;
use bao_referee::game::clock::TimeControl;
use bao_referee::game::setup::Measure;
use bao_referee::game::spec::GameSpec;
use bao_referee::plan::{BotPlan, Format, GamePlan, Model, Openings, Plan};
use bao_referee::schedule::{End, GameResult, Next, Schedule};
use bao_rules::BySide;
use bao_stats::Outcome;
use proptest::prelude::*;

pub(crate) fn plan(bots: usize, games: usize, format: Format) -> Plan {
    let variants = ["bao-kigogo", "bao-kingulu"];
    let openings = [Openings::Generated { plies: 3, count: None }, Openings::None {}];
    let game =
        |index: usize| GamePlan { variant: variants[index].to_owned(), openings: openings[index].clone() };
    let bot = |index: usize| BotPlan {
        name: format!("bot-{index}"),
        command: vec!["true".to_owned()],
        clock: TimeControl::UNLIMITED,
        options: Vec::new(),
        sandbox: Sandbox::default(),
    };
    Plan {
        event: None,
        format,
        games: (0..games).map(game).collect(),
        bots: (0..bots).map(bot).collect(),
        grace_us: 0,
        measure: Measure::Wall,
        max_plies: 1000,
        restart: false,
        handshake_us: 1,
        ready_us: 1,
        withdraw_after: None,
        adjudication: None,
        tiebreaks: Vec::new(),
        openings_per: bao_protocol::record::OpeningsPer::default(),
        before: Vec::new(),
        seed: 7,
    }
}

/// Any format for a number of bots, and that number.
pub(crate) fn any_plan() -> impl Strategy<Value = Plan> {
    let format = prop_oneof![
        (1u64..9).prop_map(|games| (2, 1, Format::Match { games })),
        (2usize..7, 1usize..3, 1u64..4).prop_map(|(bots, games, cycles)| (
            bots,
            games,
            Format::RoundRobin { cycles }
        )),
        (3usize..7, 1usize..3, 1u64..3, 1u64..3).prop_map(|(bots, games, challengers, cycles)| {
            (bots, games, Format::Gauntlet { challengers, cycles })
        }),
        (2usize..10, 1usize..3, 1u64..6, 1u64..3).prop_map(|(bots, games, rounds, pairs)| (
            bots,
            games,
            Format::Swiss { rounds, pairs }
        )),
        (2usize..10, 1usize..3, 1u64..5, 0u64..3)
            .prop_map(|(bots, games, best_of, extra)| { (bots, games, Format::Knockout { best_of, extra }) }),
        (1usize..3, 1u64..200, prop::bool::ANY).prop_map(|(games, max_pairs, normalized)| {
            let model = if normalized { Model::Normalized } else { Model::Logistic };
            let test = Format::Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.2, beta: 0.2, model, max_pairs };
            (2, games, test)
        }),
    ];
    (format, prop::option::of(1u64..4)).prop_map(|((bots, games, format), withdraw_after)| Plan {
        withdraw_after,
        ..plan(bots, games, format)
    })
}

/// How games end: the lower number is the stronger bot, but luck has its say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    /// What luck follows from.
    pub(crate) luck: u64,
    /// A bot that dies in most of its games, and cannot be started in those that do not count.
    pub(crate) dying: Option<usize>,
    /// This many of ten tries to play a game do not count.
    pub(crate) void: u64,
}

pub(crate) fn any_world() -> impl Strategy<Value = World> {
    (any::<u64>(), prop::option::of(0usize..4), prop_oneof![0u64..3, Just(9)])
        .prop_map(|(luck, dying, void)| World { luck, dying, void })
}

pub(crate) const EVEN: World = World { luck: 1, dying: None, void: 0 };

impl World {
    fn dice(self, what: &impl Hash, sides: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.luck, what).hash(&mut hasher);
        hasher.finish() % sides
    }

    /// Says how this try at a game ends.
    pub(crate) fn result(self, spec: &GameSpec, attempt: u64) -> GameResult {
        // Sometimes a pair is like an earlier one.
        let (moves, start) = (self.dice(&("moves", spec.game), 20), self.dice(&("start", spec.pair), 5));
        let result = |end, died| GameResult {
            game: spec.game,
            seats: spec.seats,
            end,
            before: None,
            died,
            moves,
            start,
        };
        if self.dice(&("void", spec.game, attempt), 10) < self.void {
            let seat = spec.seats.iter().position(|bot| self.dying == Some(*bot));
            return result(End::Void, BySide::from_fn(|side| seat == Some(side as usize)));
        }
        let dying = |bot: usize| self.dying == Some(bot) && self.dice(&("dies", spec.game), 4) > 0;
        let [south, north] = spec.seats;
        if dying(south) {
            return result(End::Counts(Outcome::Loss), BySide { south: true, north: false });
        }
        if dying(north) {
            return result(End::Counts(Outcome::Win), BySide { south: false, north: true });
        }
        let stronger = if south < north { Outcome::Win } else { Outcome::Loss };
        let outcome = match self.dice(&("result", spec.game, spec.opening), 6) {
            0 => Outcome::Draw,
            1 => stronger.mirrored(),
            _ => stronger,
        };
        result(End::Counts(outcome), BySide::default())
    }
}

/// Every game that was started, and the results in the order in which they came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Course {
    pub(crate) specs: BTreeMap<u64, GameSpec>,
    pub(crate) results: Vec<GameResult>,
    attempts: BTreeMap<u64, u64>,
}

impl Course {
    /// Takes the results that are on disk.
    pub(crate) fn resume(plan: &Plan, results: &[GameResult]) -> (Schedule, Self) {
        let mut schedule = Schedule::new(plan).unwrap();
        let mut course = Self::default();
        for result in results {
            schedule.finished(result).unwrap();
            *course.attempts.entry(result.game).or_default() += 1;
            course.results.push(*result);
        }
        (schedule, course)
    }

    /// Plays to the end at a number of tables; which running game finishes next follows from `order`.
    pub(crate) fn play(&mut self, schedule: &mut Schedule, world: World, tables: usize, mut order: u64) {
        let mut running: Vec<GameSpec> = Vec::new();
        loop {
            while running.len() < tables
                && let Next::Game(spec) = schedule.next_game()
            {
                assert!(running.iter().all(|other| other.game != spec.game), "game {} twice", spec.game);
                if let Some(before) = self.specs.insert(spec.game, spec.clone()) {
                    assert_eq!(before, spec, "a game that is replayed is the same");
                }
                running.push(spec);
            }
            if running.is_empty() {
                assert_eq!(schedule.next_game(), Next::Over);
                return;
            }
            order = order.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let spec = running.swap_remove((order >> 33) as usize % running.len());
            let attempt = self.attempts.entry(spec.game).or_default();
            let result = world.result(&spec, *attempt);
            *attempt += 1;
            schedule.finished(&result).unwrap();
            self.results.push(result);
        }
    }

    /// Plays a plan from its beginning.
    pub(crate) fn whole(plan: &Plan, world: World, tables: usize, order: u64) -> (Schedule, Self) {
        let (mut schedule, mut course) = Self::resume(plan, &[]);
        course.play(&mut schedule, world, tables, order);
        (schedule, course)
    }
}
