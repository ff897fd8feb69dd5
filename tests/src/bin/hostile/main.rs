//! A bot that plays by the book until it does what it is asked: `hostile --do FAULT`.
//!
//! [`faults`] lists what it can do. `--at N` chooses the move on which it does it (its first, unless asked
//! otherwise), `--game ID` the only game in which it does it; each fault names what else it needs. Until then it
//! answers as any bot does, with the first legal move.

mod acts;
mod faults;
mod intruder;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use bao_protocol::ToBot;
use bao_protocol::to_bot::Go;

use acts::Outcome;
use faults::{Fault, When};

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Orders {
    fault: String,
    at: u64,
    game: Option<String>,
    code: i32,
    ms: u64,
    count: usize,
    kind: String,
    mark: String,
}

impl Orders {
    fn read() -> Result<Self, String> {
        let mut orders = Self {
            fault: String::new(),
            at: 1,
            game: None,
            code: 0,
            ms: 0,
            count: 0,
            kind: String::new(),
            mark: String::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| format!("{name} has no value"))?;
            let number = || value.parse::<u32>().map_err(|error| format!("{name} {value}: {error}"));
            match &*name {
                "--do" => orders.fault = value,
                "--at" => orders.at = number()?.into(),
                "--game" => orders.game = Some(value),
                "--code" => orders.code = number()?.cast_signed(),
                "--ms" => orders.ms = number()?.into(),
                "--count" => orders.count = number()? as usize,
                "--kind" => orders.kind = value,
                "--mark" => orders.mark = value,
                _ => return Err(format!("unknown argument {name}")),
            }
        }
        Ok(orders)
    }
}

/// What the bot knows of the game that it plays.
#[derive(Debug)]
struct Stage {
    orders: Orders,
    fault: &'static Fault,
    game: String,
    variant: String,
    moves: u64,
    done: bool,
}

#[expect(clippy::print_stderr, reason = "standard error is where a bot tells its trouble")]
fn main() -> ExitCode {
    let played = Orders::read().and_then(|orders| {
        if let Some(outcome) = acts::child(&orders) {
            return outcome.map_err(|error| error.to_string());
        }
        let fault = faults::find(&orders.fault, &orders.kind)?;
        let stage =
            Stage { orders, fault, game: String::new(), variant: String::new(), moves: 0, done: false };
        stage.converse().map_err(|error| error.to_string())
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hostile: {error}");
            ExitCode::from(2)
        }
    }
}

impl Stage {
    fn converse(mut self) -> io::Result<()> {
        if self.fault.when == When::Start {
            self.commit(&Asked::default())?;
        }
        // Not the whole of standard input is locked: a fault may want it closed.
        for line in io::BufReader::new(io::stdin()).lines() {
            let line = line?;
            let Ok(Some(message)) = ToBot::read(line.as_bytes()) else { continue };
            match message {
                ToBot::Hello(_) => self.at(When::Hello, &Asked::default(), HELLO)?,
                ToBot::NewGame(game) => {
                    self.game = game.game_id.into_owned();
                    self.variant = game.game.into_owned();
                    self.moves = 0;
                    self.done = false;
                    self.at(When::NewGame, &Asked { id: game.id, go: None }, READY)?;
                }
                ToBot::Go(go) => {
                    self.moves += 1;
                    self.at(When::Move, &Asked { id: go.id, go: Some(&go) }, MOVE)?;
                }
                ToBot::Bye(_) => return self.at(When::Bye, &Asked::default(), ""),
                ToBot::Ping(ping) => Asked { id: ping.id, go: None }.say(PONG)?,
                ToBot::SetOption(_) | ToBot::Fault(_) | ToBot::GameOver(_) | ToBot::Verify(_) => {}
            }
        }
        self.at(When::EndOfInput, &Asked::default(), "")
    }

    /// Answers as a bot should, or commits the fault if it is its time.
    fn at(&mut self, when: When, asked: &Asked<'_>, answer: &str) -> io::Result<()> {
        let game = self.orders.game.as_ref().is_none_or(|game| when == When::Hello || *game == self.game);
        let ripe = when != When::Move || self.moves >= self.orders.at;
        let due = self.fault.when == when && game && ripe && !(self.done && self.fault.once);
        if due && self.commit(asked)? == Outcome::Done {
            self.done = true;
            return Ok(());
        }
        asked.say(answer)
    }

    fn commit(&self, asked: &Asked<'_>) -> io::Result<Outcome> {
        for act in self.fault.acts {
            if act.perform(&self.orders, &self.variant, asked)? == Outcome::NotYet {
                return Ok(Outcome::NotYet);
            }
        }
        Ok(Outcome::Done)
    }
}

/// The request that is open.
#[derive(Debug, Default)]
pub(crate) struct Asked<'a> {
    id: u64,
    go: Option<&'a Go<'a>>,
}

impl Asked<'_> {
    /// Fills a text in (see [`Fault::acts`]).
    fn fill(&self, text: &str) -> String {
        text.replace("{id}", &self.id.to_string())
            .replace("{next}", &(self.id + 1).to_string())
            .replace("{before}", &self.id.saturating_sub(1).to_string())
            .replace("{move}", self.first_legal())
    }

    fn first_legal(&self) -> &str {
        self.go.and_then(|go| go.legal.split(' ').next()).unwrap_or("")
    }

    /// Writes a text to standard output, at once.
    fn say(&self, text: &str) -> io::Result<()> {
        say(self.fill(text).as_bytes())
    }
}

const PONG: &str = "{\"type\":\"pong\",\"id\":{id}}\n";
const READY: &str = "{\"type\":\"ready\",\"id\":{id}}\n";
const MOVE: &str = "{\"type\":\"move\",\"id\":{id},\"move\":\"{move}\"}\n";

/// What this bot says of itself when it behaves.
const HELLO: &str = concat!(
    "{\"type\":\"hello\",\"protocol\":1,\"name\":\"hostile\",\"version\":\"1\",\"author\":\"tests\",",
    "\"games\":[\"bao-kigogo\",\"bao-kingulu\"],\"capabilities\":[],",
    "\"options\":[{\"name\":\"weight\",\"kind\":\"string\",\"default\":\"\"}]}\n"
);

/// Writes bytes to standard output, at once.
fn say(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}
