//! JSON Schemas (2020-12) of every message and of every record.
//!
//! They are generated from the types of this crate, committed in `protocol/schemas/`, and compared with them by a
//! test; `UPDATE_SCHEMAS=1 cargo test -p bao-protocol` writes them again. Fields that a schema does not name are
//! allowed everywhere, as the protocol promises.

/// The schemas as they are committed: name and JSON text.
///
/// `to-bot` and `from-bot` are the messages, distinguished by their `type`; `run` is `run.json`, `plan` its `plan`;
/// `game-row`, `move-row`, `stderr-row` and `wire-line` are one line of `games.jsonl`, `moves.jsonl`,
/// `stderr.jsonl` and of a game's evidence, `act` one line of `acts.jsonl`; `wire-start`, `wire-event`, `wire-stderr` and `wire-verdict` are the
/// JSON in `text` of a line of evidence of that channel.
pub const FILES: [(&str, &str); 13] = [
    ("to-bot", include_str!("../schemas/to-bot.json")),
    ("from-bot", include_str!("../schemas/from-bot.json")),
    ("run", include_str!("../schemas/run.json")),
    ("game-row", include_str!("../schemas/game-row.json")),
    ("move-row", include_str!("../schemas/move-row.json")),
    ("wire-line", include_str!("../schemas/wire-line.json")),
    ("plan", include_str!("../schemas/plan.json")),
    ("wire-start", include_str!("../schemas/wire-start.json")),
    ("wire-event", include_str!("../schemas/wire-event.json")),
    ("wire-verdict", include_str!("../schemas/wire-verdict.json")),
    ("stderr-row", include_str!("../schemas/stderr-row.json")),
    ("wire-stderr", include_str!("../schemas/wire-stderr.json")),
    ("act", include_str!("../schemas/act.json")),
];

/// Generates the schemas from the types, in the order and under the names of [`FILES`].
///
/// What the referee writes is described as written (every key that is always there is required), what a bot writes
/// as read (only what it must say is required).
#[cfg(feature = "schema")]
pub fn all() -> Vec<(&'static str, serde_json::Value)> {
    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;

    use crate::record::{
        Act, Event, GameRow, MoveRow, Plan, Run, Start, StderrRow, WireLine, WireStderr, WireVerdict,
    };

    fn written<T: JsonSchema>() -> serde_json::Value {
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().into()
    }

    fn read<T: JsonSchema>() -> serde_json::Value {
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().into()
    }

    vec![
        ("to-bot", written::<crate::ToBot<'static>>()),
        ("from-bot", read::<crate::FromBot>()),
        ("run", written::<Run>()),
        ("game-row", written::<GameRow>()),
        ("move-row", written::<MoveRow<'static>>()),
        ("wire-line", written::<WireLine<'static>>()),
        ("plan", written::<Plan>()),
        ("wire-start", written::<Start>()),
        ("wire-event", written::<Event>()),
        ("wire-verdict", written::<WireVerdict>()),
        ("stderr-row", written::<StderrRow<'static>>()),
        ("wire-stderr", written::<WireStderr>()),
        ("act", written::<Act>()),
    ]
}
