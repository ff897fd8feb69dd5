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
    explained: &[
        ("en", include_str!("explained/en.txt")),
        ("sw", include_str!("explained/sw.txt")),
        ("pt", include_str!("explained/pt.txt")),
    ],
    example: "A4 a5 A2",
    rare: include_str!("rare.txt"),
};
