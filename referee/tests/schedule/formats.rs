//! What each format promises.

use std::collections::{BTreeMap, BTreeSet};

use bao_referee::game::spec::GameSpec;
use bao_referee::plan::{Format, Model};
use bao_referee::schedule::{End, GameResult, Next, Place, Schedule, Total};
use bao_rules::Side;
use bao_stats::Outcome;
use proptest::prelude::*;

use crate::play::{Course, EVEN, World, any_plan, any_world, plan};

fn pairs(course: &Course) -> BTreeMap<u64, Vec<&GameSpec>> {
    let mut pairs: BTreeMap<u64, Vec<&GameSpec>> = BTreeMap::new();
    for spec in course.specs.values() {
        pairs.entry(spec.pair).or_default().push(spec);
    }
    pairs
}

/// Each bot in its turn wins against all behind it.
fn by_strength(result: &mut GameResult) {
    let south_wins = result.seats[0] < result.seats[1];
    result.end = End::Counts(if south_wins { Outcome::Win } else { Outcome::Loss });
}

/// Plays in order, every result changed as asked.
fn sequentially(
    plan: &bao_referee::plan::Plan,
    change: impl Fn(&mut GameResult),
) -> (Schedule, Vec<GameSpec>) {
    let mut schedule = Schedule::new(plan).unwrap();
    let mut specs = Vec::new();
    while let Next::Game(spec) = schedule.next_game() {
        let mut result = EVEN.result(&spec, 0);
        change(&mut result);
        schedule.finished(&result).unwrap();
        specs.push(spec);
    }
    (schedule, specs)
}

proptest! {
    #[test]
    fn the_games_of_a_pair_have_one_opening_and_swapped_seats(
        plan in any_plan(), tables in 1usize..5, order in any::<u64>(),
    ) {
        let (schedule, course) = Course::whole(&plan, EVEN, tables, order);
        let wanted = schedule.test().map_or(u64::MAX, |test| test.pairs);
        for (number, games) in pairs(&course).into_iter().filter(|(number, _)| *number <= wanted) {
            for spec in &games {
                prop_assert_eq!(spec.game.div_ceil(2), number);
            }
            if let [first, second] = games[..] {
                prop_assert_eq!((first.position, first.opening), (second.position, second.opening));
                prop_assert_eq!(first.seats, [second.seats[1], second.seats[0]]);
            } else {
                let odd = matches!(plan.format, Format::Match { games } if games % 2 == 1);
                prop_assert!(odd);
            }
        }
    }

    #[test]
    fn the_announced_number_of_games_is_right(plan in any_plan(), world in any_world()) {
        let world = World { void: 0, ..world };
        let mut schedule = Schedule::new(&plan).unwrap();
        let before = schedule.total();
        let mut course = Course::default();
        course.play(&mut schedule, world, 2, 5);
        if schedule.withdrawn().is_empty() {
            match before {
                Total::Exactly(total) => prop_assert_eq!(total, schedule.done()),
                Total::AtMost(total) => prop_assert!(total >= schedule.done()),
            }
            let (Total::Exactly(total) | Total::AtMost(total)) = schedule.total();
            // Games that a test did not wait for are none of its own.
            let late = if schedule.test().is_some() { 3 } else { 0 };
            prop_assert!(total + late >= schedule.done());
        }
    }

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_equally_often(
        bots in 2usize..8, games in 1usize..3, cycles in 1u64..4,
    ) {
        let plan = plan(bots, games, Format::RoundRobin { cycles });
        let (_, course) = Course::whole(&plan, EVEN, 3, 1);
        let mut meetings: BTreeMap<([usize; 2], String), Vec<Option<u64>>> = BTreeMap::new();
        for spec in course.specs.values() {
            let key = (spec.seats, spec.position.variant().name().to_owned());
            meetings.entry(key).or_default().push(spec.opening);
        }
        prop_assert_eq!(meetings.len(), bots * (bots - 1) * games);
        let kinds: BTreeSet<_> = meetings.iter().map(|((_, variant), openings)| (variant, openings)).collect();
        prop_assert_eq!(kinds.len(), games, "all meet over the same openings");
        prop_assert!(meetings.values().all(|openings| openings.len() as u64 == cycles));
    }

    #[test]
    fn in_a_swiss_nobody_meets_twice_nor_is_free_twice_while_that_can_be_avoided(
        bots in 2usize..24, order in any::<u64>(), luck in any::<u64>(),
    ) {
        // Dirac: with every degree at least half of the others, a perfect matching of unmet bots exists.
        let rounds = (bots as u64 / 2).max(1);
        let plan = plan(bots, 1, Format::Swiss { rounds, pairs: 1 });
        let (schedule, course) = Course::whole(&plan, World { luck, ..EVEN }, 4, order);
        let mut met = BTreeSet::new();
        let mut round: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for games in pairs(&course).values() {
            let [a, b] = games[0].seats;
            prop_assert!(met.insert([a.min(b), a.max(b)]), "{} and {} met twice", a, b);
            let seen = round.entry(games[0].round.unwrap()).or_default();
            prop_assert!(seen.insert(a) && seen.insert(b), "nobody plays twice in a round");
        }
        prop_assert_eq!(round.len() as u64, rounds);
        prop_assert!(round.values().all(|seen| seen.len() == bots / 2 * 2));
        let byes: Vec<u64> = schedule.ranking().iter().map(|place| place.byes).collect();
        prop_assert!(byes.iter().all(|byes| *byes <= 1));
        prop_assert_eq!(byes.iter().sum::<u64>(), if bots % 2 == 1 { rounds } else { 0 });
    }

    #[test]
    fn a_swiss_longer_than_the_field_still_pairs_everybody(bots in 2usize..7, rounds in 1u64..12) {
        let plan = plan(bots, 1, Format::Swiss { rounds, pairs: 1 });
        let (_, course) = Course::whole(&plan, EVEN, 2, 9);
        prop_assert_eq!(course.specs.len() as u64, rounds * (bots as u64 / 2) * 2);
        let mut met: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for games in pairs(&course).values() {
            let [a, b] = games[0].seats;
            *met.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
        if bots % 2 == 0 && rounds < bots as u64 {
            // A round robin of an even field always can be gone on with, but not every beginning leads to one.
            prop_assert!(met.values().filter(|times| **times > 1).count() <= bots);
        }
    }

    #[test]
    fn a_knockout_is_won_by_the_strongest_and_seeds_meet_late(bots in 2usize..20, best_of in 1u64..6) {
        let plan = plan(bots, 1, Format::Knockout { best_of, extra: 1 });
        let (schedule, specs) = sequentially(&plan, by_strength);
        let places = schedule.ranking();
        prop_assert_eq!(places[0].bot, 0);
        prop_assert_eq!(places[1].bot, 1);
        prop_assert_eq!((places[0].rank, places[1].rank), (1, 2));
        // Two pairs clean of three decide, and so on: none is played that cannot matter.
        let needed = best_of / 2 + 1;
        prop_assert_eq!(specs.len() as u64, 2 * needed.min(best_of) * (bots as u64 - 1));
    }
}

#[test]
fn a_swiss_pairs_the_halves_of_each_score_group() {
    let plan = plan(8, 1, Format::Swiss { rounds: 2, pairs: 1 });
    let (schedule, specs) = sequentially(&plan, by_strength);
    let meetings: Vec<[usize; 2]> = specs.iter().step_by(2).map(|spec| spec.seats).collect();
    assert_eq!(meetings, [[0, 4], [1, 5], [2, 6], [3, 7], [0, 2], [1, 3], [4, 6], [5, 7]]);
    let places = schedule.ranking();
    let top: Vec<(usize, f64, Option<f64>)> =
        places.iter().map(|place| (place.bot, place.points, place.buchholz)).collect();
    assert_eq!(top[0], (0, 4.0, Some(4.0)));
    assert_eq!((places[0].rank, places[1].rank), (1, 1), "nothing tells the first two apart");
}

#[test]
fn a_bye_scores_a_full_pair_and_goes_to_the_last() {
    let plan = plan(3, 2, Format::Swiss { rounds: 3, pairs: 1 });
    let (schedule, _) = sequentially(&plan, by_strength);
    let places = schedule.ranking();
    assert_eq!(places.iter().map(|place| place.byes).collect::<Vec<_>>(), [1, 1, 1]);
    // Every bot met both others over two games each: four points a pairing, four for the bye.
    assert_eq!(places.iter().map(|place| place.points).collect::<Vec<_>>(), [12.0, 8.0, 4.0]);
}

#[test]
fn a_tied_duel_goes_on_and_then_to_the_better_seed() {
    let plan = plan(2, 1, Format::Knockout { best_of: 2, extra: 3 });
    let draws = |result: &mut GameResult| result.end = End::Counts(Outcome::Draw);
    let (schedule, specs) = sequentially(&plan, draws);
    assert_eq!(specs.len(), 10);
    assert_eq!(schedule.ranking()[0].bot, 0);
    let third = |result: &mut GameResult| {
        let outcome = if result.game > 4 && result.seats[0] == 1 { Outcome::Win } else { Outcome::Draw };
        result.end = End::Counts(outcome);
    };
    let (schedule, specs) = sequentially(&plan, third);
    assert_eq!((specs.len(), schedule.ranking()[0].bot), (6, 1));
}

#[test]
fn a_bot_that_dies_again_and_again_leaves_a_round_robin_and_its_games_no_longer_count() {
    let mut plan = plan(4, 1, Format::RoundRobin { cycles: 10 });
    plan.withdraw_after = Some(3);
    let dies = |result: &mut GameResult| {
        by_strength(result);
        if let Some(seat) = result.seats.iter().position(|bot| *bot == 0) {
            result.end = End::Counts([Outcome::Loss, Outcome::Win][seat]);
            result.died[Side::BOTH[seat]] = true;
        }
    };
    let (schedule, specs) = sequentially(&plan, dies);
    assert_eq!(schedule.withdrawn(), [0]);
    assert_eq!(specs.iter().filter(|spec| spec.seats.contains(&0)).count(), 3);
    let places: Vec<(usize, f64, bool)> =
        schedule.ranking().iter().map(|place| (place.bot, place.points, place.withdrawn)).collect();
    assert_eq!(places, [(1, 40.0, false), (2, 20.0, false), (3, 0.0, false), (0, 0.0, true)]);
    assert_eq!((schedule.total(), schedule.done()), (Total::Exactly(60), 60));
}

#[test]
fn a_bot_that_is_withdrawn_from_a_swiss_is_no_longer_paired() {
    let mut plan = plan(4, 1, Format::Swiss { rounds: 3, pairs: 1 });
    plan.withdraw_after = Some(2);
    let dies = |result: &mut GameResult| {
        by_strength(result);
        if let Some(seat) = result.seats.iter().position(|bot| *bot == 3) {
            result.died[Side::BOTH[seat]] = true;
        }
    };
    let (schedule, specs) = sequentially(&plan, dies);
    assert_eq!(specs.iter().filter(|spec| spec.seats.contains(&3)).count(), 2);
    assert_eq!(specs.len(), 4 + 2 + 2);
    assert_eq!(schedule.ranking()[3].bot, 3);
}

/// These bots can never be started; the first of them in its seat is the first to be tried.
fn never_starts(absent: &'static [usize]) -> impl Fn(&mut GameResult) {
    move |result| {
        by_strength(result);
        if let Some(seat) = result.seats.iter().position(|bot| absent.contains(bot)) {
            result.end = End::Void;
            result.died[Side::BOTH[seat]] = true;
        }
    }
}

fn points(schedule: &Schedule) -> Vec<(usize, f64)> {
    schedule.ranking().iter().map(|place| (place.bot, place.points)).collect()
}

#[test]
fn a_bot_that_never_starts_leaves_its_opponents_of_a_swiss_a_full_pair() {
    let mut plan = plan(4, 1, Format::Swiss { rounds: 3, pairs: 1 });
    plan.withdraw_after = Some(2);
    let (schedule, specs) = sequentially(&plan, never_starts(&[0]));
    let tries = specs.iter().filter(|spec| spec.seats.contains(&0)).count();
    assert_eq!((tries, schedule.given_up(), schedule.withdrawn()), (8, 2, &[0][..]));
    let points = points(&schedule);
    // Two pairs in the first round; then three are left, of whom one is free in each round.
    let sum: f64 = points.iter().map(|(_, points)| points).sum();
    assert!((sum - 12.0).abs() < 1e-9, "{points:?}");
    assert_eq!(points[3].0, 0);
}

#[test]
fn a_bot_that_never_starts_is_out_of_a_knockout_however_strong() {
    for withdraw_after in [None, Some(1), Some(2)] {
        let mut plan = plan(4, 1, Format::Knockout { best_of: 2, extra: 1 });
        plan.withdraw_after = withdraw_after;
        let (schedule, _) = sequentially(&plan, never_starts(&[0]));
        let places = schedule.ranking();
        assert_eq!(places[0].bot, 1);
        assert_eq!(places.iter().find(|place| place.bot == 0).unwrap().reached, Some(1));
    }
}

#[test]
fn a_bot_that_is_withdrawn_leaves_a_knockout_at_once_though_it_was_ahead() {
    let mut plan = plan(4, 1, Format::Knockout { best_of: 5, extra: 1 });
    plan.withdraw_after = Some(2);
    // The first wins its first pair, then dies in every game.
    let dies = |result: &mut GameResult| {
        by_strength(result);
        if let Some(seat) = result.seats.iter().position(|bot| *bot == 0)
            && !matches!(result.game, 1 | 2)
        {
            result.end = End::Counts([Outcome::Loss, Outcome::Win][seat]);
            result.died[Side::BOTH[seat]] = true;
        }
    };
    let (schedule, specs) = sequentially(&plan, dies);
    let places: Vec<(usize, u64, bool)> =
        schedule.ranking().iter().map(|place| (place.bot, place.rank, place.withdrawn)).collect();
    assert_eq!(places, [(1, 1, false), (3, 2, false), (0, 3, true), (2, 3, false)]);
    assert_eq!(specs.iter().filter(|spec| spec.seats.contains(&0)).count(), 4);
    let done = schedule.done();
    assert_eq!(schedule.total(), Total::Exactly(done));
}

proptest! {
    #[test]
    fn somebody_always_wins_a_knockout_whoever_is_withdrawn(
        bots in 2usize..9, best_of in 1u64..4, after in 1u64..4, world in any_world(), tables in 1usize..5, order: u64,
    ) {
        let mut plan = plan(bots, 1, Format::Knockout { best_of, extra: 1 });
        plan.withdraw_after = Some(after);
        let (schedule, _) = Course::whole(&plan, world, tables, order);
        let places = schedule.ranking();
        let first: Vec<&Place> = places.iter().filter(|place| place.rank == 1).collect();
        prop_assert_eq!(first.len(), 1);
        let others_stay = places.iter().any(|place| !place.withdrawn);
        prop_assert!(!(first[0].withdrawn && others_stay && schedule.withdrawn().len() == 1), "{:?}", places);
        prop_assert_eq!(schedule.total(), Total::Exactly(schedule.done()));
    }
}

#[test]
fn a_bot_that_never_starts_loses_a_round_robin_if_nobody_is_withdrawn() {
    let plan = plan(3, 1, Format::RoundRobin { cycles: 1 });
    let (schedule, _) = sequentially(&plan, never_starts(&[0]));
    assert_eq!(points(&schedule), [(1, 4.0), (2, 2.0), (0, 0.0)]);
    assert_eq!(schedule.ranking().iter().map(|place| place.walkovers).collect::<Vec<_>>(), [2, 2, 0]);
    assert_eq!((schedule.done(), schedule.given_up(), schedule.total()), (6, 4, Total::Exactly(6)));
}

#[test]
fn two_bots_that_never_start_are_both_withdrawn_whoever_is_tried_first() {
    let mut plan = plan(4, 1, Format::RoundRobin { cycles: 3 });
    plan.withdraw_after = Some(3);
    let (schedule, _) = sequentially(&plan, never_starts(&[0, 1]));
    let mut withdrawn = schedule.withdrawn().to_vec();
    withdrawn.sort_unstable();
    assert_eq!(withdrawn, [0, 1]);
    assert_eq!((schedule.done(), schedule.given_up(), schedule.total()), (6, 0, Total::Exactly(6)));
}

#[test]
fn a_test_weighs_no_game_that_was_not_played() {
    let (schedule, _) = sequentially(&plan(2, 1, test_format(20)), never_starts(&[0]));
    let test = schedule.test().unwrap();
    assert_eq!((test.pairs, test.counts, schedule.given_up()), (20, [0; 5], 40));
}

fn test_format(max_pairs: u64) -> Format {
    Format::Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Normalized, max_pairs }
}

#[test]
fn a_sequential_test_stops_once_it_is_decided() {
    let (schedule, specs) = sequentially(&plan(2, 1, test_format(10_000)), |_| {});
    let test = schedule.test().unwrap();
    assert!(test.over && test.pairs < 200, "{test:?}");
    assert_eq!(specs.len() as u64, 2 * test.pairs);
    assert_eq!(test.summary.sprt.unwrap().decision, bao_stats::Decision::AcceptH1);
}

#[test]
fn pairs_that_repeat_earlier_ones_decide_no_test() {
    let same = |result: &mut GameResult| {
        by_strength(result);
        (result.moves, result.start) = (result.game % 2, 0);
    };
    let (schedule, specs) = sequentially(&plan(2, 1, test_format(300)), same);
    let test = schedule.test().unwrap();
    assert_eq!(specs.len(), 600);
    assert_eq!((test.pairs, test.repeated, test.counts), (300, 299, [0, 0, 0, 0, 1]));
}
