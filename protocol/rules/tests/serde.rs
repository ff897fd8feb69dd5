//! The feature `serde`: every value that has a text is that string, and comes back from it.

use std::fmt::Debug;

use bao_rules::{Ending, Pit, Position, Rules, Side, Variant, kigogo, kingulu};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks that a value is written as a string and read back.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    let json = serde_json::to_string(value).expect("it can be written");
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(serde_json::from_str::<T>(&json).expect("it can be read"), *value);
}

#[test]
fn values_are_their_texts() {
    for variant in Variant::ALL {
        check(&variant, variant.name());
        let start = Position::start(variant);
        check(&start, &format!("{variant} {start}"));
        for pit in Pit::all(variant) {
            check(&pit, &format!("{variant} {pit}"));
        }
    }
    for side in Side::BOTH {
        check(&side, &side.to_string());
    }
    for ending in Ending::ALL {
        check(&ending, ending.name());
    }
    check(&kigogo::Position::START, &kigogo::Position::START.to_string());
    check(&kingulu::Position::START, "4,4,4,4,4,4/4,4,4,4,4,4 S 0 0");
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    let error = |json: &str| serde_json::from_str::<Position>(json).expect_err("not a position").to_string();
    assert!(error("\"chess e4\"").starts_with("unknown game \"chess\""));
    assert!(error("\"bao-kingulu\"").contains("rows"));
    assert!(error("\"bao-kingulu 4,4,4,4,4,4/4,4,4,4,4,4 S 0 1\"").contains("exactly 48 seeds"));
    assert!(error("12").contains("expected the name of a game and a position text"));
    assert!(serde_json::from_str::<Pit>("\"bao-kingulu A7\"").is_err());
    assert!(serde_json::from_str::<Side>("\"s\"").is_err());
}
