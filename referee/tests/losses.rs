//! Common mistakes of a first bot, each played through the pure machine: the verdict names the cause and the way out.

use bao_protocol::record::MoveRow;
use bao_protocol::{Reason, ToBot};
use bao_referee::game::note::Note;
use bao_referee::game::setup::{Edition, SeatSetup, Setup};
use bao_referee::game::verdict::{Loss, Verdict};
use bao_referee::game::{Cpu, Game, Heard as Line, Input, Out};
use bao_rules::{Position, Side, Variant};

const HELLO: &str = r#"{"type":"hello","protocol":1,"name":"bot","games":["bao-kigogo","bao-kingulu"]}"#;
const SECOND: u64 = 1_000_000;

/// What the referee wrote to each side.
#[derive(Default)]
struct Heard([Vec<String>; 2]);

impl Out for Heard {
    fn send(&mut self, side: Side, line: &[u8]) {
        self.0[side as usize].push(String::from_utf8_lossy(line).trim_end().to_owned());
    }

    fn ply(&mut self, _: &MoveRow<'_>) {}

    fn note(&mut self, _: Side, _: &Note<'_>) {}
}

/// A game in which South makes the mistake.
struct Table {
    game: Game,
    now_us: u64,
    heard: Heard,
}

impl Table {
    fn new() -> Self {
        let seat = |name: &str| SeatSetup {
            name: name.to_owned(),
            clock: "5s".parse().expect("a clock"),
            options: Vec::new(),
            greeted: None,
            next_id: 1,
        };
        let setup = Setup {
            game: 1,
            position: Position::start(Variant::Kingulu),
            seats: [seat("south"), seat("north")],
            grace_us: 50_000,
            measure: bao_referee::game::setup::Measure::Wall,
            max_plies: 100,
            seed: 1,
            handshake_us: 10 * SECOND,
            ready_us: 10 * SECOND,
            adjudication: None,
            edition: Edition::LATEST,
            plan_sha256: None,
        };
        let mut table = Self { game: Game::new(setup), now_us: 0, heard: Heard::default() };
        table.step(Input::Ask);
        table
    }

    /// A game whose first request for a move is open.
    fn asked() -> Self {
        let mut table = Self::new();
        for side in Side::BOTH {
            table.line(side, HELLO);
        }
        table.step(Input::Ask);
        for side in Side::BOTH {
            table.line(side, r#"{"type":"ready","id":1}"#);
        }
        table.step(Input::Ask);
        table
    }

    fn step(&mut self, input: Input<'_>) {
        self.now_us += 1000;
        self.game.step(self.now_us, input, &mut self.heard);
    }

    fn line(&mut self, side: Side, line: &str) {
        self.bytes(side, line.as_bytes());
    }

    fn bytes(&mut self, side: Side, bytes: &[u8]) {
        self.step(Input::Line(Line { side, bytes, lag_us: 0, cpu: Cpu::default() }));
    }

    /// Lets the time of the awaited side run out.
    fn wait(&mut self) {
        let deadlines = Side::BOTH.into_iter().filter_map(|side| self.game.awaited(side));
        self.now_us = deadlines.min().expect("somebody is awaited");
        self.step(Input::Tick);
    }

    fn lose(&mut self, reason: Reason, detail: &str) {
        let loss = Loss { reason, detail: detail.to_owned(), line: String::new() };
        self.step(Input::Lost { side: Side::South, loss: &loss });
    }

    fn verdict(&self) -> &Verdict {
        self.game.verdict().expect("the game is over")
    }
}

#[test]
fn common_mistakes_in_an_answer_are_named_with_the_way_out() {
    let mut unsaid = Vec::new();
    // What South writes to the request with id 2, and what its verdict says: the reason, the cause, the way out.
    for (mistake, line, reason, says) in [
        (
            "a bare move",
            "A3",
            Reason::Time,
            &["`A3` is not a message: write {\"type\":\"move\",\"id\":2,\"move\":\"A3\"}"][..],
        ),
        (
            "a bare move in quotes",
            "\"a5\"",
            Reason::Time,
            &["write {\"type\":\"move\",\"id\":2,\"move\":\"A5\"}"],
        ),
        (
            "a bestmove of another protocol",
            "bestmove A3",
            Reason::Time,
            &["`bestmove A3` is not a message", "one JSON object per line"],
        ),
        ("a prompt", "Your move? ", Reason::Time, &["`Your move?` is not a message"]),
        (
            "a traceback on standard output",
            "Traceback (most recent call last):",
            Reason::Time,
            &["`Traceback (most recent call last):` is not a message"],
        ),
        (
            "an unknown type",
            r#"{"type":"play","id":2,"move":"A3"}"#,
            Reason::Time,
            &["`play` is not a type of message", "`go` with `move`"],
        ),
        (
            "an id of its own count",
            r#"{"type":"move","id":1,"move":"A3"}"#,
            Reason::Time,
            &["the request has the id 2, the move that came has the id 1", "repeat the request's id"],
        ),
        (
            "the id of the game",
            r#"{"type":"move","id":77,"move":"A3"}"#,
            Reason::Time,
            &["the request has the id 2, the move that came has the id 77"],
        ),
        (
            "ready once more",
            r#"{"type":"ready","id":2}"#,
            Reason::Time,
            &["the ready that came has the id 2"],
        ),
        (
            "nothing but info",
            r#"{"type":"info","id":2,"depth":3}"#,
            Reason::Time,
            &["ms used, 5000 ms allowed"],
        ),
        ("no id", r#"{"type":"move","move":"A3"}"#, Reason::BadMessage, &["id", "missing"]),
        (
            "the id as a text",
            r#"{"type":"move","id":"2","move":"A3"}"#,
            Reason::BadMessage,
            &["field `id`", "without quotes"],
        ),
        (
            "the id with a fraction",
            r#"{"type":"move","id":2.5,"move":"A3"}"#,
            Reason::BadMessage,
            &["field `id`", "whole"],
        ),
        ("no move", r#"{"type":"move","id":2}"#, Reason::BadMessage, &["move", "missing"]),
        (
            "the move as a number",
            r#"{"type":"move","id":2,"move":3}"#,
            Reason::BadMessage,
            &["field `move`", "double quotes"],
        ),
        (
            "the move as a list",
            r#"{"type":"move","id":2,"move":["A3"]}"#,
            Reason::BadMessage,
            &["field `move`"],
        ),
        ("no type", r#"{"id":2,"move":"A3"}"#, Reason::BadMessage, &["type"]),
        (
            "single quotes",
            "{'type':'move','id':2,'move':'A3'}",
            Reason::BadMessage,
            &["double quotes, not single ones"],
        ),
        (
            "Python's None",
            r#"{"type":"move","id":2,"move":"A3","info":None}"#,
            Reason::BadMessage,
            &["true, false and null in lower case"],
        ),
        (
            "Python's True",
            r#"{"type":"move","id":2,"move":"A3","x":True}"#,
            Reason::BadMessage,
            &["lower case"],
        ),
        ("names without quotes", "{type:\"move\",id:2,move:\"A3\"}", Reason::BadMessage, &["double quotes"]),
        (
            "a comma at the end",
            r#"{"type":"move","id":2,"move":"A3",}"#,
            Reason::BadMessage,
            &["no comma after the last"],
        ),
        ("the first line of a pretty print", "{", Reason::BadMessage, &["one line"]),
        (
            "two messages on a line",
            r#"{"type":"pong","id":1}{"type":"move","id":2,"move":"A3"}"#,
            Reason::BadMessage,
            &["end each with a newline"],
        ),
        ("a list around it", r#"[{"type":"move","id":2,"move":"A3"}]"#, Reason::BadMessage, &["not a list"]),
        ("what it was sent", r#"{"type":"go","id":2}"#, Reason::BadMessage, &["print what it reads"]),
        ("NaN", r#"{"type":"move","id":2,"move":"A3","info":{"score":NaN}}"#, Reason::BadMessage, &["NaN"]),
        (
            "another case",
            r#"{"type":"move","id":2,"move":"a3"}"#,
            Reason::IllegalMove,
            &["not_your_pit", "did you mean A3?"],
        ),
        (
            "spaces around the move",
            r#"{"type":"move","id":2,"move":" A3"}"#,
            Reason::IllegalMove,
            &["unknown_pit", "did you mean A3?"],
        ),
        (
            "an index for a move",
            r#"{"type":"move","id":2,"move":"2"}"#,
            Reason::IllegalMove,
            &["unknown_pit", "A1..A6"],
        ),
        (
            "a pit that does not exist",
            r#"{"type":"move","id":2,"move":"A7"}"#,
            Reason::IllegalMove,
            &["unknown_pit: \"A7\""],
        ),
        (
            "a move that the rules forbid",
            r#"{"type":"move","id":2,"move":"A1"}"#,
            Reason::IllegalMove,
            &["first_lap_own_row: the first lap from A1"],
        ),
    ] {
        let mut table = Table::asked();
        table.line(Side::South, line);
        if table.game.verdict().is_none() {
            table.wait();
        }
        let verdict = table.verdict();
        let detail = verdict.detail.as_deref().unwrap_or_default();
        assert_eq!((verdict.reason, verdict.fault), (reason, Some(Side::South)), "{mistake}: {detail}");
        let missing: Vec<&&str> = says.iter().filter(|part| !detail.contains(**part)).collect();
        if !missing.is_empty() {
            unsaid.push(format!("{mistake}: {missing:?} is not in \"{detail}\""));
        }
        if reason != Reason::Time {
            assert_eq!(verdict.line.as_deref(), Some(line), "{mistake}");
        }
    }
    assert!(unsaid.is_empty(), "{unsaid:#?}");
}

#[test]
fn a_silence_names_its_cause_first() {
    let mut mute = Table::new();
    mute.line(Side::North, HELLO);
    mute.step(Input::Ask);
    mute.line(Side::North, r#"{"type":"ready","id":1}"#);
    mute.wait();
    let detail = mute.verdict().detail.clone().unwrap_or_default();
    assert!(
        detail.starts_with("nothing was ever received from the bot: does it flush its output?; "),
        "{detail}"
    );

    let mut half = Table::asked();
    half.step(Input::HalfLine { side: Side::South, bytes: 9, text: "{\"type\":\"" });
    half.wait();
    let detail = half.verdict().detail.clone().unwrap_or_default();
    assert!(
        detail.starts_with("9 bytes came without a newline at their end: {\"type\":\"; 5051 ms used"),
        "{detail}"
    );

    let mut bare = Table::asked();
    bare.line(Side::South, "A3");
    bare.wait();
    let detail = bare.verdict().detail.clone().unwrap_or_default();
    assert!(detail.starts_with("`A3` is not a message: ") && detail.contains("ms used"), "{detail}");
}

#[test]
fn what_a_program_said_before_it_ended_is_told() {
    let mut table = Table::asked();
    table.line(Side::South, "ValueError: 'A3' is not in list");
    table.lose(Reason::Crash, "the program exited with code 1");
    let detail = table.verdict().detail.clone().unwrap_or_default();
    assert!(
        detail.starts_with(
            "the program exited with code 1; the last that came: `ValueError: 'A3' is not in list`"
        ),
        "{detail}"
    );
}

#[test]
fn evidence_is_what_was_written_and_the_wire_stays_ascii() {
    let mut table = Table::asked();
    let line = "{\"type\":\"move\",\"id\":2,\"move\":\"Ä\\\\ \u{1f3c6}\"}";
    table.line(Side::South, line);
    assert_eq!(table.verdict().line.as_deref(), Some(line));
    let fault = table.heard.0[Side::South as usize]
        .iter()
        .find(|line| line.starts_with("{\"type\":\"fault\""))
        .expect("it is told");
    assert!(fault.is_ascii(), "{fault}");
    let Ok(Some(ToBot::Fault(fault))) = ToBot::read(fault.as_bytes()) else { panic!("{fault} is a fault") };
    assert_eq!(fault.line, line);

    let long = format!("{{{}", "ä".repeat(300));
    let mut table = Table::asked();
    table.line(Side::South, &long);
    assert_eq!(table.verdict().line, Some(format!("{{{}...", "ä".repeat(199))));

    let mut table = Table::asked();
    table.bytes(Side::South, b"{\"type\":\"m\xff\"}");
    assert_eq!(table.verdict().line.as_deref(), Some("{\"type\":\"m\u{fffd}\"}"));
}

#[test]
fn the_fault_on_the_page_is_what_is_sent() {
    let page = include_str!("../../PROTOCOL.md");
    let example = |kind: &str| {
        let start = format!("{{\"type\":\"{kind}\"");
        let mut lines = page.lines().filter(|line| line.starts_with(&start));
        lines.next_back().expect("an example").to_owned()
    };
    let game = example("new_game");
    let Ok(Some(ToBot::NewGame(game))) = ToBot::read(game.as_bytes()) else { panic!("no game") };
    let expected = example("fault");
    let variant: Variant = game.game.parse().expect("a game");
    let seat = |next_id: u64| SeatSetup {
        name: String::new(),
        clock: "60s+500ms".parse().expect("a clock"),
        options: Vec::new(),
        greeted: Some(bao_protocol::record::Greeted::default()),
        next_id,
    };
    let setup = Setup {
        game: 17,
        position: Position::parse(variant, &game.position).expect("a position"),
        seats: [seat(1), seat(2)],
        grace_us: 50_000,
        measure: bao_referee::game::setup::Measure::Wall,
        max_plies: 1000,
        seed: 1,
        handshake_us: 10 * SECOND,
        ready_us: 10 * SECOND,
        adjudication: None,
        edition: Edition::LATEST,
        plan_sha256: None,
    };
    let mut table = Table { game: Game::new(setup), now_us: 0, heard: Heard::default() };
    table.step(Input::Ask);
    table.line(Side::South, r#"{"type":"ready","id":1}"#);
    table.line(Side::North, r#"{"type":"ready","id":2}"#);
    table.step(Input::Ask);
    table.line(Side::South, r#"{"type":"move","id":2,"move":"B1"}"#);
    table.step(Input::Ask);
    table.line(Side::North, r#"{"type":"move","id":3,"move":"a12"}"#);
    let mut told = table.heard.0[Side::North as usize].iter();
    assert_eq!(told.find(|line| line.contains("\"fault\"")), Some(&expected));
}
