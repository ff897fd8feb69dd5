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
    rare: include_str!("rare.txt"),
};
