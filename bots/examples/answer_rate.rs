//! Prints how many turns a second a bot answers, asked the same over and over:
//! `cargo run --release -p bao-bots --example answer_rate -- target/release/random-bot`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

const SETUP: &str = concat!(
    r#"{"type":"hello","protocol":[1],"referee":"answer_rate","limits":{"line_bytes":65536,"handshake_ms":10000}}"#,
    "\n",
    r#"{"type":"new_game","id":1,"game_id":"1","game":"bao-kigogo","you":"S","#,
    r#""position":"2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0 0","#,
    r#""clock":{"kind":"move_time","move_ms":100},"max_plies":1000}"#,
    "\n"
);
const GO: &str = concat!(
    r#"{"type":"go","id":2,"game_id":"1","ply":0,"you":"S","#,
    r#""position":"2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0 0","#,
    r#""south":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0],"#,
    r#""north":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0],"#,
    r#""captured_south":0,"captured_north":0,"reserved":"","#,
    r#""legal":"B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 A12 A11 A10 A9 A8 A7 A6 A5 A4 A3 A2","last":"","#,
    r#""you_ms":100,"opponent_ms":100,"increment_ms":0,"moves_to_go":0,"periods":0,"deadline_ms":100}"#,
    "\n"
);
const TURNS: u32 = 100_000;

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark reads the clock and prints")]
fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().unwrap_or_else(|| "target/release/random-bot".to_owned());
    let mut bot =
        Command::new(&program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut to = bot.stdin.take().expect("the bot's input is piped");
    let mut from = BufReader::new(bot.stdout.take().expect("the bot's output is piped"));
    let mut line = String::new();
    to.write_all(SETUP.as_bytes())?;
    from.read_line(&mut line)?;
    from.read_line(&mut line)?;
    let start = Instant::now();
    for _ in 0..TURNS {
        to.write_all(GO.as_bytes())?;
        line.clear();
        from.read_line(&mut line)?;
    }
    println!(
        "{:.0} turns/s, the last answer: {}",
        f64::from(TURNS) / start.elapsed().as_secs_f64(),
        line.trim()
    );
    drop(to);
    bot.wait()?;
    Ok(())
}
