use proptest::prelude::*;

use super::*;
use crate::from_bot::{Move, Thought};

/// Lines of every type, as careful bots write them.
const GOOD: [&str; 9] = [
    r#"{"type":"hello","protocol":1,"name":"a","version":"1","author":"b","games":["bao-kigogo"],"capabilities":["history"],"options":[{"name":"seed","kind":"integer","default":"0","min":0,"max":9}]}"#,
    r#"{"type":"ready","id":1}"#,
    r#"{"type":"move","id":7,"move":"A4"}"#,
    r#"{"type":"move","id":8,"move":"b11","info":{"depth":9,"score":-150,"nodes":1000,"pv":"b11 A2","text":"\u00e9\n"}}"#,
    r#"{"type":"resign","id":9}"#,
    r#"{"type":"pong","id":10}"#,
    r#"{"type":"info","id":7,"depth":3}"#,
    r#"{"type":"log","level":"warn","text":"caf√"}"#,
    r#"{"type":"solution","id":3,"legal":"A1 A2","over":false}"#,
];

fn bad(line: impl AsRef<[u8]>) -> BadLine {
    match decode(line.as_ref()) {
        Decoded::Bad(bad) => bad,
        other @ (Decoded::Message(..) | Decoded::Unknown(_) | Decoded::Blank | Decoded::Noise) => {
            panic!("{:?} was read as {other:?}", String::from_utf8_lossy(line.as_ref()))
        }
    }
}

/// Checks the field at fault and that the finding as a whole holds every one of `words`.
fn check(line: impl AsRef<[u8]>, field: &str, words: &[&str]) {
    let found = bad(&line);
    assert_eq!(found.field, field, "{found}");
    for word in words {
        assert!(found.to_string().contains(word), "no {word:?} in: {found}");
    }
}

fn a_move(id: u64) -> FromBot {
    FromBot::Move(Move { id, mv: "A4".to_owned(), info: None })
}

#[test]
fn good_lines_are_read_without_a_warning() {
    for line in GOOD {
        match decode(line.as_bytes()) {
            Decoded::Message(message, warnings) => {
                assert_eq!(warnings, [""; 0], "{line}");
                let again = serde_json::to_vec(&message).unwrap();
                assert_eq!(decode(&again), Decoded::Message(message, Vec::new()));
            }
            other @ (Decoded::Unknown(_) | Decoded::Blank | Decoded::Noise | Decoded::Bad(_)) => {
                panic!("{line} was read as {other:?}")
            }
        }
    }
}

#[test]
fn white_space_and_the_order_of_fields_do_not_matter() {
    let line = b" { \"move\" : \"A4\" ,\t\"id\": 7, \"type\": \"move\" } \r";
    assert_eq!(decode(line), Decoded::Message(a_move(7), Vec::new()));
}

#[test]
fn blank_lines_and_noise_are_told_apart_from_messages() {
    for line in ["", " ", "\r", "\t \r"] {
        assert_eq!(decode(line.as_bytes()), Decoded::Blank);
    }
    for line in ["My Bot 1.0", "[INFO] ready", "[1,2", "\"{\"", "move A4", "\u{feff}banner", "\0", "'{}'"] {
        assert_eq!(decode(line.as_bytes()), Decoded::Noise, "{line:?}");
    }
    assert_eq!(decode(b"\xff\xfe\x00"), Decoded::Noise);
}

#[test]
fn unknown_types_are_ignored_by_name() {
    assert_eq!(decode(br#"{"type":"telemetry","x":[1]}"#), Decoded::Unknown("telemetry".to_owned()));
    let long = format!(r#"{{"type":"{}\n"}}"#, "é".repeat(1000));
    assert_eq!(decode(long.as_bytes()), Decoded::Unknown(format!("{}...", "?".repeat(61))));
}

#[test]
fn unknown_fields_are_ignored_with_a_warning_that_names_them() {
    let line = br#"{"type":"move","id":7,"move":"A4","mood":{"a":1},"info":{"eval":[0.35]}}"#;
    let message = FromBot::Move(Move { id: 7, mv: "A4".to_owned(), info: Some(Thought::default()) });
    let warnings = ["unknown field `mood` is ignored", "unknown field `info.eval` is ignored"];
    assert_eq!(decode(line), Decoded::Message(message, warnings.map(str::to_owned).to_vec()));
}

#[test]
fn a_thousand_unknown_fields_cost_a_few_warnings() {
    let fields: Vec<String> = (0..1000).map(|n| format!(r#""{}{n}":1"#, "x".repeat(50))).collect();
    let line = format!(r#"{{"type":"ready","id":1,{}}}"#, fields.join(","));
    let Decoded::Message(_, warnings) = decode(line.as_bytes()) else { panic!("not a message") };
    assert_eq!(warnings.len(), NAMED + 1);
    assert_eq!(warnings[NAMED], "992 more unknown fields are ignored");
    assert!(warnings.iter().all(|warning| warning.len() < 100));
}

#[test]
fn integral_floats_are_read_with_a_warning() {
    for (line, number) in [
        (r#"{"type":"move","id":7.0,"move":"A4"}"#, "7.0"),
        (r#"{"type":"move","move":"A4","x":"1.0 \" 2.0","id":7.000}"#, "7.000"),
    ] {
        let Decoded::Message(message, warnings) = decode(line.as_bytes()) else {
            panic!("{line} is not a message")
        };
        assert_eq!(message, a_move(7));
        assert_eq!(warnings.last().unwrap(), &format!("a whole number is written with a fraction: {number}"));
    }
    let texts = br#"{"type":"log","text":"1.0 \\\" 2.0"}"#;
    assert!(matches!(decode(texts), Decoded::Message(_, warnings) if warnings.is_empty()));
}

#[test]
fn the_well_known_slips_get_a_hint() {
    for (line, field, words) in [
        (r"{'type':'move','id':7,'move':'A4'}", "", &["byte 2", "single", "json.dumps"][..]),
        (r#"{"type":"move","id":7,"move":'A4'}"#, "move", &["single", "'A4'"]),
        (r#"{"type":"move","id":7,"move":A4}"#, "move", &["`A4}`", "double quotes"]),
        (r#"{type:"move"}"#, "", &["double quotes"]),
        (r#"{"type":"move","id":None,"move":"A4"}"#, "id", &["None", "lower case"]),
        (r#"{"type":"move","id":7,"move":"A4","x":True}"#, "x", &["True", "lower case"]),
        (
            r#"{"type":"move","id":7,"move":"A4","info":{"score":NaN}}"#,
            "info.score",
            &["NaN", "leave the field out"],
        ),
        (r#"{"type":"move","id":7,"move":"A4","info":{"score":-Infinity}}"#, "info.score", &["no infinity"]),
        (r#"{"type":"move","id":7,"move":"A4","info":{"score":nan}}"#, "info.score", &["no NaN"]),
        (r#"{"type":"ready","id":nil}"#, "id", &["nil", "null"]),
        (r#"{"type":"ready","id":7}{"type":"ready","id":7}"#, "", &["byte 24", "two messages"]),
        (r#"{"type":"ready","id":7}\n"#, "", &["backslash"]),
        (r#"{"type":"ready","id":7} ok"#, "", &["ok", "nothing after"]),
        (r#"{"type":"ready","id":7,}"#, "", &["comma"]),
        (r#"{"type":"hello","games":["a",],"name":"b"}"#, "games", &["comma"]),
        (r#"{"type":"ready","id":7"#, "", &["ends in the middle", "half a message"]),
        (r#"{"type":"re"#, "type", &["half a message"]),
        ("{", "", &["pretty-print"]),
        ("{\"type\":\"log\",\"text\":\"a\tb\"}", "text", &["control character"]),
        (r#"{"type":"log","text":"\ud83d"}"#, "text", &["half of a character"]),
        (r#"{"type":"log","text":"\ude00 and \ud83d"}"#, "text", &["half of a character"]),
        ("{\"type\":\"ready\",\"id\":7}\0", "", &["NUL"]),
        ("{\0\"\0t\0", "", &["UTF-16"]),
        ("\0{\0\"\0t", "", &["UTF-16"]),
        ("\u{feff}{\"type\":\"ready\",\"id\":7}", "", &["byte order mark"]),
        (r#"["move",7,"A4"]"#, "", &["one JSON object", "found an array"]),
    ] {
        check(line, field, words);
    }
    check(b"{\"type\":\"log\",\"text\":\"caf\xe9\"}", "", &["0xe9 at 26", "UTF-8", "Latin-1"]);
    check(b"{\"type\":\"ready\",\"id\":7,\"x\":\"\xe9\"}", "", &["0xe9"]);
    check(b"\xff\xfe{\0\"\0", "", &["UTF-16"]);
}

#[test]
fn a_field_at_fault_is_named_with_what_was_found_and_expected() {
    for (line, field, words) in [
        ("{}", "type", &["missing", "every message"][..]),
        (r#"{"move":"A4","id":7}"#, "type", &["missing"]),
        (r#"{"type":7}"#, "type", &["found integer `7`", "expected a string"]),
        (r#"{"type":null}"#, "type", &["found null"]),
        (r#"{"type":["move"]}"#, "type", &["found a list"]),
        (r#"{"type":"move","type":"move","id":7,"move":"A4"}"#, "type", &["twice"]),
        (r#"{"type":"move","id":7,"id":8,"move":"A4"}"#, "id", &["twice"]),
        (r#"{"type":"move","id":7,"move":"A4","info":{"depth":1,"depth":2}}"#, "info.depth", &["twice"]),
        (
            r#"{"type":"move","id":"7","move":"A4"}"#,
            "id",
            &["string \"7\"", "whole number", "without quotes"],
        ),
        (r#"{"type":"move","id":[7],"move":"A4"}"#, "id", &["found a list", "one number"]),
        (r#"{"type":"move","id":-7,"move":"A4"}"#, "id", &["-7", "from 0 up"]),
        (r#"{"type":"move","id":7.5,"move":"A4"}"#, "id", &["7.5", "whole"]),
        (r#"{"type":"move","id":1e400,"move":"A4"}"#, "id", &["out of range", "64 bits"]),
        (r#"{"type":"move","id":99999999999999999999,"move":"A4"}"#, "id", &["64 bits"]),
        (r#"{"type":"move","id":7}"#, "move", &["missing"]),
        (r#"{"type":"move","id":7,"move":4}"#, "move", &["found integer `4`", "double quotes"]),
        (r#"{"type":"move","id":7,"move":["A4"]}"#, "move", &["found a list", "one text"]),
        (r#"{"type":"move","id":7,"move":null}"#, "move", &["found null"]),
        (r#"{"type":"move","id":7,"move":{"pit":"A4"}}"#, "move", &["found an object"]),
        (r#"{"type":"move","id":7,"move":"A4","info":{"score":12.5}}"#, "info.score", &["12.5", "round"]),
        (r#"{"type":"move","id":7,"move":"A4","info":{"pv":["A4","A5"]}}"#, "info.pv", &["single spaces"]),
        (r#"{"type":"hello","protocol":1,"name":"x","games":"bao-kigogo"}"#, "games", &["expected a list"]),
        (
            r#"{"type":"hello","protocol":1,"name":"x","games":[],"options":[{"name":"a","kind":"int"}]}"#,
            "options[0].kind",
            &["found `int`", "`integer`"],
        ),
        (
            r#"{"type":"hello","protocol":1,"name":"x","games":[],"options":[{}]}"#,
            "options[0].name",
            &["missing"],
        ),
    ] {
        check(line, field, words);
    }
}

#[test]
fn a_type_in_the_wrong_case_and_an_echo_of_the_referee_are_not_taken_for_unknown_types() {
    check(r#"{"type":"Move","id":7,"move":"A4"}"#, "type", &["`Move`", "`move`", "lower case"]);
    check(r#"{"type":"PONG ","id":7}"#, "type", &["`pong`"]);
    check(r#"{"type":"go","id":7}"#, "type", &["print what it reads"]);
    check(
        r#"{"type":"hello","protocol":[1],"referee":"x","limits":{}}"#,
        "protocol",
        &["print what it reads"],
    );
}

#[test]
fn ten_thousand_levels_do_not_overflow_the_stack() {
    let (open, close) = ("[".repeat(10_000), "]".repeat(10_000));
    let (maps, ends) = ("{\"a\":".repeat(10_000), "}".repeat(10_000));
    for line in [
        format!(r#"{{"type":"move","id":7,"move":"A4","x":{open}{close}}}"#),
        format!(r#"{{"type":"move","id":7,"move":"A4","x":{maps}1{ends}}}"#),
        format!(r#"{{"type":"nothing","x":{open}{close}}}"#),
        format!(r#"{{"x":{open}"#),
        format!("{maps}1"),
    ] {
        check(line, "", &["levels deep"]);
    }
    check(format!(r#"{{"type":{open}{close}}}"#), "type", &["found a list"]);
    check(format!("{maps}1{ends}"), "type", &["missing"]);
    check(format!("[{open}{close}]"), "", &["found an array"]);
    let deep_enough = format!(r#"{{"type":"ready","id":7,"x":{}{}}}"#, "[".repeat(100), "]".repeat(100));
    assert!(matches!(decode(deep_enough.as_bytes()), Decoded::Message(..)));
}

#[test]
fn findings_stay_short_and_printable_whatever_the_line_is() {
    let long = "\u{1b}é\"".repeat(20_000);
    let escaped = serde_json::to_string(&long).unwrap();
    for line in [
        format!(r#"{{"type":"move","id":{escaped},"move":"A4"}}"#),
        format!(r#"{{"type":"move","id":7,"move":"A4",{escaped}:x}}"#),
        format!(r#"{{"type":"ready","id":7}}{escaped}"#),
        format!(
            r#"{{"type":"hello","protocol":1,"name":"","games":[],"options":[{{"name":"","kind":{escaped}}}]}}"#
        ),
        format!(r#"{{"{}":"#, "a".repeat(60_000)),
    ] {
        in_bounds(&bad(line).to_string());
    }
}

fn in_bounds(text: &str) {
    assert!(text.len() <= 500, "{} characters: {text}", text.len());
    assert!(text.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{text:?}");
}

/// Decodes and checks what holds of every line.
fn holds(line: &[u8]) -> Result<(), TestCaseError> {
    match decode(line) {
        Decoded::Message(_, warnings) => {
            prop_assert_eq!(line.trim_ascii()[0], b'{');
            prop_assert!(warnings.len() <= NAMED + 2);
            for warning in &warnings {
                in_bounds(warning);
            }
        }
        Decoded::Unknown(name) => in_bounds(&name),
        Decoded::Blank => prop_assert!(line.trim_ascii().is_empty()),
        Decoded::Noise => prop_assert_ne!(line.trim_ascii()[0], b'{'),
        Decoded::Bad(bad) => {
            in_bounds(&bad.to_string());
            prop_assert!(!bad.problem.is_empty());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(line in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&line)?;
        holds(&[b"{", &line[..]].concat())?;
    }

    #[test]
    fn anything_that_looks_like_json_is_read_without_a_panic(
        line in r#"\{("(type|id|move|info|x)":|[\[\]{},:"\\]|"(move|hello|go)"|-?[0-9]{1,3}(\.[0-9]e?)?|null|True|NaN|\PC){0,24}"#,
    ) {
        holds(line.as_bytes())?;
    }

    #[test]
    fn mutations_of_good_lines_are_read_without_a_panic(
        which in 0..GOOD.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..4),
    ) {
        let mut line = GOOD[which].as_bytes().to_vec();
        for (index, byte, change) in changes {
            let at = index.index(line.len().max(1));
            match change {
                0 if at < line.len() => line[at] = byte,
                1 => line.insert(at.min(line.len()), byte),
                2 => line.truncate(at),
                _ => drop(line.drain(at.min(line.len())..(at + 3).min(line.len()))),
            }
            holds(&line)?;
        }
    }

    #[test]
    fn every_prefix_of_a_good_line_is_half_a_message(which in 0..GOOD.len(), cut in any::<prop::sample::Index>()) {
        let line = GOOD[which];
        let mut end = 1 + cut.index(line.len() - 1);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let hint = bad(&line[..end]).hint.expect("half a line has a hint");
        prop_assert!(hint.contains("half a message") || end == 1, "{}", hint);
    }
}
