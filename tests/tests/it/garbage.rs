//! Lines that nobody can read: each loses, with a diagnosis that its author can act on.

use bao_protocol::Reason;

use crate::case::fault;

fn check(kind: &str, detail: &str) {
    fault(&format!("garbage --kind {kind}")).loses(Reason::BadMessage, detail);
}

#[test]
fn bytes_that_are_no_utf8_are_named_with_their_place() {
    check("bad_utf8", "found the byte 0xff at 10, expected UTF-8");
}

#[test]
fn a_nul_a_byte_order_mark_and_utf16_are_recognised() {
    check("nul", "NUL byte");
    check("bom", "byte order mark");
    check("utf16", "UTF-16");
}

#[test]
fn ten_thousand_levels_are_too_deep() {
    check("deep", "nests more than 127 levels deep");
}

#[test]
fn numbers_beyond_every_bound_are_named_with_their_field() {
    check("exponent", "numbers are whole and fit into 64 bits");
    check("huge_number", "field `id`");
    check("too_big_id", "field `id`");
    check("negative_id", "field `id`: -1 is not a number from 0 up");
    check("fraction", "round it");
    check("nan", "JSON knows no NaN");
}

#[test]
fn fields_of_the_wrong_type_are_named() {
    check("string_id", "write the number without quotes");
    check("number_move", "field `move`");
    check("list_move", "field `move`: found a list, expected a string");
    check("array", "found an array, expected one JSON object");
}

#[test]
fn fields_that_are_missing_or_doubled_are_named() {
    check("no_move", "field `move`: it is missing");
    check("no_type", "field `type`: it is missing");
    check("duplicate_key", "field `id`: it stands twice");
}

#[test]
fn types_that_are_no_bots_are_explained() {
    check("upper_case_type", "found `Move`, expected `move`");
    check("echo", "the bot seems to print what it reads");
}

#[test]
fn the_well_known_slips_are_explained() {
    check("two_objects", "two messages stand on one line");
    check("single_quotes", "double quotes, not single ones");
    check("python", "in Python use json.dumps");
    check("trailing_comma", "no comma after the last entry");
    check("pretty", "do not pretty-print");
    check("echo_n", "a backslash and an n were written");
}
