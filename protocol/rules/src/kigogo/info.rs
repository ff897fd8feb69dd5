//! The facts of Bao Kigogo.

use crate::info::{Info, Track};

pub(crate) const INFO: Info = Info {
    name: "bao-kigogo",
    title: "Bao Kigogo",
    rows: 4,
    columns: 12,
    seeds: 92,
    closed: false,
    track: Track::Own,
    reserved: None,
    counted: false,
    gains: "captures",
    gained: "captured",
    explained: &[
        ("en", include_str!("explained/en.txt")),
        ("sw", include_str!("explained/sw.txt")),
        ("pt", include_str!("explained/pt.txt")),
    ],
    example: "B10 b5 A11",
    rare: include_str!("rare.txt"),
};
