//! Statistics of one bot against another: reference figures, properties, edge cases, texts.

use std::collections::BTreeMap;

use bao_stats::{Counts, Decision, Model, Outcome, Sprt, Summary, summary};
use proptest::prelude::*;
use serde_json::Value;

const VECTORS: &str = include_str!("data/statistics.json");

fn vectors(section: &str) -> Vec<Value> {
    let all: BTreeMap<String, Vec<Value>> = serde_json::from_str(VECTORS).expect("lists of cases by section");
    assert!(all.keys().eq(["elo", "llr"]), "every section has its test");
    all[section].clone()
}

fn counts(cells: &Value) -> Counts {
    cells.to_string().trim_matches(['[', ']']).parse().expect("three or five numbers")
}

#[track_caller]
fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found} instead of {expected}");
}

#[test]
fn elo_and_its_kin_equal_the_reference_to_nine_digits() {
    for case in vectors("elo") {
        let name = case["name"].as_str().unwrap();
        let counts = counts(&case["low_to_high"]);
        let found = summary(&counts, None);
        for (key, value) in [
            ("N", counts.units() as f64),
            ("score", found.score.unwrap()),
            ("var", counts.variance().unwrap()),
            ("elo", found.elo.unwrap()),
            ("nelo", found.nelo.unwrap()),
            ("nelo_err", found.nelo_error.unwrap()),
        ] {
            assert_near(value, case[key].as_f64().unwrap(), &format!("{name} {key}"));
        }
    }
}

/// The reference takes the deviation as known and the score as normal, which some hundred results come close to.
#[test]
fn with_many_results_intervals_and_likelihoods_come_close_to_the_reference() {
    for case in vectors("elo") {
        let found = summary(&counts(&case["low_to_high"]), None);
        let width = 2.0 * case["err"].as_f64().unwrap();
        for (key, value) in [("lo", found.elo_low.unwrap()), ("hi", found.elo_high.unwrap())] {
            let off = (value - case[key].as_f64().unwrap()).abs() / width;
            assert!(off < 0.1, "{key} is off by {off} of the width: {case}");
        }
        let off = (found.los.unwrap() - case["los"].as_f64().unwrap()).abs();
        assert!(off < 0.01, "{off}: {case}");
    }
}

#[test]
fn log_likelihood_ratios_equal_the_reference_to_nine_digits() {
    for case in vectors("llr") {
        let model: Model = case["model"].as_str().unwrap().parse().unwrap();
        let [elo0, elo1] = ["elo0", "elo1"].map(|key| case[key].as_f64().unwrap());
        let test = Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap();
        assert_near(
            test.llr(&counts(&case["low_to_high"])),
            case["llr"].as_f64().unwrap(),
            &case.to_string(),
        );
    }
}

fn any_counts() -> impl Strategy<Value = Counts> {
    let cell = prop_oneof![Just(0u64), 0..20u64, 0..5_000u64];
    prop_oneof![
        prop::array::uniform3(cell.clone()).prop_map(Counts::Trinomial),
        prop::array::uniform5(cell).prop_map(Counts::Pentanomial),
    ]
}

fn any_test(most: f64) -> impl Strategy<Value = Sprt> {
    let model = prop_oneof![Just(Model::Normalized), Just(Model::Logistic)];
    (model, -most..most, -most..most).prop_map(|(model, a, b)| {
        Sprt::new(model, a.min(b), a.max(b) + 0.1, 0.05, 0.05).expect("ordered and within bounds")
    })
}

proptest! {
    #[test]
    fn whatever_the_counts_the_json_holds_only_finite_numbers_and_nulls(
        counts in any_counts(), test in any_test(499.0),
    ) {
        let found = summary(&counts, Some(&test));
        let written: Value = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        // serde_json writes NaN and infinity as null, so the numbers are looked at before they are written.
        let Summary { games: _, score, elo, elo_low, elo_high, nelo, nelo_error, los, sprt, .. } = found;
        let sprt = sprt.unwrap();
        for number in [score, elo, elo_low, elo_high, nelo, nelo_error, los].into_iter().flatten() {
            prop_assert!(number.is_finite(), "{found:?}");
        }
        prop_assert!(sprt.llr.is_finite(), "{found:?}");
        prop_assert_eq!(written.as_object().unwrap().len(), 12);
    }

    #[test]
    fn the_interval_contains_the_estimate(counts in any_counts()) {
        let found = summary(&counts, None);
        if let (Some(low), Some(elo)) = (found.elo_low, found.elo) {
            prop_assert!(low <= elo);
        }
        if let (Some(elo), Some(high)) = (found.elo, found.elo_high) {
            prop_assert!(elo <= high);
        }
    }

    #[test]
    fn seen_by_the_other_bot_every_figure_changes_its_sign(counts in any_counts()) {
        let (own, other) = (summary(&counts, None), summary(&counts.mirrored(), None));
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * (1.0 + a.abs()),
            (a, b) => a.is_none() && b.is_none(),
        };
        let negated = |value: Option<f64>| value.map(|value| -value);
        prop_assert!(near(own.score, other.score.map(|score| 1.0 - score)));
        prop_assert!(near(own.elo, negated(other.elo)));
        prop_assert!(near(own.elo_low, negated(other.elo_high)));
        prop_assert!(near(own.nelo, negated(other.nelo)));
        prop_assert!(near(own.los, other.los.map(|los| 1.0 - los)));
    }

    #[test]
    fn swapping_bots_and_hypotheses_negates_the_ratio(
        counts in any_counts(), elo0 in -100.0..0.0, width in 0.1..100.0,
        model in prop_oneof![Just(Model::Normalized), Just(Model::Logistic)],
    ) {
        let elo1 = elo0 + width;
        let own = Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap().llr(&counts);
        let other = Sprt::new(model, -elo1, -elo0, 0.05, 0.05).unwrap().llr(&counts.mirrored());
        prop_assert!((own + other).abs() <= 1e-9 * (1.0 + own.abs()), "{own} {other}");
    }

    #[test]
    fn a_won_pair_instead_of_a_lost_one_raises_the_ratio(
        mut cells in prop::array::uniform5(0..500u64), test in any_test(30.0),
    ) {
        cells[0] += 1;
        let before = test.llr(&Counts::Pentanomial(cells));
        cells[0] -= 1;
        cells[4] += 1;
        prop_assert!(before < test.llr(&Counts::Pentanomial(cells)));
    }

    #[test]
    fn doubling_all_counts_doubles_the_ratio(
        cells in prop::array::uniform5(1..500u64), test in any_test(300.0),
    ) {
        let once = test.llr(&Counts::Pentanomial(cells));
        let twice = test.llr(&Counts::Pentanomial(cells.map(|n| 2 * n)));
        prop_assert!((twice - 2.0 * once).abs() <= 1e-9 * (1.0 + once.abs()));
    }

    /// No distribution with the hypothesis' strength explains the counts better than the one that was found:
    /// the ratio against it can only be larger.
    #[test]
    fn no_other_distribution_of_that_strength_is_likelier(
        cells in prop::array::uniform5(1..200u64), shape in prop::array::uniform5(0.01..1.0f64),
    ) {
        let total: f64 = cells.iter().sum::<u64>() as f64;
        let log_likelihood = |p: [f64; 5]| -> f64 {
            cells.iter().zip(p).map(|(&n, p)| n as f64 * (p / (n as f64 / total)).ln()).sum()
        };
        let shape_total: f64 = shape.iter().sum();
        let shape = shape.map(|p| p / shape_total);
        // The shape's own normalized Elo is the first hypothesis; it then explains the counts at most as well.
        let mean: f64 = shape.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, x)| p * x).sum();
        let square: f64 = shape.iter().zip([0.0f64, 0.25, 0.5, 0.75, 1.0]).map(|(p, x)| p * (x - mean).powi(2)).sum();
        let nelo = (mean - 0.5) / (2.0 * square).sqrt() * 800.0 / std::f64::consts::LN_10;
        prop_assume!(nelo.abs() < 400.0);
        let counts = Counts::Pentanomial(cells);
        let found = summary(&counts, None);
        // Against the counts' own strength, whose likelihood is 0 on this scale, the ratio is that of the shape.
        let own = found.nelo.unwrap();
        prop_assume!(own.abs() < 400.0 && (own - nelo).abs() > 0.1);
        let ratio = Sprt::new(Model::Normalized, own.min(nelo), own.max(nelo), 0.05, 0.05).unwrap().llr(&counts);
        prop_assert!(-ratio.abs() >= log_likelihood(shape) - 1e-9, "{ratio} {}", log_likelihood(shape));
    }

    #[test]
    fn counts_survive_their_text(counts in any_counts()) {
        prop_assert_eq!(counts.to_string().parse::<Counts>(), Ok(counts));
    }
}

#[test]
fn large_hypotheses_and_one_sided_results_still_give_the_best_distribution() {
    // Under H0 and H1 equally far from what was seen the ratio is zero, however far that is.
    for elo in [1.0, 50.0, 200.0, 500.0] {
        for cells in [[0, 0, 7, 0, 0], [3, 0, 0, 0, 3], [0, 500, 1, 500, 0], [9, 1, 0, 1, 9]] {
            let test = Sprt::new(Model::Normalized, -elo, elo, 0.05, 0.05).unwrap();
            let llr = test.llr(&Counts::Pentanomial(cells));
            assert!(llr.abs() < 1e-9, "{cells:?} at {elo}: {llr}");
        }
    }
}

#[test]
fn results_that_tell_nothing_are_null() {
    let json = |text: &str| serde_json::to_value(summary(&text.parse().unwrap(), None)).unwrap();
    let nothing = json("0,0,0,0,0");
    assert_eq!(nothing["games"], 0);
    for key in ["score", "elo", "elo_low", "elo_high", "nelo", "nelo_error", "los"] {
        assert!(nothing[key].is_null(), "{key}");
    }
    let all_won = json("0,0,0,0,8");
    assert_eq!((&all_won["games"], &all_won["score"]), (&16.into(), &1.0.into()));
    assert!(["elo", "elo_high", "nelo", "nelo_error", "los"].iter().all(|key| all_won[key].is_null()));
    assert!(all_won["elo_low"].as_f64().unwrap() > 0.0, "sixteen games won say something");
    let all_lost = json("8,0,0,0,0");
    assert!(all_lost["elo_low"].is_null() && all_lost["elo_high"].as_f64().unwrap() < 0.0);
    let all_drawn = json("0,5,0");
    assert_eq!((&all_drawn["elo"], &all_drawn["los"]), (&0.0.into(), &0.5.into()));
    assert!(all_drawn["nelo"].is_null());
    let nearly_all_won = json("0,0,0,1,8");
    assert!(["elo", "elo_low", "elo_high"].iter().all(|key| nearly_all_won[key].is_f64()));
}

#[test]
fn a_test_starts_undecided_and_ends_at_its_bounds() {
    let test = Sprt::new(Model::Normalized, 0.0, 10.0, 0.05, 0.1).unwrap();
    let state = |cells| test.judge(&Counts::Pentanomial(cells));
    let start = state([0; 5]);
    assert_eq!((start.llr, start.decision), (0.0, Decision::Continue));
    assert_near(start.lower, (0.1f64 / 0.95).ln(), "lower");
    assert_near(start.upper, (0.9f64 / 0.05).ln(), "upper");
    assert_eq!(state([0, 0, 0, 0, 5000]).decision, Decision::AcceptH1);
    assert_eq!(state([5000, 0, 0, 0, 0]).decision, Decision::AcceptH0);
    let json = serde_json::to_value(summary(&Counts::Pentanomial([0; 5]), Some(&test))).unwrap();
    assert_eq!(json["decision"], "continue");
    assert!(json.get("sprt").is_none() && json["llr"].is_f64());
}

#[test]
fn pairs_are_counted_by_their_points() {
    use Outcome::{Draw, Loss, Win};
    let mut pairs = Counts::Pentanomial([0; 5]);
    let mut games = Counts::Trinomial([0; 3]);
    for pair in [[Loss, Loss], [Draw, Loss], [Win, Loss], [Draw, Draw], [Win, Draw], [Win, Win]] {
        pairs.add_pair(pair);
        games.add_pair(pair);
    }
    assert_eq!(pairs, Counts::Pentanomial([1, 1, 2, 1, 1]));
    assert_eq!(games, Counts::Trinomial([4, 4, 4]));
    assert_eq!((pairs.games(), games.games()), (12, 12));
}

#[test]
fn a_wrong_text_is_told_what_is_wrong_with_it() {
    for (text, message) in [
        ("", "no counts"),
        ("  ", "no counts"),
        ("1,2,", "number 3 of the counts is missing"),
        ("1,two,3", "number 2 of the counts, `two`, is not a whole number"),
        ("1,2,3.5", "number 3 of the counts, `3.5`, is not a whole number"),
        ("1,+2,3", "number 2 of the counts, `+2`, is not a whole number"),
        ("1,-,3", "number 2 of the counts, `-`, is not a whole number"),
        ("1,-2,3", "number 2 of the counts, `-2`, is negative"),
        ("7", "1 number instead of 3 or 5"),
        ("1,2,3,4", "4 numbers instead of 3 or 5"),
        ("1,2,99999999999999999999", "the counts together are above 1000000000000"),
        ("1,2,999999999999", "the counts together are above 1000000000000"),
    ] {
        let error = text.parse::<Counts>().unwrap_err().to_string();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
    assert_eq!(" 1, 2 ,3".parse(), Ok(Counts::Trinomial([1, 2, 3])));
}

#[test]
fn a_test_that_makes_no_sense_is_told_why() {
    for (elo0, elo1, alpha, beta, message) in [
        (2.0, 2.0, 0.05, 0.05, "elo0 (2) must be below elo1 (2)"),
        (f64::NAN, 2.0, 0.05, 0.05, "elo0 is NaN: give a number from -500 to 500"),
        (0.0, 501.0, 0.05, 0.05, "elo1 is 501: give a number from -500 to 500"),
        (0.0, 2.0, 0.0, 0.05, "alpha is 0: give a probability above 0 and below 0.5"),
        (0.0, 2.0, 0.05, 0.5, "beta is 0.5: give a probability above 0 and below 0.5"),
    ] {
        let error = Sprt::new(Model::Logistic, elo0, elo1, alpha, beta).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert_eq!(
        "bayesian".parse::<Model>().unwrap_err().to_string(),
        "`bayesian` is not a model; write `normalized` or `logistic`"
    );
}
