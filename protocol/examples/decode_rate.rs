//! Prints how long one line of a bot takes to read: `cargo run --release -p bao-protocol --example decode_rate`.

use std::hint::black_box;
use std::time::Instant;

use bao_protocol::{Decoded, decode};

const LINES: [&str; 3] = [
    r#"{"type":"move","id":7,"move":"A4"}"#,
    r#"{"type":"move","id":123456,"move":"b11","info":{"depth":9,"score":-150,"nodes":123456,"pv":"b11 A2"}}"#,
    r#"{"type":"info","id":7,"depth":12,"score":30,"nodes":5000000}"#,
];
const ROUNDS: u32 = 1_000_000;

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads the clock and prints")]
fn main() {
    for line in LINES {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let decoded = decode(black_box(line.as_bytes()));
            assert!(matches!(black_box(decoded), Decoded::Message(..)));
        }
        println!("{:>6.0} ns  {line}", start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS));
    }
}
