//! The option `seed`: within the bounds that a hello declares.

use bao_protocol::record::Greeted;
use bao_referee::game::setup::{Edition, Measure, SeatSetup, Setup};
use bao_rules::{Position, Side, Variant};
use proptest::prelude::*;

fn setup(game: u64, seed: u64) -> Setup {
    let seat = SeatSetup {
        name: String::new(),
        clock: "60s".parse().expect("a clock"),
        options: Vec::new(),
        greeted: None,
        next_id: 1,
    };
    Setup {
        game,
        position: Position::start(Variant::Kingulu),
        seats: [seat.clone(), seat],
        grace_us: 0,
        measure: Measure::Wall,
        max_plies: 100,
        seed,
        handshake_us: 1,
        ready_us: 1,
        adjudication: None,
        edition: Edition::LATEST,
        plan_sha256: None,
    }
}

proptest! {
    #[test]
    fn a_seed_keeps_to_the_bounds_of_the_hello(
        game in 1_u64..1_000_000, seed: u64, least: Option<i64>, most: Option<i64>,
    ) {
        let greeted = Greeted { seed: true, seed_min: least, seed_max: most, ..Greeted::default() };
        for side in Side::BOTH {
            let value = setup(game, seed).seed_option(side, greeted);
            let sound = least.unwrap_or(i64::MIN) <= most.unwrap_or((1 << 53) - 1);
            if sound {
                prop_assert!(least.is_none_or(|least| value >= least), "{value} {least:?}");
                prop_assert!(most.is_none_or(|most| value <= most), "{value} {most:?}");
            }
            prop_assert_eq!(value, setup(game, seed).seed_option(side, greeted));
        }
    }
}

#[test]
fn without_bounds_a_seed_is_what_it_was() {
    let setup = setup(3, 7);
    for side in Side::BOTH {
        assert_eq!(setup.seed_option(side, Greeted::default()), setup.seed_of(side) as i64);
    }
}
