//! The facts of Bao Kingulu.

use crate::info::{Info, Track};

pub(crate) const INFO: Info = Info {
    name: "bao-kingulu",
    title: "Bao Kingulu",
    rows: 2,
    columns: 6,
    seeds: 48,
    closed: true,
    track: Track::Both,
    reserved: Some(4..=5),
    counted: true,
    gains: "banks",
    gained: "in the bank",
    rare: include_str!("rare.txt"),
};
