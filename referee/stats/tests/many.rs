//! Statistics of many bots: ratings, intervals, cross table, tallies.

use bao_stats::{
    Anchor, GameFacts, Outcome, RatingOptions, Ratings, Table, Tally, TimeUse, elo_of_score, ratings,
    score_of_elo, summary,
};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const POINT_ONLY: RatingOptions = RatingOptions { anchor: Anchor::Mean, prior: 1.0, replicates: 0, seed: 0 };

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.bots.iter().map(|bot| bot.elo.expect("every bot played")).collect()
}

/// Plays a round robin between bots of known Elo; a tenth of the games are drawn.
fn simulated(ladder: &[f64], pairs: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chance = move || rng.next_u32() as f64 / 2f64.powi(32);
    let mut table = Table::new(ladder.len());
    for a in 0..ladder.len() {
        for b in 0..a {
            let score = score_of_elo(ladder[a] - ladder[b]);
            let mut game = || match chance() {
                x if x < score - 0.05 => Outcome::Win,
                x if x < score + 0.05 => Outcome::Draw,
                _ => Outcome::Loss,
            };
            for _ in 0..pairs {
                table.add_pair(a, b, [game(), game()]);
            }
        }
    }
    table
}

#[test]
fn a_known_ladder_is_recovered_within_its_intervals() {
    let ladder = [-300.0, -120.0, -20.0, 60.0, 130.0, 250.0];
    let found =
        ratings(&simulated(&ladder, 2000, 7), &RatingOptions { replicates: 200, ..Default::default() });
    for (bot, truth) in found.bots.iter().zip(ladder) {
        let (low, elo, high) = (bot.elo_low.unwrap(), bot.elo.unwrap(), bot.elo_high.unwrap());
        assert!((elo - truth).abs() < 12.0, "{elo} instead of {truth}");
        assert!(low < elo && elo < high && high - low < 20.0, "{low} {elo} {high}");
    }
    assert!(found.superiority[5][0].unwrap() > 0.999 && found.superiority[0][5].unwrap() < 0.001);
}

#[test]
fn two_bots_differ_by_the_elo_of_their_score() {
    let mut table = Table::new(2);
    for _ in 0..30_000 {
        table.add_pair(0, 1, [Outcome::Win, Outcome::Draw]);
        table.add_pair(1, 0, [Outcome::Win, Outcome::Draw]);
        table.add_pair(0, 1, [Outcome::Win, Outcome::Loss]);
        table.add_pair(0, 1, [Outcome::Win, Outcome::Draw]);
    }
    let elos = elos(&ratings(&table, &POINT_ONLY));
    let score = (1.5 + 0.5 + 1.0 + 1.5) / 8.0;
    // The virtual draws weigh one game in 120,000 or so.
    assert!((elos[0] - elos[1] - elo_of_score(score).unwrap()).abs() < 0.01);
    assert!((elos[0] + elos[1]).abs() < 1e-9);
}

#[test]
fn bots_that_always_win_or_lose_stay_finite_and_in_order() {
    let bots = 40;
    let mut table = Table::new(bots);
    for a in 0..bots {
        for b in 0..a {
            for _ in 0..100 {
                table.add_pair(a, b, [Outcome::Win, Outcome::Win]);
            }
        }
    }
    let found = ratings(&table, &RatingOptions { replicates: 3, ..Default::default() });
    let elos = elos(&found);
    assert!(elos.windows(2).all(|two| two[0] < two[1]), "{elos:?}");
    assert!(elos.iter().all(|elo| elo.is_finite()));
    assert!(
        found.bots[1..bots - 1]
            .iter()
            .all(|bot| bot.elo_low.unwrap().is_finite() && bot.elo_high.unwrap().is_finite())
    );
}

/// At the most likely strengths every bot scored what the model expects of it, except for at most half a point of
/// each imaginary draw, of which there is one less than bots.
#[test]
fn every_bot_scored_what_its_rating_expects() {
    for (bots, pairs) in [(3, 1), (5, 3), (30, 40)] {
        let ladder: Vec<f64> = (0..bots).map(|i| f64::from(i) * 90.0).collect();
        let table = simulated(&ladder, pairs, 3);
        let elos = elos(&ratings(&table, &POINT_ONLY));
        let surplus = |a: usize| {
            let counts = table.against_all(a);
            let expected: f64 = (0..elos.len())
                .filter(|&b| b != a)
                .map(|b| table.contest(a, b).games() as f64 * score_of_elo(elos[a] - elos[b]))
                .sum();
            counts.mean().unwrap() * counts.games() as f64 - expected
        };
        let all: f64 = (0..elos.len()).map(surplus).sum();
        let off: f64 = (0..elos.len()).map(|bot| surplus(bot).abs()).sum();
        assert!(all.abs() < 1e-6 && off <= f64::from(bots - 1), "{bots} bots: {all} {off}");
    }
}

/// A chain of games joins all, but no bot beat one of the group above.
#[test]
fn bots_apart_by_results_that_all_went_one_way_stay_within_sight() {
    let mut table = Table::new(4);
    for (a, b) in [(0, 1), (2, 3)] {
        table.add_pair(a, b, [Outcome::Win, Outcome::Loss]);
    }
    for (a, b) in [(2, 0), (2, 1), (3, 0), (3, 1)] {
        table.add_pair(a, b, [Outcome::Win, Outcome::Win]);
    }
    let found = ratings(&table, &RatingOptions::default());
    for bot in &found.bots {
        let (low, elo, high) = (bot.elo_low.unwrap(), bot.elo.unwrap(), bot.elo_high.unwrap());
        assert!(-2000.0 < low && low < elo && elo < high && high < 2000.0, "{low} {elo} {high}");
    }
    assert!(found.superiority[2][0].unwrap() > 0.95);
}

#[test]
fn a_bot_that_lost_nothing_has_no_upper_end_and_one_that_won_nothing_no_lower_one() {
    let mut table = Table::new(3);
    table.add_pair(0, 1, [Outcome::Win, Outcome::Win]);
    table.add_pair(1, 2, [Outcome::Win, Outcome::Win]);
    table.add_pair(0, 2, [Outcome::Win, Outcome::Win]);
    let found = ratings(&table, &RatingOptions::default());
    let ends = |bot: usize| (found.bots[bot].elo_low.is_some(), found.bots[bot].elo_high.is_some());
    assert_eq!([0, 1, 2].map(ends), [(true, false), (true, true), (false, true)]);
    // Measured from the one that lost nothing, the others have no lower end.
    let anchor = Anchor::Bot { bot: 0, elo: 100.0 };
    let found = ratings(&table, &RatingOptions { anchor, ..Default::default() });
    let ends = |bot: usize| (found.bots[bot].elo_low.is_some(), found.bots[bot].elo_high.is_some());
    assert_eq!([0, 1, 2].map(ends), [(true, true), (false, true), (false, true)]);
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let mut table = Table::new(4);
    for _ in 0..20 {
        table.add_pair(0, 1, [Outcome::Win, Outcome::Loss]);
        table.add_pair(2, 3, [Outcome::Win, Outcome::Draw]);
    }
    let found = ratings(&table, &RatingOptions::default());
    assert!(
        found.bots.iter().all(|bot| bot.elo.is_some() && bot.elo_low.is_none() && bot.elo_high.is_none())
    );
    assert_eq!((found.superiority[0][2], found.superiority[3][1]), (None, None));
    assert!(found.superiority[2][3].unwrap() > 0.99);
    let anchor = Anchor::Bot { bot: 2, elo: 0.0 };
    let found = ratings(&table, &RatingOptions { anchor, ..Default::default() });
    assert!(found.bots[3].elo_low.is_some() && found.bots[0].elo_low.is_none());
}

#[test]
fn two_bots_have_the_numbers_of_their_contest() {
    for pairs in [
        vec![[Outcome::Win, Outcome::Win]],
        vec![[Outcome::Win, Outcome::Draw], [Outcome::Loss, Outcome::Win], [Outcome::Win, Outcome::Win]],
        vec![[Outcome::Draw, Outcome::Draw]; 7],
    ] {
        let mut table = Table::new(3);
        for pair in pairs {
            table.add_pair(2, 1, pair);
        }
        let contest = summary(&table.contest(2, 1), None);
        let found = ratings(&table, &RatingOptions::default());
        let half = |elo: Option<f64>| elo.map(|elo| elo / 2.0);
        assert_eq!(found.superiority[2][1], contest.los);
        assert_eq!(
            (found.bots[2].elo_low, found.bots[2].elo_high),
            (half(contest.elo_low), half(contest.elo_high))
        );
        if contest.elo.is_some() {
            assert_eq!(found.bots[2].elo, half(contest.elo));
        }
        let anchor = Anchor::Bot { bot: 1, elo: 1000.0 };
        let found = ratings(&table, &RatingOptions { anchor, ..Default::default() });
        assert_eq!(found.bots[2].elo_low, contest.elo_low.map(|low| 1000.0 + low));
        assert_eq!((found.bots[1].elo_low, found.bots[1].elo_high), (Some(1000.0), Some(1000.0)));
    }
}

#[test]
fn one_lucky_pair_is_no_certainty() {
    let mut table = Table::new(2);
    table.add_pair(0, 1, [Outcome::Win, Outcome::Win]);
    let found = ratings(&table, &RatingOptions::default());
    assert_eq!(found.superiority[0][1], None, "results that all went one way have no likelihood");
    assert!(found.bots[0].elo_low.unwrap() < found.bots[1].elo_high.unwrap());
}

#[test]
fn the_same_seed_gives_the_same_intervals_and_another_seed_others() {
    let table = simulated(&[0.0, 50.0, 100.0], 40, 1);
    let with_seed = |seed| ratings(&table, &RatingOptions { replicates: 50, seed, ..Default::default() });
    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1), with_seed(2));
    assert_eq!(elos(&with_seed(1)), elos(&with_seed(2)));
}

#[test]
fn an_anchored_bot_has_its_elo_and_the_differences_stay() {
    let table = simulated(&[0.0, 50.0, 100.0], 40, 1);
    let free = elos(&ratings(&table, &POINT_ONLY));
    let anchor = Anchor::Bot { bot: 1, elo: 1500.0 };
    let anchored = ratings(&table, &RatingOptions { anchor, replicates: 10, ..Default::default() });
    assert_eq!((anchored.bots[1].elo_low, anchored.bots[1].elo_high), (Some(1500.0), Some(1500.0)));
    for (free_elo, elo) in free.iter().zip(elos(&anchored)) {
        assert!((free_elo - free[1] - (elo - 1500.0)).abs() < 1e-9);
    }
}

#[test]
fn a_bot_without_games_has_no_rating_and_moves_nobody() {
    let mut table = Table::new(3);
    table.add_pair(0, 2, [Outcome::Win, Outcome::Draw]);
    let found = ratings(&table, &RatingOptions { replicates: 20, ..Default::default() });
    assert_eq!((found.bots[1].elo, found.bots[1].elo_low, found.bots[1].games), (None, None, 0));
    assert_eq!(
        (found.superiority[1][0], found.superiority[0][1], found.superiority[1][1]),
        (None, None, None)
    );
    assert!((found.bots[0].elo.unwrap() + found.bots[2].elo.unwrap()).abs() < 1e-9);
    assert_eq!(ratings(&Table::new(0), &RatingOptions::default()).bots, []);
}

fn any_pairs() -> impl Strategy<Value = Vec<(usize, usize, [Outcome; 2])>> {
    let outcome = || prop_oneof![Just(Outcome::Loss), Just(Outcome::Draw), Just(Outcome::Win)];
    let pair = (0..5usize, 1..5usize, outcome(), outcome());
    prop::collection::vec(pair.prop_map(|(a, step, x, y)| (a, (a + step) % 5, [x, y])), 1..60)
}

fn table_of(pairs: &[(usize, usize, [Outcome; 2])]) -> Table {
    let mut table = Table::new(5);
    for &(a, b, games) in pairs {
        table.add_pair(a, b, games);
    }
    table
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_pairs_and_who_is_named_first_do_not_matter(pairs in any_pairs()) {
        let turned: Vec<_> = pairs.iter().rev().map(|&(a, b, games)| (b, a, games.map(Outcome::mirrored))).collect();
        let (table, other) = (table_of(&pairs), table_of(&turned));
        let options = RatingOptions { replicates: 5, ..Default::default() };
        prop_assert_eq!(&table, &other);
        prop_assert_eq!(ratings(&table, &options), ratings(&other, &options));
    }

    #[test]
    fn renumbering_the_bots_renumbers_the_ratings(
        pairs in any_pairs(), order in Just([0usize, 1, 2, 3, 4]).prop_shuffle(),
    ) {
        let renumbered: Vec<_> = pairs.iter().map(|&(a, b, games)| (order[a], order[b], games)).collect();
        let found = ratings(&table_of(&pairs), &POINT_ONLY);
        let other = ratings(&table_of(&renumbered), &POINT_ONLY);
        for (bot, rating) in found.bots.iter().enumerate() {
            match (rating.elo, other.bots[order[bot]].elo) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-3, "{a} {b}"),
                (a, b) => prop_assert!(a.is_none() && b.is_none()),
            }
        }
    }

    #[test]
    fn intervals_contain_the_rating_and_likelihoods_add_up(pairs in any_pairs(), seed in any::<u64>()) {
        let found = ratings(&table_of(&pairs), &RatingOptions { replicates: 200, seed, ..Default::default() });
        for bot in &found.bots {
            let Some(elo) = bot.elo else { continue };
            prop_assert!(bot.elo_low.is_none_or(|low| low <= elo) && bot.elo_high.is_none_or(|high| elo <= high));
        }
        for a in 0..5 {
            for b in 0..5 {
                if let (Some(own), Some(other)) = (found.superiority[a][b], found.superiority[b][a]) {
                    prop_assert!((own + other - 1.0).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_cross_table_holds_every_game_twice(pairs in any_pairs()) {
        let cells = table_of(&pairs).cross_table();
        let games: u64 = cells.iter().flatten().flatten().map(|cell| cell.wins + cell.draws + cell.losses).sum();
        prop_assert_eq!(games, 4 * pairs.len() as u64);
        for (a, row) in cells.iter().enumerate() {
            prop_assert_eq!(row[a], None);
            for (b, own) in row.iter().enumerate() {
                let (Some(own), Some(other)) = (own, cells[b][a]) else { continue };
                prop_assert_eq!((own.wins, own.draws, own.losses), (other.losses, other.draws, other.wins));
                prop_assert_eq!((own.points * 2.0) as u64, 2 * own.wins + own.draws);
                prop_assert!((own.score + other.score - 1.0).abs() < 1e-12);
            }
        }
    }
}

fn facts(reason: &str) -> GameFacts<'_> {
    let time = TimeUse { moves: 2, total_us: 30, max_us: 20 };
    GameFacts {
        south: 0,
        north: 1,
        south_outcome: Outcome::Win,
        reason,
        opening: Some("A1 b2"),
        plies: 4,
        south_time: time,
        north_time: TimeUse::default(),
    }
}

#[test]
fn a_tally_counts_seats_openings_reasons_time_and_length() {
    let mut tally = Tally::new(2);
    tally.add_game(&facts("time"));
    tally.add_game(&GameFacts { south: 1, north: 0, opening: None, plies: 9, ..facts("no_moves") });
    tally.add_game(&GameFacts { south_outcome: Outcome::Draw, plies: 3000, ..facts("repetition") });
    assert_eq!((tally.seats().south, tally.seats().north), ([0, 1, 2], [2, 1, 0]));
    assert_eq!((tally.seats_of(0).south, tally.seats_of(0).north), ([0, 1, 1], [1, 0, 0]));
    assert_eq!(tally.openings()["A1 b2"], [0, 1, 1]);
    assert_eq!(tally.openings()[Tally::NO_OPENING], [0, 0, 1]);
    assert_eq!((tally.losses_of(0)["no_moves"], tally.losses_of(1)["time"]), (1, 1));
    assert_eq!(tally.reasons().values().sum::<u64>(), 3);
    assert_eq!(tally.time_of(0), &TimeUse { moves: 4, total_us: 60, max_us: 20 });
    assert_eq!(tally.time_of(0).mean_us(), Some(15.0));
    let lengths = tally.lengths();
    assert_eq!((lengths.max(), lengths.median(), lengths.mean()), (3000, Some(9), Some(3013.0 / 3.0)));
    let buckets = lengths.buckets(10);
    assert_eq!((buckets[0].from, buckets[0].to, buckets[0].games), (0, Some(9), 2));
    let last = buckets.last().unwrap();
    assert_eq!((last.from, last.to, last.games), (1024, None, 1));
    assert!(serde_json::to_string(&tally).is_ok());
}

#[test]
fn openings_and_reasons_without_end_are_counted_together() {
    let mut tally = Tally::new(2);
    let names: Vec<String> = (0..5000).map(|i| format!("name {i}")).collect();
    for name in &names {
        tally.add_game(&GameFacts { opening: Some(name), ..facts(name) });
    }
    assert_eq!((tally.openings().len(), tally.openings()[Tally::OTHERS]), (1001, [0, 0, 4000]));
    assert_eq!((tally.reasons().len(), tally.reasons()[Tally::OTHERS]), (65, 4936));
    assert_eq!(tally.losses_of(1)[Tally::OTHERS], 4936);
}

#[test]
fn a_histogram_covers_every_length_once() {
    for width in [1, 7, 10, 1024, u64::MAX] {
        let mut tally = Tally::new(2);
        for plies in [0, 6, 7, 13, 1023, 1024, u64::MAX] {
            tally.add_game(&GameFacts { plies, ..facts("time") });
        }
        let buckets = tally.lengths().buckets(width);
        assert_eq!(buckets.iter().map(|bucket| bucket.games).sum::<u64>(), 7);
        for two in buckets.windows(2) {
            assert_eq!(two[0].to.unwrap() + 1, two[1].from);
        }
    }
    assert_eq!(Tally::new(0).lengths().buckets(0), []);
    assert_eq!(Tally::new(0).lengths().median(), None);
}
