//! The cases as one conversation.

use bao_protocol::from_bot::{Info, Log, Move, Pong, Ready, Resign, Thought};
use bao_protocol::to_bot::{Clock, Fault, Go, NewGame, Ping, SetOption};
use bao_protocol::{Decoded, FromBot, Reason, ToBot, decode};
use bao_rules::{Pit, Position, Variant};
use serde_json::Value;

use crate::bot::hello;

const CASES: &str = include_str!("../data/contract.jsonl");

/// A conversation: what the bot is sent, and what it has to answer.
pub(crate) struct Script {
    pub(crate) sent: Vec<u8>,
    id: u64,
    settings: [(&'static str, String); 6],
    expected: Vec<FromBot>,
}

/// What a request says of the clock.
#[derive(Clone, Copy)]
struct Left {
    you_ms: u64,
    increment_ms: u64,
    moves_to_go: u64,
    periods: u64,
    deadline_ms: u64,
}

const UNHURRIED: Clock = Clock::None { cap_ms: 60_000 };
const PLENTY: Left =
    Left { you_ms: 60_000, increment_ms: 0, moves_to_go: 0, periods: 0, deadline_ms: 60_000 };

impl Script {
    pub(crate) fn new() -> Self {
        let defaults =
            [("seed", "0"), ("depth", "3"), ("wide", "0"), ("book", "true"), ("style", "calm"), ("note", "")];
        let mut script = Self {
            sent: Vec::new(),
            id: 0,
            settings: defaults.map(|(name, value)| (name, value.to_owned())),
            expected: vec![hello()],
        };
        // As a later version may say it.
        script.sent.extend_from_slice(
            b"{\"type\":\"hello\",\"protocol\":[1,2],\"referee\":\"r\",\"limits\":{\"line_bytes\":65536,\"handshake_ms\":10000}}\n",
        );
        for line in CASES.lines() {
            script.case(&serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")));
        }
        script.manners();
        script
    }

    fn say(&mut self, message: &ToBot<'_>) {
        message.write_line(&mut self.sent);
    }

    fn case(&mut self, case: &Value) {
        let text = |name: &str| case[name].as_str().unwrap_or_else(|| panic!("{case}: {name}"));
        match text("case") {
            "option" => {
                self.set(text("name"), text("value"), Some(text("becomes")), case["log"].as_str());
                self.game(&Position::start(Variant::Kingulu), UNHURRIED);
                self.go(&Position::start(Variant::Kingulu), &[], PLENTY, 1000, UNHURRIED, "");
            }
            "unknown option" => self.set(text("name"), text("value"), None, case["log"].as_str()),
            "budget" => {
                let clock: Clock = serde_json::from_value(case["clock"].clone()).expect("a clock");
                let number = |name: &str| case["go"][name].as_u64().unwrap_or(0);
                let left = Left {
                    you_ms: number("you_ms"),
                    increment_ms: number("increment_ms"),
                    moves_to_go: number("moves_to_go"),
                    periods: number("periods"),
                    deadline_ms: number("deadline_ms"),
                };
                let budget_ms = case["budget_ms"].as_u64().unwrap_or_else(|| panic!("{case}"));
                self.game(&Position::start(Variant::Kigogo), clock);
                self.go(&Position::start(Variant::Kigogo), &[], left, budget_ms, clock, "");
            }
            "seen" => self.seen(case),
            other => panic!("there is no case {other}"),
        }
    }

    /// Sets an option that then has the value `becomes`.
    fn set(&mut self, name: &str, value: &str, becomes: Option<&str>, log: Option<&str>) {
        self.id += 1;
        self.say(&ToBot::SetOption(SetOption { id: self.id, name: name.into(), value: value.into() }));
        self.expected
            .extend(log.map(|text| FromBot::Log(Log { level: "warn".to_owned(), text: text.to_owned() })));
        for (known, value) in &mut self.settings {
            if *known == name {
                becomes.expect("a value").clone_into(value);
            }
        }
    }

    fn game(&mut self, start: &Position, clock: Clock) {
        self.id += 1;
        self.say(&ToBot::NewGame(NewGame {
            id: self.id,
            game_id: "7".into(),
            game: start.variant().name().into(),
            you: start.side().into(),
            position: start.to_string().into(),
            clock,
            max_plies: 1000,
        }));
        self.expected.push(FromBot::Ready(Ready { id: self.id }));
    }

    /// Asks for a move, and returns the one that the bot has to make.
    fn go(
        &mut self,
        position: &Position,
        moves: &[Pit],
        left: Left,
        budget_ms: u64,
        clock: Clock,
        seen: &str,
    ) -> Pit {
        self.ask(position, moves, left);
        let note = &self.settings[5].1;
        let legal = position.legal_moves();
        let made = legal.iter().find(|pit| pit.name() == note).unwrap_or(legal[0]);
        let settings: Vec<String> =
            self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let kind =
            serde_json::to_value(clock).expect("a clock")["kind"].as_str().expect("its kind").to_owned();
        let up = match note.as_str() {
            "early" => "false",
            "wait" => "true",
            _ => "unknown",
        };
        let moves = names(moves).replace(' ', ",");
        let text = format!(
            "budget={budget_ms} up={up} clock={kind} moves={moves} seen={seen} {}",
            settings.join(" ")
        );
        let info = Some(Thought { text: Some(text), ..Thought::default() });
        self.expected.push(FromBot::Move(Move { id: self.id, mv: made.name().to_owned(), info }));
        made
    }

    fn ask(&mut self, position: &Position, moves: &[Pit], left: Left) {
        self.id += 1;
        let Left { you_ms, increment_ms, moves_to_go, periods, deadline_ms } = left;
        // What lies on the board stands in the position, too; no library looks at it twice.
        self.say(&ToBot::Go(Go {
            id: self.id,
            game_id: "7".into(),
            ply: moves.len() as u64,
            you: position.side().into(),
            position: position.to_string().into(),
            south: [].as_slice().into(),
            north: [].as_slice().into(),
            captured_south: 0,
            captured_north: 0,
            reserved: "".into(),
            legal: names(position.legal_moves().as_slice()).into(),
            last: "".into(),
            moves: Some(names(moves).into()),
            you_ms,
            opponent_ms: 1,
            increment_ms,
            moves_to_go,
            periods,
            deadline_ms,
        }));
    }

    /// Plays the moves of a case, in which the bot is the side to move at the end, and asks there about positions.
    fn seen(&mut self, case: &Value) {
        let variant: Variant = case["game"].as_str().expect("a game").parse().expect("a game");
        let mut position = match case["start"].as_str() {
            Some(text) => Position::parse(variant, text).expect("a position"),
            None => Position::start(variant),
        };
        let words: Vec<&str> = case["moves"].as_str().expect("moves").split_whitespace().collect();
        self.game(&position, UNHURRIED);
        let mut moves = Vec::new();
        for (number, name) in words.iter().enumerate() {
            let pit = Pit::parse(variant, name).expect("a pit");
            if (words.len() - number).is_multiple_of(2) {
                self.set("note", name, Some(name), None);
                assert_eq!(self.go(&position, &moves, PLENTY, 1000, UNHURRIED, ""), pit, "{case}");
            }
            moves.push(pit);
            position = position.play(pit).expect("a legal move").after.expect("it ends");
        }
        let asked = case["asked"].as_object().expect("positions");
        let texts: Vec<&str> = asked.keys().map(String::as_str).collect();
        let answers: String = asked.values().map(|seen| if *seen == true { 'y' } else { 'n' }).collect();
        self.set("ask", &texts.join(";"), None, None);
        self.go(&position, &moves, PLENTY, 1000, UNHURRIED, &answers);
        self.set("ask", "", None, None);
        self.set("note", "", Some(""), None);
    }

    /// What is not a case of data: waiting, reporting, giving up, and messages that need nothing.
    fn manners(&mut self) {
        let start = Position::start(Variant::Kingulu);
        let clock = Clock::MoveTime { move_ms: 40 };
        let left = Left { you_ms: 40, deadline_ms: 40, ..PLENTY };
        self.game(&start, clock);
        self.set("note", "wait", Some("wait"), None);
        self.go(&start, &[], left, 30, clock, "");
        self.set("note", "early", Some("early"), None);
        let hour = Left { you_ms: 3_600_000, deadline_ms: 3_600_000, ..PLENTY };
        self.go(&start, &[], hour, 3_599_800, clock, "");
        self.set("note", "talk", Some("talk"), None);
        self.expected.push(FromBot::Log(Log { level: "debug".to_owned(), text: "choosing".to_owned() }));
        self.expected.push(FromBot::Info(Info {
            id: self.id + 1,
            depth: Some(2),
            score: Some(-5),
            nodes: Some(7),
            pv: Some("A3 A4".to_owned()),
            text: Some("so far".to_owned()),
        }));
        self.go(&start, &[], left, 30, clock, "");
        self.set("note", "resign", Some("resign"), None);
        self.ask(&start, &[], PLENTY);
        self.expected.push(FromBot::Resign(Resign { id: self.id }));
        self.say(&ToBot::Fault(Fault {
            id: self.id,
            code: Reason::IllegalMove,
            detail: "a12 is empty".into(),
            line: "".into(),
            legal: "A3".into(),
        }));
        self.sent.extend_from_slice(b"{\"type\":\"standings\",\"rows\":[{\"type\":\"go\"}]}\n\r\n");
        self.id += 1;
        self.say(&ToBot::Ping(Ping { id: self.id }));
        self.expected.push(FromBot::Pong(Pong { id: self.id }));
    }

    /// Compares what a bot said with what it should have.
    pub(crate) fn compare(&self, said: &[u8]) {
        let said = std::str::from_utf8(said).expect("text");
        let mut lines = said.lines();
        for expected in &self.expected {
            let line = lines.next().unwrap_or_else(|| panic!("{expected:?} is missing"));
            match decode(line.as_bytes()) {
                Decoded::Message(found, warnings) => {
                    assert_eq!(warnings, [""; 0], "{line}");
                    assert_eq!(plain(found), *expected, "{line}");
                }
                other @ (Decoded::Unknown(_) | Decoded::Blank | Decoded::Noise | Decoded::Bad(_)) => {
                    panic!("{line:?} is {other:?}")
                }
            }
        }
        assert_eq!(lines.collect::<Vec<_>>(), [""; 0], "nothing more");
    }
}

/// Takes an empty thought for none.
fn plain(mut message: FromBot) -> FromBot {
    if let FromBot::Move(answer) = &mut message {
        answer.info.take_if(|info| *info == Thought::default());
    }
    message
}

fn names(pits: &[Pit]) -> String {
    pits.iter().map(|pit| pit.name()).collect::<Vec<_>>().join(" ")
}
