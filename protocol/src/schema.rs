//! JSON Schemas (2020-12) of every message and of every record.
//!
//! They are generated from the types of this crate, committed in `protocol/schemas/`, and compared with them by a
//! test; `UPDATE_SCHEMAS=1 cargo test -p bao-protocol` writes them anew. Fields that a schema does not name are
//! allowed everywhere, as the protocol promises.

/// The schemas as they are committed: name and JSON text.
///
/// `to-bot` and `from-bot` are the messages, told apart by their `type`; `run` is `run.json`; `game-row`, `move-row`
/// and `wire-line` are one line of `games.jsonl`, `moves.jsonl` and `wire/<game>.jsonl`.
pub const FILES: [(&str, &str); 6] = [
    ("to-bot", include_str!("../schemas/to-bot.json")),
    ("from-bot", include_str!("../schemas/from-bot.json")),
    ("run", include_str!("../schemas/run.json")),
    ("game-row", include_str!("../schemas/game-row.json")),
    ("move-row", include_str!("../schemas/move-row.json")),
    ("wire-line", include_str!("../schemas/wire-line.json")),
];

/// Generates the schemas from the types, in the order and under the names of [`FILES`].
///
/// What the referee writes is described as written (every key that is always there is required), what a bot writes
/// as read (only what it must say is required).
#[cfg(feature = "schema")]
pub fn all() -> Vec<(&'static str, serde_json::Value)> {
    use schemars::generate::SchemaSettings;

    let read = SchemaSettings::draft2020_12;
    let written = || SchemaSettings::draft2020_12().for_serialize();
    [
        ("to-bot", written().into_generator().into_root_schema_for::<crate::ToBot<'static>>()),
        ("from-bot", read().into_generator().into_root_schema_for::<crate::FromBot>()),
        ("run", written().into_generator().into_root_schema_for::<crate::record::Run>()),
        ("game-row", written().into_generator().into_root_schema_for::<crate::record::GameRow>()),
        ("move-row", written().into_generator().into_root_schema_for::<crate::record::MoveRow<'static>>()),
        ("wire-line", written().into_generator().into_root_schema_for::<crate::record::WireLine<'static>>()),
    ]
    .into_iter()
    .map(|(name, schema)| (name, schema.into()))
    .collect()
}
