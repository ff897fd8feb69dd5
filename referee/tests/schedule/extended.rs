//! Events that grow, ties that are broken in another order, and openings for every pairing.

use std::collections::{BTreeMap, BTreeSet};

use bao_protocol::record::{OpeningsPer, Size, Tiebreak};
use bao_referee::plan::{Format, Plan};
use bao_referee::schedule::{End, GameResult, Next, Schedule};
use bao_stats::Outcome;
use proptest::prelude::*;

use crate::play::{Course, EVEN, any_plan, plan};

/// Plays a plan to its end; returns how often the games of every two bots were played from each opening.
fn meetings(plan: &Plan) -> BTreeMap<([usize; 2], String, Option<u64>), u64> {
    let (_, course) = Course::whole(plan, EVEN, 3, 1);
    let mut meetings = BTreeMap::new();
    for spec in course.specs.values() {
        let variant = spec.position.variant().name().to_owned();
        *meetings.entry((spec.seats, variant, spec.opening)).or_default() += 1;
    }
    meetings
}

proptest! {
    #[test]
    fn an_event_that_grew_has_the_games_of_one_that_was_as_large_from_the_start(
        sizes in prop::collection::vec((2_usize..4, 0_u64..2), 1..4), games in 1_usize..3, gauntlet in any::<bool>(),
    ) {
        let (mut bots, mut cycles, mut grown) = (0, 1, Vec::new());
        for (more_bots, more_cycles) in sizes {
            bots += more_bots;
            cycles += more_cycles;
            grown.push(Size { bots, cycles, rows: 0 });
        }
        let format = if gauntlet {
            Format::Gauntlet { challengers: 2, cycles }
        } else {
            Format::RoundRobin { cycles }
        };
        let at_once = plan(bots, games, format);
        grown.pop();
        let grown = Plan { before: grown, ..at_once.clone() };
        prop_assert_eq!(meetings(&grown), meetings(&at_once));
        // What was planned before keeps its numbers.
        for size in &grown.before {
            let cycles = size.cycles;
            let format =
                if gauntlet { Format::Gauntlet { challengers: 2, cycles } } else { Format::RoundRobin { cycles } };
            let before: Vec<Size> = grown.before.iter().copied().take_while(|earlier| earlier != size).collect();
            let smaller = Plan { before, ..plan(size.bots, games, format) };
            let (mut smaller, mut larger) = (Schedule::new(&smaller).unwrap(), Schedule::new(&grown).unwrap());
            while let Next::Game(spec) = smaller.next_game() {
                prop_assert_eq!(larger.next_game(), Next::Game(spec));
            }
        }
    }

    #[test]
    fn openings_per_pairing_are_shared_by_nobody_else(plan in any_plan()) {
        let plan = Plan { openings_per: OpeningsPer::Pairing, ..plan };
        let (_, course) = Course::whole(&plan, EVEN, 2, 3);
        let mut used: BTreeMap<(String, u64), BTreeSet<u64>> = BTreeMap::new();
        for spec in course.specs.values() {
            if let Some(opening) = spec.opening {
                used.entry((spec.position.variant().name().to_owned(), opening)).or_default().insert(spec.pair);
            }
        }
        prop_assert!(used.values().all(|pairs| pairs.len() == 1), "{used:?}");
    }

    #[test]
    fn a_tie_is_broken_in_the_order_that_was_asked_for(
        bots in 3_usize..7, luck in any::<u64>(),
        tiebreaks in prop::sample::subsequence(
            vec![Tiebreak::DirectEncounter, Tiebreak::Wins, Tiebreak::Buchholz, Tiebreak::SonnebornBerger], 1..5,
        ).prop_shuffle(),
    ) {
        let plan = Plan { tiebreaks: tiebreaks.clone(), ..plan(bots, 1, Format::RoundRobin { cycles: 1 }) };
        let mut schedule = Schedule::new(&plan).unwrap();
        let mut scores: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        let mut dice = luck;
        while let Next::Game(spec) = schedule.next_game() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(dice >> 33) as usize % 3];
            let mut result = EVEN.result(&spec, 0);
            result.end = End::Counts(outcome);
            schedule.finished(&result).unwrap();
            let [south, north] = spec.seats;
            let score = outcome.half_points() as f64 / 2.0;
            *scores.entry([south, north]).or_default() += score;
            *scores.entry([north, south]).or_default() += 1.0 - score;
        }
        let places = schedule.ranking();
        for two in places.windows(2) {
            let [a, b] = [&two[0], &two[1]];
            prop_assert!(a.points >= b.points && a.rank <= b.rank);
            if a.points > b.points || places.iter().filter(|place| place.points.eq(&a.points)).count() > 2 {
                continue;
            }
            // Two that are equal: the first tie-break in which they differ decides.
            let value = |place: &bao_referee::schedule::Place, other: usize, tiebreak: Tiebreak| match tiebreak {
                Tiebreak::DirectEncounter => scores[&[place.bot, other]],
                Tiebreak::Wins => place.results[2] as f64,
                Tiebreak::Buchholz => place.buchholz.unwrap(),
                Tiebreak::SonnebornBerger => place.sonneborn_berger.unwrap(),
            };
            let differ = tiebreaks.iter().map(|tiebreak| value(a, b.bot, *tiebreak) - value(b, a.bot, *tiebreak));
            match differ.into_iter().find(|difference| difference.abs() > 0.0) {
                Some(difference) => prop_assert!(difference > 0.0 && a.rank < b.rank, "{tiebreaks:?} {places:?}"),
                None => prop_assert!(a.rank == b.rank && a.bot < b.bot),
            }
        }
    }
}

#[test]
fn a_bot_that_comes_late_to_a_swiss_begins_in_the_next_round() {
    let mut plan = plan(5, 1, Format::Swiss { rounds: 3, pairs: 1 });
    plan.before = vec![Size { bots: 4, cycles: 0, rows: 4 }];
    let mut schedule = Schedule::new(&plan).unwrap();
    let mut met: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    let mut games = 0;
    while let Next::Game(spec) = schedule.next_game() {
        met.entry(spec.round.unwrap()).or_default().extend(spec.seats);
        let result = GameResult { ..EVEN.result(&spec, 0) };
        schedule.finished(&result).unwrap();
        games += 1;
        if games == 4 {
            schedule.admit(5);
        }
    }
    assert!(!met[&1].contains(&4));
    // Of five, one is free: somebody with no bye so far.
    assert_eq!(met.values().map(BTreeSet::len).collect::<Vec<_>>(), [4, 4, 4]);
    assert!(met[&2].contains(&4) || met[&3].contains(&4));
}
