//! `referee ratings`: what it answers.

use bao_tests::{Place, Referee};
use serde_json::Value;

#[test]
fn ratings_are_one_json_object_with_null_where_an_end_is_open() {
    let place = Place::new();
    place.file("pairs.csv", "a,b,points_a,points_b\nx,y,2,0\ny,z,1.5,0.5\nx,z,2,0\n");
    let ended = Referee::at(place, ["ratings", "pairs.csv", "--json", "--anchor", "y=1000"]).run();
    assert_eq!((ended.code(), ended.stderr.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    let bots = answer["bots"].as_array().unwrap();
    assert_eq!(bots.iter().map(|bot| bot["name"].as_str().unwrap()).collect::<Vec<_>>(), ["x", "y", "z"]);
    assert_eq!((&bots[1]["elo"], &bots[1]["pairs"]), (&1000.0.into(), &2.into()));
    assert!(bots[0]["elo_high"].is_null() && bots[0]["elo_low"].is_f64());
    assert!((bots[2]["score"].as_f64().unwrap() - 0.125).abs() < 1e-12);
}

#[test]
fn an_anchor_that_is_not_there_is_named_beside_those_that_are() {
    let place = Place::new();
    place.file("pairs.csv", "a,b,points_a,points_b\nrandom-bot,y,2,0\n");
    let ended = Referee::at(place, ["ratings", "pairs.csv", "--anchor", "randm-bot=0"]).run();
    assert_eq!(ended.code(), 2);
    assert!(ended.stderr.contains("no bot randm-bot"), "{}", ended.stderr);
    assert!(ended.stderr.contains("did you mean `random-bot`?"), "{}", ended.stderr);
    let ended = Referee::new(["ratings", "nowhere.csv"]).run();
    assert_eq!(ended.code(), 6);
}
