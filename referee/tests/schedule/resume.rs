//! The same games, however a run was cut into pieces.

use std::collections::{BTreeMap, BTreeSet};

use bao_referee::plan::Format;
use bao_referee::schedule::{End, GameResult, Next, Schedule, Stray};
use bao_rules::BySide;
use bao_stats::Outcome;
use proptest::prelude::*;

use crate::play::{Course, EVEN, any_plan, any_world, plan};

/// What must not depend on timing: who played whom, and what follows from it.
fn outcome(schedule: &mut Schedule) -> String {
    schedule.settle();
    for place in schedule.ranking() {
        let [_, draws, wins] = place.results;
        // A bye is worth a point for every game that it replaces.
        let played = place.points - wins as f64 - draws as f64 / 2.0 - place.walkovers as f64;
        assert!(if place.byes == 0 { played.abs() < 1e-9 } else { played > 0.0 }, "{place:?}");
    }
    format!("{:?} {:?} {:?}", schedule.ranking(), schedule.test(), schedule.withdrawn())
}

/// The games that count, except the few that a decision came too late to stop.
fn wanted(course: &Course, schedule: &Schedule) -> BTreeSet<(u64, Vec<usize>)> {
    let last = schedule.test().filter(|test| test.over).map_or(u64::MAX, |test| 2 * test.pairs);
    let withdrawn = |bots: &[usize]| bots.iter().any(|bot| schedule.withdrawn().contains(bot));
    let games = course.results.iter().filter(|result| matches!(result.end, End::Counts(_)));
    games
        .filter(|result| result.game <= last && !withdrawn(&result.seats))
        .map(|result| (result.game, result.seats.to_vec()))
        .collect()
}

fn none_counts_twice(course: &Course) -> bool {
    let counted: Vec<u64> = course
        .results
        .iter()
        .filter(|result| matches!(result.end, End::Counts(_)))
        .map(|result| result.game)
        .collect();
    counted.len() == counted.iter().collect::<BTreeSet<_>>().len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_in_which_games_finish_changes_nothing(
        plan in any_plan(), world in any_world(), tables in 1usize..9, order in any::<u64>(),
    ) {
        let (mut one, alone) = Course::whole(&plan, world, 1, 0);
        let (mut other, crowd) = Course::whole(&plan, world, tables, order);
        prop_assert!(none_counts_twice(&alone) && none_counts_twice(&crowd));
        prop_assert_eq!(outcome(&mut one), outcome(&mut other));
        prop_assert_eq!(wanted(&alone, &one), wanted(&crowd, &other));
        for (game, spec) in &alone.specs {
            if let Some(same) = crowd.specs.get(game) {
                prop_assert_eq!(spec, same);
            }
        }
    }

    #[test]
    fn a_run_that_was_killed_anywhere_goes_on_as_if_it_had_not_been(
        plan in any_plan(), world in any_world(), tables in 1usize..9, order in any::<u64>(),
        cut in any::<prop::sample::Index>(), again in 1usize..9,
    ) {
        let (mut whole, course) = Course::whole(&plan, world, tables, order);
        let on_disk = &course.results[..cut.index(course.results.len() + 1)];
        let (mut resumed, mut rest) = Course::resume(&plan, on_disk);
        rest.play(&mut resumed, world, again, order);
        prop_assert!(none_counts_twice(&rest));
        prop_assert_eq!(outcome(&mut whole), outcome(&mut resumed));
        prop_assert_eq!(wanted(&course, &whole), wanted(&rest, &resumed));
    }
}

#[test]
fn every_prefix_of_a_swiss_resumes_to_the_same_games() {
    let plan = plan(7, 2, Format::Swiss { rounds: 4, pairs: 1 });
    let (_, course) = Course::whole(&plan, EVEN, 5, 3);
    for cut in 0..=course.results.len() {
        let (mut schedule, mut rest) = Course::resume(&plan, &course.results[..cut]);
        rest.play(&mut schedule, EVEN, 3, cut as u64);
        let games = |course: &Course| -> BTreeMap<u64, [usize; 2]> {
            course.results.iter().map(|result| (result.game, result.seats)).collect()
        };
        assert_eq!(games(&rest), games(&course), "cut after {cut} games");
    }
}

#[test]
fn a_game_that_never_counts_is_given_up_after_four_tries() {
    let plan = plan(2, 1, Format::Match { games: 2 });
    let mut schedule = Schedule::new(&plan).unwrap();
    let mut tries = 0;
    while let Next::Game(spec) = schedule.next_game() {
        tries += 1;
        let end = if spec.game == 1 { End::Void } else { End::Counts(Outcome::Win) };
        let result = GameResult {
            game: spec.game,
            seats: spec.seats,
            end,
            before: None,
            died: BySide::default(),
            moves: 0,
            start: 0,
        };
        schedule.finished(&result).unwrap();
    }
    assert_eq!((tries, schedule.done(), schedule.given_up()), (5, 2, 1));
    assert_eq!(schedule.next_game(), Next::Over);
}

#[test]
fn a_game_that_the_operator_stopped_is_played_again_however_often() {
    let plan = plan(2, 1, Format::Match { games: 1 });
    let mut schedule = Schedule::new(&plan).unwrap();
    for _ in 0..20 {
        let Next::Game(spec) = schedule.next_game() else { panic!("it is still to be played") };
        let stopped = GameResult {
            game: 1,
            seats: spec.seats,
            end: End::Stopped,
            before: None,
            died: BySide::default(),
            moves: 0,
            start: 0,
        };
        schedule.finished(&stopped).unwrap();
    }
}

#[test]
fn a_last_game_that_did_not_count_is_played_again_by_whoever_waited() {
    let plan = plan(2, 1, Format::Match { games: 1 });
    let mut schedule = Schedule::new(&plan).unwrap();
    assert!(matches!(schedule.next_game(), Next::Game(_)));
    assert_eq!(schedule.next_game(), Next::Wait);
    let void = GameResult {
        game: 1,
        seats: [0, 1],
        end: End::Void,
        before: None,
        died: BySide::default(),
        moves: 0,
        start: 0,
    };
    schedule.finished(&void).unwrap();
    assert!(matches!(schedule.next_game(), Next::Game(_)));
}

#[test]
fn a_record_that_cannot_be_this_schedules_is_refused() {
    let plan = plan(3, 1, Format::RoundRobin { cycles: 1 });
    let result = |game, seats| GameResult {
        game,
        seats,
        end: End::Counts(Outcome::Win),
        before: None,
        died: BySide::default(),
        moves: 0,
        start: 0,
    };
    let (_, course) = Course::whole(&plan, EVEN, 1, 0);
    let seats = course.specs[&1].seats;
    let mut schedule = Schedule::new(&plan).unwrap();
    let swapped = [seats[1], seats[0]];
    assert_eq!(schedule.finished(&result(1, swapped)), Err(Stray::Seats { game: 1 }));
    schedule.finished(&result(1, seats)).unwrap();
    assert_eq!(schedule.finished(&result(1, seats)), Err(Stray::Twice { game: 1 }));
    schedule.finished(&result(2, swapped)).unwrap();
    assert_eq!(schedule.finished(&result(2, swapped)), Err(Stray::Twice { game: 2 }));
    assert_eq!(schedule.finished(&result(7, seats)), Err(Stray::Unknown { game: 7 }));
    assert_eq!(schedule.finished(&result(0, seats)), Err(Stray::Unknown { game: 0 }));
}
