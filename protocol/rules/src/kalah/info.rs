//! The facts of the small Kalah.

use crate::info::{Info, Track};

pub(crate) const INFO: Info = Info {
    name: "kalah",
    title: "Kalah",
    rows: 2,
    columns: 4,
    seeds: 24,
    closed: true,
    track: Track::BothAndBank,
    reserved: None,
    counted: true,
    gains: "banks",
    gained: "in the bank",
    explained: &[],
    example: "",
    rare: include_str!("rare.txt"),
};
