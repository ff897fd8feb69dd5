//! The bot libraries are one contract: given the same messages, the same bot in every language answers the same.
//!
//! `contract/contract_bot.*`, and [`ContractBot`] here, say what their library tells them. `data/contract.jsonl` holds
//! the cases, one a line. All of them go to a bot as one conversation, whose answers are known beforehand.

#[path = "kit/compile.rs"]
mod compile;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use bao_protocol::from_bot::{Hello, Info, Log, Move, OptionKind, OptionSpec, Pong, Ready, Resign, Thought};
use bao_protocol::to_bot::{Clock, Fault, Go, NewGame, Ping, SetOption};
use bao_protocol::{Decoded, FromBot, Reason, ToBot, decode};
use bao_rules::{Pit, Position, Variant};
use bot::{Answer, Bot, BotOption, Identity, Turn};
use serde_json::Value;

const CASES: &str = include_str!("data/contract.jsonl");
const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The bot in Rust.
struct ContractBot;

impl Bot for ContractBot {
    fn choose(&mut self, turn: &mut Turn<'_>) -> Answer {
        let note = turn.settings.string("note").to_owned();
        let legal: Vec<&str> = turn.legal.iter().map(Pit::name).collect();
        match note.as_str() {
            "resign" => return Answer::Resign,
            "talk" => {
                turn.log("choosing", "debug");
                let (pv, text) = (Some(legal[..2].join(" ")), Some("so far".to_owned()));
                turn.tell(Thought { depth: Some(2), score: Some(-5), nodes: Some(7), pv, text });
            }
            _ => {}
        }
        let up = match note.as_str() {
            "early" => turn.time_is_up().to_string(),
            "wait" => {
                while !turn.time_is_up() {
                    std::hint::spin_loop();
                }
                (turn.elapsed() >= turn.budget).to_string()
            }
            _ => "unknown".to_owned(),
        };
        let variant = turn.position.variant();
        let seen = |text| turn.seen(&Position::parse(variant, text).expect("a position"));
        let asked = turn.settings.string("ask").split(';').filter(|text| !text.is_empty());
        let text = format!(
            "budget={} up={up} clock={} moves={} seen={} seed={} depth={} wide={} book={} style={} note={note}",
            turn.budget.as_millis(),
            serde_json::to_value(turn.clock).expect("a clock")["kind"].as_str().expect("its kind"),
            turn.go.moves.as_deref().unwrap_or("none").replace(' ', ","),
            asked.map(|text| if seen(text) { 'y' } else { 'n' }).collect::<String>(),
            turn.settings.integer("seed"),
            turn.settings.integer("depth"),
            turn.settings.integer("wide"),
            turn.settings.boolean("book"),
            turn.settings.string("style"),
        );
        let wanted = turn.legal.iter().find(|pit| pit.name() == note);
        let thought = Thought { text: Some(text), ..Thought::default() };
        Answer::Thoughtful(wanted.unwrap_or(turn.legal[0]), thought)
    }
}

fn identity() -> Identity {
    Identity {
        name: "contract-bot",
        games: vec![Variant::Kingulu],
        history: true,
        options: vec![
            BotOption::integer("depth", 3, 1..=9),
            BotOption::integer("wide", 0, ..),
            BotOption::boolean("book", true),
            BotOption::choice("style", "calm", &["calm", "wild"]),
            BotOption::string("ask", ""),
            BotOption::string("note", ""),
        ],
        ..Identity::default()
    }
}

/// What every one of these bots says of itself.
fn hello() -> FromBot {
    let option = |name: &str, kind, default: &str| OptionSpec {
        name: name.to_owned(),
        kind,
        default: default.to_owned(),
        min: None,
        max: None,
        choices: Vec::new(),
    };
    FromBot::Hello(Hello {
        protocol: 1,
        name: "contract-bot".to_owned(),
        version: "0.1".to_owned(),
        author: String::new(),
        games: vec!["bao-kingulu".to_owned()],
        capabilities: vec!["verify".to_owned(), "history".to_owned()],
        options: vec![
            OptionSpec { min: Some(0), max: Some((1 << 53) - 1), ..option("seed", OptionKind::Integer, "0") },
            OptionSpec { min: Some(1), max: Some(9), ..option("depth", OptionKind::Integer, "3") },
            option("wide", OptionKind::Integer, "0"),
            option("book", OptionKind::Boolean, "true"),
            OptionSpec {
                choices: vec!["calm".to_owned(), "wild".to_owned()],
                ..option("style", OptionKind::Choice, "calm")
            },
            option("ask", OptionKind::String, ""),
            option("note", OptionKind::String, ""),
        ],
    })
}

/// A conversation: what the bot is sent, and what it has to answer.
struct Script {
    sent: Vec<u8>,
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
    fn new() -> Self {
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

    /// What is no case of data: waiting, telling, giving up, and messages that need nothing.
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
    fn compare(&self, said: &[u8]) {
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

/// Makes the command of the bot in a language; `None` where the language is not installed.
fn bot_in(language: &str, folder: &Path) -> Option<Command> {
    let mut command = match language {
        "python" => {
            let mut command = Command::new("python3");
            command.arg("tests/contract/contract_bot.py").env("PYTHONPATH", "python");
            command
        }
        "javascript" => {
            let mut command = Command::new("node");
            command.arg("tests/contract/contract_bot.mjs");
            command.env("BAO_LIBRARY", format!("{FOLDER}/javascript/bao_bot.mjs"));
            command
        }
        "c" => Command::new(compile::compile("tests/contract/contract_bot.c", folder)?),
        other => panic!("there is no library for {other}"),
    };
    command.current_dir(FOLDER).env_remove("PYTHONUNBUFFERED");
    Some(command)
}

/// Runs a bot to its end; `None` where its language is not installed.
fn run(language: &str, arguments: &[&str], sent: &[u8]) -> Option<Output> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = folder.path().join("input");
    File::create(&input).and_then(|mut file| file.write_all(sent)).expect("a temporary file");
    let mut command = bot_in(language, folder.path())?;
    command.args(arguments).stdin(File::open(&input).expect("it was just written"));
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bao_tests::skip(&format!("the contract in {language}"), "its interpreter is not installed");
            None
        }
        Err(error) => panic!("{language}: {error}"),
    }
}

fn keeps_the_contract(language: &str) {
    let script = Script::new();
    let Some(output) = run(language, &[], &script.sent) else { return };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    script.compare(&output.stdout);
    assert_eq!(errors.trim(), "lost by illegal_move: a12 is empty");
    for (arguments, error) in [
        (&["--depth", "10"][..], "contract-bot: --depth 10: option depth must be from 1 to 9"),
        (&["--seed", "x"], "contract-bot: --seed x: option seed must be a whole number"),
        (&["--seed", "7", "--book"], "contract-bot: --book: not --OPTION VALUE"),
        (
            &["--color", "red"],
            "contract-bot: --color red: option color is unknown; the options are seed depth wide book style ask note",
        ),
    ] {
        let output = run(language, arguments, &[]).expect("it ran before");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), error);
    }
}

#[test]
fn rust_keeps_the_contract() {
    let script = Script::new();
    let mut said = Vec::new();
    bot::converse(&mut ContractBot, &identity(), script.sent.as_slice(), &mut said).expect("a conversation");
    script.compare(&said);
}

#[test]
fn python_keeps_the_contract() {
    keeps_the_contract("python");
}

#[test]
fn javascript_keeps_the_contract() {
    keeps_the_contract("javascript");
}

#[test]
fn c_keeps_the_contract() {
    keeps_the_contract("c");
}

/// The words of a piece of code, without what is between quotes.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let outside = code.split('"').step_by(2);
    let words = outside.flat_map(|part| part.split(|sign: char| !sign.is_alphanumeric() && sign != '_'));
    words.filter(|word| word.starts_with(|sign: char| sign.is_alphabetic()))
}

/// The text of all Rust files in a folder and those below it.
fn rust_in(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let text = |path: std::path::PathBuf| {
        if path.is_dir() {
            rust_in(&path)
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            std::fs::read_to_string(&path).expect("a source")
        } else {
            String::new()
        }
    };
    paths.map(text).collect()
}

#[test]
fn every_name_in_the_guides_table_is_in_the_library() {
    let guide = include_str!("../../docs/BOTS.md");
    let section = guide.split("\n## ").find(|section| section.starts_with("The libraries side by side"));
    let rows: Vec<Vec<&str>> = section
        .expect("the section")
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
        .map(|line| line.trim_matches('|').split(" | ").collect())
        .collect();
    assert!(rows.len() > 20, "only {} rows", rows.len());
    let rules = rust_in(&Path::new(FOLDER).join("../protocol/rules/src"));
    let sources = [
        include_str!("../python/bao_bot.py").to_owned(),
        include_str!("../javascript/bao_bot.mjs").to_owned(),
        include_str!("../c/bao_bot.h").to_owned(),
        rust_in(&Path::new(FOLDER).join("src")) + &rules,
    ];
    for (column, source) in sources.iter().enumerate() {
        let known: std::collections::HashSet<&str> =
            source.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        for row in &rows {
            assert_eq!(row.len(), 5, "{row:?}");
            for code in row[column + 1].split('`').skip(1).step_by(2) {
                for word in words(code) {
                    assert!(known.contains(word), "{}: {word} in {code}", row[0]);
                }
            }
        }
    }
}
